//! The row `auto`: for callers that do not know the model.

use super::THINK;
use super::braces::THOUGHT;
use super::elements::MM_THINK;
use super::json::{APERTUS_INNER, COHERE_THINK, LONGCAT_THINK};
use super::named::{PLAMO_THINK, SOLAR_THINK, THINK_BRACKETS};
use super::tags::{IFM_THINK, SEED_THINK, XTML_THINK};
use crate::dialect::{Dialect, IdPlacement, ReasoningMarkers};
use crate::grammar::Grammar;

/// Rows whose openers no prose has. Rows that read bare text (bare JSON, bare Python lists, `ReAct`) and openers made of words
/// (`functools`, a code fence) are not among them: any answer could be one. Of rows that share an opener the first that can
/// read what follows it counts, so that each stands once, in its most permissive spelling.
const ROWS: &[&str] = &[
    "hermes",
    "granite31",
    "qwen3_coder",
    "glm47",
    "seed_oss",
    "longcat",
    "mistral_v13",
    "lfm2",
    "step3",
    "deepseek_v3",
    "deepseek_v31",
    "deepseek_v32",
    "deepseek_v41",
    "gigachat35",
    "kimi_k2",
    "kimi_k3",
    "minimax_m2",
    "minimax_m3",
    "iquest",
    "hunyuan_a13b",
    "minimax_m1",
    "hy_v3",
    "k2_horizon",
    "dots",
    "minicpm5",
    "gemma4",
    "functiongemma",
    "granite3",
    "phi4mini_native",
    "nemotron_deci",
    "cohere",
    "cohere_cofl",
    "internlm",
    "apertus",
    "plamo3",
    "solar_open",
    "solar_open2",
    "olmo3",
    "sarashina",
    "gigachat3",
    "harmony",
    "inkling",
];

/// Spans of reasoning of the rows, but those that phrases open. One that the prompt opened ends at any of the closers.
const SPANS: &[ReasoningMarkers] = &[
    THINK,
    THINK_BRACKETS,
    SEED_THINK,
    LONGCAT_THINK,
    MM_THINK,
    THOUGHT,
    XTML_THINK,
    COHERE_THINK,
    APERTUS_INNER,
    IFM_THINK[0],
    IFM_THINK[1],
    IFM_THINK[2],
    PLAMO_THINK,
    SOLAR_THINK,
];

pub(super) static ROWS_OF_FAMILY: &[Dialect] = &[Dialect {
    name: "auto",
    aliases: &["detect"],
    peers: &[],
    families: &["any model that writes markers"],
    grammar: Grammar::Auto(ROWS),
    // The most that any of them has.
    lead: 2,
    reasoning: SPANS,
    call_ends_reasoning: true,
    ids: IdPlacement::None,
    control: &["<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<｜end▁of▁sentence｜>", "<|observation|>"],
    stop: &["</s>"],
    evidence: "design page; reference-systems 1.7, 3.9; semantics 8",
}];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::auto_rows;

    #[test]
    fn every_span_of_its_rows_is_one_of_auto() {
        for row in auto_rows(ROWS).filter(|row| !matches!(row.grammar, Grammar::Channels(_))) {
            for span in row.reasoning.iter().filter(|span| span.open.starts_with(['<', '['])) {
                assert!(SPANS.contains(span), "{}: {span:?}", row.name);
            }
        }
    }
}
