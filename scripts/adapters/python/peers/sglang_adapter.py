"""SGLang: the detectors and the chat serving's own response code, from the wheel, without the engine.

Usage: python sglang_adapter.py WHEEL_DIRECTORY [ROW=PARSER[+REASONING_PARSER]...]. `scripts/peers/sglang.sh` sets it up.

The request, the parsers and the methods of `OpenAIServingChat` that build a reply and its stream chunks are SGLang's. Ours are the tokenizer and
what the engine would hand over: the text without the stop token, and a last empty chunk with the finish reason.
"""
import functools
import importlib
import importlib.metadata
import inspect
import json
import logging
import os
import sys
from types import SimpleNamespace

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import streak  # noqa: E402  First: it moves standard output away.
import wheel  # noqa: E402
from families import FAMILIES, choose, without_stop  # noqa: E402
from tokenizer import Tokenizer  # noqa: E402

# Our row: SGLang's tool-call parser and the reasoning parser that goes with it. DeepSeek V4 and V4.1 and Inkling are read from token ids by
# other code of the server, and are not here.
DIALECTS = {
    "hermes": ("qwen25", "qwen3"),
    "gigachat3": ("gigachat3", None),
    "guided_json": ("pythonic", "qwen3"),
    "internlm": ("interns1", "interns1"),
    "llama3": ("llama3", None),
    "cohere": ("cohere_command4", "cohere_command4"),
    "apertus": ("apertus2509", "apertus2509"),
    "mistral_list": ("mistral", "mistral"),
    "mistral_v13": ("mistral", "mistral"),
    "deepseek_v3": ("deepseekv3", "deepseek-v3"),
    "deepseek_v31": ("deepseekv31", "deepseek-v3"),
    "deepseek_v32": ("deepseekv32", "deepseek-v3"),
    "kimi_k2": ("kimi_k2", "kimi_k2"),
    "kimi_k3": ("kimi_k3", "kimi_k3"),
    "pythonic": ("pythonic", None),
    "lfm2": ("lfm2", "qwen3"),
    "qwen3_coder": ("qwen3_coder", "qwen3"),
    "nemotron3": ("qwen3_coder", "nemotron_3"),
    "mimo": ("mimo", "mimo"),
    "gigachat35": ("gigachat35", "gigachat35"),
    "minimax_m2": ("minimax-m2", "minimax"),
    "minimax_m3": ("minimax-m3", "minimax-m3"),
    "dots": ("dots", "dots"),
    "step3": ("step3", "step3"),
    "minicpm5": ("minicpm5", "qwen3"),
    "glm45": ("glm45", "glm45"),
    "glm47": ("glm47", "glm45"),
    "ling3": ("ling3", "ling3"),
    "poolside": ("poolside_v1", "poolside_v1"),
    "spark25": ("spark25", "qwen3"),
    "iquest": ("iquest_q1", "iquest_q1"),
    "hy_v3": ("hunyuan", "hunyuan"),
    "hy_v4": ("hunyuan", "hunyuan"),
    "k2_horizon": ("k2_horizon", "k2_horizon"),
    "gemma4": ("gemma4", "gemma4"),
    "harmony": ("gpt-oss", "gpt-oss"),
    "beam": ("beam", "beam"),
    "muse": ("muse", "muse"),
}
MINTS_LIKE_THE_MODEL = ("kimi_k2", "kimi_k3")
# A stop token that the detokenizer keeps in the text, as it also closes a call.
KEPT_STOPS = {"harmony": "<|call|>", "beam": "<|call|>"}
REAL = [
    "sglang.srt.function_call", "sglang.srt.function_call.", "sglang.srt.parser", "sglang.srt.parser.", "sglang.srt.environ",
    "sglang.srt.entrypoints.openai.protocol", "sglang.srt.entrypoints.openai.serving_chat", "sglang.srt.entrypoints.openai.serving_base",
    "sglang.srt.entrypoints.openai.sse_utils", "sglang.srt.entrypoints.openai.utils", "sglang.srt.entrypoints.openai.usage_processor",
]


class Defaults(SimpleNamespace):
    """Server settings: what is not given is off."""

    def __getattr__(self, _name):
        return None


def load(root):
    serving = Defaults(incremental_streaming_output=True)
    wheel.mount(root, "sglang", REAL, {
        "sglang.srt.runtime_context": lambda module: setattr(module, "get_serving", lambda: serving),
        "sglang.srt.utils.weight_versions": lambda module: setattr(module, "build_endpoint_weight_version_metadata", lambda _meta: {}),
    }, ["torch", "xgrammar", "transformers", "fastapi", "starlette", "jinja2", "PIL"])
    logging.disable(logging.CRITICAL)
    # Both ask for the signature of the same classes in every reading, a third of its time.
    signatures = SimpleNamespace(signature=functools.lru_cache(maxsize=None)(inspect.signature))
    for module in ("sglang.srt.function_call.function_call_parser", "sglang.srt.parser.reasoning_parser"):
        importlib.import_module(module).inspect = signatures


