"""unsloth's pass-through healer as a subject: the one for finished messages and the one for streams.

    python unsloth_adapter.py --source DIR      DIR is a checkout of unslothai/unsloth; its healer is imported from there.

The healer is AGPL-3.0: nothing of it is in this file or repository. It is called as its Chat Completions routes call it:
the gate decides from tools and tool_choice, a finished reply goes through the message healer, a stream through the stream
healer, finalised with the finish reason; `stop` becomes `tool_calls` if a call was healed, `length` stays.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import streak  # noqa: E402  First: moves standard output away.

import argparse  # noqa: E402
import importlib  # noqa: E402
import subprocess  # noqa: E402

DIALECTS = ["hermes", "granite4", "qwen3_coder", "nemotron3", "gemma4", "mistral_list", "mistral_v11", "mistral_v13", "inkling"]


def reason(end, healed):
    return "length" if end == "length" else "tool_calls" if healed else "stop"


class Session:
    def __init__(self, unsloth, request):
        self.calls, self.single = 0, request["parallel_tool_calls"] is False
        allowed, tools = unsloth.gate(request)
        self.healer = unsloth.healing.StreamToolCallHealer(allowed, tools) if allowed else None

    def push(self, text):
        if self.healer is None:
            return [("text", text)] if text else []
        return self.told(self.healer.feed(text)) if text else []

    def finish(self, end):
        events = [] if self.healer is None else self.told(self.healer.finalize())
        return [*events, ("finish", reason(end, self.healer is not None and self.healer.healed))]

    def last(self, text, end):
        return self.push(text) + self.finish(end)

    def told(self, healed):
        events = []
        for kind, value in healed:
            if kind == "text":
                events += [("text", value)] if value else []
            elif not (self.single and self.calls):
                function = value["function"]
                events += [("call", self.calls, function["name"], None), ("arguments", self.calls, function["arguments"])]
                events += [("end", self.calls)]
                self.calls += 1
        return events


class Unsloth(streak.Adapter):
    def __init__(self, source):
        sys.path.insert(0, str(source / "studio" / "backend"))
        self.healing = importlib.import_module("core.inference.passthrough_healing")
        commit = subprocess.run(["git", "-C", str(source), "rev-parse", "--short=9", "HEAD"], capture_output=True, text=True).stdout.strip()
        self.hello = {
            "name": "unsloth-healer",
            "version": f"git {commit}" if commit else "checkout of unknown commit",
            "dialects": DIALECTS,
            "modes": ["whole", "stream"],
            "unit": "text",
            "tells": ["finish"],
            "special_tokens": "whole",
            "delivery": "validated",
            "cuts_stop_tokens": DIALECTS,
            "policies": {"names": "exact", "truncated": "text", "coercion": "unsloth"},
            "cannot": [
                {"law": "id-valid-unique", "why": "ids count from `call_0` in every reply; the model's is dropped"},
                {"law": "reusable", "why": "a healer is made for each request"},
            ],
            "notes": "healer of the client-tool pass-through; reasoning is split before it sees a reply, and without tools it is off",
        }

    def gate(self, request):
        tools, choice = request.get("tools"), request["tool_choice"]
        if tools is None:
            raise streak.Unsupported("without tools in the request the healer is off")
        if request["reasoning"] == "open":
            raise streak.Unsupported("a reasoning span that the prompt opened is split off before the healer")
        if isinstance(choice, dict):
            choice = {"type": "function", "function": {"name": choice["function"]}}
        return self.healing.heal_gate(None, tools, choice), tools

    def whole(self, request):
        allowed, tools = self.gate(request)
        message = {"role": "assistant", "content": request["text"]}
        healed = bool(allowed) and self.healing.heal_openai_message(message, allowed, tools)
        calls = message.get("tool_calls") or []
        if request["parallel_tool_calls"] is False:
            calls = calls[:1]
        events = [("text", message["content"])] if message["content"] else []
        for index, call in enumerate(calls):
            function = call["function"]
            events += [("call", index, function["name"], None), ("arguments", index, function["arguments"]), ("end", index)]
        return [*events, ("finish", reason(request["end"], healed))]

    def open(self, request):
        return Session(self, request)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--source", type=pathlib.Path, required=True, help="a checkout of unslothai/unsloth")
    streak.serve(Unsloth(arguments.parse_args().source.resolve()))


if __name__ == "__main__":
    main()
