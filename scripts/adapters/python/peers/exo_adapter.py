"""exo's parsers as a subject: its thinking split, generic marker parser and DSML parser, chained as its runner chains them.

    python exo_adapter.py --source DIR      DIR is a checkout of exo-explore/exo; nothing of it is copied here.

What is real: `apply_all_parsers` and all that it calls, exo's own Kimi payload parser, and the payload parsers of the
installed mlx-lm, which exo takes by the model's template. What is not: the model, the tokenizer (only the markers are asked
of it) and whatever of MLX the modules import. exo has no entry point for finished texts: its server collects the stream.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import streak  # noqa: E402  First: moves standard output away.

import argparse  # noqa: E402
import importlib  # noqa: E402
import importlib.metadata  # noqa: E402
import importlib.util  # noqa: E402
import logging  # noqa: E402
import os  # noqa: E402
import subprocess  # noqa: E402
import types  # noqa: E402
from collections import deque  # noqa: E402

import absent  # noqa: E402

STUBBED = ["mlx", "mlx_lm", "mlx_vlm", "transformers", "huggingface_hub", "zstandard", "hypercorn", "certifi", "aiohttp"]

# Our dialect: the payload parser that mlx-lm infers from such a model's template, and the spans of its reasoning, if any.
THINK = ("<think>", "</think>")
GENERIC = {
    "hermes": ("json_tools", THINK),
    "granite4": ("json_tools", None),
    "qwen3_coder": ("qwen3_coder", THINK),
    "nemotron3": ("qwen3_coder", THINK),
    "glm45": ("glm47", THINK),
    "glm47": ("glm47", THINK),
    "poolside": ("laguna", THINK),
    "minimax_m2": ("minimax_m2", THINK),
    "longcat": ("longcat", ("<longcat_think>", "</longcat_think>")),
    "lfm2": ("pythonic", THINK),
    "gemma4": ("gemma4", ("<|channel>thought", "<channel|>")),
    "functiongemma": ("function_gemma", None),
    "minicpm5": ("minicpm5", THINK),
    "muse": ("muse_spark", None),
    "kimi_k3": ("kimi_k3", ("<|open|>think<|sep|>", "<|close|>think<|sep|>")),
    "kimi_k2": (None, THINK),
}
DSML = {"deepseek_v32": ("DeepSeek-V3.2", "DeepseekV32Model"), "deepseek_v4": ("DeepSeek-V4", "DeepseekV4Model")}


def load(source):
    """Makes exo's parser modules importable without MLX, a dashboard build or an installed exo."""
    tool_parsers = importlib.util.find_spec("mlx_lm")
    folder = os.path.dirname(tool_parsers.origin)
    absent.stand_in(STUBBED, {f"mlx_lm.{part}": folder for part in ("tool_parsers", "chat_templates")})
    logger = logging.getLogger("exo")
    logger.disabled = True
    absent.replace("exo.worker.runner.bootstrap", logger=logger)
    os.environ.setdefault("EXO_DASHBOARD_DIR", str(source / "dashboard"))
    installed = importlib.metadata.version
    importlib.metadata.version = lambda name: "0" if name == "exo" else installed(name)
    sys.path.insert(0, str(source / "src"))
    return (
        importlib.import_module("exo.worker.runner.llm_inference.model_output_parsers"),
        importlib.import_module("exo.worker.runner.llm_inference.tool_parsers"),
        importlib.import_module("exo.worker.engines.mlx.utils_mlx"),
        importlib.import_module("exo.shared.types.worker.runner_response"),
        importlib.import_module("exo.shared.types.chunks"),
    )