class Setup:
    """What readings of one dialect and request share."""

    def __init__(self, adapter, request, thinks):
        from sglang.srt.entrypoints.openai.protocol import ChatCompletionRequest
        from sglang.srt.entrypoints.openai.serving_chat import OpenAIServingChat
        from sglang.srt.function_call.function_call_parser import FunctionCallParser
        from sglang.srt.parser.reasoning_parser import ReasoningParser
        dialect, choice = request["dialect"], request["tool_choice"]
        self.dialect, self.tokenizer = dialect, adapter.tokenizer(dialect)
        tool_parser, reasoning_parser = DIALECTS[dialect]
        server = self.server = OpenAIServingChat.__new__(OpenAIServingChat)
        server.tool_call_parser, server.reasoning_parser = tool_parser, reasoning_parser
        server.tokenizer_manager = Defaults(tokenizer=self.tokenizer)
        server.template_manager = SimpleNamespace(force_reasoning=False, reasoning_config=None)
        server._encoding_adapter, server._response_parser = None, None
        server.chat_encoding_spec = "kimi_k3" if dialect == "kimi_k3" else None
        server._reasoning_detector = ReasoningParser(reasoning_parser, tokenizer=self.tokenizer).detector if reasoning_parser else None
        body = {"model": "m", "messages": [{"role": "user", "content": "q"}], "parallel_tool_calls": request["parallel_tool_calls"],
                "tools": request["tools"], "chat_template_kwargs": {"enable_thinking": thinks, "thinking": thinks,
                                                                     "thinking_mode": "enabled" if thinks else "disabled"}}
        if request["tools"]:
            body["tool_choice"] = choice if isinstance(choice, str) else {"type": "function", "function": {"name": choice["function"]}}
        if dialect in ("hy_v3", "hy_v4", "mistral_list", "mistral_v13"):
            body["reasoning_effort"] = "high" if thinks else "none"
        try:
            self.request = ChatCompletionRequest.model_validate(body)
        except ValueError as refused:  # HTTP 400, before any text.
            raise streak.Unsupported(f"the server refuses the request: {refused}"[:300]) from refused
        if reasoning_parser and not thinks and dialect not in ("harmony", "beam"):
            forced = server._get_reasoning_from_request(self.request)
            if getattr(ReasoningParser(reasoning_parser, True, forced, self.request, tokenizer=self.tokenizer).detector, "_in_reasoning", False):
                # It takes every reply to begin inside a span, as its model's prompt always opens one; this case's prompt has not.
                server.reasoning_parser = server._reasoning_detector = None
        if dialect == "beam":
            self.request._response_parser_prefix = "<|start|>assistant"
        server._patch_reasoning_skip_special_tokens(self.request)
        calls = bool(request["tools"]) and self.request.tool_choice != "none"
        self.skip_special_tokens = self.request.skip_special_tokens and not calls and dialect not in ("harmony", "gemma4", "beam")
        forced = calls and self.request.tool_choice != "auto"
        self.guided = forced and not FunctionCallParser(
            self.request.tools, tool_parser, tokenizer=self.tokenizer, tool_choice=self.request.tool_choice).owns_tool_format()

    def check(self, text):
        if self.guided and text.lstrip()[:1] not in ("[", "{"):
            raise streak.Unsupported("the server forces this tool_choice by guided JSON; the model cannot write this text")

    def text(self, request):
        kept = KEPT_STOPS.get(self.dialect)
        if kept and request["text"].endswith(kept):
            return request["text"]
        return without_stop(request["text"], FAMILIES[self.dialect], request["end"])[0]

    def call_id(self, call):
        return call["id"] if self.dialect in MINTS_LIKE_THE_MODEL else None


def chunks_of(generator):
    """What an asynchronous generator that never waits yields."""
    while True:
        try:
            generator.__anext__().send(None)
        except StopIteration as one:
            yield one.value
        except StopAsyncIteration:
            return


