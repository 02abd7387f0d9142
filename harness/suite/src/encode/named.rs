//! Dialects that write a name between markers, then one JSON object (`spec/dialects.md` D, G4), and Mistral's list.

use super::json::JsonBody;
use super::literal::{JsonStyle, json_object};
use super::{BARE, Block, Body, Call, Encoder, NO_BLOCK, ONE_CALL, Reasoning, THINK, WIRE, Wire};

/// A name and its object.
#[derive(Debug, Clone, Copy)]
pub struct NamedBody {
    /// Before the name, or before an id that comes first.
    pub before: &'static str,
    /// Where the id stands.
    pub id: Id,
    /// Between name (or id) and object.
    pub middle: &'static str,
    /// After the object.
    pub close: &'static str,
}

/// Where a call's id stands.
#[derive(Debug, Clone, Copy)]
pub enum Id {
    /// Nowhere.
    None,
    /// After the name, behind this marker: nine letters and digits.
    After(&'static str),
    /// Before the name, with this marker between: a number.
    Before(&'static str),
    /// The name is part of the id: prefix, name, `:` and a number.
    Name(&'static str),
}

impl NamedBody {
    /// Writes one call.
    pub fn write(&self, call: &Call, place: usize, style: JsonStyle, out: &mut String) {
        let id = self.id(call, place).unwrap_or_default();
        out.push_str(self.before);
        match self.id {
            Id::None => out.push_str(&call.name),
            Id::After(mark) => out.extend([call.name.as_str(), mark, &id]),
            Id::Before(mark) => out.extend([id.as_str(), mark, &call.name]),
            Id::Name(_) => out.push_str(&id),
        }
        out.push_str(self.middle);
        json_object(&call.arguments, style, out);
        out.push_str(self.close);
    }

    /// The id of the call at `place`.
    pub fn id(&self, call: &Call, place: usize) -> Option<String> {
        match self.id {
            Id::None => None,
            // The ids of the canonical texts, then others of the same kind.
            Id::After(_) => Some(match place {
                0 => "a1B2c3D4e".to_owned(),
                1 => "f5G6h7I8j".to_owned(),
                _ => format!("k{place:08}"),
            }),
            Id::Before(_) => Some(place.to_string()),
            Id::Name(prefix) => Some(format!("{prefix}{}:{place}", call.name)),
        }
    }
}

const NAMED: NamedBody = NamedBody { before: "", id: Id::None, middle: "", close: "" };

const THINK_BRACKETS: Option<Reasoning> = Some(Reasoning { open: "[THINK]", close: "[/THINK]", inner: "", after: "" });

const fn marks(marks: &'static [&'static str]) -> Wire {
    Wire { marks, ..WIRE }
}

const MISTRAL: Encoder = Encoder {
    row: "mistral_v13",
    body: Body::Named(NamedBody { before: "[TOOL_CALLS]", middle: "[ARGS]", ..NAMED }),
    block: Block { lead: "", ..NO_BLOCK },
    message: BARE,
    reasoning: THINK_BRACKETS,
    wire: marks(&["[TOOL_CALLS]", "[ARGS]", "[CALL_ID]", "[/TOOL_CALLS]", "[THINK]", "[/THINK]"]),
};
const DEEPSEEK: Encoder = Encoder {
    row: "deepseek_v31",
    body: Body::Named(NamedBody {
        before: "<｜tool▁call▁begin｜>", middle: "<｜tool▁sep｜>", close: "<｜tool▁call▁end｜>", ..NAMED
    }),
    block: Block { open: "<｜tool▁calls▁begin｜>", close: "<｜tool▁calls▁end｜>", lead: "", ..NO_BLOCK },
    message: BARE,
    reasoning: THINK,
    wire: marks(&["<｜tool▁calls▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>", "```", "</think>"]),
};

/// The rows of the family.
pub static ENCODERS: &[Encoder] = &[
    Encoder {
        row: "mistral_list",
        body: Body::Json(JsonBody { open: "", close: "", name: "name", arguments: "arguments", id: None }),
        block: Block { open: "[TOOL_CALLS] [", between: ", ", close: "]", lead: "", ..NO_BLOCK },
        reasoning: None,
        wire: marks(&["[TOOL_CALLS]", "]", "[/TOOL_CALLS]"]),
        ..MISTRAL
    },
    Encoder {
        row: "mistral_v11",
        body: Body::Named(NamedBody { before: "[TOOL_CALLS]", id: Id::After("[CALL_ID]"), middle: "[ARGS]", ..NAMED }),
        reasoning: THINK,
        ..MISTRAL
    },
    MISTRAL,
    Encoder { row: "mistral_brace", body: Body::Named(NamedBody { before: "[TOOL_CALLS]", ..NAMED }), ..MISTRAL },
    Encoder {
        row: "deepseek_v3",
        body: Body::Named(NamedBody {
            before: "<｜tool▁call▁begin｜>function<｜tool▁sep｜>",
            middle: "\n```json\n",
            close: "\n```<｜tool▁call▁end｜>",
            ..NAMED
        }),
        block: Block { between: "\n", ..DEEPSEEK.block },
        ..DEEPSEEK
    },
    DEEPSEEK,
    Encoder {
        row: "kimi_k2",
        body: Body::Named(NamedBody {
            before: "<|tool_call_begin|>",
            id: Id::Name("functions."),
            middle: "<|tool_call_argument_begin|>",
            close: "<|tool_call_end|>",
        }),
        block: Block { open: "<|tool_calls_section_begin|>", close: "<|tool_calls_section_end|>", lead: "", ..NO_BLOCK },
        wire: marks(&["<|tool_calls_section_begin|>", "<|tool_call_begin|>", "<|tool_call_end|>", "</think>"]),
        ..DEEPSEEK
    },
    Encoder {
        row: "functionary_v31",
        body: Body::Named(NamedBody { before: "<function=", middle: ">", close: "</function>", ..NAMED }),
        block: NO_BLOCK,
        reasoning: None,
        wire: marks(&["<function=g>", "</function>"]),
        ..MISTRAL
    },
    Encoder {
        row: "plamo3",
        body: Body::Named(NamedBody {
            before: "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>",
            middle: "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>",
            close: "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>",
            ..NAMED
        }),
        block: Block { open: "<|plamo:begin_tool_requests:plamo|>", close: "<|plamo:end_tool_requests:plamo|>", ..NO_BLOCK },
        reasoning: Some(Reasoning { open: "<|plamo:begin_think:plamo|>", close: "<|plamo:end_think:plamo|>", inner: "", after: "" }),
        wire: marks(&["<|plamo:begin_tool_request:plamo|>", "<|plamo:end_tool_arguments:plamo|>", "<|plamo:end_tool_requests:plamo|>"]),
        ..MISTRAL
    },
    Encoder {
        row: "solar_open",
        body: Body::Named(NamedBody {
            before: "<|tool_call:begin|>",
            id: Id::Before("<|tool_call:name|>"),
            middle: "<|tool_call:args|>",
            close: "<|tool_call:end|>",
        }),
        block: Block { open: "<|tool_calls|>", ..NO_BLOCK },
        reasoning: Some(Reasoning { open: "<|think|>", close: "<|end|>", inner: "", after: "" }),
        wire: marks(&["<|tool_calls|>", "<|tool_call:begin|>", "<|tool_call:end|>"]),
        ..MISTRAL
    },
    Encoder {
        row: "step_audio2",
        body: Body::Named(NamedBody { before: "<tool_call>function\n", middle: "\n", close: "</tool_call>", ..NAMED }),
        block: Block { between: "\n", ..NO_BLOCK },
        reasoning: None,
        wire: marks(&["<tool_call>", "</tool_call>"]),
        ..MISTRAL
    },
    Encoder {
        row: "mirothinker",
        body: Body::Named(NamedBody {
            before: "<use_mcp_tool>\n<server_name>tools</server_name>\n<tool_name>",
            middle: "</tool_name>\n<arguments>\n",
            close: "\n</arguments>\n</use_mcp_tool>",
            ..NAMED
        }),
        block: Block { between: "\n", ..NO_BLOCK },
        wire: marks(&["<use_mcp_tool>", "</arguments>", "</use_mcp_tool>", "</think>"]),
        ..DEEPSEEK
    },
    Encoder {
        row: "cwm",
        body: Body::Named(NamedBody { before: "<tool: function>\n", middle: " ", close: "\n</tool>", ..NAMED }),
        block: Block { between: "\n", ..NO_BLOCK },
        reasoning: None,
        // Text after the name that is no JSON is a command, so only a missing name breaks the call.
        wire: Wire { malform: Some(("get_weather ", "")), ..marks(&["<tool: function>", "</tool>"]) },
        ..DEEPSEEK
    },
    Encoder {
        row: "react",
        body: Body::Named(NamedBody { before: "Action: ", middle: "\nAction Input: ", ..NAMED }),
        block: Block { after: "\n", ..NO_BLOCK },
        reasoning: None,
        wire: Wire {
            cannot: &[("two-calls", ONE_CALL)],
            prose_avoid: &["Action:"],
            malform: Some(("Action Input:", "Input:")),
            ..marks(&["Action:", "Observation:"])
        },
        ..MISTRAL
    },
];