class Session:
    """One reading: each delta is one response of the engine, and the parsers run until they want the next one."""

    def __init__(self, exo, dialect, request):
        self.exo, self.waiting, self.calls, self.finish_reason, self.ended = exo, deque(), 0, None, False
        tools = request.get("tools")
        self.chunks = exo.pipeline(dialect, self.responses(), tools, request["reasoning"] == "open")

    def responses(self):
        while True:
            yield self.waiting.popleft() if self.waiting else None

    def push(self, text):
        return self.step(text, None)

    def last(self, text, end):
        return self.step(text, end) + self.finished()

    def finish(self, end):
        # The end-of-sequence token comes as a response of its own, with no text left in the detokenizer.
        return self.step("", end) + self.finished()

    def finished(self):
        return [("finish", self.finish_reason)]

    def step(self, text, end):
        reason = None if end is None else "length" if end == "length" else "stop"
        self.waiting.append(self.exo.response(text, reason))
        events = []
        while not self.ended:
            chunk = next(self.chunks, self)
            if chunk is self:  # A parser returned early: what still comes is not read.
                self.ended = True
            elif chunk is None:
                break
            else:
                events += self.told(chunk)
        return events

    def told(self, chunk):
        chunks = self.exo.chunks
        if isinstance(chunk, chunks.ErrorChunk):
            raise streak.Rejected(f"ErrorChunk: {chunk.error_message}")
        if isinstance(chunk, chunks.ToolCallChunk):
            events = []
            for call in chunk.tool_calls:
                events += [("call", self.calls, call.name, None), ("arguments", self.calls, call.arguments), ("end", self.calls)]
                self.calls += 1
            self.finish_reason = "tool_calls"
            return events
        if chunk.finish_reason and not self.finish_reason:
            self.finish_reason = chunk.finish_reason
        return [("reasoning" if chunk.is_thinking else "text", chunk.text)] if chunk.text else []


class Exo(streak.Adapter):
    def __init__(self, source):
        self.parsers, self.tool_parsers, self.mlx, self.responses, self.chunks = load(source)
        commit = subprocess.run(["git", "-C", str(source), "rev-parse", "--short=9", "HEAD"], capture_output=True, text=True).stdout.strip()
        mlx_lm = importlib.metadata.version("mlx-lm")
        self.hello = {
            "name": "exo",
            "version": (f"git {commit}" if commit else "checkout of unknown commit") + f", mlx-lm {mlx_lm}",
            "dialects": [*GENERIC, *DSML],
            "modes": ["stream"],
            "unit": "text",
            "tells": ["reasoning", "order", "finish"],
            "special_tokens": "whole",
            "delivery": "validated",
            "cuts_stop_tokens": [*GENERIC, *DSML],
            "policies": {"undeclared": "forward", "names": "exact", "truncated": "text", "coercion": "exo"},
            "cannot": [
                {"law": "id-valid-unique", "why": "every id is a fresh uuid; the model's is dropped before the parser returns"},
                {"law": "reusable", "why": "the parsers are generators, made for each request"},
            ],
            "stubs": ["tokenizer (markers only)", *STUBBED],
            "notes": "the runner's parsers; the chat adapter behind them ends a stream at the first response with calls (not judged)",
        }
        self.known = {}

    def response(self, text, reason):
        stats = None if reason is None else self.stats()
        return self.responses.GenerationResponse(text=text, token=0, finish_reason=reason, usage=None, stats=stats)

    def stats(self):
        """The engine's figures come with the finish, and the marker parser looks whether they are there."""
        api = importlib.import_module("exo.api.types")
        return api.GenerationStats.model_construct()

    def open(self, request):
        if request["tool_choice"] not in ("auto", "required") or not request["parallel_tool_calls"]:
            raise streak.Unsupported("exo hands neither tool_choice nor parallel_tool_calls to its parsers")
        return Session(self, request["dialect"], request)

    def pipeline(self, dialect, responses, tools, thinking):
        parser, model, name, spans = self.family(dialect)
        tokenizer = types.SimpleNamespace(
            has_thinking=spans is not None, think_start=spans and spans[0], think_end=spans and spans[1]
        )
        prompt = spans[0] if spans and thinking else ""
        model_id = importlib.import_module("exo.shared.types.common").ModelId(name)
        return iter(self.parsers.apply_all_parsers(responses, prompt, parser, tokenizer, model, model_id, tools))

    def family(self, dialect):
        if dialect not in self.known:
            if dialect in DSML:
                name, model = DSML[dialect]
                self.known[dialect] = (None, getattr(self.parsers, model), f"deepseek-ai/{name}", THINK)
            else:
                kind, spans = GENERIC[dialect]
                if kind is None:
                    markers = ("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>")
                    inner = self.mlx._parse_kimi_tool_calls
                else:
                    module = importlib.import_module(f"mlx_lm.tool_parsers.{kind}")
                    markers, inner = (module.tool_call_start, module.tool_call_end), module.parse_tool_call
                parser = self.tool_parsers.make_mlx_parser(*markers, inner)
                self.known[dialect] = (parser, type("Model", (), {}), f"local/{dialect}", spans)
        return self.known[dialect]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--source", type=pathlib.Path, required=True, help="a checkout of exo-explore/exo")
    streak.serve(Exo(arguments.parse_args().source.resolve()))


if __name__ == "__main__":
    main()
