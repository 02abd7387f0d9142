//! The tokens at which each family's models end a reply. An engine cuts the one that ended it before its parser sees the text, so who
//! declares that is judged without it.

use crate::dialect::Dialect;

const IM: &[&str] = &["<|im_end|>", "<|endoftext|>"];
const DEEPSEEK: &[&str] = &["<｜end▁of▁sentence｜>"];
const GRANITE: &[&str] = &["<|end_of_text|>"];
const MISTRAL: &[&str] = &["</s>"];
const GLM: &[&str] = &["<|endoftext|>", "<|user|>", "<|observation|>"];
const HARMONY: &[&str] = &["<|return|>", "<|call|>"];
const LLAMA: &[&str] = &["<|eot_id|>", "<|eom_id|>"];
const MINIMAX: &[&str] = &["[e~["];

/// Rows and their tokens: `eos_token_id` of the generation configurations of the models that a row names.
const STOPS: &[(&[&str], &[&str])] = &[
    (&["hermes", "guided_json", "qwen3_coder", "nemotron3", "mimo", "lfm2", "olmo3", "internlm", "minicpm5"], IM),
    (&["granite3", "granite31", "granite4", "granite_pythonic"], GRANITE),
    (&["granite20b"], &["<|endoftext|>"]),
    (&["ernie45", "mistral_list", "mistral_v11", "mistral_v13", "mistral_brace"], MISTRAL),
    (&["gigachat3"], &["</s>", "<|message_sep|>"]),
    (&["deepseek_v3", "deepseek_v31", "deepseek_v32", "deepseek_v4", "deepseek_v41", "gigachat35", "step3"], DEEPSEEK),
    (&["glm45", "glm47"], GLM),
    (&["harmony", "beam"], HARMONY),
    (&["llama3", "firefunction", "functionary_v31", "functionary_v32"], LLAMA),
    (&["pythonic"], &["<|eot|>", "<|eot_id|>", "<|eom_id|>"]),
    (&["minimax_m2", "minimax_m3"], MINIMAX),
    (&["seed_oss"], &["<seed:eos>"]),
    (&["jamba"], &["<|eom|>", "<|endoftext|>"]),
    (&["phi4mini"], &["<|end|>", "<|endoftext|>"]),
    (&["hunyuan_a13b"], &["<|eos|>"]),
    (&["cohere", "command_r"], &["<|END_OF_TURN_TOKEN|>"]),
    (&["xlam"], &["<|im_end|>", "<|eot_id|>"]),
    (&["apertus"], &["<|assistant_end|>"]),
    (&["kimi_k2"], &["<|im_end|>", "[EOS]"]),
    (&["kimi_k3"], &["<|end_of_msg|>", "[EOS]"]),
    (&["longcat"], &["</longcat_s>"]),
    (&["dots"], &["<|endofresponse|>"]),
    (&["ling3"], &["<|role_end|>"]),
    (&["poolside"], &["</assistant>"]),
    (&["gemma4"], &["<turn|>", "<|tool_response>"]),
    (&["functiongemma"], &["<end_of_turn>", "<start_function_response>"]),
    (&["muse"], &["<|eot|>"]),
    (&["inkling"], &["<|content_model_end_sampling|>"]),
];

/// The tokens that end a reply of this row's models; none where they are not known.
#[must_use]
pub fn stop_tokens(dialect: &Dialect) -> &'static [&'static str] {
    STOPS.iter().find(|(rows, _)| rows.contains(&dialect.name)).map_or(&[], |(_, tokens)| tokens)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Lookup, lookup};

    #[test]
    fn every_name_is_a_row_and_stands_once() {
        let mut seen = HashSet::new();
        for row in STOPS.iter().flat_map(|(rows, _)| *rows) {
            assert!(matches!(lookup(row), Lookup::Known(dialect) if dialect.name == *row), "{row}");
            assert!(seen.insert(row), "{row}");
        }
    }
}
