"""mistral-common: the tool-call decoders of its experimental server, from the installed package.

Usage: python mistral_common_adapter.py. `scripts/peers/mistral-common.sh` sets it up.

It reads token ids of a finished reply, in the steps of `detokenize_to_assistant_message`; there is no streaming. The ids come from a stand-in
tokenizer: one id per control token, one per other character.
"""
import importlib.metadata
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import streak  # noqa: E402  First: it moves standard output away.
from mistral_common.experimental import tools as decoders  # noqa: E402
from mistral_common.experimental import think  # noqa: E402
from mistral_common.tokens.tokenizers.base import SpecialTokenPolicy, TokenizerVersion  # noqa: E402

from families import FAMILIES  # noqa: E402
from tokenizer import Tokenizer  # noqa: E402

DIALECTS = {"mistral_list": TokenizerVersion.v7, "mistral_v11": TokenizerVersion.v11, "mistral_v13": TokenizerVersion.v13}


class MistralTokenizer(Tokenizer):
    def __init__(self, dialect):
        super().__init__(FAMILIES[dialect])
        self.version, self.eos_id = DIALECTS[dialect], self.ids["</s>"]

    def get_special_token(self, name):
        return self.ids[name]

    def decode(self, ids, special_token_policy=SpecialTokenPolicy.IGNORE):
        return super().decode(ids, skip_special_tokens=special_token_policy == SpecialTokenPolicy.IGNORE)


class MistralCommon(streak.Adapter):
    def __init__(self):
        self.tokenizers = {dialect: MistralTokenizer(dialect) for dialect in DIALECTS}
        self.hello = {
            "name": "mistral-common", "version": importlib.metadata.version("mistral_common"), "dialects": sorted(DIALECTS), "modes": ["whole"],
            "unit": "text", "tells": ["ids", "reasoning"], "special_tokens": "whole",
            "policies": {"undeclared": "forward", "names": "exact"}, "ignores": ["tool_choice", "parallel_tool_calls"],
            "stubs": ["tokenizer: one id per control token and per other character"],
            "notes": "decoders of its experimental server; tools and tool_choice are not known to it",
        }

    def whole(self, request):
        tokenizer = self.tokenizers[request["dialect"]]
        ids = tokenizer.encode(request["text"]) + ([tokenizer.eos_id] if request["end"] == "stop" and not request["text"].endswith("</s>") else [])
        content, calls = decoders._split_content_and_tool_calls(ids, tokenizer.get_special_token("[TOOL_CALLS]"))
        events = []
        try:
            if tokenizer.version >= TokenizerVersion.v13:
                opener, closer = tokenizer.get_special_token("[THINK]"), tokenizer.get_special_token("[/THINK]")
                parts = think._split_content_and_think_chunks(content, opener, closer)
            else:
                parts = [(content, False)]
            for part, is_thought in parts:
                text = tokenizer.decode(part)
                if text:
                    events.append(("reasoning" if is_thought else "text", text))
            for i, call in enumerate(decoders._decode_tool_calls(calls, tokenizer) if calls else ()):
                model_id = call.id if call.id != "null" else None
                events += [("call", i, call.function.name, model_id), ("arguments", i, call.function.arguments)]
        except (ValueError, json.JSONDecodeError) as no:  # The server answers 400.
            raise streak.Rejected(str(no)) from no
        return events + [("finish", None)]


def make():
    return MistralCommon()


if __name__ == "__main__":
    streak.serve(make())
