//! Dialects that write every parameter between tags, its value as raw text (`spec/dialects.md` D, G7 to G10 and Kimi K3).

use super::literal::{JsonStyle, Literal};
use super::{BARE, Block, Body, Call, Encoder, Message, NO_BLOCK, Reasoning, THINK, WIRE, Wire};

/// A call between tags.
#[derive(Debug, Clone, Copy)]
pub struct TagBody {
    /// Before the name.
    pub open: &'static str,
    /// After the name.
    pub named: &'static str,
    /// Before a key.
    pub key: &'static str,
    /// After a key, before what tells the type.
    pub keyed: &'static str,
    /// What tells the type of a value.
    pub types: Types,
    /// After a value.
    pub value_close: &'static str,
    /// After the last parameter.
    pub close: &'static str,
    /// What numbers the calls.
    pub number: Number,
}

/// What the wire tells of a value's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Types {
    /// Nothing: the declared schema decides.
    Schema,
    /// DSML: `string="true"` or `string="false"`.
    StringAttribute,
    /// Kimi K3: `type="T"`.
    TypeAttribute,
    /// Cohere: `type="raw"` or `type="json"`.
    RawOrJson,
}

/// What numbers the calls of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// Nothing.
    None,
    /// Kimi K3: the attribute `index`, from 1, behind the name. It is no id.
    Index,
    /// Cohere: an id before the name, from 0.
    Id,
}

impl TagBody {
    /// Writes one call.
    pub fn write(&self, call: &Call, place: usize, style: JsonStyle, out: &mut String) {
        out.push_str(self.open);
        if self.number == Number::Id {
            out.extend([&place.to_string(), "\" name=\""]);
        }
        out.push_str(&call.name);
        if self.number == Number::Index {
            out.extend(["\" index=\"", &(place + 1).to_string()]);
        }
        out.push_str(self.named);
        for (key, value) in &call.arguments {
            out.extend([self.key, key, self.keyed, self.types.attribute(value)]);
            out.push_str(&value.typed_text(style));
            out.push_str(self.value_close);
        }
        out.push_str(self.close);
    }

    /// The id of the call at `place`.
    pub fn id(&self, place: usize) -> Option<String> {
        (self.number == Number::Id).then(|| place.to_string())
    }
}

impl Types {
    const fn attribute(self, value: &Literal) -> &'static str {
        match (self, value) {
            (Self::Schema, _) => "",
            (Self::StringAttribute, Literal::Text(_)) => " string=\"true\">",
            (Self::StringAttribute, _) => " string=\"false\">",
            (Self::TypeAttribute, Literal::Text(_)) => " type=\"string\"<|sep|>",
            (Self::TypeAttribute, Literal::Number(_)) => " type=\"number\"<|sep|>",
            (Self::TypeAttribute, Literal::Bool(_)) => " type=\"boolean\"<|sep|>",
            (Self::TypeAttribute, Literal::Null) => " type=\"null\"<|sep|>",
            (Self::TypeAttribute, Literal::List(_)) => " type=\"array\"<|sep|>",
            (Self::TypeAttribute, Literal::Map(_)) => " type=\"object\"<|sep|>",
            (Self::RawOrJson, Literal::Text(_)) => " type=\"raw\">",
            (Self::RawOrJson, _) => " type=\"json\">",
        }
    }
}

const fn marks(marks: &'static [&'static str]) -> Wire {
    Wire { marks, malform: Some(("get_weather", "")), ..WIRE }
}

const QWEN: TagBody = TagBody {
    open: "<tool_call>\n<function=",
    named: ">\n",
    key: "<parameter=",
    keyed: ">\n",
    types: Types::Schema,
    value_close: "\n</parameter>\n",
    close: "</function>\n</tool_call>",
    number: Number::None,
};
const QWEN3_CODER: Encoder = Encoder {
    row: "qwen3_coder",
    body: Body::Tags(QWEN),
    block: Block { between: "\n", ..NO_BLOCK },
    message: BARE,
    reasoning: THINK,
    wire: marks(&["<tool_call>", "</tool_call>", "<function=g>", "</function>", "<parameter=b>", "</parameter>", "</think>"]),
};

