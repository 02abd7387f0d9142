//! The laws that ask more than the form: AN17 to AN23.

use super::view::{Block, View};
use crate::context::Context;
use crate::delivered::DeliveredPart;
use crate::law::{Findings, Severity};
use crate::rules::{self, CallSeen};
use crate::sse::Place;

/// The calls, for the rules all surfaces share.
fn with_calls(view: &View, ask: impl FnOnce(&[CallSeen<'_>])) {
    let arguments: Vec<String> = view.of_type("tool_use").map(|block| view.arguments(block)).collect();
    let seen = |(block, arguments): (&Block, &String)| (view.place(block), view.content(block)["name"].as_str(), arguments.clone());
    let calls: Vec<_> = view.of_type("tool_use").zip(&arguments).map(seen).collect();
    let calls: Vec<CallSeen<'_>> =
        calls.iter().map(|(place, name, arguments)| CallSeen { place: *place, name: name.unwrap_or_default(), arguments }).collect();
    ask(&calls);
}

pub(super) fn an17(view: &View, context: &Context, found: &mut Findings) {
    for block in view.of_type("thinking") {
        let start = view.content(block);
        let thinks = start["thinking"].as_str().is_some_and(|text| !text.is_empty()) || !view.pieces(block, "thinking").is_empty();
        let signed = start["signature"].as_str().is_some_and(|text| !text.is_empty()) || !view.pieces(block, "signature").is_empty();
        if thinks && !signed && !view.may_be_open(block) {
            let place = block.stop.map_or_else(|| view.place(block), |at| view.events[at].place);
            found.at_as(Severity::Policy, place, "the thinking has no signature; a server that has none declares it");
        }
    }
    let kind = |block: &Block| view.content(block)["type"].as_str().unwrap_or_default().to_owned();
    if context.oracle.is_none()
        && !view.is_cut()
        && let Some(last) = view.blocks.last().filter(|last| kind(last) == "thinking")
        && view.blocks.iter().any(|block| kind(block) == "tool_use")
    {
        found.at(view.place(last), "thinking comes after the last call and leads to nothing");
    }
    let shows = |part: &DeliveredPart| !matches!(part, DeliveredPart::Text(_));
    rules::order_kept(&view.delivered, &shows, view.end, context, found);
}

pub(super) fn an18(view: &View, context: &Context, found: &mut Findings) {
    let mut text: Vec<(Place, String)> = Vec::new();
    let mut thinking: Vec<(Place, String)> = Vec::new();
    for block in &view.blocks {
        text.extend(view.pieces(block, "text"));
        thinking.extend(view.pieces(block, "thinking"));
        let start = view.content(block);
        let empty = start["text"].as_str().is_none_or(str::is_empty) && view.pieces(block, "text").iter().all(|(_, text)| text.is_empty());
        // A block that a lost transfer leaves open may have had text to come.
        let unfinished = block.stop.is_none() && view.broke_off();
        if start["type"] == "text"
            && empty
            && !unfinished
            && block.deltas.iter().all(|at| view.events[*at].value["delta"]["type"] == "text_delta")
        {
            found.at(view.place(block), format!("the text block {} is empty", block.index));
        }
    }
    rules::no_marker(&text, "content", context, found);
    rules::no_marker(&thinking, "reasoning", context, found);
}

pub(super) fn an19(view: &View, context: &Context, found: &mut Findings) {
    with_calls(view, |calls| rules::choice_kept(calls, view.is_cut(), view.end, context, found));
}

pub(super) fn an20(view: &View, context: &Context, found: &mut Findings) {
    let shows = |part: &DeliveredPart| !matches!(part, DeliveredPart::Reasoning(_));
    rules::order_kept(&view.delivered, &shows, view.end, context, found);
}

pub(super) fn an21(view: &View, context: &Context, found: &mut Findings) {
    rules::same_calls(&view.delivered, context.oracle.as_ref(), view.end, found);
}

pub(super) fn an22(view: &View, context: &Context, found: &mut Findings) {
    with_calls(view, |calls| rules::cut_call_open(calls, view.is_cut(), context, found));
}

pub(super) fn an23(view: &View, context: &Context, found: &mut Findings) {
    with_calls(view, |calls| rules::names_offered(calls, context, found));
}
