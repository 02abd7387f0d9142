//! Shows one reading: the chunks, what each made the subject say, and the reply.

use std::fmt::Write as _;

use streakstone_model::{ByteUse, CallOutcome, Event, Lookup, Policies};
use streakstone_report::escape::{visible, visible_bytes};
use streakstone_suite::case::Case;
use streakstone_suite::subject::{Ask, Chunking, Outcome, Subject};

/// The events of `case` under these cuts and policies.
pub fn render(subject: &dyn Subject, case: &Case, cuts: &[usize], policies: Policies) -> String {
    let mut cuts: Vec<usize> = cuts.iter().copied().filter(|&c| c <= case.raw.len()).collect();
    cuts.sort_unstable();
    let at = if cuts.is_empty() {
        "whole".to_owned()
    } else {
        format!("cut at {}", cuts.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
    };
    let changed = policies.changed();
    let under = if changed.is_empty() { String::new() } else { format!(", {}", changed.join(", ")) };
    let mut out = format!("{}::{}, {} bytes, {at}{under}\n", visible(subject.name()), visible(&case.name), case.raw.len());
    let Lookup::Known(dialect) = case.dialect else {
        let _ = writeln!(out, "  this build has no dialect `{}`", visible(&case.dialect_word));
        return out;
    };
    let options = case.options(policies);
    let ask = Ask { dialect, tools: case.tools.as_deref().map(Vec::as_slice), options: &options, end: case.end };
    let whole = cuts.is_empty();
    let chunking = Chunking { cuts, whole, ..Chunking::default() };
    subject.read(&ask, &case.raw, std::slice::from_ref(&chunking), &mut |_, outcome| match outcome {
        Outcome::Reading(reading) => {
            let (mut from, mut byte) = (0, 0);
            for (place, chunk) in chunking.chunks(&case.raw).enumerate() {
                let held = reading
                    .held
                    .get(place)
                    .map_or_else(String::new, |h| format!("   held {}{}", h.bytes, if h.unit_open { ", call open" } else { "" }));
                let _ = writeln!(out, "  {byte}..{}  {}{held}", byte + chunk.len(), visible_bytes(chunk));
                byte += chunk.len();
                let to = reading.marks.get(place).copied().unwrap_or(from).clamp(from, reading.events.len());
                reading.events[from..to].iter().for_each(|e| push(&mut out, e));
                from = to;
            }
            let _ = writeln!(out, "  end");
            reading.events[from..].iter().for_each(|e| push(&mut out, e));
        }
        Outcome::Rejected(why) => {
            let _ = writeln!(out, "  rejected: {}", visible(&why));
        }
        Outcome::Raised(why) => {
            let _ = writeln!(out, "  raised: {}", visible(&why));
        }
        Outcome::Died(why) => {
            let _ = writeln!(out, "  died: {}", visible(&why));
        }
        Outcome::Unsupported(why) => {
            let _ = writeln!(out, "  unsupported: {}", visible(&why));
        }
        Outcome::TimedOut => {
            let _ = writeln!(out, "  timed out");
        }
        Outcome::AdapterFault(why) => {
            let _ = writeln!(out, "  adapter fault: {}", visible(&why));
        }
    });
    out
}

fn push(out: &mut String, event: &Event) {
    let line = match event {
        Event::Text { text, span } => format!("text       {}   {}..{}", visible(text), span.start, span.end),
        Event::Reasoning { text, span } => format!("reasoning  {}   {}..{}", visible(text), span.start, span.end),
        Event::CallBegin { index, name, id, minted } => {
            format!("call {index}     {} id {}{}", visible(name), visible(id), if *minted { " (minted)" } else { "" })
        }
        Event::Arguments { index, fragment } => format!("args {index}     {}", visible(fragment)),
        Event::CallEnd { index, outcome } => match outcome {
            CallOutcome::Complete => format!("end {index}      complete"),
            CallOutcome::Incomplete { reason } => format!("end {index}      incomplete: {reason:?}").to_lowercase(),
        },
        Event::Bytes { what, span } => {
            let what = match what {
                ByteUse::Framing => "framing".to_owned(),
                ByteUse::Call { index } => format!("body of {index}"),
                ByteUse::Dropped { reason } => format!("dropped: {reason:?}").to_lowercase(),
            };
            format!("bytes      {what}   {}..{}", span.start, span.end)
        }
        Event::Finish { reason } => format!("finish     {}", reason.as_str()),
    };
    let _ = writeln!(out, "      {line}");
}
