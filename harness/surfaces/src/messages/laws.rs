//! The table of the laws AN01 to AN24, and those of the message's own events: AN01 to AN03, AN13 to AN16, AN24.

use serde_json::Value;

use super::view::View;
use super::{blocks, oracle};
use crate::context::Context;
use crate::ids::IdKind;
use crate::law::{Findings, Law, Needs, Severity, law, lost_words, quote, quote_value};
use crate::strict;

use Needs::{Nothing, Oracle, Request};
use Severity::{Breaks, Core, Policy, Stated};

/// Every law of Anthropic Messages.
#[rustfmt::skip]
pub(crate) const LAWS: &[Law<View>] = &[
    law("AN01", "event-named", Breaks, Nothing, false, "Every event has an `event` field that equals the `type` of its data.", an01),
    law("AN02", "start-first", Breaks, Nothing, false, "The first event is one `message_start`, without content and stop reason.", an02),
    law("AN03", "message-envelope", Stated, Nothing, true, "The message has an id `msg_...`, the role assistant and its usage.", an03),
    law("AN04", "index-dense", Breaks, Nothing, false, "Blocks start with the indexes 0, 1, 2 ... in order, each once.", blocks::an04),
    law("AN05", "delta-in-block", Breaks, Nothing, false, "Every delta and stop is of a block that has started and not stopped.", blocks::an05),
    law("AN06", "one-open-block", Breaks, Nothing, false, "At most one block is open at a time.", blocks::an06),
    law("AN07", "blocks-stop", Breaks, Nothing, false, "Every block stops before `message_delta`.", blocks::an07),
    law("AN08", "delta-fits", Breaks, Nothing, false, "The type of a delta fits the type of its block.", blocks::an08),
    law("AN09", "tool-use-start", Breaks, Nothing, true, "A `tool_use` has a unique id of 1 to 64 of `[A-Za-z0-9_-]`, a non-empty name and an object `input`.", blocks::an09),
    law("AN10", "input-strict", Breaks, Nothing, false, "The fragments of an input join to nothing or to one strict JSON object.", blocks::an10),
    law("AN11", "input-once", Breaks, Nothing, false, "No fragment follows an input that came filled.", blocks::an11),
    law("AN12", "first-fragment", Breaks, Nothing, false, "The joined fragments begin with `{`: the first one is not lost.", blocks::an12),
    law("AN13", "one-message-delta", Breaks, Nothing, false, "One `message_delta` comes after all blocks, with `usage.output_tokens`.", an13),
    law("AN14", "stop-reason-honest", Breaks, Nothing, true, "The stop reason is `tool_use` exactly if a call was sent and the reply was not cut, and a word of this API.", an14),
    law("AN15", "message-stop-last", Breaks, Nothing, false, "One `message_stop` ends the stream.", an15),
    law("AN16", "usage-cumulative", Stated, Nothing, false, "The output tokens at the end are no fewer than at the start.", an16),
    law("AN17", "thinking-first", Stated, Nothing, true, "Thinking comes before what it led to and has a signature, unless the server declares none.", oracle::an17),
    law("AN18", "no-marker-leak", Policy, Nothing, true, "Text holds no template marker, and no text block is empty.", oracle::an18),
    law("AN19", "request-kept", Stated, Request, true, "`tool_choice` and `disable_parallel_tool_use` are kept.", oracle::an19),
    law("AN20", "order-kept", Core, Oracle, true, "Text, thinking and calls come in the order of the raw text.", oracle::an20),
    law("AN21", "same-calls", Core, Oracle, true, "The calls are those of the other surfaces for the same raw text.", oracle::an21),
    law("AN22", "cut-call-open", Policy, Oracle, true, "A call that the length limit cut is withheld or left incomplete, never completed.", oracle::an22),
    law("AN23", "undeclared-is-text", Policy, Request, true, "A name that was not offered stays text.", oracle::an23),
    law("AN24", "error-shape", Stated, Nothing, true, "An error has `error.type` and `error.message`, and nothing follows it.", an24),
];

fn an01(view: &View, _: &Context, found: &mut Findings) {
    for event in &view.events {
        let kind = event.value["type"].as_str();
        if !event.value.is_object() {
            found.at(event.place, "the data is no JSON object");
        } else if kind.is_none() || kind != event.name.as_deref() {
            let name = event.name.as_ref().map_or_else(|| "absent".to_owned(), |name| quote(name));
            found.at(event.place, format!("`type` is {}, the `event` field is {name}", quote_value(event.value.get("type"))));
        }
    }
    if view.cut {
        found.at(view.end, format!("the stream ends inside an event{}", lost_words(view.broken_off.as_deref())));
    }
}

