//! An adapter's reading as the judge's: events in the model's words, with what the subject does not tell filled in so that no law is
//! broken by it.

use streakstone_adapter::message::{self, Event as Wire};
use streakstone_model::json::Json;
use streakstone_model::{CallOutcome, End, Event, Finish, Incomplete, Span};
use streakstone_suite::subject::{Declared, Outcome, Reading};

/// An adapter tells no spans.
const NOWHERE: Span = Span::new(0, 0);

/// The outcome of one reading of `chunks` chunks, ended by `end`.
///
/// # Errors
/// One sentence on what the protocol does not allow.
pub(super) fn outcome(reading: &message::Reading, declared: &Declared, end: End, chunks: usize) -> Result<Outcome, String> {
    match reading {
        message::Reading::Events { events, at } => {
            if at.as_ref().and_then(|at| at.last()).is_some_and(|&last| last > chunks) {
                return Err(format!("`at` names a delta after the finish; there were {chunks}"));
            }
            Ok(Outcome::Reading(of_events(events, at.as_deref(), declared, end, chunks)))
        }
        message::Reading::Rejected(why) => Ok(Outcome::Rejected(why.clone())),
        message::Reading::Raised(why) => Ok(Outcome::Raised(why.clone())),
        message::Reading::Unsupported(why) => Ok(Outcome::Unsupported(why.clone())),
    }
}

/// A call that has begun.
struct Open {
    index: usize,
    arguments: String,
    end: Option<bool>,
}

fn of_events(wire: &[Wire], at: Option<&[usize]>, declared: &Declared, end: End, chunks: usize) -> Reading {
    let mut events = Vec::with_capacity(wire.len() + 2);
    let mut calls: Vec<Open> = Vec::new();
    let mut finished = false;
    for event in wire {
        match event {
            Wire::Text(text) => events.push(Event::Text { text: text.clone(), span: NOWHERE }),
            Wire::Reasoning(text) => events.push(Event::Reasoning { text: text.clone(), span: NOWHERE }),
            Wire::Call { index, name, id } => {
                calls.push(Open { index: *index, arguments: String::new(), end: None });
                events.push(begin(*index, name, id.as_deref().filter(|_| declared.tells.ids)));
            }
            Wire::Arguments { index, fragment } => {
                if let Some(call) = calls.iter_mut().find(|call| call.index == *index) {
                    call.arguments.push_str(fragment);
                }
                events.push(Event::Arguments { index: *index, fragment: fragment.clone() });
            }
            Wire::End { index, incomplete } => {
                if let Some(call) = calls.iter_mut().find(|call| call.index == *index) {
                    call.end = Some(!incomplete);
                }
                events.push(Event::CallEnd { index: *index, outcome: ended(!incomplete) });
            }
            Wire::Finish(reason) => {
                if !finished {
                    close(&mut calls, &mut events, declared, end);
                }
                finished = true;
                let told = reason.filter(|_| declared.tells.finish).map(finish);
                events.push(Event::Finish { reason: told.unwrap_or_else(|| honest(&calls, end)) });
            }
        }
    }
    if !finished {
        close(&mut calls, &mut events, declared, end);
        if !declared.tells.finish {
            events.push(Event::Finish { reason: honest(&calls, end) });
        }
    }
    // What was filled in came with the finish, as the last of the adapter's own events did.
    let mark = |chunk| at.map_or(0, |at| at.partition_point(|&came| came <= chunk));
    let marks = (0..chunks).map(mark).collect();
    let events = if declared.tells.order { events } else { joined(events) };
    Reading { events, marks, held: Vec::new() }
}

/// Ends the calls whose end is not told: complete, but for the last one of an eager stream that the length limit cut before its arguments
/// were whole.
fn close(calls: &mut [Open], events: &mut Vec<Event>, declared: &Declared, end: End) {
    let last = calls.len().wrapping_sub(1);
    for (place, call) in calls.iter_mut().enumerate().filter(|(_, call)| call.end.is_none()) {
        let whole = || matches!(Json::parse(&call.arguments), Ok(Json::Object(_)));
        let complete = !(declared.eager && end == End::Length && place == last) || whole();
        call.end = Some(complete);
        events.push(Event::CallEnd { index: call.index, outcome: ended(complete) });
    }
}

fn begin(index: usize, name: &str, id: Option<&str>) -> Event {
    // A server mints ids for the calls of a parser that has none.
    let minted = || format!("minted_{index}");
    Event::CallBegin { index, name: name.to_owned(), id: id.map_or_else(minted, str::to_owned), minted: id.is_none() }
}

const fn ended(complete: bool) -> CallOutcome {
    if complete { CallOutcome::Complete } else { CallOutcome::Incomplete { reason: Incomplete::Truncated } }
}

const fn finish(reason: message::Finish) -> Finish {
    match reason {
        message::Finish::Stop => Finish::Stop,
        message::Finish::ToolCalls => Finish::ToolCalls,
        message::Finish::Length => Finish::Length,
    }
}

/// The finish reason that a subject which tells none would tell rightly.
fn honest(calls: &[Open], end: End) -> Finish {
    match end {
        End::Length => Finish::Length,
        End::Stop | End::StopString if calls.iter().any(|call| call.end == Some(true)) => Finish::ToolCalls,
        End::Stop | End::StopString => Finish::Stop,
    }
}

/// Reasoning, then text, then the calls and what is left: the one order for a subject that tells none.
fn joined(events: Vec<Event>) -> Vec<Event> {
    let (mut text, mut reasoning, mut rest) = (String::new(), String::new(), Vec::new());
    let finish = events.iter().position(|event| matches!(event, Event::Finish { .. })).unwrap_or(events.len());
    for (place, event) in events.into_iter().enumerate() {
        match event {
            Event::Text { text: piece, .. } if place < finish => text.push_str(&piece),
            Event::Reasoning { text: piece, .. } if place < finish => reasoning.push_str(&piece),
            other => rest.push(other),
        }
    }
    let mut all = Vec::with_capacity(rest.len() + 2);
    if !reasoning.is_empty() {
        all.push(Event::Reasoning { text: reasoning, span: NOWHERE });
    }
    if !text.is_empty() {
        all.push(Event::Text { text, span: NOWHERE });
    }
    all.extend(rest);
    all
}
