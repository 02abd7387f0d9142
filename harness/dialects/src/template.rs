//! The `response_template` of a checkpoint (transformers 5.x; dialects B46): which of its fields a row of data can say, and a clear
//! refusal of the others. The template's own rules of white space and types give way to ours (semantics 3 and 7).

mod calls;
mod field;
mod pattern;

use field::{Field, Spec};
use serde_json::Value;
use streakstone_model::{Dialect, IdPlacement, ReasoningMarkers};

use crate::check::Check;
use crate::error::Fault;

/// Fields whose text is reasoning.
const REASONING: [&str; 4] = ["thinking", "reasoning_content", "reasoning", "thoughts"];
/// Fields whose text is the reply's.
const CONTENT: [&str; 1] = ["content"];
/// The field of the calls.
const CALLS: &str = "tool_calls";
/// Stop tokens that are ordinary text elsewhere (semantics 3): framing only at the end.
const AMBIGUOUS: [&str; 1] = ["</s>"];
/// Newlines before a block that are framing (semantics 3b).
const LEAD: usize = 1;

/// The row of a response template, under the name `name`.
///
/// # Errors
/// Everything in it that cannot be expressed, with its keys and what to do.
pub fn from_response_template(name: &str, template: &Value) -> Result<Dialect, Vec<Fault>> {
    let fields = Spec::fields(template)?;
    let mut check = Check::default();
    let name = check.word("", name.to_owned());
    let (mut reasoning, mut control, mut grammar) = (Vec::new(), Vec::new(), None);
    let mut implicit = Vec::new();
    for field in &fields {
        if field.open.is_none() {
            implicit.push(field.at.as_str());
        }
        let result = match field.name.as_str() {
            CALLS => calls::grammar(field, &mut check).map(|calls| grammar = Some(calls)),
            own if REASONING.contains(&own) => spans(field, &mut check).map(|spans| reasoning.extend(spans)),
            own if CONTENT.contains(&own) => content(field).map(|tokens| control.extend(tokens)),
            _ => Err(Fault::new(
                &field.at,
                "a reply has text, reasoning and calls and nothing else; remove the field, or name it content, thinking or tool_calls",
            )),
        };
        check.faults.extend(result.err());
    }
    if let [_, second, ..] = implicit.as_slice() {
        check.fault(second, "a second field without `open`; one may take what no other field takes, give the others an opener");
    }
    let Some(grammar) = grammar else {
        if fields.iter().all(|field| field.name != CALLS) {
            check.fault("fields", "no field `tool_calls`: nothing says how a call is written; add it, or write a dialect file");
        }
        return Err(check.faults);
    };
    control.dedup();
    let (stop, control): (Vec<String>, Vec<String>) = control.into_iter().partition(|token| AMBIGUOUS.contains(&token.as_str()));
    let dialect = Dialect {
        name,
        aliases: &[],
        peers: &[],
        families: &[],
        grammar,
        lead: LEAD,
        reasoning: Check::list(reasoning),
        // Inside a field the templates watch for its closer alone.
        call_ends_reasoning: false,
        ids: IdPlacement::None,
        control: check.markers("fields.content.close", control),
        stop: check.markers("fields.content.close", stop),
        evidence: "a response template (dialects B46)",
    };
    check.row(&dialect, "fields.tool_calls");
    if check.faults.is_empty() { Ok(dialect) } else { Err(check.faults) }
}

/// The reasoning spans of a text field: each opener with the one closer.
fn spans(field: &Field, check: &mut Check) -> Result<Vec<ReasoningMarkers>, Fault> {
    field.is_text()?;
    let Some(open) = &field.open else {
        return Err(field.fault("open", "reasoning without an opener would be the whole reply; give `open`"));
    };
    let close = match field.close.as_ref().map(|anchor| anchor.literals(field)).transpose()?.as_deref() {
        Some([close]) => close.clone(),
        Some(_) => return Err(field.fault("close", "several closers; a reasoning span of a row has one, keep the template's own")),
        None => return Err(field.fault("close", "reasoning without a closer; give `close`")),
    };
    let spans = open.literals(field)?.into_iter().map(|open| {
        let [open, close] = check.pair(&field.at, [open, close.clone()]);
        ReasoningMarkers { open, close }
    });
    Ok(spans.collect())
}

/// The markers around the reply's text, and its end tokens. They are framing wherever they stand outside a call.
fn content(field: &Field) -> Result<Vec<String>, Fault> {
    field.is_text()?;
    let mut tokens = Vec::new();
    for anchor in [&field.open, &field.close].into_iter().flatten() {
        tokens.extend(anchor.literals(field)?);
    }
    Ok(tokens)
}
