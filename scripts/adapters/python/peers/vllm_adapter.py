"""vLLM: the parsers and the chat serving's own stream step, from the wheel, without the engine.

Usage: python vllm_adapter.py WHEEL_DIRECTORY [ROW=PARSER[+REASONING_PARSER]...]. `scripts/peers/vllm.sh` sets it up.

The request, the composed parser, `ChatStreamProcessor.step` and `assemble_chat_message_fields` are vLLM's. Ours are the tokenizer, the prompt, and
the token that stops a reply: it reaches the parser as an id without text, together with the finish reason, as the engine sends it.
"""
import importlib
import importlib.metadata
import json
import logging
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import streak  # noqa: E402  First: it moves standard output away.
import wheel  # noqa: E402
from families import FAMILIES, choose, without_stop  # noqa: E402
from tokenizer import Tokenizer  # noqa: E402

# Our row: vLLM's tool parser and the reasoning parser that goes with it.
DIALECTS = {
    "hermes": ("hermes", "qwen3"),
    "granite4": ("granite4", None),
    "ernie45": ("ernie45", "ernie45"),
    "longcat": ("longcat", None),
    "guided_json": ("hermes", "qwen3"),
    "granite20b": ("granite-20b-fc", None),
    "gigachat3": ("gigachat3", None),
    "internlm": ("internlm", None),
    "llama3": ("llama3_json", None),
    "granite3": ("granite", None),
    "granite31": ("granite", "granite"),
    "jamba": ("jamba", None),
    "hunyuan_a13b": ("hunyuan_a13b", None),
    "phi4mini": ("phi4_mini_json", None),
    "cohere": ("cohere_command3", "cohere_command3"),
    "xlam": ("xlam", None),
    "apertus": ("apertus", None),
    "mistral_list": ("mistral", "mistral"),
    "mistral_v11": ("mistral", "mistral"),
    "mistral_v13": ("mistral", "mistral"),
    "mistral_brace": ("mistral", "mistral"),
    "deepseek_v3": ("deepseek_v3", "deepseek_v3"),
    "deepseek_v31": ("deepseek_v31", "deepseek_v3"),
    "deepseek_v32": ("deepseek_v32", "deepseek_v3"),
    "deepseek_v4": ("deepseek_v4", "deepseek_v4"),
    "deepseek_v41": ("deepseek_v41", "deepseek_v41"),
    "kimi_k2": ("kimi_k2", "kimi_k2"),
    "kimi_k3": ("kimi_k3", "kimi_k3"),
    "plamo3": ("plamo3", "plamo3"),
    "pythonic": ("llama4_pythonic", None),
    "lfm2": ("lfm2", None),
    "olmo3": ("olmo3", "olmo3"),
    "qwen3_coder": ("qwen3_coder", "qwen3"),
    "nemotron3": ("qwen3_coder", "nemotron_v3"),
    "mimo": ("mimo", "mimo"),
    "seed_oss": ("seed_oss", "seed_oss"),
    "minimax_m2": ("minimax_m2", "minimax_m2"),
    "minimax_m3": ("minimax_m3", "minimax_m3"),
    "dots": ("dots", None),
    "step3": ("step3", "step3"),
    "minicpm5": ("minicpm5", "qwen3"),
    "glm45": ("glm45", "glm45"),
    "glm47": ("glm47", "glm47"),
    "ling3": ("ling3", "ling3"),
    "poolside": ("poolside_v1", "poolside_v1"),
    "hy_v3": ("hy_v3", "hy_v3"),
    "hy_v4": ("hy_v4", "hy_v4"),
    "k2_horizon": ("k2_horizon", "k2_horizon"),
    "gemma4": ("gemma4", "gemma4"),
    "functiongemma": ("functiongemma", None),
    "muse": ("muse", "muse"),
    "inkling": ("inkling", "inkling"),
}
KEEPS_IDS = ("kimi_k2", "kimi_k3")
# Reasoning parsers that take a text without a closer for reasoning, as the prompts of their models always open a span: they are left out
# where a case's prompt has closed it. (Hunyuan A13B's compares ids of its real tokenizer and is left out altogether.)
ALWAYS_INSIDE = ("ernie45", "step3", "minimax_m2", "granite31", "k2_horizon")
# How a row opens and closes reasoning, where it is not <think> and </think>.
THINK = {
    "seed_oss": ("<seed:think>", "</seed:think>"),
    "minimax_m3": ("<mm:think>", "</mm:think>"),
    "mistral_v13": ("[THINK]", "[/THINK]"),
    "cohere": ("<|START_THINKING|>", "<|END_THINKING|>"),
    "kimi_k3": ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    "k2_horizon": ("<ifm|think>", "</ifm|think>"),
    "plamo3": ("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"),
    "gemma4": ("<|channel>thought", "<channel|>"),
    "inkling": ("<|content_thinking|>", "<|end_message|>"),
    "muse": ("to=self<|message|>", "<|eom|>"),
    "granite31": ("my thought process:", "my response:"),
}
# Rows whose templates write an empty span into the prompt to switch reasoning off.
EMPTY_SPAN = ("hermes", "guided_json", "qwen3_coder", "nemotron3", "mimo", "glm45", "glm47", "ling3", "minicpm5", "seed_oss", "minimax_m3", "deepseek_v3",
              "deepseek_v31", "deepseek_v32", "deepseek_v4", "deepseek_v41", "kimi_k2", "hy_v3", "hy_v4", "poolside", "olmo3")
