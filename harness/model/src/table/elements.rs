//! Rows: element trees (G11, and the typed form of G9).

use super::json::COHERE_THINK;
use crate::dialect::Peer::{Dynamo, LlamaCpp, Mlxcel, Sglang, Smg, Vllm};
use crate::dialect::{Dialect, IdPlacement, ReasoningMarkers};
use crate::grammar::{ElementCalls, ElementStyle, Grammar, GrammarId, TagAttributes};

pub(super) const MM_THINK: ReasoningMarkers = ReasoningMarkers { open: "<mm:think>", close: "</mm:think>" };

pub(super) static ROWS: &[Dialect] = &[
    Dialect {
        name: "minimax_m3",
        aliases: &[],
        peers: &[
            (Vllm, &["minimax_m3"]),
            (Sglang, &["minimax-m3"]),
            (LlamaCpp, &["minimax-m3"]),
            (Dynamo, &["minimax_m3"]),
            (Smg, &["minimax_m3"]),
            (Mlxcel, &["minimax_m3"]),
        ],
        families: &["MiniMax M3"],
        grammar: Grammar::Elements(&ElementCalls {
            id: GrammarId::NestedElements,
            blocks: &[["]<]minimax[>[<tool_call>", "]<]minimax[>[</tool_call>"]],
            unit: ["]<]minimax[>[<invoke ", "]<]minimax[>[</invoke>"],
            attributes: TagAttributes { name: "name", key: "name", kind: "", kinds: ["", ""], end: ">", entities: &[] },
            element: ["]<]minimax[>[<", "]<]minimax[>[</"],
            style: ElementStyle::Named { item: "item", text: "$text" },
            lines: true,
        }),
        lead: 1,
        reasoning: &[MM_THINK],
        call_ends_reasoning: true,
        ids: IdPlacement::None,
        control: &[],
        stop: &[],
        evidence: "dialects B22 [X], B50",
    },
    Dialect {
        name: "cohere_cofl",
        aliases: &[],
        peers: &[],
        families: &["Cohere Command, newest template"],
        grammar: Grammar::Elements(&ElementCalls {
            id: GrammarId::InvokeTyped,
            blocks: &[["<cofl:tool_calls>", "</cofl:tool_calls>"]],
            unit: ["<cofl:tool_call ", "</cofl:tool_call>"],
            attributes: TagAttributes {
                name: "name",
                key: "name",
                kind: "type",
                kinds: ["raw", "json"],
                end: ">",
                entities: &[("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")],
            },
            element: ["<cofl:value", "</cofl:value>"],
            style: ElementStyle::Typed,
            lines: false,
        }),
        lead: 1,
        reasoning: &[COHERE_THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::Before,
        control: &["<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>", "<|START_ACTION|>", "<|END_ACTION|>"],
        stop: &[],
        evidence: "dialects B35 [S], B50",
    },
];
