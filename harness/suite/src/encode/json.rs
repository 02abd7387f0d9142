//! Dialects whose call is one JSON object, alone or in a list (`spec/dialects.md` D, G1 to G3).

use super::literal::{JsonStyle, json_object, json_string};
use super::{BARE, Block, Body, Call, Encoder, Message, NO_BLOCK, ONE_CALL, Reasoning, THINK, WIRE, Wire};

/// A call object.
#[derive(Debug, Clone, Copy)]
pub struct JsonBody {
    /// Before the object.
    pub open: &'static str,
    /// After it.
    pub close: &'static str,
    /// The key of the name; empty if the name itself is the only key.
    pub name: &'static str,
    /// The key of the arguments.
    pub arguments: &'static str,
    /// The key of an id before the name, if there is one; ids count from 0.
    pub id: Option<&'static str>,
}

impl JsonBody {
    /// Writes one call.
    pub fn write(&self, call: &Call, place: usize, style: JsonStyle, out: &mut String) {
        out.push_str(self.open);
        out.push('{');
        if let Some(key) = self.id {
            json_string(key, style, out);
            out.push_str(style.colon());
            json_string(&place.to_string(), style, out);
            out.push_str(style.comma());
        }
        if self.name.is_empty() {
            json_string(&call.name, style, out);
        } else {
            json_string(self.name, style, out);
            out.push_str(style.colon());
            json_string(&call.name, style, out);
            out.push_str(style.comma());
            json_string(self.arguments, style, out);
        }
        out.push_str(style.colon());
        json_object(&call.arguments, style, out);
        out.push('}');
        out.push_str(self.close);
    }

    /// The id of the call at `place`.
    pub fn id(&self, place: usize) -> Option<String> {
        self.id.map(|_| place.to_string())
    }
}

const CALL: JsonBody = JsonBody { open: "", close: "", name: "name", arguments: "arguments", id: None };
const OBJECT: Body = Body::Json(CALL);

/// Calls of their own, each between markers.
const fn each(open: &'static str, close: &'static str) -> Body {
    Body::Json(JsonBody { open, close, ..CALL })
}

/// A list between markers.
const fn list(open: &'static str, close: &'static str) -> Block {
    Block { open, between: ", ", close, ..NO_BLOCK }
}

const fn marks(marks: &'static [&'static str]) -> Wire {
    Wire { marks, ..WIRE }
}

/// Bare JSON: a bracket in prose may begin a call, and a fence may stand before it.
const BARE_JSON: Wire = Wire { prose_avoid: &["{", "[", "```"], marks: &["}", "]", "; {", "```"], ..WIRE };
const WHOLE_LIST: Wire = Wire { whole_list: true, ..BARE_JSON };
const HERMES: Encoder = Encoder {
    row: "hermes",
    body: each("<tool_call>\n", "\n</tool_call>"),
    block: Block { between: "\n", ..NO_BLOCK },
    message: BARE,
    reasoning: THINK,
    wire: marks(&["<tool_call>", "</tool_call>", "<think>", "</think>"]),
};

