//! Rows: Python's syntax (G5).

use super::THINK;
use crate::dialect::Peer::{Dynamo, LlamaCpp, MlxLm, Mlxcel, Ollama, Sglang, Smg, Vllm};
use crate::dialect::{Dialect, IdPlacement};
use crate::grammar::{Grammar, PythonCalls};

pub(super) static ROWS: &[Dialect] = &[
    Dialect {
        name: "pythonic",
        aliases: &["toolace", "llama_pythonic"],
        peers: &[
            (Vllm, &["pythonic", "llama4_pythonic"]),
            (Sglang, &["pythonic"]),
            (Dynamo, &["pythonic"]),
            (Smg, &["pythonic"]),
            (Mlxcel, &["pythonic"]),
        ],
        families: &["Llama 3.2 1B/3B", "Llama 4", "ToolACE-8B"],
        grammar: Grammar::Python(PythonCalls { open: &["<|python_start|>"], close: &["<|python_end|>"], bare: true }),
        lead: 1,
        reasoning: &[],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &["<|eot_id|>", "<|eot|>"],
        stop: &[],
        evidence: "dialects B7 [X]",
    },
    Dialect {
        name: "lfm2",
        aliases: &["lfm2.5"],
        peers: &[
            (Vllm, &["lfm2"]),
            (Sglang, &["lfm2"]),
            (LlamaCpp, &["lfm2"]),
            (MlxLm, &["pythonic"]),
            (Ollama, &["lfm2", "lfm2-thinking"]),
            (Mlxcel, &["pythonic"]),
        ],
        families: &["LFM2", "LFM2.5"],
        grammar: Grammar::Python(PythonCalls { open: &["<|tool_call_start|>"], close: &["<|tool_call_end|>"], bare: false }),
        lead: 1,
        reasoning: &[THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &["<|im_end|>"],
        stop: &[],
        evidence: "dialects B8 [X], B50",
    },
];
