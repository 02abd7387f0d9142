"""mlx-lm: the tool parsers, the text state machine and the call formatter of its server, from the wheel, without MLX.

Usage: python mlx_lm_adapter.py WHEEL_DIRECTORY, the unpacked wheel. `scripts/peers/mlx-lm.sh` sets it up.

`TextStateMachine`, `make_text_state_machine`, `ToolCallFormatter`, `TokenizerWrapper` and the parsers are mlx-lm's. The loop over the generated
pieces in `Session` follows the loop of `APIHandler.handle_completion`, which cannot be fed from outside. Its server reads calls with and without
tools in the request, and knows no `tool_choice`.
"""
import importlib
import importlib.metadata
import logging
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import streak  # noqa: E402  First: it moves standard output away.
import wheel  # noqa: E402
from families import FAMILIES, Family, without_stop  # noqa: E402
from tokenizer import Tokenizer  # noqa: E402

# Our row: the module of mlx_lm.tool_parsers. Muse is not here: the frames of its messages come from the checkpoint's own response format.
DIALECTS = {
    "hermes": "json_tools",
    "granite4": "json_tools",
    "longcat": "longcat",
    "functiongemma": "function_gemma",
    "mistral_list": "mistral",
    "mistral_v13": "mistral",
    "kimi_k2": "kimi_k2",
    "kimi_k3": "kimi_k3",
    "lfm2": "pythonic",
    "qwen3_coder": "qwen3_coder",
    "nemotron3": "qwen3_coder",
    "gemma4": "gemma4",
    "minimax_m2": "minimax_m2",
    "minicpm5": "minicpm5",
    "glm45": "glm47",
    "glm47": "glm47",
    "poolside": "laguna",
}
REAL = ["mlx_lm.tool_parsers", "mlx_lm.tool_parsers.", "mlx_lm.generate", "mlx_lm.server", "mlx_lm.tokenizer_utils"]


def load(root):
    wheel.mount(root, "mlx_lm", REAL, {
        "mlx": lambda module: None,
        "mlx.core": lambda module: setattr(module, "new_thread_local_stream", lambda *_: None),
    }, ["mlx", "transformers", "huggingface_hub"])
    logging.disable(logging.CRITICAL)


class Setup:
    def __init__(self, dialect):
        from mlx_lm.generate import make_text_state_machine
        from mlx_lm.tokenizer_utils import TokenizerWrapper
        self.module = importlib.import_module("mlx_lm.tool_parsers." + DIALECTS[dialect])
        tokenizer = Tokenizer(FAMILIES.get(dialect, Family()))
        wrapper = TokenizerWrapper(
            tokenizer, detokenizer_class=lambda _: None, tool_call_start=self.module.tool_call_start, tool_call_end=self.module.tool_call_end,
            tool_parser=self.module.parse_tool_call)
        self.machine = make_text_state_machine(wrapper)
        self.thinks = wrapper.has_thinking


class Session:
    def __init__(self, setup, request, streaming):
        self.setup, self.request, self.streaming = setup, request, streaming
        self.length = len(without_stop(request["text"], FAMILIES[request["dialect"]], request["end"])[0])
        self.begin()

    def begin(self):
        from mlx_lm.server import ToolCallFormatter
        state = "reasoning" if self.request["reasoning"] == "open" and self.setup.thinks else "normal"
        self.state, self.previous = self.setup.machine.make_state(state), state
        self.formatter, self.ids = ToolCallFormatter(self.parse, self.request["tools"], self.streaming), []
        self.text = self.reasoning = self.tool_text = ""
        self.calls, self.made_call, self.count, self.left = [], False, 0, self.length

    def parse(self, text, tools):
        """The parser, with a note of the ids that it read: the server mints the others."""
        parsed = self.setup.module.parse_tool_call(text, tools)
        self.ids += [call.get("id") or None for call in (parsed if isinstance(parsed, list) else [parsed])]
        return parsed

    def take(self, segments):
        for state, text in segments:
            if state == "reasoning":
                self.reasoning += text
            elif state == "tool":
                self.tool_text += text
            elif state == "normal":
                if self.previous == "tool":
                    self.calls.append(self.tool_text)
                    self.tool_text, self.made_call = "", True
                self.text += text
            self.previous = state

    def send(self):
        """The events of one response chunk, in the order of its fields."""
        events = [(kind, text) for kind, text in (("reasoning", self.reasoning), ("text", self.text)) if text]
        self.ids.clear()
        for call, model_id in zip(self.formatter(self.calls), list(self.ids)):
            if not isinstance(call["function"]["name"], str):
                raise TypeError("the server sends a name that is no string")
            events.append(("call", self.count, call["function"]["name"], model_id))
            events.append(("arguments", self.count, call["function"]["arguments"]))
            self.count += 1
        self.text = self.reasoning = ""
        self.calls = []
        return events

    def push(self, text):
        from mlx_lm.generate import TextStateMachine
        text, self.left = text[: self.left], max(self.left - len(text), 0)
        if not text:
            return []
        self.state, segments = TextStateMachine.split(self.state, text)
        self.take(segments)
        return self.send() if self.streaming and self.previous != "tool" else []

    def finish(self, end):
        from mlx_lm.generate import TextStateMachine
        # At a stop token the server drops what it held back; at the token limit it lets it go.
        if end == "length":
            self.state, held, state = TextStateMachine.flush(self.state)
            self.take([(state, held)])
        else:
            self.state, state = TextStateMachine.discard(self.state)
            self.take([(state, "")])
        if self.previous == "tool" and self.tool_text:
            self.calls.append(self.tool_text)
            self.made_call = True
        reason = "length" if end == "length" else "tool_calls" if self.made_call else "stop"
        events = self.send() + [("finish", reason)]
        self.begin()
        return events


class MlxLm(streak.Adapter):
    def __init__(self, version):
        self.setups = {}
        self.hello = {
            "name": "mlx-lm", "version": version, "dialects": sorted(DIALECTS), "modes": ["whole", "stream"], "unit": "text",
            "tells": ["reasoning", "finish"], "special_tokens": "whole", "delivery": "validated",
            "policies": {"undeclared": "forward", "names": "exact", "truncated": "drop", "coercion": "own"}, "cuts_stop_tokens": sorted(DIALECTS),
            "cannot": [{"law": "id-valid-unique", "why": "the server mints ids, except Mistral's and Kimi's"}],
            "stubs": ["tokenizer: only the vocabulary, by which reasoning markers are chosen", "generation"],
            "notes": "tool parsers, text state machine and call formatter of the wheel, without MLX; the server ignores tool_choice and parallel_tool_calls; parsers: "
                     + ", ".join(f"{row}={module}" for row, module in DIALECTS.items()),
        }

    def open(self, request, streaming=True):
        dialect = request["dialect"]
        if dialect not in self.setups:
            self.setups[dialect] = Setup(dialect)
        return Session(self.setups[dialect], request, streaming)

    def whole(self, request):
        session = self.open(request, streaming=False)
        return session.push(request["text"]) + session.finish(request["end"])


def make(directory):
    load(directory)
    return MlxLm(list(importlib.metadata.distributions(name="mlx-lm", path=[directory]))[0].version)


if __name__ == "__main__":
    streak.serve(make(sys.argv[1]))