/// `<invoke name="N"><parameter name="K">V</parameter></invoke>` on lines.
const INVOKE: TagBody = TagBody {
    open: "<invoke name=\"",
    named: "\">\n",
    key: "<parameter name=\"",
    keyed: "\">",
    types: Types::Schema,
    value_close: "</parameter>\n",
    close: "</invoke>",
    number: Number::None,
};
const MINIMAX_M2: Encoder = Encoder {
    row: "minimax_m2",
    body: Body::Tags(INVOKE),
    block: Block { open: "<minimax:tool_call>\n", between: "\n", close: "\n</minimax:tool_call>", ..NO_BLOCK },
    wire: marks(&["<minimax:tool_call>", "</minimax:tool_call>", "<invoke name=\"g\">", "</invoke>", "</parameter>"]),
    ..QWEN3_CODER
};

const DSML: Encoder = Encoder {
    row: "deepseek_v32",
    body: Body::Tags(TagBody {
        open: "<｜DSML｜invoke name=\"",
        named: "\">\n",
        key: "<｜DSML｜parameter name=\"",
        keyed: "\"",
        types: Types::StringAttribute,
        value_close: "</｜DSML｜parameter>\n",
        close: "</｜DSML｜invoke>",
        number: Number::None,
    }),
    block: Block { open: "<｜DSML｜function_calls>\n", between: "\n", close: "\n</｜DSML｜function_calls>", lead: "\n\n", ..NO_BLOCK },
    wire: Wire { lead: 2, ..marks(&["<｜DSML｜function_calls>", "</｜DSML｜invoke>", "</｜DSML｜parameter>", "</think>"]) },
    ..QWEN3_CODER
};

/// A name, then pairs of key and value tags, without white space.
const GLM: TagBody = TagBody {
    open: "<tool_call>",
    named: "",
    key: "<arg_key>",
    keyed: "</arg_key><arg_value>",
    types: Types::Schema,
    value_close: "</arg_value>",
    close: "</tool_call>",
    number: Number::None,
};
const GLM47: Encoder = Encoder {
    row: "glm47",
    body: Body::Tags(GLM),
    block: NO_BLOCK,
    wire: marks(&["<tool_call>", "</tool_call>", "<arg_key>", "</arg_value>", "<arg_value>", "</think>"]),
    ..QWEN3_CODER
};
const TOOL_CALLS: Block = Block { open: "<tool_calls>", close: "</tool_calls>", ..NO_BLOCK };