fn an02(view: &View, _: &Context, found: &mut Findings) {
    if let Some(first) = view.events.first().filter(|event| event.kind != "message_start" && event.kind != "error") {
        found.at(first.place, format!("the first event is {}", quote(&first.kind)));
    }
    for (count, event) in view.of_kind("message_start").enumerate() {
        let message = &event.value["message"];
        if count > 0 {
            found.at(event.place, "a second `message_start`");
            continue;
        }
        if message["content"].as_array().is_none_or(|content| !content.is_empty()) {
            found.at(event.place, "`content` is no empty array");
        }
        if !message["stop_reason"].is_null() {
            found.at(event.place, format!("`stop_reason` is {}", quote_value(message.get("stop_reason"))));
        }
    }
}

fn an03(view: &View, _: &Context, found: &mut Findings) {
    let Some(event) = view.of_kind("message_start").next() else { return };
    let message = &event.value["message"];
    if message["id"].as_str().is_none_or(|id| !id.starts_with(IdKind::Message.prefix())) {
        found.at(event.place, format!("the message's id is {}", quote_value(message.get("id"))));
    }
    for (key, want) in [("type", "message"), ("role", "assistant")] {
        if message[key] != want {
            found.at(event.place, format!("`{key}` is {}", quote_value(message.get(key))));
        }
    }
    if !message["usage"].is_object() {
        found.at(event.place, format!("`usage` is {}", quote_value(message.get("usage"))));
    }
}

fn an13(view: &View, _: &Context, found: &mut Findings) {
    let mut deltas = view.of_kind("message_delta");
    let Some(first) = deltas.next() else {
        if !view.failed {
            found.at(view.end, format!("no `message_delta` comes{}", lost_words(view.broken_off.as_deref())));
        }
        return;
    };
    deltas.for_each(|event| found.at(event.place, "a second `message_delta`"));
    let tokens = &first.value["usage"]["output_tokens"];
    if !tokens.is_u64() {
        found.at(first.place, format!("`usage.output_tokens` is {}", quote_value(Some(tokens))));
    }
    for block in view.blocks.iter().filter(|block| view.place(block) > first.place) {
        found.at(view.place(block), "a block starts after `message_delta`");
    }
}

/// The stop reasons of the API.
const STOP_REASONS: &[&str] =
    &["end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded"];

fn an14(view: &View, _: &Context, found: &mut Findings) {
    let Some((place, reason)) = view.stop_reason() else { return };
    let calls = view.of_type("tool_use").count();
    let complete = view.of_type("tool_use").filter(|block| strict::is_object(&view.arguments(block))).count();
    match reason.as_str() {
        Some("tool_use") if calls == 0 => found.at(place, "the stop reason is `tool_use`, and no call was sent"),
        Some("end_turn" | "stop_sequence") if complete > 0 => {
            found.at(place, format!("the stop reason is {}, and {complete} calls were sent", quote_value(Some(reason))));
        }
        Some(word) if STOP_REASONS.contains(&word) => {}
        _ => found.at(place, format!("the stop reason is {}", quote_value(Some(reason)))),
    }
}

fn an15(view: &View, _: &Context, found: &mut Findings) {
    let mut stops = view.of_kind("message_stop");
    let Some(first) = stops.next() else {
        if !view.failed {
            found.at(view.end, format!("no `message_stop` comes{}", lost_words(view.broken_off.as_deref())));
        }
        return;
    };
    for event in view.events.iter().filter(|event| event.place > first.place) {
        found.at(event.place, format!("{} comes after `message_stop`", quote(&event.kind)));
    }
}

fn an16(view: &View, _: &Context, found: &mut Findings) {
    let tokens = |usage: &Value| usage["output_tokens"].as_u64();
    let start = view.of_kind("message_start").next().and_then(|event| tokens(&event.value["message"]["usage"]));
    let Some(start) = start else { return };
    for event in view.of_kind("message_delta") {
        if let Some(end) = tokens(&event.value["usage"]).filter(|end| *end < start) {
            found.at(event.place, format!("{end} output tokens, {start} at the start"));
        }
    }
}

fn an24(view: &View, _: &Context, found: &mut Findings) {
    let Some(at) = view.events.iter().position(|event| event.kind == "error") else { return };
    let event = &view.events[at];
    for key in ["type", "message"].iter().filter(|key| !event.value["error"][**key].is_string()) {
        found.at(event.place, format!("`error.{key}` is {}", quote_value(event.value["error"].get(*key))));
    }
    view.events[at + 1..].iter().for_each(|event| found.at(event.place, format!("{} comes after the error", quote(&event.kind))));
}
