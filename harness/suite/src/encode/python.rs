//! Dialects that write calls in Python (`spec/dialects.md` D, G5 and G6; Sarashina's list of dicts).

use super::literal::python_string;
use super::{BARE, Block, Body, Call, Encoder, Literal, NO_BLOCK, THINK, WIRE, Wire};

/// A Python call, or a dict with name and arguments.
#[derive(Debug, Clone, Copy)]
pub struct PythonBody {
    /// The quote of strings.
    pub quote: char,
    /// True for `{'name': N, 'arguments': {...}}`.
    pub dict: bool,
}

impl PythonBody {
    /// Writes one call.
    pub fn write(self, call: &Call, out: &mut String) {
        if self.dict {
            let arguments = Literal::Map(call.arguments.clone());
            let members = vec![("name".to_owned(), Literal::text(&call.name)), ("arguments".to_owned(), arguments)];
            Literal::Map(members).write_python(self.quote, out);
            return;
        }
        out.extend([&call.name, "("]);
        for (place, (key, value)) in call.arguments.iter().enumerate() {
            out.extend([if place > 0 { ", " } else { "" }, key, "="]);
            match value {
                Literal::Text(text) => python_string(text, self.quote, out),
                other => other.write_python(self.quote, out),
            }
        }
        out.push(')');
    }
}

const fn marks(marks: &'static [&'static str]) -> Wire {
    Wire { marks, ..WIRE }
}

const DOUBLE: Body = Body::Python(PythonBody { quote: '"', dict: false });
const LFM2: Encoder = Encoder {
    row: "lfm2",
    body: DOUBLE,
    block: Block { open: "<|tool_call_start|>[", between: ", ", close: "]<|tool_call_end|>", lead: "", ..NO_BLOCK },
    message: BARE,
    reasoning: THINK,
    wire: marks(&["<|tool_call_start|>", "]<|tool_call_end|>", ")", "</think>"]),
};

/// The rows of the family.
pub static ENCODERS: &[Encoder] = &[
    Encoder {
        row: "pythonic",
        body: Body::Python(PythonBody { quote: '\'', dict: false }),
        block: Block { open: "[", between: ", ", close: "]", ..NO_BLOCK },
        reasoning: None,
        wire: Wire { prose_avoid: &["["], whole_list: true, ..marks(&["]", ")", "[g()]", "<|python_start|>", "<|python_end|>"]) },
        ..LFM2
    },
    LFM2,
    Encoder {
        row: "olmo3",
        block: Block {
            open: "<function_calls>\n",
            between: "\n",
            close: "\n</function_calls>",
            lone: Some(("<function_calls>", "</function_calls>")),
            ..NO_BLOCK
        },
        wire: marks(&["<function_calls>", "</function_calls>", ")", "</think>"]),
        ..LFM2
    },
    Encoder {
        row: "granite_pythonic",
        block: Block { between: "\n", ..NO_BLOCK },
        reasoning: None,
        wire: Wire { prose_avoid: &["("], line: true, ..marks(&[")", "g()"]) },
        ..LFM2
    },
    Encoder {
        row: "sarashina",
        body: Body::Python(PythonBody { quote: '\'', dict: true }),
        block: Block { open: "<|tool_calls|>[", between: ", ", close: "]", ..NO_BLOCK },
        reasoning: None,
        wire: marks(&["<|tool_calls|>", "]", "}"]),
        ..LFM2
    },
];
