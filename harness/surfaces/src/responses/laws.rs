//! The table of the laws RS01 to RS25, and those of the response's own events: RS01 to RS07, RS20, RS22, RS23, RS25.

use std::collections::HashSet;

use serde_json::Value;

use super::view::{ADDED, View, is_lifecycle, is_terminal};
use super::{items, output};
use crate::context::{Context, choice, names};
use crate::ids::IdKind;
use crate::law::{Findings, Law, Needs, Severity, law, lost_words, quote, quote_value};

use Needs::{Nothing, Oracle};
use Severity::{Breaks, Core, Policy, Stated};

/// Every law of Responses.
#[rustfmt::skip]
pub(crate) const LAWS: &[Law<View>] = &[
    law("RS01", "event-named", Breaks, Nothing, false, "Every event's data is JSON whose `type` equals the `event` field; only a last `[DONE]` is none.", rs01),
    law("RS02", "created-first", Breaks, Nothing, false, "The first event is one `response.created`, in progress and without output.", rs02),
    law("RS03", "sequence-dense", Stated, Nothing, false, "`sequence_number` is in every event, from 0, one more each time.", rs03),
    law("RS04", "response-identity", Breaks, Nothing, false, "Lifecycle events hold the `response`, and its id never changes.", rs04),
    law("RS05", "one-terminal", Breaks, Nothing, true, "Exactly one terminal event comes, as the last, and its response has the status it names.", rs05),
    law("RS06", "output-index-dense", Breaks, Nothing, false, "Each output index is added once, 0, 1, 2 ... in order.", rs06),
    law("RS07", "added-first", Breaks, Nothing, false, "Nothing comes for an output index before its item was added.", rs07),
    law("RS08", "item-id-constant", Breaks, Nothing, true, "An item's id is there, unique, and the same in all its events and in the terminal output.", items::rs08),
    law("RS09", "call-id-constant", Breaks, Nothing, true, "`call_id` is there, unique, and the same when added, done and in the terminal output.", items::rs09),
    law("RS10", "added-empty", Stated, Nothing, false, "An added function call has its name, empty arguments and the status in progress.", items::rs10),
    law("RS11", "arguments-agree", Breaks, Nothing, false, "The deltas join to the arguments of the done events and of the terminal output.", items::rs11),
    law("RS12", "arguments-strict", Policy, Nothing, true, "A completed call's arguments are one strict JSON object, `{}` if there are none.", items::rs12),
    law("RS13", "arguments-done-once", Stated, Nothing, false, "`function_call_arguments.done` comes once, after all deltas and before the item is done.", items::rs13),
    law("RS14", "item-done-once", Breaks, Nothing, false, "Every added item is done once, and nothing comes for it afterwards.", items::rs14),
    law("RS15", "one-open-item", Policy, Nothing, false, "Items do not overlap.", items::rs15),
    law("RS16", "text-after-call", Policy, Nothing, false, "Text after a call opens a message item of its own.", items::rs16),
    law("RS17", "output-equals-done", Breaks, Nothing, false, "The terminal output has the done items, in order, all of them.", output::rs17),
    law("RS18", "text-agrees", Breaks, Nothing, false, "Content parts are added before their deltas, which join to the text of every done event.", output::rs18),
    law("RS19", "text-lists", Stated, Nothing, true, "Text parts have `annotations`, and text events `logprobs`.", output::rs19),
    law("RS20", "incomplete-told", Stated, Nothing, true, "An incomplete response gives its reason, and only its last item is incomplete.", rs20),
    law("RS21", "reasoning-apart", Policy, Nothing, true, "Reasoning is in items of its own, before the calls it led to.", output::rs21),
    law("RS22", "id-prefixes", Policy, Nothing, true, "Ids begin with resp_, msg_, fc_, rs_, and an item's id is not its `call_id`.", rs22),
    law("RS23", "request-echoed", Stated, Nothing, true, "The response echoes `tools`, `tool_choice` and `parallel_tool_calls`, and has its nullable fields.", rs23),
    law("RS24", "same-reply", Core, Oracle, true, "The calls are those of the other surfaces for the same raw text.", output::rs24),
    law("RS25", "usage-present", Stated, Nothing, true, "The terminal response has the usage.", rs25),
];