REAL = [
    "vllm.tool_parsers", "vllm.tool_parsers.", "vllm.parser", "vllm.parser.", "vllm.reasoning", "vllm.reasoning.", "vllm.envs", "vllm.exceptions",
    "vllm.entrypoints.generate.base.protocol", "vllm.entrypoints.openai.chat_completion.protocol",
    "vllm.entrypoints.openai.chat_completion.stream_processor", "vllm.entrypoints.openai.chat_completion.message_assembly",
    "vllm.entrypoints.serve.utils.tool_calls_utils", "vllm.entrypoints.serve.engine.protocol", "vllm.utils.collection_utils", "vllm.utils.mistral",
    "vllm.renderers.chat_utils.tool_call", "vllm.entrypoints.cohere.cohere_chat_message",
]


def _quiet_logger(module):
    logger = logging.getLogger("vllm")
    for level in ("warning", "info", "debug"):
        setattr(logger, level + "_once", lambda *_args, **_kwargs: None)
    module.init_logger = lambda _name: logger


def _chat_utils(module):
    tool_call = importlib.import_module("vllm.renderers.chat_utils.tool_call")
    module.make_tool_call_id, module.get_tool_call_id_type = tool_call.make_tool_call_id, tool_call.get_tool_call_id_type


def _no_structural_tags(module):
    """They constrain sampling, not parsing: a request without one is parsed alike."""
    module.get_structural_tag_tools = module.resolve_tool_strictness = lambda *_args, **_kwargs: None
    module.register_vllm_structural_tag = lambda *_args, **_kwargs: (lambda function: function)


def _no_constraints(module):
    class StructuredOutputsParams(wheel.stub_class("StructuredOutputsParams")):
        """Every constraint that was not given is None."""

        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)

    module.StructuredOutputsParams = StructuredOutputsParams


def load(root):
    wheel.mount(root, "vllm", REAL, {
        "vllm.logger": _quiet_logger,
        "vllm.renderers.chat_utils": _chat_utils,
        "vllm.tool_parsers.structural_tag_registry": _no_structural_tags,
        "vllm.sampling_params": _no_constraints,
        "vllm.parser.metrics": lambda module: setattr(module, "record_tool_parser_invocation", lambda **_kwargs: None),
        "vllm.utils": lambda module: setattr(module, "random_uuid", lambda: os.urandom(8).hex()),
    }, ["torch", "xgrammar", "transformers", "openai_harmony"])
    logging.disable(logging.CRITICAL)


def thinking(on):
    """All the words in which chat templates are told to reason or not to."""
    return {"enable_thinking": on, "thinking": on, "thinking_mode": "enabled" if on else "disabled", "reasoning_effort": "high" if on else "no_think"}


class ModelConfig:
    """What parsers ask of it: which family mints `functions.name:index` ids, and which Cohere model it is."""

    def __init__(self, kimi):
        self.architecture, self.hf_overrides, self.hf_text_config = "Cohere2ForCausalLM", None, None
        self.hf_config = type("HfConfig", (), {"model_type": "kimi_k2" if kimi else "other"})()


