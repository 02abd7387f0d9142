//! The dialect table: every row, as data. Adding a dialect of an existing grammar is one row here.

use crate::dialect::{
    BlockTags, Dialect, Grammar, IdPlacement, InvokeSpelling, JsonListMarkers, Lookup, ReasoningMarkers, TagTypes, nearest,
};

const THINK: ReasoningMarkers = ReasoningMarkers { open: "<think>", close: "</think>" };
const THINK_BRACKETS: ReasoningMarkers = ReasoningMarkers { open: "[THINK]", close: "[/THINK]" };
const SEED_THINK: ReasoningMarkers = ReasoningMarkers { open: "<seed:think>", close: "</seed:think>" };
const LONGCAT_THINK: ReasoningMarkers = ReasoningMarkers { open: "<longcat_think>", close: "</longcat_think>" };

const TOOL_CALL_TAGS: JsonListMarkers = JsonListMarkers { open: "<tool_call>", close: "</tool_call>" };
const QWEN_XML: Grammar =
    Grammar::TagEquals { wrapper: BlockTags { open: "<tool_call>", close: "</tool_call>" }, types: TagTypes::Schema, newlines: true };
const MISTRAL: Grammar = Grammar::Mistral { open: "[TOOL_CALLS]", close: "[/TOOL_CALLS]", call_id: "[CALL_ID]", args: "[ARGS]" };
const DSML_BLOCKS: &[&str] = &["function_calls", "tool_calls", "toolcalls"];
const END_OF_SENTENCE: &str = "<｜end▁of▁sentence｜>";

