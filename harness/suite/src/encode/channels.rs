//! Dialects that put every part of a reply into a message of its own (`spec/dialects.md` B10, B14, B26, B40).

use super::json::JsonBody;
use super::named::{Id, NamedBody};
use super::tags::{Number, TagBody, Types};
use super::{BARE, Block, Body, Encoder, Message, NO_BLOCK, Reasoning, WIRE, Wire};

const NO_LEAD: Block = Block { lead: "", ..NO_BLOCK };
/// Every call is a message.
const MESSAGES: Block = Block { between: TURN, ..NO_LEAD };
const TURN: &str = "<|start|>assistant";

const fn marks(marks: &'static [&'static str]) -> Wire {
    Wire { marks, trimmed: true, ..WIRE }
}

const HARMONY: Encoder = Encoder {
    row: "harmony",
    body: Body::Named(NamedBody {
        before: "<|channel|>commentary to=functions.",
        id: Id::None,
        middle: " <|constrain|>json<|message|>",
        close: "<|call|>",
    }),
    block: MESSAGES,
    message: Message { prose: Some(("<|channel|>final<|message|>", "<|end|>")), turn: TURN, ..BARE },
    reasoning: Some(Reasoning { open: "<|channel|>analysis<|message|>", close: "<|end|>", inner: "", after: "" }),
    wire: marks(&["<channel>", "to=functions.g", "|call|", "commentary"]),
};

/// The rows of the family.
pub static ENCODERS: &[Encoder] = &[
    HARMONY,
    Encoder { row: "llm_jp", ..HARMONY },
    Encoder {
        row: "beam",
        body: Body::Tags(TagBody {
            open: " to=",
            named: "<|channel|>analysis <|constrain|>xml<|message|>",
            key: "<rfl:parameter name=\"",
            keyed: "\">\n",
            types: Types::Schema,
            value_close: "\n</rfl:parameter>\n",
            close: "<|call|>",
            number: Number::None,
        }),
        wire: Wire { malform: Some(("get_weather", "")), ..marks(&["<rfl:parameter name=\"b\">", "</rfl:parameter>"]) },
        ..HARMONY
    },
    Encoder {
        row: "muse",
        body: Body::Tags(TagBody {
            open: "<atem:invoke name=\"",
            named: "\">\n",
            key: "<atem:parameter name=\"",
            keyed: "\">",
            types: Types::Schema,
            value_close: "</atem:parameter>\n",
            close: "</atem:invoke>\n</atem:function_calls><|eom|>",
            number: Number::None,
        }),
        block: NO_LEAD,
        message: Message {
            prose: Some(("<|start|>assistant to=user<|message|>", "<|eom|>")),
            heading: Some(("<|start|>assistant to=", "<|message|><atem:function_calls>\n")),
            ..BARE
        },
        reasoning: Some(Reasoning { open: "<|start|>assistant to=self<|message|>", close: "<|eom|>", inner: "", after: "" }),
        wire: Wire {
            malform: Some(("invoke name=\"get_weather", "invoke name=\"")),
            ..marks(&["<atem:invoke name=\"g\">", "</atem:parameter>", "</atem:invoke>", "</atem:function_calls>"])
        },
    },
    Encoder {
        row: "inkling",
        body: Body::Json(JsonBody { open: "", close: "<|end_message|>", name: "name", arguments: "args", id: None }),
        block: NO_LEAD,
        message: Message {
            prose: Some(("<|message_model|><|content_text|>", "<|end_message|>")),
            heading: Some(("<|message_model|>", "<|content_invoke_tool_json|>")),
            ..BARE
        },
        reasoning: Some(Reasoning { open: "<|message_model|><|content_thinking|>", close: "<|end_message|>", inner: "", after: "" }),
        wire: marks(&["content_invoke_tool_json", "}", "<message_model>"]),
    },
    Encoder {
        row: "functionary_v32",
        body: Body::Named(NamedBody { before: "", id: Id::None, middle: "\n", close: "" }),
        block: Block { between: ">>>", ..NO_LEAD },
        message: Message { prose: Some(("all\n", "")), turn: ">>>", ..BARE },
        reasoning: None,
        wire: Wire { prose_avoid: &[">"], ..marks(&[">>>all", ">>>g\n{}", "all\n"]) },
    },
];
