//! The laws of blocks, one by one: AN04 to AN12.

use std::collections::HashSet;

use super::view::View;
use crate::Surface;
use crate::context::Context;
use crate::ids;
use crate::law::{Findings, Severity, quote, quote_value};
use crate::rules;
use crate::strict::{self, Fault};

pub(super) fn an04(view: &View, _: &Context, found: &mut Findings) {
    let mut next = 0;
    for block in &view.blocks {
        if block.index != next {
            let index = quote_value(view.events[block.start].value.get("index"));
            found.at(view.place(block), format!("a block starts with index {index}, {next} was next"));
        }
        // One gap is one violation, and what is no index is no gap.
        next = if block.index < 0 { next } else { block.index }.saturating_add(1);
    }
}

pub(super) fn an05(view: &View, _: &Context, found: &mut Findings) {
    for event in view.events.iter().filter(|event| matches!(event.kind.as_str(), "content_block_delta" | "content_block_stop")) {
        // Data that is no JSON is AN01's.
        if event.block.is_none() && event.value.is_object() {
            let index = quote_value(event.value.get("index"));
            found.at(event.place, format!("{} is of block {index}, which is not open", quote(&event.kind)));
        }
    }
}

pub(super) fn an06(view: &View, _: &Context, found: &mut Findings) {
    let end = view.of_kind("message_delta").next().map(|event| event.place);
    let mut last = 0;
    for event in view.events.iter().filter(|event| end.is_none_or(|end| event.place < end)) {
        let Some(block) = event.block else { continue };
        // A block that is never touched again is not open but unfinished: AN07.
        if block < last {
            found.at(event.place, format!("block {} goes on after the next one started", view.blocks[block].index));
        }
        last = last.max(block);
    }
}

pub(super) fn an07(view: &View, _: &Context, found: &mut Findings) {
    let end = view.of_kind("message_delta").next().map(|event| event.place);
    for block in &view.blocks {
        match block.stop.map(|at| view.events[at].place) {
            None if !view.broke_off() => found.at(view.place(block), format!("block {} never stops", block.index)),
            Some(stop) if end.is_some_and(|end| stop > end && view.place(block) < end) => {
                found.at(stop, format!("block {} stops after `message_delta`", block.index));
            }
            None | Some(_) => {}
        }
    }
}

pub(super) fn an08(view: &View, _: &Context, found: &mut Findings) {
    for block in &view.blocks {
        let kind = view.content(block)["type"].as_str().unwrap_or_default();
        for event in block.deltas.iter().map(|at| &view.events[*at]) {
            let delta = event.value["delta"]["type"].as_str().unwrap_or_default();
            let (fits, key) = match kind {
                "text" => (matches!(delta, "text_delta" | "citations_delta"), "text"),
                "tool_use" | "server_tool_use" => (delta == "input_json_delta", "partial_json"),
                "thinking" => (matches!(delta, "thinking_delta" | "signature_delta"), "thinking"),
                "redacted_thinking" => (false, ""),
                _ => (true, ""),
            };
            if !fits {
                found.at(event.place, format!("a delta {} is in a block {}", quote(delta), quote(kind)));
            } else if !matches!(delta, "citations_delta" | "signature_delta") && !key.is_empty() && !event.value["delta"][key].is_string() {
                found.at(event.place, format!("`{key}` of the delta is {}", quote_value(event.value["delta"].get(key))));
            }
        }
    }
}

pub(super) fn an09(view: &View, context: &Context, found: &mut Findings) {
    let mut seen = HashSet::new();
    for block in view.of_type("tool_use") {
        let (place, start) = (view.place(block), view.content(block));
        let id = start["id"].as_str().unwrap_or_default();
        // The prefix `toolu_` is for minted ids only (semantics 5), which nobody can tell from here.
        if !ids::carries(Surface::Anthropic, id) {
            found.at(place, format!("the id {} is not 1 to 64 of [A-Za-z0-9_-]", quote_value(start.get("id"))));
        } else if !seen.insert(id) {
            found.at(place, format!("the id {} is not unique", quote(id)));
        } else if context.request.as_ref().is_some_and(|request| request.history.contains(id)) {
            found.at_as(Severity::Policy, place, format!("the id {} is already in the conversation", quote(id)));
        }
        if start["name"].as_str().is_none_or(str::is_empty) {
            found.at(place, format!("`name` is {}", quote_value(start.get("name"))));
        }
        if !start["input"].is_object() {
            found.at(place, format!("`input` is {}", quote_value(start.get("input"))));
        }
    }
}

/// True for fragments whose beginning is lost: what is there is no JSON and does not begin an object.
fn begins_late(joined: &str, fault: &Fault) -> bool {
    matches!(fault, Fault::NotJson(_)) && !joined.trim_start().starts_with('{')
}

pub(super) fn an10(view: &View, context: &Context, found: &mut Findings) {
    for block in view.of_type("tool_use").filter(|block| !view.may_be_open(block)) {
        let joined = view.input(block);
        let Some(fault) = strict::fault(&joined).filter(|fault| !joined.is_empty() && !begins_late(&joined, fault)) else { continue };
        let last = block.deltas.last().map_or_else(|| view.place(block), |at| view.events[*at].place);
        let message = format!("the fragments of block {} {}: {}", block.index, fault.words(), quote(&joined));
        found.at_as(if rules::repeats_itself(&fault, &joined, context) { Severity::Policy } else { Severity::Breaks }, last, message);
    }
}

pub(super) fn an11(view: &View, _: &Context, found: &mut Findings) {
    for block in view.of_type("tool_use").filter(|block| view.is_filled(block)) {
        if let Some((place, text)) = view.pieces(block, "partial_json").into_iter().find(|(_, text)| !text.is_empty()) {
            found.at(place, format!("the fragment {} follows an input that came filled", quote(&text)));
        }
    }
}

pub(super) fn an12(view: &View, _: &Context, found: &mut Findings) {
    for block in view.of_type("tool_use") {
        let joined = view.input(block);
        if !joined.is_empty() && strict::fault(&joined).is_some_and(|fault| begins_late(&joined, &fault)) {
            let first = block.deltas.first().map_or_else(|| view.place(block), |at| view.events[*at].place);
            found.at(first, format!("the fragments of block {} begin with {}", block.index, quote(&joined)));
        }
    }
}
