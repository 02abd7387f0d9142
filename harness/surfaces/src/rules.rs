//! The rules that all surfaces share; each surface's laws call them with what they see.

use streakstone_model::json::Json;
use streakstone_model::{Finish, ToolChoice};

use crate::context::Context;
use crate::delivered::{Delivered, DeliveredPart, Ending};
use crate::law::{Findings, Severity, quote};
use crate::sse::Place;
use crate::strict::{self, Fault};

/// A call as a law sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallSeen<'a> {
    pub place: Place,
    pub name: &'a str,
    pub arguments: &'a str,
}

/// CC17, AN22: nothing is completed that the limit cut. `cut`: the surface says that it was cut.
pub(crate) fn cut_call_open(calls: &[CallSeen<'_>], cut: bool, context: &Context, found: &mut Findings) {
    let Some(oracle) = context.oracle.as_ref().filter(|oracle| cut && oracle.ending == Some(Ending::Known(Finish::Length))) else { return };
    let complete = oracle.calls().filter(|call| call.complete).count();
    // A call whose arguments had closed when the limit came is no completed one.
    let open: Vec<_> = oracle.calls().filter(|call| !call.complete).map(|call| Json::parse(&call.arguments)).collect();
    let sent = |arguments: &str| open.contains(&Json::parse(arguments));
    for call in calls.iter().filter(|call| strict::is_object(call.arguments)).skip(complete).filter(|call| !sent(call.arguments)) {
        let (name, arguments) = (quote(call.name), quote(call.arguments));
        found.at(call.place, format!("the call {name} {arguments} is complete, and the raw text was cut inside it"));
    }
}

/// CC13, AN10: a key that the model itself wrote twice is sent as it wrote it (semantics 6), and is no more than a policy.
pub(crate) fn repeats_itself(fault: &Fault, arguments: &str, context: &Context) -> bool {
    let wrote = |oracle: &Delivered| oracle.calls().any(|call| call.arguments == arguments);
    *fault == Fault::RepeatedKey && context.oracle.as_ref().is_some_and(wrote)
}

/// CC18, AN23: names are offered ones.
pub(crate) fn names_offered(calls: &[CallSeen<'_>], context: &Context, found: &mut Findings) {
    let Some(tools) = context.request.as_ref().and_then(|request| request.tools.as_ref()) else { return };
    for call in calls.iter().filter(|call| !tools.iter().any(|tool| tool == call.name)) {
        found.at_as(Severity::Policy, call.place, format!("the name {} is none of the offered tools", quote(call.name)));
    }
}

/// CC18, AN19: the tool choice and the limit to one call are kept.
pub(crate) fn choice_kept(calls: &[CallSeen<'_>], cut: bool, end: Place, context: &Context, found: &mut Findings) {
    let Some(request) = &context.request else { return };
    match &request.choice {
        ToolChoice::None => calls.iter().for_each(|call| found.at(call.place, "a call came, and the tool choice is none")),
        ToolChoice::Required if calls.is_empty() && !cut => found.at(end, "no call came, and the tool choice requires one"),
        ToolChoice::Function(only) => {
            for call in calls.iter().filter(|call| call.name != only) {
                found.at(call.place, format!("the call is {}, and the tool choice is {}", quote(call.name), quote(only)));
            }
            if calls.is_empty() && !cut {
                found.at(end, format!("no call came, and the tool choice is {}", quote(only)));
            }
        }
        ToolChoice::Auto | ToolChoice::Required => {}
    }
    if let Some(second) = calls.get(1).filter(|_| !request.parallel) {
        found.at(second.place, format!("{} calls came, and the request allows one", calls.len()));
    }
}

/// CC19, AN18: no marker that the reply to the raw text does not have.
pub(crate) fn no_marker(pieces: &[(Place, String)], what: &str, context: &Context, found: &mut Findings) {
    let joined: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
    let known = context.oracle.as_ref().map(|oracle| if what == "reasoning" { oracle.reasoning() } else { oracle.content() });
    for marker in context.markers.iter().filter(|marker| !marker.is_empty()) {
        let Some(at) = joined.find(marker.as_str()).filter(|_| !known.as_ref().is_some_and(|text| text.contains(marker.as_str()))) else {
            continue;
        };
        found.at(place_of(pieces, at + marker.len()), format!("the {what} holds the marker {}", quote(marker)));
    }
}

/// The piece that holds the byte before `end` of the joined text.
fn place_of(pieces: &[(Place, String)], end: usize) -> Place {
    let mut seen = 0;
    let holds = |(_, text): &&(Place, String)| {
        seen += text.len();
        seen >= end
    };
    pieces.iter().find(holds).map(|(place, _)| *place).unwrap_or_default()
}

/// CC20: calls, content and reasoning are those of the oracle.
pub(crate) fn same_reply(delivered: &Delivered, end: Place, context: &Context, found: &mut Findings) {
    let Some(oracle) = &context.oracle else { return };
    same_calls(delivered, Some(oracle), end, found);
    for (what, own, want) in [("content", delivered.content(), oracle.content()), ("reasoning", delivered.reasoning(), oracle.reasoning())]
    {
        if own != want {
            found.at(end, format!("the {what} is {}, {} expected", quote(&own), quote(&want)));
        }
    }
}

/// CC20, CC25, RS24, AN21: the calls are those of `other`.
pub(crate) fn same_calls(delivered: &Delivered, other: Option<&Delivered>, end: Place, found: &mut Findings) {
    if let Some(difference) = other.and_then(|other| delivered.calls_differ(other)) {
        found.at(end, difference);
    }
}

/// CC21, AN20: the parts a surface can show stand in the oracle's order. Other texts or calls are another law's.
pub(crate) fn order_kept(
    delivered: &Delivered,
    shows: &dyn Fn(&DeliveredPart) -> bool,
    end: Place,
    context: &Context,
    found: &mut Findings,
) {
    let Some(oracle) = &context.oracle else { return };
    if delivered.content() != oracle.content() || delivered.reasoning() != oracle.reasoning() || delivered.calls_differ(oracle).is_some() {
        return;
    }
    let (own, want) = (order(delivered, shows), order(oracle, shows));
    if own != want {
        found.at(end, format!("the order is {}, {} expected", own.join(", "), want.join(", ")));
    }
}

/// What stands where: `text 0..12`, `call`, adjacent text merged; calls that nobody can read are left out.
fn order(reply: &Delivered, shows: &dyn Fn(&DeliveredPart) -> bool) -> Vec<String> {
    let (mut text_end, mut reasoning_end) = (0, 0);
    let mut out: Vec<String> = Vec::new();
    let mut last: Option<(&str, usize)> = None;
    for part in reply.parts.iter().filter(|part| shows(part)) {
        let (word, length, end) = match part {
            DeliveredPart::Text(text) => ("text", text.len(), &mut text_end),
            DeliveredPart::Reasoning(text) => ("reasoning", text.len(), &mut reasoning_end),
            DeliveredPart::Call(call) if strict::is_object(&call.arguments) => {
                out.push("call".to_owned());
                last = None;
                continue;
            }
            DeliveredPart::Call(_) => continue,
        };
        let start = match last.filter(|(before, _)| *before == word) {
            Some((_, start)) => {
                out.pop();
                start
            }
            None => *end,
        };
        *end += length;
        out.push(format!("{word} {start}..{end}"));
        last = Some((word, start));
    }
    out
}