class Setup:
    """What readings of one dialect and request share."""

    def __init__(self, adapter, request):
        from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
        from vllm.exceptions import VLLMValidationError
        from vllm.parser import ParserManager
        dialect, choice = request["dialect"], request["tool_choice"]
        tool_parser, reasoning_parser = DIALECTS[dialect]
        self.dialect, self.tokenizer = dialect, adapter.tokenizer(dialect)
        opener, closer = THINK.get(dialect, ("<think>", "</think>"))
        self.chat_template_kwargs, prompt = {}, ""
        if request["reasoning"] == "open":
            self.chat_template_kwargs, prompt = thinking(True), opener + "\n"
        elif opener not in request["text"]:
            self.chat_template_kwargs = thinking(False)
            prompt = opener + "\n\n" + closer + "\n\n" if dialect in EMPTY_SPAN else ""
            if dialect in ALWAYS_INSIDE:
                reasoning_parser = None
        if not reasoning_parser and (request["reasoning"] == "open" or opener in request["text"]):
            raise streak.Unsupported("none of the server's reasoning parsers goes with this dialect here")
        self.parser_cls = ParserManager.get_parser(tool_parser, reasoning_parser, enable_auto_tools=True)
        self.prompt = self.tokenizer.encode("<|im_start|>assistant\n" + prompt)
        self.model_config = ModelConfig(dialect == "kimi_k2")
        body = {"model": "m", "messages": [{"role": "user", "content": "q"}], "parallel_tool_calls": request["parallel_tool_calls"]}
        if request["tools"] is not None:
            body["tools"] = request["tools"]
            if request["tools"]:
                body["tool_choice"] = choice if isinstance(choice, str) else {"type": "function", "function": {"name": choice["function"]}}
        body["chat_template_kwargs"] = self.chat_template_kwargs
        try:
            self.request = ChatCompletionRequest.model_validate(body)
        except (ValueError, VLLMValidationError) as refused:  # HTTP 400, before any text.
            raise streak.Unsupported(f"the server refuses the request: {refused}"[:300]) from refused
        parser = self.parser()
        self.request = parser.adjust_request(self.request)
        self.skip_special_tokens = self.request.skip_special_tokens is not False
        forced = bool(request["tools"]) and (choice == "required" or not isinstance(choice, str))
        self.guided = forced and parser.tool_parser.supports_required_and_named

    def parser(self):
        return self.parser_cls(
            self.tokenizer, getattr(self, "request", None) and self.request.tools, chat_template_kwargs=self.chat_template_kwargs,
            model_config=self.model_config)

    def check(self, text):
        if self.guided and text.lstrip()[:1] not in ("[", "{"):
            raise streak.Unsupported("the server forces this tool_choice by guided JSON; the model cannot write this text")


class Session:
    def __init__(self, setup, request):
        from vllm.entrypoints.openai.chat_completion.stream_processor import ChatStreamProcessor
        self.setup = setup
        self.open_step = lambda: ChatStreamProcessor(setup.request, setup.parser(), enable_auto_tools=True, parser_cls=setup.parser_cls)
        text, self.stop = without_stop(request["text"], FAMILIES[setup.dialect], request["end"])
        self.length = len(text)
        self.step = None

    def feed(self, text, reason, ids=()):
        tokenizer = self.setup.tokenizer
        if self.step is None:  # A parser serves one reply.
            self.step, self.left = self.open_step(), self.length
        text, self.left = text[: self.left], max(self.left - len(text), 0)
        step = self.step.step(tokenizer.shown(text, self.setup.skip_special_tokens), tokenizer.encode(text) + list(ids), reason, self.setup.prompt)
        events, delta = [], step.delta
        if delta is not None:
            if delta.reasoning:
                events.append(("reasoning", delta.reasoning))
            if delta.content:
                events.append(("text", delta.content))
            for call in delta.tool_calls or ():
                self.call(call, events)
        if reason is not None:
            events.append(("finish", step.finish_reason))
            self.step = None
        return events

    def call(self, call, events):
        function = call.function
        name, arguments = (function.get("name"), function.get("arguments")) if isinstance(function, dict) else (function.name, function.arguments)
        if name:
            events.append(("call", call.index, name, call.id if self.setup.dialect in KEEPS_IDS else None))
        if arguments:
            events.append(("arguments", call.index, arguments))

    def push(self, text):
        if not text:
            return []  # The engine sends no delta without a token.
        return self.feed(text, None)

    def finish(self, end):
        return self.last("", end)

    def last(self, text, end):
        stop = self.stop if end == "stop" and self.stop else self.setup.tokenizer.eos_token
        return self.feed(text, "length" if end == "length" else "stop", self.setup.tokenizer.encode(stop) if end == "stop" else ())