/// Every dialect this build reads.
pub static DIALECTS: &[Dialect] = &[
    Dialect {
        name: "hermes",
        aliases: &[
            "qwen",
            "qwen25",
            "qwen3",
            "qwen3_json",
            "qwen3-thinking",
            "json_tools",
            "exaone4",
            "smollm3",
            "hermes_2_pro",
            "qwen3_coder_given_to_hermes",
        ],
        families: &["Nous Hermes 2 Pro/3/4", "Qwen2.5", "QwQ", "Qwen3", "EXAONE-4", "SmolLM3 xml_tools"],
        grammar: Grammar::JsonObject(TOOL_CALL_TAGS),
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
        families: &["Granite 4.0", "Granite 4.1"],
        grammar: Grammar::JsonObject(TOOL_CALL_TAGS),
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
        families: &["ERNIE 4.5 thinking"],
        grammar: Grammar::JsonObject(TOOL_CALL_TAGS),
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
        families: &["LongCat Flash (JSON body)"],
        grammar: Grammar::JsonObject(JsonListMarkers { open: "<longcat_tool_call>", close: "</longcat_tool_call>" }),
        lead: 1,
        reasoning: &[LONGCAT_THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &[],
        stop: &[],
        evidence: "dialects B2 [X], B50",
    },
    Dialect {
        name: "qwen3_coder",
        aliases: &["qwen3_xml", "qwen_xml", "qwen_coder", "qwen3-coder", "qwen3.5", "step3p5", "step5", "nanbeige", "ornith"],
        families: &["Qwen3-Coder", "Qwen3.5/3.6/3.8", "Step-3.5/3.7", "Nanbeige"],
        grammar: QWEN_XML,
        lead: 1,
        reasoning: &[THINK],
        call_ends_reasoning: true,
        ids: IdPlacement::None,
        control: &["<|im_end|>"],
        stop: &[],
        evidence: "dialects B3 [X], B50",
    },
    Dialect {
        name: "nemotron3",
        aliases: &["nemotron_v3", "nemotron_nano", "nemotron", "nemotron-3-nano", "nemotron-3.5-nano"],
        families: &["Nemotron-3 Nano/Super/Ultra"],
        grammar: QWEN_XML,
        lead: 1,
        reasoning: &[THINK],
        call_ends_reasoning: true,
        ids: IdPlacement::None,
        control: &["<|im_end|>"],
        stop: &[],
        evidence: "dialects B3 [X], B50",
    },
    Dialect {
        name: "mimo",
        aliases: &["mimo_v2"],
        families: &["Xiaomi MiMo-V2-Flash/V2.5/V2.6"],
        grammar: Grammar::TagEquals {
            wrapper: BlockTags { open: "<tool_call>", close: "</tool_call>" },
            types: TagTypes::Schema,
            newlines: false,
        },
        lead: 1,
        reasoning: &[THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &["<|im_end|>"],
        stop: &[],
        evidence: "dialects B3b [X], B50",
    },
    Dialect {
        name: "seed_oss",
        aliases: &["seed"],
        families: &["ByteDance Seed-OSS"],
        grammar: Grammar::TagEquals {
            wrapper: BlockTags { open: "<seed:tool_call>", close: "</seed:tool_call>" },
            types: TagTypes::Schema,
            newlines: true,
        },
        lead: 1,
        reasoning: &[SEED_THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &["<seed:eos>"],
        stop: &[],
        evidence: "dialects B3c [X], B50",
    },
    Dialect {
        name: "mistral_list",
        aliases: &["mistral_array", "mistral_nemo", "nemo", "mistral_v3", "mistral_v7"],
        families: &["Mistral 7B v0.3", "Mixtral 8x22B", "Mistral Nemo", "Mistral Large 2", "Mistral Small 2501/2503"],
        grammar: MISTRAL,
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
        families: &["Magistral 2506", "Mistral Small 3.2"],
        grammar: MISTRAL,
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
        aliases: &["mistral", "mistral_args", "mistral_v15", "ministral", "ministral3", "devstral"],
        families: &["Devstral", "Magistral 2507/2509", "Mistral Large 3", "Ministral 3"],
        grammar: MISTRAL,
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
        families: &["v11 and later with `[ARGS]` skipped by the detokeniser"],
        grammar: MISTRAL,
        lead: 1,
        reasoning: &[THINK_BRACKETS],
        call_ends_reasoning: false,
        ids: IdPlacement::Before,
        control: &[],
        stop: &["</s>"],
        evidence: "dialects B5 [X], B50",
    },
    Dialect {
        name: "guided_json",
        aliases: &["json_list"],
        families: &["any model under guided decoding of tool_choice `required`"],
        grammar: Grammar::BareJsonList,
        lead: 1,
        reasoning: &[THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &[],
        stop: &[],
        evidence: "dialects B45, design page",
    },
    Dialect {
        name: "pythonic",
        aliases: &["llama4_pythonic", "toolace", "llama_pythonic"],
        families: &["Llama 3.2 1B/3B", "Llama 4", "ToolACE-8B"],
        grammar: Grammar::PythonList { open: &["<|python_start|>"], close: &["<|python_end|>"], bare: true },
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
        aliases: &["lfm2.5", "lfm2-thinking"],
        families: &["LFM2", "LFM2.5"],
        grammar: Grammar::PythonList { open: &["<|tool_call_start|>"], close: &["<|tool_call_end|>"], bare: false },
        lead: 1,
        reasoning: &[THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &["<|im_end|>"],
        stop: &[],
        evidence: "dialects B8 [X], B50",
    },
    Dialect {
        name: "deepseek_v32",
        aliases: &["deepseekv32", "deepseek32", "deepseek_v3_2"],
        families: &["DeepSeek V3.2", "DeepSeek V3.2-Speciale"],
        grammar: Grammar::InvokeTyped(InvokeSpelling { prefix: "｜DSML｜", blocks: DSML_BLOCKS }),
        lead: 2,
        reasoning: &[THINK],
        call_ends_reasoning: true,
        ids: IdPlacement::None,
        control: &[END_OF_SENTENCE],
        stop: &[],
        evidence: "dialects B13 [X], B50",
    },
    Dialect {
        name: "deepseek_v4",
        aliases: &["deepseekv4"],
        families: &["DeepSeek V4"],
        grammar: Grammar::InvokeTyped(InvokeSpelling { prefix: "｜DSML｜", blocks: &["tool_calls", "function_calls", "toolcalls"] }),
        lead: 2,
        reasoning: &[THINK],
        call_ends_reasoning: true,
        ids: IdPlacement::None,
        control: &[END_OF_SENTENCE],
        stop: &[],
        evidence: "dialects B13 [X], B50",
    },
    Dialect {
        name: "deepseek_v41",
        aliases: &["deepseekv41"],
        families: &["DeepSeek V4.1"],
        grammar: Grammar::InvokeTyped(InvokeSpelling { prefix: "｜DSML｜ ", blocks: &["calls"] }),
        lead: 2,
        reasoning: &[THINK],
        call_ends_reasoning: true,
        ids: IdPlacement::None,
        control: &[END_OF_SENTENCE],
        stop: &[],
        evidence: "dialects B13 [X], B50",
    },
    Dialect {
        name: "gigachat35",
        aliases: &["gigachat3.5"],
        families: &["GigaChat 3.5"],
        grammar: Grammar::InvokeTyped(InvokeSpelling { prefix: "｜GCML｜", blocks: &["tool_calls", "function_calls"] }),
        lead: 2,
        reasoning: &[THINK],
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: &[END_OF_SENTENCE],
        stop: &[],
        evidence: "dialects B13 [X], B50",
    },
];

/// The row of a name or alias, else the nearest name.
#[must_use]
pub fn lookup(word: &str) -> Lookup {
    if let Some(row) = DIALECTS.iter().find(|d| d.name == word).or_else(|| DIALECTS.iter().find(|d| d.aliases.contains(&word))) {
        return Lookup::Known(row);
    }
    let names = DIALECTS.iter().flat_map(|d| std::iter::once(d.name).chain(d.aliases.iter().copied()));
    Lookup::Unknown { nearest: nearest(word, names).unwrap_or("") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_word_names_two_rows() {
        let mut seen = BTreeSet::new();
        for row in DIALECTS {
            for word in std::iter::once(&row.name).chain(row.aliases) {
                assert!(seen.insert(*word), "{word} names two rows");
            }
        }
    }

    #[test]
    fn an_alias_finds_its_row_and_a_stranger_the_nearest_name() {
        assert!(matches!(lookup("qwen3_xml"), Lookup::Known(d) if d.name == "qwen3_coder"));
        assert_eq!(lookup("hermez"), Lookup::Unknown { nearest: "hermes" });
    }
}
