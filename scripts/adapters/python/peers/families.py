"""The tokens of each dialect's models that are one id in their tokenizers, and the tokens at which generation stops.

`special` are flagged special: a detokenizer drops them under `skip_special_tokens`. `added` are whole tokens too, but always stay in the text.
`stops` end a reply; servers cut the one that did. Rows are named as `streakstone list dialects` names them. Sources: the tokenizer
configurations of the models that a row names.
"""
from typing import NamedTuple, Tuple


class Family(NamedTuple):
    special: Tuple[str, ...] = ()
    added: Tuple[str, ...] = ()
    stops: Tuple[str, ...] = ()


_THINK = ("<think>", "</think>")
_TOOL_CALL = ("<tool_call>", "</tool_call>")
_ARGUMENTS = ("<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>")
_IM = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
_IM_STOPS = ("<|im_end|>", "<|endoftext|>")
_MISTRAL = ("<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]", "[TOOL_CALLS]")
_DEEPSEEK_STOP = ("<｜end▁of▁sentence｜>",)
_DEEPSEEK = ("<｜begin▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>") + _DEEPSEEK_STOP
_DEEPSEEK_TOOLS = (
    "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁sep｜>",
    "<｜tool▁outputs▁begin｜>", "<｜tool▁outputs▁end｜>",
)
_HARMONY = ("<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|constrain|>", "<|return|>", "<|call|>", "<|endoftext|>")
_COHERE = (
    "<|START_OF_TURN_TOKEN|>", "<|END_OF_TURN_TOKEN|>", "<|USER_TOKEN|>", "<|CHATBOT_TOKEN|>", "<|SYSTEM_TOKEN|>",
)
_COHERE_PARTS = tuple(f"<|{side}_{part}|>" for part in ("THINKING", "RESPONSE", "TEXT", "ACTION", "TOOL_RESULT") for side in ("START", "END"))
_QWEN = Family(_IM, _TOOL_CALL + _THINK, _IM_STOPS)
_GRANITE = ("<|start_of_role|>", "<|end_of_role|>", "<|tool_call|>", "<|end_of_text|>")
_GLM = Family(
    ("<|endoftext|>", "<|user|>", "<|assistant|>", "<|observation|>", "<|system|>"), _TOOL_CALL + _ARGUMENTS + _THINK,
    ("<|endoftext|>", "<|user|>", "<|observation|>"),
)
_LLAMA = ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|eom_id|>")
_DSML = Family(_DEEPSEEK, ("｜DSML｜",) + _THINK, _DEEPSEEK_STOP)
_MISTRAL_V11 = Family(_MISTRAL + ("[ARGS]", "[CALL_ID]", "[THINK]", "[/THINK]"), (), ("</s>",))
_HY = Family((), ("<tool_calls>", "</tool_calls>", "<tool_sep>") + _TOOL_CALL + _ARGUMENTS + _THINK)

