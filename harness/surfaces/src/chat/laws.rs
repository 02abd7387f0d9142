//! The laws CC01 to CC16, CC22 and CC23 of form, and the table of all.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::calls::Role;
use super::oracle;
use super::view::{Content, View, choices};
use super::{BODY, CHUNK};
use crate::Surface;
use crate::context::Context;
use crate::ids;
use crate::law::{Findings, Law, Needs, Severity, law, lost_words, quote, quote_value};
use crate::sse::Place;
use crate::{rules, strict};

use Needs::{Markers, Nothing, Oracle, Request, Times, Witness};
use Severity::{Breaks, Core, Policy, Stated};

/// Every law of Chat Completions.
#[rustfmt::skip]
pub(crate) const LAWS: &[Law<View>] = &[
    law("CC01", "record-shape", Stated, Nothing, true, "Every record is JSON with the right `object`, `[DONE]`, or an `error` that ends the stream.", cc01),
    law("CC02", "envelope-constant", Stated, Nothing, false, "`id`, `created` and `model` are in every chunk and never change.", cc02),
    law("CC03", "delta-object", Breaks, Nothing, true, "Every choice has an object `delta`, in the finish chunk too.", cc03),
    law("CC04", "role-first", Breaks, Nothing, true, "The first delta of a choice says `role: assistant`, and no later one says another role.", cc04),
    law("CC05", "index-present", Breaks, Nothing, false, "Every entry of `tool_calls` has an integer `index`.", cc05),
    law("CC06", "index-dense", Breaks, Nothing, false, "Indexes are 0, 1, 2 ... in the order of first appearance.", cc06),
    law("CC07", "header-complete", Breaks, Nothing, true, "A call begins with a non-empty `id`, `type: function` and a `function` with a non-empty `name`.", cc07),
    law("CC08", "header-once", Breaks, Nothing, false, "After its header a call's `id` and `name` are absent, null or empty, its `type` is absent and its `function` an object.", cc08),
    law("CC09", "ids-unique", Policy, Nothing, true, "Ids are unique in the response and the conversation, and 1 to 64 of `[A-Za-z0-9_-]` or what the family writes.", cc09),
    law("CC10", "header-first", Breaks, Nothing, false, "No arguments come before the header of their call.", cc10),
    law("CC11", "calls-in-turn", Breaks, Nothing, false, "Nothing comes for a call once the next one has begun.", cc11),
    law("CC12", "index-unshared", Breaks, Nothing, false, "Two calls never share an index.", cc12),
    law("CC13", "arguments-strict", Breaks, Nothing, true, "The arguments of a call join to one strict JSON object, `{}` if there are none.", cc13),
    law("CC14", "append-only", Breaks, Nothing, false, "Nothing is sent again: no complete call and no whole content a second time.", cc14),
    law("CC15", "one-finish", Breaks, Nothing, true, "Each choice has exactly one finish reason, and nothing but usage comes after it.", cc15),
    law("CC16", "finish-honest", Breaks, Nothing, true, "The finish reason is `tool_calls` exactly if a call was sent and the reply was not cut.", cc16),
    law("CC17", "cut-call-open", Policy, Oracle, true, "A call that the length limit cut is withheld or visibly incomplete, never completed.", oracle::cc17),
    law("CC18", "request-kept", Stated, Request, true, "Names are offered ones, and `tool_choice` and `parallel_tool_calls` are kept.", oracle::cc18),
    law("CC19", "no-marker-leak", Policy, Markers, true, "Content and reasoning hold no template marker that the raw text's reply does not hold.", oracle::cc19),
    law("CC20", "same-reply", Core, Oracle, true, "Calls, content and reasoning are those of the whole answer to the same raw text.", oracle::cc20),
    law("CC21", "order-kept", Policy, Oracle, false, "Text keeps its place among the calls.", oracle::cc21),
    law("CC22", "usage-last", Stated, Nothing, false, "With `include_usage` the last chunk has no choices and the usage, and no other has usage.", cc22),
    law("CC23", "done-last", Stated, Nothing, false, "The stream is `text/event-stream` and ends with one `[DONE]`.", cc23),
    law("CC24", "really-streamed", Policy, Times, false, "A long reply comes at more than one time, and long arguments in more than one delta.", oracle::cc24),
    law("CC25", "token-witness", Core, Witness, true, "The generation's own tokens, parsed whole, give the same calls.", oracle::cc25),
];