fn rs01(view: &View, _: &Context, found: &mut Findings) {
    for (at, event) in view.events.iter().enumerate() {
        if event.done {
            if at + 1 != view.events.len() {
                found.at(event.place, "`[DONE]` is not the last event");
            }
        } else if !event.value.is_object() {
            found.at(event.place, "the data is no JSON object");
        } else if event.value["type"].as_str().is_none() || event.value["type"].as_str() != event.name.as_deref() {
            let name = event.name.as_ref().map_or_else(|| "absent".to_owned(), |name| quote(name));
            found.at(event.place, format!("`type` is {}, the `event` field is {name}", quote_value(event.value.get("type"))));
        }
    }
    if view.cut {
        found.at(view.end, format!("the stream ends inside an event{}", lost_words(view.broken_off.as_deref())));
    }
}

fn rs02(view: &View, _: &Context, found: &mut Findings) {
    if let Some(first) = view.events.first().filter(|event| event.kind != "response.created") {
        found.at(first.place, format!("the first event is {}", quote(&first.kind)));
    }
    for (count, event) in view.events.iter().filter(|event| event.kind == "response.created").enumerate() {
        let response = &event.value["response"];
        if count > 0 {
            found.at(event.place, "a second `response.created`");
        } else if response.is_object() {
            if response["status"] != "in_progress" {
                found.at(event.place, format!("the status is {}", quote_value(response.get("status"))));
            }
            if response["output"].as_array().is_none_or(|output| !output.is_empty()) {
                found.at(event.place, "the output is no empty array");
            }
        }
    }
}

fn rs03(view: &View, _: &Context, found: &mut Findings) {
    let mut next = 0;
    for event in view.events.iter().filter(|event| event.value.is_object()) {
        let number = event.value.get("sequence_number");
        if number.and_then(Value::as_i64) != Some(next) {
            found.at(event.place, format!("`sequence_number` is {}, {next} was next", quote_value(number)));
        }
        // One gap is one violation.
        next = number.and_then(Value::as_i64).unwrap_or(next).saturating_add(1);
    }
}

fn rs04(view: &View, _: &Context, found: &mut Findings) {
    let mut first: Option<&str> = None;
    for event in view.events.iter().filter(|event| is_lifecycle(&event.kind) && event.value.is_object()) {
        let id = event.value["response"]["id"].as_str().filter(|id| !id.is_empty());
        match (id, first) {
            (None, _) if !event.value["response"].is_object() => found.at(event.place, "the event holds no `response` object"),
            (None, _) => found.at(event.place, "the response has no id"),
            (Some(id), Some(before)) if id != before => {
                found.at(event.place, format!("the response's id is {}, it was {}", quote(id), quote(before)));
            }
            (Some(id), _) => first = Some(id),
        }
    }
}

fn rs05(view: &View, _: &Context, found: &mut Findings) {
    let Some(at) = view.terminal else {
        return found.at(view.end, format!("no terminal event comes{}", lost_words(view.broken_off.as_deref())));
    };
    let terminal = &view.events[at];
    let named = terminal.kind.strip_prefix("response.").unwrap_or_default();
    let status = &terminal.value["response"]["status"];
    if terminal.kind != "error" && terminal.value["response"].is_object() && status != named {
        found.at(terminal.place, format!("the event is {}, the response's status {}", quote(&terminal.kind), quote_value(Some(status))));
    }
    for event in view.events[at + 1..].iter().filter(|event| !event.done) {
        let failure = terminal.kind == "error" && event.kind == "response.failed";
        let what = if is_terminal(&event.kind) { "a second terminal event" } else { "an event after the terminal one" };
        if !failure {
            found.at(event.place, format!("{what}: {}", quote(&event.kind)));
        }
    }
}

fn rs06(view: &View, _: &Context, found: &mut Findings) {
    let (mut seen, mut next) = (HashSet::new(), 0);
    for event in view.events.iter().filter(|event| event.kind == ADDED) {
        let index = event.value.get("output_index");
        match index.and_then(Value::as_i64) {
            Some(index) if !seen.insert(index) => found.at(event.place, format!("output index {index} is added twice")),
            Some(index) => {
                if index != next {
                    found.at(event.place, format!("output index {index} is added, {next} was next"));
                }
                next = index.saturating_add(1);
            }
            None => found.at(event.place, format!("`output_index` is {}", quote_value(index))),
        }
    }
}