class Session:
    def __init__(self, setup, request):
        self.setup, self.length = setup, len(setup.text(request))
        self.begin()

    def begin(self):
        self.reasoning, self.parsers, self.has_calls, self.left = {}, {}, {}, self.length

    def feed(self, text, reason):
        from sglang.srt.entrypoints.openai.serving_chat import _incomplete_tool_call_indices
        setup, events = self.setup, []
        text, self.left = text[: self.left], max(self.left - len(text), 0)
        generator = setup.server._generate_stream_content(
            content={"text": setup.tokenizer.shown(text, setup.skip_special_tokens), "meta_info": {"id": "r"}}, index=0, request=setup.request,
            created=0, stream_offsets={}, reasoning_parser_dict=self.reasoning, parser_dict=self.parsers, has_tool_calls=self.has_calls,
            choice_logprobs=None, finish_reason_type=reason, continuous_usage_stats=False, prompt_tokens={}, reasoning_tokens={},
            completion_tokens={})
        for chunk in chunks_of(generator):
            delta = json.loads(chunk[len("data: "):])["choices"][0]["delta"]
            if delta.get("reasoning_content"):
                events.append(("reasoning", delta["reasoning_content"]))
            if delta.get("content"):
                events.append(("text", delta["content"]))
            for call in delta.get("tool_calls") or ():
                # Some detectors give undeclared tools the index -1; events have none below 0, so it goes out as 32 bits read it.
                index = call["index"] % 2**32
                if call["function"].get("name"):
                    events.append(("call", index, call["function"]["name"], setup.call_id(call)))
                if call["function"].get("arguments"):
                    events.append(("arguments", index, call["function"]["arguments"]))
        if reason is not None:
            # The four lines of `_generate_chat_stream` that follow the last chunk.
            called = self.has_calls.get(0, False) and reason == "stop" and not _incomplete_tool_call_indices(self.parsers.get(0))
            events.append(("finish", "tool_calls" if called else reason))
            self.begin()
        return events

    def push(self, text):
        return self.feed(text, None) if text else []

    def finish(self, end):
        return self.last("", end)

    def last(self, text, end):
        return self.feed(text, "length" if end == "length" else "stop")


class Sglang(streak.Adapter):
    def __init__(self, version):
        self.setups, self.tokenizers = {}, {}
        self.hello = {
            "name": "sglang", "version": version, "dialects": sorted(DIALECTS), "modes": ["whole", "stream"], "unit": "text",
            "tells": ["reasoning", "finish"], "special_tokens": "whole", "delivery": "eager",
            "cuts_stop_tokens": sorted(set(DIALECTS) - set(KEPT_STOPS)),
            "policies": {"undeclared": "drop", "names": "exact", "coercion": "sglang"},
            "cannot": [{"law": "id-valid-unique", "why": "the server mints ids"}],
            "stubs": ["tokenizer: one id per token of the family and per other character", "chat template", "structured output"],
            "notes": "detectors and chat serving methods of the wheel, without engine and detokenizer; SGLANG_FORWARD_UNKNOWN_TOOLS off; parsers: "
                     + ", ".join(f"{row}={tool}" + (f"+{reasoning}" if reasoning else "") for row, (tool, reasoning) in DIALECTS.items()),
        }

    def tokenizer(self, dialect):
        if dialect not in self.tokenizers:
            self.tokenizers[dialect] = Tokenizer(FAMILIES[dialect])
        return self.tokenizers[dialect]

    def setup(self, request):
        if request["tools"] is None:
            raise streak.Unsupported("the server reads calls only in requests with tools")
        # A model that thinks without an opener in the prompt writes it first.
        thinks = request["reasoning"] == "open" or request["text"].lstrip().startswith(("<think>", "[THINK]", "<mm:think>", "<ifm|think"))
        key = json.dumps([request[k] for k in ("dialect", "tools", "tool_choice", "parallel_tool_calls")] + [thinks])
        if key not in self.setups:
            if len(self.setups) > 200:
                self.setups.clear()
            self.setups[key] = Setup(self, request, thinks)
        self.setups[key].check(request["text"])
        return self.setups[key]

    def open(self, request):
        return Session(self.setup(request), request)

    def whole(self, request):
        setup = self.setup(request)
        text = setup.tokenizer.shown(setup.text(request), setup.skip_special_tokens)
        reason = {"type": "length" if request["end"] == "length" else "stop", "matched": None}
        meta = {"id": "r", "finish_reason": reason, "prompt_tokens": 0, "completion_tokens": 0}
        response = setup.server._build_chat_response(setup.request, [{"text": text, "output_ids": [], "meta_info": meta}], 0)
        if not hasattr(response, "choices"):
            raise RuntimeError(f"the server answered with an error: {getattr(response, 'message', response)}")
        message = response.choices[0].message
        events = [(kind, value) for kind, value in (("reasoning", message.reasoning_content), ("text", message.content)) if value]
        for i, call in enumerate(message.tool_calls or ()):
            events.append(("call", i, call.function.name, setup.call_id({"id": call.id})))
            events.append(("arguments", i, call.function.arguments))
        return events + [("finish", response.choices[0].finish_reason)]


def make(directory, *parsers):
    load(directory)
    choose(DIALECTS, parsers)
    return Sglang(list(importlib.metadata.distributions(name="sglang", path=[directory]))[0].version)


if __name__ == "__main__":
    streak.serve(make(*sys.argv[1:]))