fn cc01(view: &View, _: &Context, found: &mut Findings) {
    let mut failed = false;
    for (place, content) in &view.records {
        match content {
            _ if failed && !matches!(content, Content::Done) => found.at(*place, "a record comes after the error"),
            Content::Chunk(chunk) if chunk["object"] != CHUNK => {
                found.at(*place, format!("`object` is {}, not {CHUNK:?} (of a body: {BODY:?})", quote_value(chunk.get("object"))));
            }
            Content::Other(what) => found.at(*place, format!("the record is {what}")),
            Content::Error => failed = true,
            Content::Chunk(_) | Content::Done => {}
        }
    }
    if view.cut {
        found.at(view.end, format!("the stream ends inside a record{}", lost_words(view.broken_off.as_deref())));
    }
}

fn cc02(view: &View, _: &Context, found: &mut Findings) {
    for key in ["id", "created", "model"] {
        let first = view.chunks().next().and_then(|(_, chunk)| chunk.get(key));
        // The first change says it; a server that makes a new id for every chunk breaks the law once.
        if let Some((place, chunk)) = view.chunks().find(|(_, chunk)| chunk.get(key).is_none_or(Value::is_null) || chunk.get(key) != first)
        {
            found.at(place, format!("`{key}` is {}, it was {}", quote_value(chunk.get(key)), quote_value(first)));
        }
    }
}

fn cc03(view: &View, _: &Context, found: &mut Findings) {
    for (place, chunk) in view.chunks() {
        for choice in choices(chunk).filter(|choice| !choice["delta"].is_object()) {
            found.at(place, format!("`delta` is {}", quote_value(choice.get("delta"))));
        }
    }
}

fn cc04(view: &View, _: &Context, found: &mut Findings) {
    let mut seen = HashSet::new();
    for (place, chunk) in view.chunks() {
        for choice in choices(chunk).filter(|choice| choice["delta"].is_object()) {
            let role = choice["delta"].get("role").filter(|role| !role.is_null());
            let first = seen.insert(choice["index"].as_i64().unwrap_or(0));
            if role.map_or(first, |role| role != "assistant") {
                let which = if first { "the first delta's" } else { "a later delta's" };
                found.at(place, format!("{which} `role` is {}", quote_value(role)));
            }
        }
    }
}

fn cc05(view: &View, _: &Context, found: &mut Findings) {
    for entry in view.entries.iter().filter(|entry| entry.index.is_none()) {
        found.at(entry.place, "an entry of `tool_calls` has no integer `index`");
    }
}

fn cc06(view: &View, _: &Context, found: &mut Findings) {
    let mut seen: HashMap<i64, (HashSet<i64>, i64)> = HashMap::new();
    for entry in &view.entries {
        let Some(index) = entry.index else { continue };
        let (known, next) = seen.entry(entry.choice).or_default();
        if known.insert(index) {
            if index != *next {
                found.at(entry.place, format!("a call appears with index {index}, {next} was next"));
            }
            // One gap is one violation.
            *next = index.saturating_add(1);
        }
    }
}

fn cc07(view: &View, _: &Context, found: &mut Findings) {
    for call in &view.calls.all {
        let header = &call.header;
        if call.id.is_empty() {
            found.at(call.begun, format!("`id` of call {} is {}", call.index, quote_value(header.get("id"))));
        }
        if header["type"] != "function" {
            found.at(call.begun, format!("`type` of call {} is {}", call.index, quote_value(header.get("type"))));
        }
        if !header["function"].is_object() {
            found.at(call.begun, format!("`function` of call {} is {}", call.index, quote_value(header.get("function"))));
        } else if call.name.is_empty() {
            found.at(call.begun, format!("`name` of call {} is {}", call.index, quote_value(header["function"].get("name"))));
        }
    }
}

