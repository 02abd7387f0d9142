//! Rows: Names between markers (G4), and the JSON list of the same family.

use super::THINK;
use crate::dialect::Peer::{Dynamo, LlamaCpp, MlxLm, Mlxcel, Ollama, Sglang, Smg, Vllm};
use crate::dialect::{Dialect, IdPlacement, ReasoningMarkers};
use crate::grammar::{Grammar, NamedCalls};

const THINK_BRACKETS: ReasoningMarkers = ReasoningMarkers { open: "[THINK]", close: "[/THINK]" };
const MISTRAL: NamedCalls = NamedCalls { open: "[TOOL_CALLS]", close: "[/TOOL_CALLS]", call_id: "[CALL_ID]", args: "[ARGS]", list: false };

pub(super) static ROWS: &[Dialect] = &[
    Dialect {
        name: "mistral_list",
        aliases: &["mistral_array", "nemo", "mistral_v3", "mistral_v7"],
        peers: &[
            (Vllm, &["mistral"]),
            (Sglang, &["mistral"]),
            (Dynamo, &["mistral"]),
            (Smg, &["mistral"]),
            (MlxLm, &["mistral"]),
            (Mlxcel, &["mistral_nemo"]),
        ],
        families: &["Mistral 7B v0.3", "Mixtral 8x22B", "Mistral Nemo", "Mistral Large 2", "Mistral Small 2501/2503"],
        grammar: Grammar::Named(NamedCalls { list: true, ..MISTRAL }),
        lead: 1,
        reasoning: &[],
        call_ends_reasoning: false,
        ids: IdPlacement::After,
        control: &[],
        stop: &["</s>"],
        evidence: "dialects B4 [X]",
    },
    Dialect {
        name: "mistral_v11",
        aliases: &["magistral_2506"],
        peers: &[(Vllm, &["mistral"])],
        families: &["Magistral 2506", "Mistral Small 3.2"],
        grammar: Grammar::Named(MISTRAL),
        lead: 1,
        reasoning: &[THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::Before,
        control: &[],
        stop: &["</s>"],
        evidence: "dialects B5 [X]",
    },
    Dialect {
        name: "mistral_v13",
        aliases: &["mistral", "mistral_args", "mistral_v15", "devstral"],
        peers: &[
            (Vllm, &["mistral"]),
            (Sglang, &["mistral"]),
            (LlamaCpp, &["ministral3"]),
            (MlxLm, &["mistral"]),
            (Ollama, &["ministral"]),
            (Mlxcel, &["mistral"]),
        ],
        families: &["Devstral", "Magistral 2507/2509", "Mistral Large 3", "Ministral 3"],
        grammar: Grammar::Named(MISTRAL),
        lead: 1,
        reasoning: &[THINK_BRACKETS],
        call_ends_reasoning: false,
        ids: IdPlacement::Before,
        control: &[],
        stop: &["</s>"],
        evidence: "dialects B5 [X], B50",
    },
    Dialect {
        name: "mistral_brace",
        aliases: &[],
        peers: &[(Vllm, &["mistral"])],
        families: &["v11 and later with `[ARGS]` skipped by the detokeniser"],
        grammar: Grammar::Named(MISTRAL),
        lead: 1,
        reasoning: &[THINK_BRACKETS],
        call_ends_reasoning: false,
        ids: IdPlacement::Before,
        control: &[],
        stop: &["</s>"],
        evidence: "dialects B5 [X], B50",
    },
];