/// The rows of the family.
pub static ENCODERS: &[Encoder] = &[
    HERMES,
    Encoder { row: "granite4", ..HERMES },
    // The round trip of the other rows' texts through `auto` is `parsers/tests/auto.rs`.
    Encoder { row: "auto", ..HERMES },
    Encoder { row: "ernie45", block: Block { between: "\n", after: "\n", ..NO_BLOCK }, ..HERMES },
    Encoder {
        row: "longcat",
        body: each("<longcat_tool_call>\n", "\n</longcat_tool_call>"),
        reasoning: Some(Reasoning { open: "<longcat_think>", close: "</longcat_think>", inner: "\n", after: "\n" }),
        wire: marks(&["<longcat_tool_call>", "</longcat_tool_call>", "<longcat_think>", "</longcat_think>"]),
        ..HERMES
    },
    Encoder {
        row: "granite20b",
        body: each("<function_call> ", ""),
        block: Block { between: " ", ..NO_BLOCK },
        reasoning: None,
        wire: marks(&["<function_call>"]),
        ..HERMES
    },
    Encoder {
        row: "gigachat3",
        body: each("<|function_call|>", ""),
        block: NO_BLOCK,
        reasoning: None,
        wire: Wire { cannot: &[("two-calls", ONE_CALL)], ..marks(&["<|function_call|>", "function call<|role_sep|>"]) },
        ..HERMES
    },
    Encoder {
        row: "internlm",
        body: Body::Json(JsonBody { open: "<|action_start|><|plugin|>\n", close: "<|action_end|>", arguments: "parameters", ..CALL }),
        block: Block { between: "\n", after: "\n", ..NO_BLOCK },
        wire: marks(&["<|action_start|><|plugin|>", "<|action_end|>"]),
        ..HERMES
    },
    Encoder {
        row: "phi4mini_native",
        body: each("<|tool_call|>", "<|/tool_call|>"),
        block: NO_BLOCK,
        reasoning: None,
        wire: marks(&["<|tool_call|>", "<|/tool_call|>"]),
        ..HERMES
    },
    Encoder {
        row: "rwkv",
        body: each("**Tool Call:**\n```json\n", "\n```"),
        block: Block { between: "\n", ..NO_BLOCK },
        wire: marks(&["**Tool Call:**", "```"]),
        ..HERMES
    },
    Encoder {
        row: "llama3",
        body: Body::Json(JsonBody { arguments: "parameters", ..CALL }),
        block: Block { between: "; ", ..NO_BLOCK },
        // A `;` alone between two calls separates them.
        wire: Wire { prose_avoid: &["{", "[", "```", ";"], ..BARE_JSON },
        ..HERMES
    },
    Encoder { row: "generic_json", body: OBJECT, block: Block { lone: Some(("", "")), ..list("[", "]") }, wire: WHOLE_LIST, ..HERMES },
    Encoder {
        row: "guided_json",
        body: Body::Json(JsonBody { arguments: "parameters", ..CALL }),
        block: list("[", "]"),
        wire: WHOLE_LIST,
        ..HERMES
    },
    Encoder {
        row: "granite3",
        body: OBJECT,
        block: list("<|tool_call|>[", "]"),
        reasoning: None,
        wire: marks(&["<|tool_call|>", "]"]),
        ..HERMES
    },
    Encoder { row: "granite31", body: OBJECT, block: list("<tool_call>[", "]"), wire: marks(&["<tool_call>", "]"]), ..HERMES },
    Encoder {
        row: "jamba",
        body: OBJECT,
        block: Block { between: ",\n    ", ..list("<tool_calls>[\n    ", "\n]</tool_calls>") },
        reasoning: None,
        wire: marks(&["<tool_calls>", "]</tool_calls>"]),
        ..HERMES
    },
    Encoder {
        row: "apriel",
        body: OBJECT,
        block: list("<tool_calls>[", "]</tool_calls>"),
        reasoning: Some(Reasoning { open: "Here are my reasoning steps:", close: "[BEGIN FINAL RESPONSE]", inner: "\n", after: "\n" }),
        wire: marks(&["<tool_calls>", "]</tool_calls>"]),
        ..HERMES
    },
    Encoder {
        row: "nemotron_deci",
        body: OBJECT,
        block: list("<TOOLCALL>[", "]</TOOLCALL>"),
        wire: marks(&["<TOOLCALL>", "]</TOOLCALL>", "<think>"]),
        ..HERMES
    },
    Encoder {
        row: "hunyuan_a13b",
        body: OBJECT,
        block: list("<tool_calls>[", "]</tool_calls>"),
        wire: marks(&["<tool_calls>", "]</tool_calls>", "</think>"]),
        ..HERMES
    },
    Encoder {
        row: "phi4mini",
        body: OBJECT,
        block: list("functools[", "]"),
        reasoning: None,
        wire: Wire { prose_avoid: &["functools"], ..marks(&["functools[", "]"]) },
        ..HERMES
    },
    Encoder {
        row: "firefunction",
        body: OBJECT,
        block: Block { lead: "", ..list(" functools[", "]") },
        reasoning: None,
        wire: Wire { prose_avoid: &["functools"], ..marks(&[" functools[", "]"]) },
        ..HERMES
    },
    Encoder {
        row: "cohere",
        body: Body::Json(JsonBody { name: "tool_name", arguments: "parameters", id: Some("tool_call_id"), ..CALL }),
        block: Block { between: ",\n    ", lead: "", ..list("<|START_ACTION|>[\n    ", "\n]<|END_ACTION|>") },
        message: Message { prose: Some(("<|START_RESPONSE|>", "<|END_RESPONSE|>")), ..BARE },
        reasoning: Some(Reasoning { open: "<|START_THINKING|>", close: "<|END_THINKING|>", inner: "", after: "" }),
        wire: Wire { trimmed: true, ..marks(&["<|START_ACTION|>", "]<|END_ACTION|>", "<|START_RESPONSE|>", "<|END_THINKING|>"]) },
    },
    Encoder {
        row: "command_r",
        body: Body::Json(JsonBody { name: "tool_name", arguments: "parameters", ..CALL }),
        block: Block { between: ",\n    ", ..list("Action: ```json\n[\n    ", "\n]\n```") },
        reasoning: None,
        wire: Wire { prose_avoid: &["Action:"], ..marks(&["Action:", "```", "]"]) },
        ..HERMES
    },
    Encoder { row: "xlam", body: OBJECT, block: list("[", "]"), wire: WHOLE_LIST, ..HERMES },
    Encoder {
        row: "apertus",
        body: Body::Json(JsonBody { name: "", ..CALL }),
        block: list("<|tools_prefix|>[", "]<|tools_suffix|>"),
        reasoning: Some(Reasoning { open: "<|inner_prefix|>", close: "<|inner_suffix|>", inner: "", after: "" }),
        wire: marks(&["<|tools_prefix|>", "]<|tools_suffix|>", "<|inner_suffix|>"]),
        ..HERMES
    },
    Encoder {
        row: "minimax_m1",
        body: OBJECT,
        block: Block { between: "\n", ..list("<tool_calls>\n", "\n</tool_calls>") },
        wire: marks(&["<tool_calls>", "</tool_calls>", "</think>"]),
        ..HERMES
    },
    Encoder {
        row: "hyperclovax",
        body: OBJECT,
        block: Block { tail: "<|im_end|>", lead: "", ..list(" -> tool/function_call\n[", "]") },
        message: Message { turn: "<|im_start|>assistant", ..BARE },
        reasoning: Some(Reasoning { open: "<|im_start|>assistant/think\n", close: "<|im_end|>", inner: "", after: "\n" }),
        wire: marks(&[" -> tool/function_call", "<|im_end|>", "]"]),
    },
    Encoder {
        row: "openpangu",
        body: OBJECT,
        block: list("<|tool_call_start|>[", "]<|tool_call_end|>"),
        wire: marks(&["<|tool_call_start|>", "]<|tool_call_end|>"]),
        ..HERMES
    },
];