fn cc08(view: &View, _: &Context, found: &mut Findings) {
    for entry in &view.entries {
        let Some(call) = entry.call.map(|call| view.calls.all[call].index) else { continue };
        if !entry.again.is_empty() {
            // A client joins a second id or name to the first one; the same type again harms none of those tried.
            let severity = if entry.again == ["type"] { Stated } else { Breaks };
            found.at_as(severity, entry.place, format!("`{}` of call {call} comes again", entry.again.join("`, `")));
        }
        // openai-python overwrites the type with whatever comes, and asserts that an entry has its function.
        if let Some(fault) = entry.lacks {
            found.at(entry.place, format!("{fault} of call {call} after its header"));
        }
    }
}

fn cc09(view: &View, context: &Context, found: &mut Findings) {
    let mut seen = HashSet::new();
    for call in view.calls.all.iter().filter(|call| !call.id.is_empty()) {
        let known = context.request.as_ref().is_some_and(|request| request.history.contains(&call.id));
        if !seen.insert(call.id.as_str()) || known {
            let whose = if known { "the conversation" } else { "this response" };
            found.at(call.begun, format!("the id {} is already in {whose}", quote(&call.id)));
        }
        if !ids::carries(Surface::Chat, &call.id) {
            found.at(call.begun, format!("the id {} is not 1 to 64 of [A-Za-z0-9_-]", quote(&call.id)));
        }
    }
}

fn cc10(view: &View, _: &Context, found: &mut Findings) {
    for entry in view.entries.iter().filter(|entry| entry.role == Role::Orphan) {
        found.at(entry.place, format!("arguments {} come before the header of their call", quote(&entry.arguments)));
    }
}

fn cc11(view: &View, _: &Context, found: &mut Findings) {
    let mut begun: HashMap<i64, usize> = HashMap::new();
    for entry in &view.entries {
        let Some(call) = entry.call.map(|call| &view.calls.all[call]) else { continue };
        match entry.role {
            Role::Header => *begun.entry(entry.choice).or_default() = call.order,
            Role::Fragment | Role::Repeat if begun.get(&entry.choice).is_some_and(|last| *last > call.order) => {
                found.at(entry.place, format!("a delta for call {} comes after a later call began", call.index));
            }
            Role::Fragment | Role::Repeat | Role::Orphan | Role::Resent => {}
        }
    }
}

fn cc12(view: &View, _: &Context, found: &mut Findings) {
    for call in view.calls.all.iter().filter(|call| call.shares_index) {
        found.at(call.begun, format!("the call {} has index {}, which an earlier call has", quote(&call.id), call.index));
    }
}

fn cc13(view: &View, context: &Context, found: &mut Findings) {
    for call in view.calls.all.iter().filter(|call| !view.may_be_open(call)) {
        let Some(fault) = strict::fault(&call.arguments) else { continue };
        let own = rules::repeats_itself(&fault, &call.arguments, context);
        let message = format!("the arguments of call {} {}: {}", call.index, fault.words(), quote(&call.arguments));
        found.at_as(if own { Policy } else { Breaks }, call.last, message);
    }
}

/// Fewest bytes of content that count as sent again: shorter ones a model repeats by itself.
const MIN_RESENT: usize = 16;

fn cc14(view: &View, _: &Context, found: &mut Findings) {
    for entry in view.entries.iter().filter(|entry| entry.role == Role::Resent) {
        found.at(entry.place, format!("the complete arguments {} come a second time", quote(&entry.arguments)));
    }
    for choice in view.choices.values() {
        for (what, pieces) in [("content", &choice.content), ("reasoning", &choice.reasoning)] {
            if let Some((place, how)) = sent_again(pieces) {
                found.at(place, format!("the {what} {how}"));
            }
        }
    }
}

