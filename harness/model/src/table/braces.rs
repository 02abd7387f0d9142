//! Rows: bare keys in braces (G13).

use crate::dialect::Peer::{Dynamo, LlamaCpp, MlxLm, Mlxcel, Ollama, Sglang, Smg, Vllm};
use crate::dialect::{Dialect, IdPlacement, ReasoningMarkers};
use crate::grammar::{BraceCalls, Grammar};

pub(super) const THOUGHT: ReasoningMarkers = ReasoningMarkers { open: "<|channel>thought", close: "<channel|>" };

pub(super) static ROWS: &[Dialect] = &[
    Dialect {
        name: "gemma4",
        aliases: &["gemma", "gemma_4"],
        peers: &[
            (Vllm, &["gemma4"]),
            (Sglang, &["gemma4"]),
            (LlamaCpp, &["gemma4"]),
            (Dynamo, &["gemma4"]),
            (Smg, &["gemma4"]),
            (MlxLm, &["gemma4"]),
            (Ollama, &["gemma4", "gemma4-no-thinking"]),
            (Mlxcel, &["gemma4"]),
        ],
        families: &["Gemma 4"],
        grammar: Grammar::Braces(BraceCalls {
            open: &["<|tool_call>"],
            close: &["<tool_call|>"],
            // Behind the template's: what models write instead (B27, B51).
            heads: &["call:", "call ", ":", "-"],
            quote: "<|\"|>",
            words: false,
        }),
        lead: 1,
        reasoning: &[THOUGHT],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &["<turn|>", "<|tool_response>"],
        stop: &[],
        evidence: "dialects B27 [X], B50, B51",
    },
    Dialect {
        name: "functiongemma",
        aliases: &["function_gemma_270m"],
        peers: &[(Vllm, &["functiongemma"]), (MlxLm, &["function_gemma"]), (Ollama, &["functiongemma"]), (Mlxcel, &["function_gemma"])],
        families: &["FunctionGemma 270M"],
        grammar: Grammar::Braces(BraceCalls {
            open: &["<start_function_call>"],
            close: &["<end_function_call>"],
            heads: &["call:"],
            quote: "<escape>",
            words: true,
        }),
        lead: 1,
        reasoning: &[],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &["<end_of_turn>", "<start_function_response>"],
        stop: &[],
        evidence: "dialects B28 [X]",
    },
];
