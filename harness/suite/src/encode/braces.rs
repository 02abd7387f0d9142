//! Gemma's `call:N{k:v}` with bare keys (`spec/dialects.md` B27, B28).

use super::literal::Literal;
use super::{BARE, Block, Body, Call, Encoder, NO_BLOCK, Reasoning, WIRE, Wire};

/// A call in braces.
#[derive(Debug, Clone, Copy)]
pub struct BracesBody {
    /// Before the name.
    pub open: &'static str,
    /// After the closing brace.
    pub close: &'static str,
    /// On both sides of a string.
    pub quote: &'static str,
}

impl BracesBody {
    /// Writes one call.
    pub fn write(&self, call: &Call, out: &mut String) {
        out.extend([self.open, &call.name]);
        Literal::Map(call.arguments.clone()).write_braces(self.quote, out);
        out.push_str(self.close);
    }
}

const GEMMA4: Encoder = Encoder {
    row: "gemma4",
    body: Body::Braces(BracesBody { open: "<|tool_call>call:", close: "<tool_call|>", quote: "<|\"|>" }),
    block: Block { lead: "", ..NO_BLOCK },
    message: BARE,
    reasoning: Some(Reasoning { open: "<|channel>thought\n", close: "<channel|>", inner: "", after: "" }),
    wire: Wire {
        marks: &["<|tool_call>", "<tool_call|>", "}", ",b:", "<channel|>"],
        value_avoid: &["<|\"|>"],
        malform: Some(("get_weather{", "{")),
        ..WIRE
    },
};

/// The rows of the family.
pub static ENCODERS: &[Encoder] = &[
    GEMMA4,
    Encoder {
        row: "functiongemma",
        body: Body::Braces(BracesBody { open: "<start_function_call>call:", close: "<end_function_call>", quote: "<escape>" }),
        reasoning: None,
        wire: Wire { marks: &["<start_function_call>", "<end_function_call>", "}", ",b:"], value_avoid: &["<escape>"], ..GEMMA4.wire },
        ..GEMMA4
    },
];
