//! The laws of items, one by one: RS08 to RS16.

use std::collections::HashSet;

use serde_json::Value;

use super::view::{ADDED, ARGUMENTS_DELTA, ARGUMENTS_DONE, DONE_ITEM, Item, PART_ADDED, TEXT_DELTA, View};
use crate::Surface;
use crate::context::Context;
use crate::ids;
use crate::law::{Findings, quote, quote_value};
use crate::strict;

/// The item at an item's place in the terminal output.
fn in_output<'a>(view: &'a View, item: &Item) -> Option<&'a Value> {
    view.output()?.get(usize::try_from(item.index).ok()?)
}

pub(super) fn rs08(view: &View, _: &Context, found: &mut Findings) {
    let mut seen = HashSet::new();
    for item in &view.items {
        let id = view.added(item)["id"].as_str().filter(|id| !id.is_empty());
        let Some(id) = id else {
            found.at(view.place(item), format!("the id of the item at {} is {}", item.index, quote_value(view.added(item).get("id"))));
            continue;
        };
        if !seen.insert(id) {
            found.at(view.place(item), format!("the item id {} is not unique", quote(id)));
        }
        for at in &item.events[1..] {
            let event = &view.events[*at];
            let own = if event.kind == DONE_ITEM || event.kind == ADDED { &event.value["item"]["id"] } else { &event.value["item_id"] };
            if own != id {
                found.at(event.place, format!("the item's id is {} here, it was {}", quote_value(Some(own)), quote(id)));
            }
        }
        if let Some((place, _)) = view.ended().filter(|_| in_output(view, item).is_some_and(|own| own["id"] != id)) {
            found.at(place, format!("the output has another id than {} at {}", quote(id), item.index));
        }
    }
}

pub(super) fn rs09(view: &View, _: &Context, found: &mut Findings) {
    let mut seen = HashSet::new();
    for item in view.items_of("function_call") {
        let id = view.added(item)["call_id"].as_str().filter(|id| !id.is_empty());
        let Some(id) = id else {
            found.at(view.place(item), format!("`call_id` is {}", quote_value(view.added(item).get("call_id"))));
            continue;
        };
        if !seen.insert(id) {
            found.at(view.place(item), format!("`call_id` {} is not unique", quote(id)));
        }
        if !ids::carries(Surface::Responses, id) {
            found.at_as(crate::Severity::Policy, view.place(item), format!("`call_id` {} is not 1 to 64 of [A-Za-z0-9_-]", quote(id)));
        }
        let done = item.done.map(|at| (view.events[at].place, view.item_value(at)));
        let output = view.ended().and_then(|(place, _)| in_output(view, item).map(|own| (place, own)));
        for (place, own) in done.into_iter().chain(output).filter(|(_, own)| own["call_id"] != id) {
            found.at(place, format!("`call_id` is {}, it was {}", quote_value(own.get("call_id")), quote(id)));
        }
    }
}

pub(super) fn rs10(view: &View, _: &Context, found: &mut Findings) {
    for item in view.items_of("function_call") {
        let (place, added) = (view.place(item), view.added(item));
        if added["name"].as_str().is_none_or(str::is_empty) {
            found.at(place, format!("`name` is {}", quote_value(added.get("name"))));
        }
        for (key, want) in [("arguments", ""), ("status", "in_progress")] {
            if added[key] != want {
                found.at(place, format!("`{key}` is {}, not {want:?}", quote_value(added.get(key))));
            }
        }
        if let Some(at) = item.done.filter(|at| view.item_value(*at)["name"] != added["name"] && added["name"].is_string()) {
            found.at(view.events[at].place, format!("`name` is {} at the end", quote_value(view.item_value(at).get("name"))));
        }
    }
}