/// The rows of the family.
pub static ENCODERS: &[Encoder] = &[
    QWEN3_CODER,
    Encoder { row: "nemotron3", ..QWEN3_CODER },
    Encoder {
        row: "mimo",
        body: Body::Tags(TagBody {
            open: "<tool_call><function=",
            named: ">",
            keyed: ">",
            value_close: "</parameter>",
            close: "</function></tool_call>",
            ..QWEN
        }),
        block: NO_BLOCK,
        ..QWEN3_CODER
    },
    Encoder {
        row: "seed_oss",
        body: Body::Tags(TagBody { open: "<seed:tool_call>\n<function=", close: "</function>\n</seed:tool_call>", ..QWEN }),
        reasoning: Some(Reasoning { open: "<seed:think>", close: "</seed:think>", inner: "\n", after: "\n" }),
        wire: marks(&["<seed:tool_call>", "</seed:tool_call>", "<function=g>", "</function>", "</parameter>", "</seed:think>"]),
        ..QWEN3_CODER
    },
    MINIMAX_M2,
    Encoder {
        row: "dots",
        block: Block { open: "<dots_function_call>\n", close: "\n</dots_function_call>", ..MINIMAX_M2.block },
        reasoning: None,
        wire: marks(&["<dots_function_call>", "</dots_function_call>", "<invoke name=\"g\">", "</invoke>", "</parameter>"]),
        ..MINIMAX_M2
    },
    Encoder {
        row: "step3",
        body: Body::Tags(TagBody {
            open: "<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"",
            named: "\">",
            key: "<steptml:parameter name=\"",
            value_close: "</steptml:parameter>",
            close: "</steptml:invoke><｜tool_call_end｜>",
            ..INVOKE
        }),
        block: Block { open: "<｜tool_calls_begin｜>", close: "<｜tool_calls_end｜>", ..NO_BLOCK },
        wire: marks(&["<｜tool_call_begin｜>", "</steptml:invoke>", "</steptml:parameter>", "<｜tool_calls_end｜>", "</think>"]),
        ..MINIMAX_M2
    },
    Encoder {
        row: "minicpm5",
        body: Body::Tags(TagBody {
            open: "<function name=\"",
            named: "\">",
            key: "<param name=\"",
            value_close: "</param>",
            close: "</function>",
            ..INVOKE
        }),
        block: Block { between: "\n", ..NO_BLOCK },
        wire: marks(&["<function name=\"g\">", "</param>", "</function>", "</think>"]),
        ..MINIMAX_M2
    },
    DSML,
    Encoder {
        row: "deepseek_v4", block: Block { open: "<｜DSML｜tool_calls>\n", close: "\n</｜DSML｜tool_calls>", ..DSML.block }, ..DSML
    },
    Encoder {
        row: "deepseek_v41",
        body: Body::Tags(TagBody {
            open: "<｜DSML｜ invoke name=\"",
            named: "\">\n",
            key: "<｜DSML｜ parameter name=\"",
            keyed: "\"",
            types: Types::StringAttribute,
            value_close: "</｜DSML｜ parameter>\n",
            close: "</｜DSML｜ invoke>",
            number: Number::None,
        }),
        block: Block { open: "<｜DSML｜ calls>\n", close: "\n</｜DSML｜ calls>", ..DSML.block },
        wire: Wire { marks: &["<｜DSML｜ calls>", "</｜DSML｜ invoke>", "</｜DSML｜ parameter>", "</think>"], ..DSML.wire },
        ..DSML
    },
    Encoder {
        row: "gigachat35",
        body: Body::Tags(TagBody {
            open: "<｜GCML｜invoke name=\"",
            named: "\">\n",
            key: "<｜GCML｜parameter name=\"",
            keyed: "\"",
            types: Types::StringAttribute,
            value_close: "</｜GCML｜parameter>\n",
            close: "</｜GCML｜invoke>",
            number: Number::None,
        }),
        block: Block { open: "<｜GCML｜tool_calls>\n", close: "\n</｜GCML｜tool_calls>", ..DSML.block },
        wire: Wire { marks: &["<｜GCML｜tool_calls>", "</｜GCML｜invoke>", "</｜GCML｜parameter>", "</think>"], ..DSML.wire },
        ..DSML
    },
    Encoder {
        row: "cohere_cofl",
        body: Body::Tags(TagBody {
            open: "<cofl:tool_call id=\"",
            named: "\">",
            key: "<cofl:value name=\"",
            keyed: "\"",
            types: Types::RawOrJson,
            value_close: "</cofl:value>",
            close: "</cofl:tool_call>",
            number: Number::Id,
        }),
        block: Block { open: "<cofl:tool_calls>", close: "</cofl:tool_calls>", ..NO_BLOCK },
        reasoning: Some(Reasoning { open: "<|START_THINKING|>", close: "<|END_THINKING|>", inner: "", after: "" }),
        wire: marks(&["<cofl:tool_calls>", "</cofl:value>", "</cofl:tool_call>", "</cofl:tool_calls>"]),
        ..QWEN3_CODER
    },
    Encoder {
        row: "glm45",
        body: Body::Tags(TagBody { named: "\n", keyed: "</arg_key>\n<arg_value>", value_close: "</arg_value>\n", ..GLM }),
        block: Block { between: "\n", ..NO_BLOCK },
        ..GLM47
    },
    GLM47,
    Encoder { row: "ling3", ..GLM47 },
    Encoder { row: "poolside", ..GLM47 },
    Encoder { row: "spark25", ..GLM47 },
    Encoder {
        row: "iquest",
        body: Body::Tags(TagBody { open: "<iquest_tool_call>", close: "</iquest_tool_call>", ..GLM }),
        wire: marks(&["<iquest_tool_call>", "</iquest_tool_call>", "<arg_key>", "</arg_value>"]),
        ..GLM47
    },
    Encoder {
        row: "iquest_coder_v2",
        body: Body::Tags(TagBody { open: "<iquestcoder_tool_call>", close: "</iquestcoder_tool_call>", ..GLM }),
        wire: marks(&["<iquestcoder_tool_call>", "</iquestcoder_tool_call>", "<arg_key>", "</arg_value>"]),
        ..GLM47
    },
    Encoder {
        row: "hy_v3",
        body: Body::Tags(TagBody { named: "<tool_sep>", ..GLM }),
        block: TOOL_CALLS,
        wire: marks(&["<tool_calls>", "</tool_calls>", "<tool_call>", "</tool_call>", "<tool_sep>", "</arg_value>"]),
        ..GLM47
    },
    Encoder {
        row: "hy_v4",
        block: TOOL_CALLS,
        wire: marks(&["<tool_calls>", "</tool_calls>", "<tool_call>", "</tool_call>", "</arg_value>"]),
        ..GLM47
    },
    Encoder {
        row: "k2_horizon",
        body: Body::Tags(TagBody {
            open: "<ifm|tool_call>",
            key: "<ifm|arg_key>",
            keyed: "</ifm|arg_key><ifm|arg_value>",
            value_close: "</ifm|arg_value>",
            close: "</ifm|tool_call>",
            ..GLM
        }),
        block: Block { open: "<ifm|tool_calls>", close: "</ifm|tool_calls>", ..NO_BLOCK },
        reasoning: Some(Reasoning { open: "<ifm|think>", close: "</ifm|think>", inner: "\n", after: "\n" }),
        wire: marks(&["<ifm|tool_calls>", "<ifm|tool_call>", "</ifm|tool_call>", "</ifm|arg_value>", "<ifm|arg_key>"]),
        ..GLM47
    },
    Encoder {
        row: "solar_open2",
        body: Body::Tags(TagBody {
            open: "<|tool_call:start|>",
            named: "\n",
            key: "<|tool_arg:start|>",
            keyed: "<|tool_arg:value|>",
            value_close: "<|tool_arg:end|>\n",
            close: "<|tool_call:end|>",
            ..GLM
        }),
        block: Block { between: "\n", ..NO_BLOCK },
        reasoning: None,
        wire: marks(&["<|tool_call:start|>", "<|tool_call:end|>", "<|tool_arg:end|>", "<|tool_arg:start|>"]),
        ..GLM47
    },
    Encoder {
        row: "kimi_k3",
        body: Body::Tags(TagBody {
            open: "<|open|>call tool=\"",
            named: "\"<|sep|>",
            key: "<|open|>argument key=\"",
            keyed: "\"",
            types: Types::TypeAttribute,
            value_close: "<|close|>argument<|sep|>",
            close: "<|close|>call<|sep|>",
            number: Number::Index,
        }),
        block: Block { open: "<|open|>tools<|sep|>", close: "<|close|>tools<|sep|>", lead: "", ..NO_BLOCK },
        message: Message {
            prose: Some(("<|open|>response<|sep|>", "<|close|>response<|sep|>")),
            prose_always: true,
            end: "<|close|>message<|sep|>",
            ..BARE
        },
        reasoning: Some(Reasoning { open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>", inner: "", after: "" }),
        wire: Wire {
            cannot: &[
                ("text-between", "a message has one response element, before its tools"),
                ("text-after", "a message has one response element, before its tools"),
            ],
            trimmed: true,
            ..marks(&["<|open|>", "<|sep|>", "<|open|>tools<|sep|>", "<|close|>argument<|sep|>", "<|close|>call<|sep|>"])
        },
    },
];