/// Where text comes again: all of it in the last delta, after it came in pieces; or each delta with all that came before it.
fn sent_again(pieces: &[(Place, String)]) -> Option<(Place, String)> {
    let pieces: Vec<(Place, &str)> =
        pieces.iter().map(|(place, text)| (*place, text.as_str())).filter(|(_, text)| !text.is_empty()).collect();
    let ((place, last), before) = pieces.split_last().filter(|((_, last), before)| before.len() > 1 && last.len() >= MIN_RESENT)?;
    let length: usize = before.iter().map(|(_, text)| text.len()).sum();
    if last.len() == length && before.iter().map(|(_, text)| *text).collect::<String>() == *last {
        return Some((*place, format!("{} comes a second time as a whole", quote(last))));
    }
    let grows = pieces.windows(2).all(|pair| pair[1].1.len() > pair[0].1.len() && pair[1].1.starts_with(pair[0].1));
    grows.then(|| (pieces[1].0, "comes again from its beginning in every delta".to_owned()))
}

fn cc15(view: &View, _: &Context, found: &mut Findings) {
    if view.choices.is_empty() && !view.failed {
        found.at(view.end, format!("no choice ever comes{}", lost_words(view.broken_off.as_deref())));
    }
    for (index, choice) in &view.choices {
        match choice.finishes.as_slice() {
            [] if !view.failed => {
                found.at(view.end, format!("choice {index} has no finish reason{}", lost_words(view.broken_off.as_deref())));
            }
            [_, more @ ..] => more.iter().for_each(|(place, word)| found.at(*place, format!("a second finish reason, {}", quote(word)))),
            [] => {}
        }
        let again: HashSet<Place> = choice.finishes.iter().skip(1).map(|(place, _)| *place).collect();
        for place in choice.after.iter().filter(|place| !again.contains(place)) {
            found.at(*place, format!("choice {index} goes on after its finish reason"));
        }
    }
}

fn cc16(view: &View, _: &Context, found: &mut Findings) {
    for (index, choice) in &view.choices {
        let Some((place, word)) = choice.finishes.first() else { continue };
        let calls = view.calls.of(*index).count();
        let complete = view.calls.of(*index).filter(|call| strict::is_object(&call.arguments)).count();
        match word.as_str() {
            "tool_calls" if calls == 0 => found.at(*place, "the finish reason is `tool_calls`, and no call was sent"),
            "stop" if complete > 0 => found.at(*place, format!("the finish reason is `stop`, and {complete} calls were sent")),
            "stop" | "tool_calls" | "length" | "content_filter" => {}
            "function_call" if calls == 0 => {}
            other => found.at(*place, format!("the finish reason is {}", quote(other))),
        }
    }
}

fn cc22(view: &View, context: &Context, found: &mut Findings) {
    let usage = |chunk: &Value| chunk.get("usage").is_some_and(|usage| !usage.is_null());
    let alone = |chunk: &Value| chunk["choices"].as_array().is_some_and(Vec::is_empty) && usage(chunk);
    let asked = context.request.as_ref().is_some_and(|request| request.include_usage);
    // Without the request a chunk of usage alone shows that it was asked for.
    // What a transfer that broke off did not bring is no fault of the server.
    if view.failed || view.broken_off.is_some() || (!asked && !view.chunks().any(|(_, chunk)| alone(chunk))) {
        return;
    }
    let last: Option<(Place, &Value)> = view.chunks().last();
    if !last.is_some_and(|(_, chunk)| alone(chunk)) {
        found.at(last.map_or(view.end, |(place, _)| place), "the last chunk is not the one with `choices: []` and the usage");
    }
    for (place, _) in view.chunks().filter(|(place, chunk)| usage(chunk) && last.is_none_or(|(end, _)| end != *place)) {
        found.at(place, "a chunk before the last one has usage");
    }
}

fn cc23(view: &View, _: &Context, found: &mut Findings) {
    // Media types have no case, and parameters may follow (RFC 9110, 8.3.1).
    let is_stream = |kind: &&str| kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/event-stream"));
    if let Some(kind) = view.content_type.as_deref().filter(|kind| !is_stream(kind)) {
        found.at(Place::default(), format!("the content type is {}", quote(kind)));
    }
    let mut done = view.records.iter().filter(|(_, content)| matches!(content, Content::Done));
    match done.next() {
        None if !view.failed => {
            found.at(view.end, format!("the stream does not end with `[DONE]`{}", lost_words(view.broken_off.as_deref())));
        }
        Some((place, _)) if *place != view.end => found.at(view.end, "something comes after `[DONE]`"),
        None | Some(_) => {}
    }
}