FAMILIES = {
    "hermes": _QWEN,
    "guided_json": _QWEN,
    "qwen3_coder": _QWEN,
    "nemotron3": _QWEN,
    "mimo": _QWEN,
    "granite4": Family(_GRANITE, _TOOL_CALL + _THINK, ("<|end_of_text|>",)),
    "granite3": Family(_GRANITE, (), ("<|end_of_text|>",)),
    "granite31": Family(_GRANITE, ("<tool_call>",), ("<|end_of_text|>",)),
    "granite20b": Family(("<|endoftext|>",), (), ("<|endoftext|>",)),
    "ernie45": Family(("</s>",), _TOOL_CALL + _THINK + ("<response>", "</response>"), ("</s>",)),
    "longcat": Family(
        ("</longcat_s>",),
        tuple(f"<{side}longcat_{part}>" for part in ("tool_call", "arg_key", "arg_value", "think") for side in ("", "/")), ("</longcat_s>",)),
    "seed_oss": Family(
        ("<seed:bos>", "<seed:eos>"), ("<seed:think>", "</seed:think>", "<seed:tool_call>", "</seed:tool_call>"), ("<seed:eos>",)),
    "mistral_list": Family(_MISTRAL, (), ("</s>",)),
    "mistral_v11": _MISTRAL_V11,
    "mistral_v13": _MISTRAL_V11,
    "mistral_brace": _MISTRAL_V11,
    "llama3": Family(_LLAMA + ("<|python_tag|>",), (), ("<|eot_id|>", "<|eom_id|>")),
    "pythonic": Family(_LLAMA + ("<|python_start|>", "<|python_end|>", "<|eot|>"), (), ("<|eot|>", "<|eot_id|>", "<|eom_id|>")),
    "lfm2": Family(_IM + ("<|tool_call_start|>", "<|tool_call_end|>"), _THINK, _IM_STOPS),
    # <think> and </think> are ordinary text in three tokens each.
    "olmo3": Family(_IM, ("</", "think", ">", "<functions>", "</functions>", "<function_calls>", "</function_calls>"), _IM_STOPS),
    "jamba": Family(("<|eom|>", "<|endoftext|>", "<tool_calls>", "</tool_calls>"), (), ("<|eom|>", "<|endoftext|>")),
    "phi4mini": Family(("<|end|>", "<|endoftext|>", "<|tool|>", "<|/tool|>", "<|tool_call|>", "<|/tool_call|>"), (), ("<|end|>", "<|endoftext|>")),
    "hunyuan_a13b": Family(("<|eos|>",), (), ("<|eos|>",)),
    "cohere": Family(_COHERE, _COHERE_PARTS, ("<|END_OF_TURN_TOKEN|>",)),
    "internlm": Family(_IM + ("<|action_start|>", "<|action_end|>", "<|plugin|>", "<|interpreter|>"), _THINK, _IM_STOPS),
    "xlam": Family(("<|im_end|>", "<|eot_id|>"), (), ("<|im_end|>", "<|eot_id|>")),
    "apertus": Family(
        ("<|assistant_end|>", "<|tools_prefix|>", "<|tools_suffix|>", "<|inner_prefix|>", "<|inner_suffix|>"), (), ("<|assistant_end|>",)),
    "deepseek_v3": Family(_DEEPSEEK, _DEEPSEEK_TOOLS + _THINK, _DEEPSEEK_STOP),
    "deepseek_v31": Family(_DEEPSEEK, _DEEPSEEK_TOOLS + _THINK, _DEEPSEEK_STOP),
    "deepseek_v32": _DSML,
    "deepseek_v4": _DSML,
    "deepseek_v41": _DSML,
    "gigachat35": Family(_DEEPSEEK, ("｜GCML｜",) + _THINK, _DEEPSEEK_STOP),
    "gigachat3": Family(("</s>", "<|function_call|>", "<|message_sep|>", "<|role_sep|>"), (), ("</s>", "<|message_sep|>")),
    "kimi_k2": Family(
        ("[EOS]", "<|im_end|>", "<|im_user|>", "<|im_assistant|>", "<|im_system|>", "<|im_middle|>", "<|tool_calls_section_begin|>",
         "<|tool_calls_section_end|>", "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>"), _THINK, ("<|im_end|>", "[EOS]")),
    "kimi_k3": Family(("<|open|>", "<|close|>", "<|sep|>", "<|end_of_msg|>", "[EOS]"), (), ("<|end_of_msg|>", "[EOS]")),
    # Its markers are three tokens: a head, a name, a tail.
    "plamo3": Family(
        ("<|plamo:tag|>", "<|plamo:begin_", "<|plamo:end_", ":plamo|>"), ("<|plamo:msg|>", "<|plamo:constrain|>"), ("<|plamo:tag|>",)),
    "minimax_m2": Family(("]~b]", "[e~["), ("<minimax:tool_call>", "</minimax:tool_call>") + _THINK, ("[e~[",)),
    "minimax_m3": Family(("]~b]", "[e~["), ("]<]minimax[>[", "<mm:think>", "</mm:think>"), ("[e~[",)),
    "dots": Family(("<|endofresponse|>",), ("<dots_function_call>", "</dots_function_call>") + _THINK, ("<|endofresponse|>",)),
    "step3": Family(
        ("<｜tool_calls_begin｜>", "<｜tool_calls_end｜>", "<｜tool_call_begin｜>", "<｜tool_call_end｜>", "<｜tool_sep｜>") + _DEEPSEEK_STOP, _THINK,
        _DEEPSEEK_STOP),
    "minicpm5": Family(_IM, _THINK, _IM_STOPS),
    "glm45": _GLM,
    "glm47": _GLM,
    "ling3": Family(("<|role_end|>",), _TOOL_CALL + _ARGUMENTS + _THINK, ("<|role_end|>",)),
    "poolside": Family((), _TOOL_CALL + _ARGUMENTS + _THINK + ("<assistant>", "</assistant>"), ("</assistant>",)),
    "spark25": Family((), _TOOL_CALL + _ARGUMENTS + _THINK),
    "iquest": Family((), ("<iquest_tool_call>", "</iquest_tool_call>") + _ARGUMENTS + _THINK),
    "hy_v3": _HY,
    "hy_v4": _HY,
    "k2_horizon": Family(
        (), tuple(f"<{side}ifm|{part}>" for side in ("", "/") for part in (
            "tool_calls", "tool_call", "arg_key", "arg_type", "arg_value", "think", "think_fast", "think_faster"))),
    "gemma4": Family(
        ("<|turn>", "<turn|>", "<|channel>", "<channel|>", "<|tool_call>", "<tool_call|>", "<|tool_response>", "<tool_response|>", '<|"|>'), (),
        ("<turn|>", "<|tool_response>")),
    "functiongemma": Family(
        ("<start_function_call>", "<end_function_call>", "<escape>", "<start_function_response>", "<end_function_response>", "<end_of_turn>"), (),
        ("<end_of_turn>", "<start_function_response>")),
    "harmony": Family(_HARMONY, (), ("<|return|>", "<|call|>")),
    "beam": Family(_HARMONY, (), ("<|return|>", "<|call|>")),
    "muse": Family(("<|start|>", "<|message|>", "<|eom|>", "<|eot|>"), (), ("<|eot|>",)),
    "inkling": Family(
        ("<|message_model|>", "<|message_user|>", "<|message_system|>", "<|content_text|>", "<|content_thinking|>", "<|content_invoke_tool_json|>",
         "<|content_invoke_tool_text|>", "<|content_tool_error|>", "<|content_model_end_sampling|>", "<|end_message|>"), (),
        ("<|content_model_end_sampling|>",)),
}


def without_stop(text, family, end):
    """The text as the detokenizer hands it on, and the stop token that it cut: servers leave out the token that ended the generation."""
    if end == "stop":
        for stop in family.stops:
            if text.endswith(stop):
                return text[: -len(stop)], stop
    return text, None


def choose(dialects, words):
    """Other parsers than the usual ones: `row=tool_parser` or `row=tool_parser+reasoning_parser`."""
    for word in words:
        row, _, parsers = word.partition("=")
        tool, _, reasoning = parsers.partition("+")
        dialects[row] = (tool, reasoning or None)