pub(super) fn rs11(view: &View, _: &Context, found: &mut Findings) {
    for item in view.items_of("function_call") {
        let deltas: String = view.of_kind(item, ARGUMENTS_DELTA).filter_map(|(_, event)| event.value["delta"].as_str()).collect();
        let told = view.of_kind(item, ARGUMENTS_DONE).map(|(_, event)| (event.place, ARGUMENTS_DONE, event.value.get("arguments")));
        let done = item.done.map(|at| (view.events[at].place, DONE_ITEM, view.item_value(at).get("arguments")));
        let output = view.ended().and_then(|(place, _)| Some((place, "the terminal output", in_output(view, item)?.get("arguments"))));
        for (place, what, own) in told.chain(done).chain(output).filter(|(_, _, own)| own.and_then(Value::as_str) != Some(&deltas)) {
            found.at(place, format!("{what} says the arguments are {}, the deltas join to {}", quote_value(own), quote(&deltas)));
        }
    }
}

pub(super) fn rs12(view: &View, _: &Context, found: &mut Findings) {
    for item in view.items_of("function_call") {
        let Some(at) = item.done.filter(|at| view.item_value(*at)["status"] != "incomplete") else { continue };
        let arguments = view.arguments(item);
        if let Some(fault) = strict::fault(&arguments) {
            found.at(view.events[at].place, format!("the arguments {}: {}", fault.words(), quote(&arguments)));
        }
    }
}

pub(super) fn rs13(view: &View, _: &Context, found: &mut Findings) {
    for item in view.items_of("function_call") {
        let told: Vec<usize> = view.of_kind(item, ARGUMENTS_DONE).map(|(at, _)| at).collect();
        let Some(first) = told.first() else {
            if let Some(at) = item.done {
                found.at(view.events[at].place, format!("the item is done without `{ARGUMENTS_DONE}`"));
            }
            continue;
        };
        told[1..].iter().for_each(|at| found.at(view.events[*at].place, format!("a second `{ARGUMENTS_DONE}`")));
        // What comes after the item's own end is RS14's.
        let end = item.done.unwrap_or(usize::MAX);
        for (_, event) in view.of_kind(item, ARGUMENTS_DELTA).filter(|(at, _)| at > first && *at < end) {
            found.at(event.place, format!("a delta comes after `{ARGUMENTS_DONE}`"));
        }
        if *first > end {
            found.at(view.events[*first].place, format!("`{ARGUMENTS_DONE}` comes after the item is done"));
        }
    }
}

pub(super) fn rs14(view: &View, _: &Context, found: &mut Findings) {
    for item in &view.items {
        let Some(done) = item.done else {
            if !view.failed() && !view.lost {
                found.at(view.end, format!("the item at {} is never done", item.index));
            }
            continue;
        };
        for at in item.events.iter().filter(|at| **at > done && view.events[**at].kind != ARGUMENTS_DONE) {
            let event = &view.events[*at];
            found.at(event.place, format!("{} comes after the item at {} is done", quote(&event.kind), item.index));
        }
    }
}

pub(super) fn rs15(view: &View, _: &Context, found: &mut Findings) {
    let mut last = 0;
    for (at, event) in view.events.iter().enumerate() {
        let Some(item) = event.item else { continue };
        // An item that is never touched again is not open but unfinished: RS14.
        let open = view.items[item].done.is_none_or(|done| at <= done);
        if item < last && open {
            found.at(event.place, format!("the item at {} goes on after the next one was added", view.items[item].index));
        }
        last = last.max(item);
    }
}

pub(super) fn rs16(view: &View, _: &Context, found: &mut Findings) {
    let mut last_call = None;
    for event in &view.events {
        let Some(at) = event.item else { continue };
        let item = &view.items[at];
        if event.kind == ADDED && view.added(item)["type"] == "function_call" {
            last_call = Some(at);
        }
        if matches!(event.kind.as_str(), TEXT_DELTA | PART_ADDED) && last_call.is_some_and(|call| at < call) {
            found.at(event.place, format!("text after a call goes into the earlier item at {}", item.index));
        }
    }
}
