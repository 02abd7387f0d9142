"""transformers: the response templates of `transformers serve`, from the installed package, without torch.

Usage: python transformers_adapter.py. `scripts/peers/transformers.sh` sets it up.

The templates are those that the server falls back to for models whose tokenizers bring none; the parser, its prefix handling and the translation of
its events are the package's. The text that reaches the parser keeps its special tokens, and the one that stopped the reply.
"""
import importlib.metadata
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import streak  # noqa: E402  First: it moves standard output away.
from transformers.cli.serving import utils as serving  # noqa: E402
from transformers.utils.chat_parsing import parse_response  # noqa: E402
from transformers.utils.chat_parsing.response_templates import load_response_template  # noqa: E402

# Our row: the model type whose template is taken, the turn's opener, how reasoning opens, the stop token. A prompt with an empty span to switch
# reasoning off is not tried: the server streams that span's two newlines as reasoning in every reply.
DIALECTS = {
    "hermes": ("qwen3", "<|im_start|>assistant\n", "<think>\n", "<|im_end|>"),
    "qwen3_coder": ("qwen3_5", "<|im_start|>assistant\n", "<think>\n", "<|im_end|>"),
    "gemma4": ("gemma4", "<|turn>model\n", "<|channel>thought\n", "<turn|>"),
}


class Tokenizer:
    """What the serving functions ask of a processor; texts stand for their ids."""

    response_template = None

    def decode(self, text):
        return text

    def parse_response(self, text, template, prefix, tools):
        return parse_response(text, template, prefix=prefix, tools=tools)


class Model:
    def __init__(self, model_type):
        self.config = type("Config", (), {"model_type": model_type})()


class Session:
    def __init__(self, adapter, request):
        self.adapter, self.request = adapter, request
        self.begin()

    def begin(self):
        model, prefix, _ = self.adapter.asked(self.request)
        self.parser = serving.build_response_parser(Tokenizer(), model, prefix, tools=self.request["tools"])
        self.count, self.tail = 0, ""
        self.first = self.events(self.parser.initial_events)

    def events(self, parsed):
        events = []
        for item in serving.response_events_to_chunks(parsed):
            if isinstance(item, serving.ToolCall):
                if not isinstance(item.name, str):
                    raise TypeError("the server sends a name that is no string")
                events += [("call", self.count, item.name, None), ("arguments", self.count, item.arguments)]
                self.count += 1
            else:
                events.append(("reasoning" if isinstance(item, serving.ReasoningText) else "text", str(item)))
        return events

    def push(self, text):
        self.tail = (self.tail + text)[-64:]
        first, self.first = self.first, []
        return first + self.events(self.parser.feed(text))

    def finish(self, end):
        stop = self.adapter.stop(self.request, self.tail, end)
        events = self.push(stop) if stop or self.first else []
        try:
            _, last = self.parser.finalize()
        except (ValueError, RuntimeError):  # As the server's streamer: it drops the tail.
            last = []
        events += self.events(last)
        reason = "tool_calls" if self.count else "length" if end == "length" else "stop"
        self.begin()
        return events + [("finish", reason)]


class Transformers(streak.Adapter):
    def __init__(self):
        templates = {types: load_response_template(spec) for types, spec in serving._RESPONSE_TEMPLATE_FALLBACKS.items()}
        serving._RESPONSE_TEMPLATE_FALLBACKS = templates  # Compiled once.
        self.hello = {
            "name": "transformers", "version": importlib.metadata.version("transformers"), "dialects": sorted(DIALECTS), "modes": ["whole", "stream"],
            "unit": "text", "tells": ["reasoning", "finish"], "special_tokens": "whole", "delivery": "validated",
            "policies": {"undeclared": "forward", "names": "exact", "coercion": "own"},
            "cannot": [{"law": "id-valid-unique", "why": "the server mints ids"}],
            "stubs": ["tokenizer", "generation"],
            "notes": "response templates of `transformers serve` for " + ", ".join(f"{row}={spec[0]}" for row, spec in DIALECTS.items()),
        }

    def asked(self, request):
        model_type, opener, think, stop = DIALECTS[request["dialect"]]
        if request["tool_choice"] != "auto" or not request["parallel_tool_calls"]:
            raise streak.Unsupported("the server refuses tool_choice and parallel_tool_calls")
        return Model(model_type), opener + (think if request["reasoning"] == "open" else ""), stop

    def stop(self, request, tail, end):
        stop = DIALECTS[request["dialect"]][3]
        return "" if end != "stop" or tail.endswith(stop) else stop

    def open(self, request):
        return Session(self, request)

    def whole(self, request):
        model, prefix, _ = self.asked(request)
        text = request["text"] + self.stop(request, request["text"], request["end"])
        content, reasoning, calls = serving.parse_assistant_message(Tokenizer(), model, text, prefix, tools=request["tools"])
        events = [(kind, value) for kind, value in (("reasoning", reasoning), ("text", content)) if value]
        for i, call in enumerate(calls or ()):
            if not isinstance(call.name, str):
                raise TypeError("the server sends a name that is no string")
            events += [("call", i, call.name, None), ("arguments", i, call.arguments)]
        return events + [("finish", "tool_calls" if calls else "length" if request["end"] == "length" else "stop")]


def make():
    return Transformers()


if __name__ == "__main__":
    streak.serve(make())
