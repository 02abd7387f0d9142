//! Rows: JSON call objects (G1, G2, G3).

use super::THINK;
use super::tags::LONGCAT_PAIRS;
use crate::dialect::Peer::{Dynamo, MlxLm, Mlxcel, Ollama, Sglang, Smg, Vllm};
use crate::dialect::{Dialect, IdPlacement, ReasoningMarkers};
use crate::grammar::{Grammar, JsonCalls, JsonShape};

const LONGCAT_THINK: ReasoningMarkers = ReasoningMarkers { open: "<longcat_think>", close: "</longcat_think>" };
const TOOL_CALL: Grammar =
    Grammar::Json(JsonCalls { open: &["<tool_call>"], close: &["</tool_call>"], shape: JsonShape::Object, pairs: None });

pub(super) static ROWS: &[Dialect] = &[
    Dialect {
        name: "hermes",
        aliases: &["exaone4", "smollm3", "hermes_2_pro", "qwen3_coder_given_to_hermes"],
        peers: &[
            (Vllm, &["hermes", "qwen3_json"]),
            (Sglang, &["qwen", "qwen25", "hermes", "trinity"]),
            (Dynamo, &["hermes", "qwen25"]),
            (Smg, &["qwen"]),
            (MlxLm, &["json_tools"]),
            (Ollama, &["qwen3", "qwen3-thinking"]),
            (Mlxcel, &["hermes"]),
        ],
        families: &["Nous Hermes 2 Pro/3/4", "Qwen2.5", "QwQ", "Qwen3", "EXAONE-4", "SmolLM3 xml_tools"],
        grammar: TOOL_CALL,
        lead: 1,
        reasoning: &[THINK],
        call_ends_reasoning: true,
        ids: IdPlacement::None,
        control: &["<|im_end|>"],
        stop: &[],
        evidence: "dialects B1 [X], B50",
    },
    Dialect {
        name: "granite4",
        aliases: &["granite-4"],
        peers: &[(Vllm, &["granite4"]), (Dynamo, &["hermes"]), (Smg, &["qwen"]), (MlxLm, &["json_tools"]), (Mlxcel, &["hermes"])],
        families: &["Granite 4.0", "Granite 4.1"],
        grammar: TOOL_CALL,
        lead: 1,
        reasoning: &[THINK],
        call_ends_reasoning: true,
        ids: IdPlacement::None,
        control: &["<|end_of_text|>"],
        stop: &[],
        evidence: "dialects B1, B29c [X], B50",
    },
    Dialect {
        name: "ernie45",
        aliases: &["ernie"],
        peers: &[(Vllm, &["ernie45"])],
        families: &["ERNIE 4.5 thinking"],
        grammar: TOOL_CALL,
        lead: 1,
        reasoning: &[THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &[],
        stop: &[],
        evidence: "dialects B1, B38 [X]",
    },
    Dialect {
        name: "longcat",
        aliases: &["longcat_flash"],
        peers: &[(Vllm, &["longcat"]), (MlxLm, &["longcat"]), (Mlxcel, &["longcat"])],
        families: &["LongCat Flash (JSON body)"],
        grammar: Grammar::Json(JsonCalls {
            open: &["<longcat_tool_call>"],
            close: &["</longcat_tool_call>"],
            shape: JsonShape::Object,
            pairs: Some(&LONGCAT_PAIRS),
        }),
        lead: 1,
        reasoning: &[LONGCAT_THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &[],
        stop: &[],
        evidence: "dialects B2 [X], B50",
    },
    Dialect {
        name: "guided_json",
        aliases: &["json_list"],
        peers: &[],
        families: &["any model under guided decoding of tool_choice `required`"],
        grammar: Grammar::Json(JsonCalls { open: &[], close: &[], shape: JsonShape::List, pairs: None }),
        lead: 1,
        reasoning: &[THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &[],
        stop: &[],
        evidence: "dialects B45, design page",
    },
];
