//! The laws of text, of the terminal output, and those that ask for the raw text's reply: RS17 to RS19, RS21, RS24.

use std::collections::BTreeMap;

use streakstone_model::Finish;

use super::view::{Event, Item, PART_ADDED, PART_DONE, TEXT_DELTA, TEXT_DONE, View};
use crate::context::Context;
use crate::delivered::{DeliveredPart, Ending};
use crate::law::{Findings, quote, quote_value};
use crate::rules;

/// Fields of an item that another law compares.
const COMPARED_ELSEWHERE: &[&str] = &["id", "call_id", "arguments"];

pub(super) fn rs17(view: &View, _: &Context, found: &mut Findings) {
    let Some((place, response)) = view.ended().filter(|_| !view.failed()) else { return };
    let Some(output) = response["output"].as_array() else {
        return found.at(place, format!("`output` is {}", quote_value(response.get("output"))));
    };
    let mut items: Vec<&Item> = view.items.iter().collect();
    items.sort_by_key(|item| item.index);
    if output.len() != items.len() {
        return found.at(place, format!("the output has {} items, {} were sent", output.len(), items.len()));
    }
    for (own, item) in output.iter().zip(items) {
        // An item that is never done is RS14's.
        let Some(want) = item.done.map(|at| view.item_value(at)) else { continue };
        let own = own.as_object().into_iter().flatten().filter(|(key, _)| !COMPARED_ELSEWHERE.contains(&key.as_str()));
        let differs = own.clone().find(|(key, value)| want.get(key.as_str()) != Some(*value)).map(|(key, _)| key.clone());
        let count = want.as_object().into_iter().flatten().filter(|(key, _)| !COMPARED_ELSEWHERE.contains(&key.as_str())).count();
        if let Some(key) = differs {
            found.at(place, format!("`{}` of the item at {} is not what its done event says", quote(&key), item.index));
        } else if own.count() != count {
            found.at(place, format!("the item at {} lacks fields of its done event", item.index));
        }
    }
}

/// What the events say of one text part.
#[derive(Default)]
struct Part<'a> {
    added: bool,
    joined: String,
    /// Texts that must equal the join: where, and which.
    told: Vec<(&'a Event, &'a str, Option<&'a str>)>,
}

pub(super) fn rs18(view: &View, _: &Context, found: &mut Findings) {
    for item in view.items_of("message") {
        let mut parts: BTreeMap<i64, Part<'_>> = BTreeMap::new();
        let mut next = 0;
        for at in &item.events {
            let event = &view.events[*at];
            let index = event.value["content_index"].as_i64();
            let part = parts.entry(index.unwrap_or(0));
            match event.kind.as_str() {
                PART_ADDED => {
                    part.or_default().added = true;
                    if index != Some(next) {
                        found.at(
                            event.place,
                            format!("`content_index` is {}, {next} was next", quote_value(event.value.get("content_index"))),
                        );
                    }
                    next = index.unwrap_or(next).saturating_add(1);
                }
                TEXT_DELTA => {
                    let part = part.or_default();
                    if !part.added {
                        found.at(event.place, "a text delta comes before its content part is added");
                        part.added = true;
                    }
                    part.joined.push_str(event.value["delta"].as_str().unwrap_or_default());
                }
                TEXT_DONE => part.or_default().told.push((event, TEXT_DONE, event.value["text"].as_str())),
                PART_DONE if event.value["part"]["type"] == "output_text" => {
                    part.or_default().told.push((event, PART_DONE, event.value["part"]["text"].as_str()));
                }
                _ => {}
            }
        }
        if let Some(event) = item.done.map(|at| &view.events[at]) {
            for (at, part) in (0..).zip(event.value["item"]["content"].as_array().into_iter().flatten()) {
                if part["type"] == "output_text" {
                    parts.entry(at).or_default().told.push((event, "the done item", part["text"].as_str()));
                }
            }
        }
        for part in parts.values() {
            for (event, what, told) in part.told.iter().filter(|(_, _, told)| *told != Some(&part.joined)) {
                let told = told.map_or_else(|| "absent".to_owned(), quote);
                found.at(event.place, format!("{what} says the text is {told}, the deltas join to {}", quote(&part.joined)));
            }
        }
    }
}

pub(super) fn rs19(view: &View, _: &Context, found: &mut Findings) {
    for event in &view.events {
        let lists: &[&str] = match event.kind.as_str() {
            TEXT_DELTA | TEXT_DONE => &["logprobs"],
            _ => &[],
        };
        for key in lists.iter().filter(|key| !event.value[**key].is_array()) {
            found.at(event.place, format!("`{key}` is {}", quote_value(event.value.get(*key))));
        }
        let content = event.value["item"]["content"].as_array().into_iter().flatten();
        let output = event.value["response"]["output"].as_array().into_iter().flatten();
        let output = output.flat_map(|item| item["content"].as_array().into_iter().flatten());
        let parts = event.value.get("part").into_iter().chain(content).chain(output);
        for part in parts.filter(|part| part["type"] == "output_text" && !part["annotations"].is_array()) {
            found.at(event.place, format!("`annotations` of a text part is {}", quote_value(part.get("annotations"))));
        }
    }
}

pub(super) fn rs21(view: &View, context: &Context, found: &mut Findings) {
    for event in view.events.iter().filter(|event| event.kind.starts_with("response.reasoning")) {
        if let Some(item) = event.item.map(|at| &view.items[at]).filter(|item| view.added(item)["type"] != "reasoning") {
            found.at(event.place, format!("reasoning comes in the {} item at {}", quote_value(view.added(item).get("type")), item.index));
        }
    }
    if let Some(oracle) = context.oracle.as_ref().filter(|_| !view.lost) {
        let (own, want) = (view.delivered.reasoning(), oracle.reasoning());
        if own != want {
            found.at(view.end, format!("the reasoning is {}, {} expected", quote(&own), quote(&want)));
        }
        let shows = |part: &DeliveredPart| !matches!(part, DeliveredPart::Text(_));
        rules::order_kept(&view.delivered, &shows, view.end, context, found);
        return;
    }
    let kinds: Vec<Option<&str>> = view.items.iter().map(|item| view.added(item)["type"].as_str()).collect();
    let cut = matches!(view.delivered.ending, Some(Ending::Known(Finish::Length) | Ending::Other(_)) | None);
    if let Some(item) = view.items.last().filter(|_| kinds.last() == Some(&Some("reasoning")) && !cut)
        && kinds.contains(&Some("function_call"))
    {
        found.at(view.place(item), "reasoning comes after the last call and leads to nothing");
    }
}

pub(super) fn rs24(view: &View, context: &Context, found: &mut Findings) {
    rules::same_calls(&view.delivered, context.oracle.as_ref(), view.end, found);
}