fn rs07(view: &View, _: &Context, found: &mut Findings) {
    for event in view.events.iter().filter(|event| event.item.is_none() && event.value.get("output_index").is_some()) {
        let index = quote_value(event.value.get("output_index"));
        found.at(event.place, format!("{} comes for output index {index}, which is not added", quote(&event.kind)));
    }
}

fn rs20(view: &View, _: &Context, found: &mut Findings) {
    let Some((place, response)) = view.ended().filter(|(_, response)| response["status"] == "incomplete") else { return };
    if response["incomplete_details"]["reason"].as_str().is_none_or(str::is_empty) {
        found.at(place, "`incomplete_details.reason` is absent");
    }
    let incomplete = |item: &super::view::Item| item.done.is_some_and(|at| view.item_value(at)["status"] == "incomplete");
    let last = view.items.len().saturating_sub(1);
    for (at, item) in view.items.iter().enumerate() {
        if at < last && incomplete(item) {
            found.at(view.place(item), format!("the item at {} is incomplete, and a later one follows", item.index));
        }
        let open = crate::strict::fault(&view.arguments(item)).is_some();
        if at == last && view.added(item)["type"] == "function_call" && open && !incomplete(item) {
            found.at(view.place(item), "the call that was cut is not incomplete");
        }
    }
}

fn rs22(view: &View, _: &Context, found: &mut Findings) {
    let prefixed = |id: &Value, kind: IdKind| id.as_str().is_none_or(|id| id.is_empty() || id.starts_with(kind.prefix()));
    if let Some((place, response)) = view.ended().filter(|(_, response)| !prefixed(&response["id"], IdKind::Response)) {
        found.at(place, format!("the response's id is {}", quote_value(response.get("id"))));
    }
    for item in &view.items {
        let added = view.added(item);
        let kind = match added["type"].as_str() {
            Some("message") => IdKind::Message,
            Some("function_call") => IdKind::FunctionCall,
            Some("reasoning") => IdKind::Reasoning,
            _ => continue,
        };
        if !prefixed(&added["id"], kind) {
            found.at(view.place(item), format!("the id {} does not begin with {}", quote_value(added.get("id")), kind.prefix()));
        }
        // The prefix `call_` is for minted ids only (semantics 5), which nobody can tell from here.
        if kind == IdKind::FunctionCall && added["id"].is_string() && added["id"] == added["call_id"] {
            found.at_as(Severity::Stated, view.place(item), format!("the item's id {} is its `call_id` too", quote_value(added.get("id"))));
        }
    }
}

/// Fields of a response that may be null and must not be absent.
const NULLABLE: &[&str] = &["error", "incomplete_details", "instructions", "metadata", "temperature", "top_p"];

fn rs23(view: &View, context: &Context, found: &mut Findings) {
    let Some((place, response)) = view.ended() else { return };
    let request = context.request.as_ref();
    let echoed = names(&response["tools"]);
    let wanted = request.map(|request| request.tools.clone().unwrap_or_default());
    if echoed.is_none() || wanted.is_some_and(|wanted| echoed != Some(wanted)) {
        let asked = if request.is_some() && echoed.is_some() { ", not those of the request" } else { "" };
        found.at(place, format!("`tools` is {}{asked}", quote_value(response.get("tools"))));
    }
    let told = &response["tool_choice"];
    if told.is_null() || request.is_some_and(|request| choice(told) != request.choice) {
        let asked = if told.is_null() { "" } else { ", not that of the request" };
        found.at(place, format!("`tool_choice` is {}{asked}", quote_value(response.get("tool_choice"))));
    }
    match (response["parallel_tool_calls"].as_bool(), &context.request) {
        (None, _) => found.at(place, format!("`parallel_tool_calls` is {}", quote_value(response.get("parallel_tool_calls")))),
        (Some(own), Some(request)) if own != request.parallel => {
            found.at(place, format!("`parallel_tool_calls` is {own}, the request says {}", request.parallel));
        }
        (Some(_), _) => {}
    }
    for key in NULLABLE.iter().filter(|key| response.get(**key).is_none()) {
        found.at(place, format!("`{key}` is absent"));
    }
}

fn rs25(view: &View, _: &Context, found: &mut Findings) {
    let Some((place, response)) = view.ended().filter(|_| !view.failed()) else { return };
    for key in ["input_tokens", "output_tokens"].iter().filter(|key| !response["usage"][**key].is_u64()) {
        found.at(place, format!("`usage.{key}` is {}", quote_value(response["usage"].get(*key))));
    }
}
