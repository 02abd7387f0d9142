//! `MiniMax` M3: one element a parameter, nested for containers (`spec/dialects.md` B22).

use super::literal::{JsonStyle, Literal};
use super::{BARE, Block, Body, Call, Encoder, NO_BLOCK, Reasoning, WIRE, Wire};

/// A call whose tags all begin with a namespace token.
#[derive(Debug, Clone, Copy)]
pub struct ElementsBody {
    /// The token.
    pub space: &'static str,
}

impl ElementsBody {
    /// Writes one call.
    pub fn write(&self, call: &Call, out: &mut String) {
        out.extend([self.space, "<invoke name=\"", &call.name, "\">"]);
        for (key, value) in &call.arguments {
            self.element(key, value, out);
        }
        out.extend([self.space, "</invoke>"]);
    }

    fn element(&self, name: &str, value: &Literal, out: &mut String) {
        out.extend([self.space, "<", name, ">"]);
        match value {
            Literal::List(items) => items.iter().for_each(|item| self.element("item", item, out)),
            Literal::Map(members) => members.iter().for_each(|(key, value)| self.element(key, value, out)),
            leaf => out.push_str(&leaf.typed_text(JsonStyle::default())),
        }
        out.extend([self.space, "</", name, ">"]);
    }
}

/// The rows of the family.
pub static ENCODERS: &[Encoder] = &[Encoder {
    row: "minimax_m3",
    body: Body::Elements(ElementsBody { space: "]<]minimax[>[" }),
    block: Block { open: "]<]minimax[>[<tool_call>\n", between: "\n", close: "\n]<]minimax[>[</tool_call>", ..NO_BLOCK },
    message: BARE,
    reasoning: Some(Reasoning { open: "<mm:think>", close: "</mm:think>", inner: "\n", after: "\n" }),
    wire: Wire {
        marks: &["<tool_call>", "</invoke>", "]<]minimax[>", "</city>", "</mm:think>"],
        // The token always begins a tag.
        value_avoid: &["]<]minimax[>["],
        nested: false,
        malform: Some(("get_weather", "")),
        ..WIRE
    },
}];