class Vllm(streak.Adapter):
    def __init__(self, version):
        self.setups, self.tokenizers = {}, {}
        self.hello = {
            "name": "vllm", "version": version, "dialects": sorted(DIALECTS), "modes": ["whole", "stream"], "unit": "text",
            "tells": ["reasoning", "finish"], "special_tokens": "whole", "delivery": "eager", "cuts_stop_tokens": sorted(DIALECTS), "ignores": ["named_tool_choice"],
            "policies": {"undeclared": "forward", "names": "exact", "coercion": "vllm"},
            "cannot": [{"law": "id-valid-unique", "why": "the server mints ids, except Kimi's"}],
            "stubs": ["tokenizer: one id per token of the family and per other character", "chat template: prompts of the reasoning span only",
                      "structured output"],
            "notes": "parser modules and chat serving steps of the wheel, without engine and detokenizer; a named function is structured output, no mark-up; parsers: "
                     + ", ".join(f"{row}={tool}" + (f"+{reasoning}" if reasoning else "") for row, (tool, reasoning) in DIALECTS.items()),
        }

    def tokenizer(self, dialect):
        if dialect not in self.tokenizers:
            self.tokenizers[dialect] = Tokenizer(FAMILIES[dialect])
        return self.tokenizers[dialect]

    def setup(self, request):
        if request["tools"] is None:
            raise streak.Unsupported("the server reads calls only in requests with tools")
        opener = THINK.get(request["dialect"], ("<think>",))[0]
        key = json.dumps([request[k] for k in ("dialect", "tools", "tool_choice", "parallel_tool_calls", "reasoning")] + [opener in request["text"]])
        if key not in self.setups:
            if len(self.setups) > 200:
                self.setups.clear()
            self.setups[key] = Setup(self, request)
        self.setups[key].check(request["text"])
        return self.setups[key]

    def open(self, request):
        return Session(self.setup(request), request)

    def whole(self, request):
        from vllm.entrypoints.openai.chat_completion.message_assembly import assemble_chat_message_fields
        from vllm.entrypoints.serve.utils.tool_calls_utils import resolve_finish_reason
        setup = self.setup(request)
        text, stop = without_stop(request["text"], FAMILIES[setup.dialect], request["end"])
        ids = setup.tokenizer.encode(text)
        if request["end"] == "stop":
            ids += setup.tokenizer.encode(stop or setup.tokenizer.eos_token)
        parser = setup.parser()
        parser.set_prompt_token_ids(setup.prompt)
        parsed = parser.parse(
            setup.tokenizer.shown(text, setup.skip_special_tokens), setup.request, enable_auto_tools=True, model_output_token_ids=ids)
        fields = assemble_chat_message_fields(setup.request, *parsed, enable_auto_tools=True, parser_cls=setup.parser_cls)
        events = [(kind, value) for kind, value in (("reasoning", fields.reasoning), ("text", fields.content)) if value]
        for i, call in enumerate(fields.tool_calls):
            events.append(("call", i, call.function.name, call.id if setup.dialect in KEEPS_IDS else None))
            events.append(("arguments", i, call.function.arguments))
        reason = "length" if request["end"] == "length" else "stop"
        return events + [("finish", resolve_finish_reason(reason, setup.request, bool(fields.tool_calls)))]


def make(directory, *parsers):
    load(directory)
    choose(DIALECTS, parsers)
    return Vllm(list(importlib.metadata.distributions(name="vllm", path=[directory]))[0].version)


if __name__ == "__main__":
    streak.serve(make(*sys.argv[1:]))
