//! `exo-generic`: the generic marker parser reported in exo-explore/exo#2233, written from its described behaviour
//! (`reference-systems.md` X10 to X14).
//!
//! It looks at chunks, not at text: a call opens only if a chunk *starts* with the opener and closes only if the last chunk
//! *ends* with the closer. The coercion of arguments (X15) is not modelled: it does not depend on the chunks.

use serde_json::Value;
use streakstone_model::{CallOutcome, End, Event, Finish, Span};
use streakstone_suite::subject::Held;

use super::core::{CLOSE, OPEN};
use super::{Model, Planted, Request};

/// How a reply of this parser ends. The model crate has no word for `error`: it leaves as [`Finish::Stop`], which
/// `finish-honest` sees where the real cause was the length limit (X14).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Finish(Finish),
    Error,
}

#[derive(Default)]
struct ExoGeneric {
    /// Chunks of the open call; empty outside one.
    open: Vec<String>,
    /// Parsed calls that wait for the finishing chunk.
    calls: Vec<(String, String)>,
    /// Set once the generator has stopped.
    ending: Option<Ending>,
}

impl ExoGeneric {
    fn text(text: &str, out: &mut Vec<Event>) {
        if !text.is_empty() {
            out.push(Event::Text { text: text.to_owned(), span: Span::new(0, 0) });
        }
    }

    fn stop(&mut self, ending: Ending, out: &mut Vec<Event>) {
        self.ending = Some(ending);
        let reason = if let Ending::Finish(reason) = ending { reason } else { Finish::Stop };
        out.push(Event::Finish { reason });
    }

    /// The payload parser: one JSON object with a name and arguments.
    fn payload(block: &str) -> Option<(String, String)> {
        let payload = block.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
        let value: Value = serde_json::from_str(payload.trim()).ok()?;
        Some((value.get("name")?.as_str()?.to_owned(), value.get("arguments")?.to_string()))
    }

    fn finish(&mut self, text: &str, end: End, out: &mut Vec<Event>) {
        if !self.open.is_empty() {
            Self::text(&self.open.concat(), out);
            return self.stop(Ending::Error, out);
        }
        let called = !self.calls.is_empty();
        if !called {
            Self::text(text, out);
        }
        for (index, (name, arguments)) in std::mem::take(&mut self.calls).into_iter().enumerate() {
            out.push(Event::CallBegin { index, name, id: format!("exo-{index:08}"), minted: true });
            out.push(Event::Arguments { index, fragment: arguments });
            out.push(Event::CallEnd { index, outcome: CallOutcome::Complete });
        }
        let finish = match end {
            End::Length => Finish::Length,
            End::Stop | End::StopString if called => Finish::ToolCalls,
            End::Stop | End::StopString => Finish::Stop,
        };
        self.stop(Ending::Finish(finish), out);
    }
}

impl ExoGeneric {
    /// One chunk of the generator, with its finish reason if it carries one.
    fn step(&mut self, text: &str, end: Option<End>, out: &mut Vec<Event>) {
        if self.ending.is_some() {
            return;
        }
        let mut own = text;
        if !self.open.is_empty() || text.starts_with(OPEN) {
            self.open.push(text.to_owned());
            own = "";
            if text.ends_with(CLOSE) {
                let block = std::mem::take(&mut self.open).concat();
                let Some(call) = Self::payload(&block) else {
                    Self::text(&block, out);
                    return self.stop(Ending::Error, out);
                };
                self.calls.push(call);
            }
        } else if end.is_none() {
            Self::text(text, out);
        }
        if let Some(end) = end {
            self.finish(own, end, out);
        }
    }
}

impl Model for ExoGeneric {
    fn chunk(&mut self, text: &str, end: Option<End>, out: &mut Vec<Event>) {
        self.step(text, end, out);
        if end.is_some() {
            *self = Self::default();
        }
    }

    fn held(&self) -> Held {
        Held { bytes: self.open.iter().map(String::len).sum(), unit_open: !self.open.is_empty() }
    }
}

/// The subject.
pub(super) fn subject() -> Planted {
    Planted {
        name: "exo-generic",
        law: "split-invariance",
        about: "chunk-blind generic marker parser, as described in exo-explore/exo#2233",
        spans: false,
        make: |_: Request| Box::new(ExoGeneric::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const F: &str = r#"{"name":"f","arguments":{}}"#;

    /// The parts in short, and how the reply ended. The last chunk carries the end cause.
    fn read(chunks: &[&str], end: End) -> (Vec<String>, Option<Ending>) {
        let mut exo = ExoGeneric::default();
        let mut out = Vec::new();
        for (i, chunk) in chunks.iter().enumerate() {
            exo.step(chunk, (i + 1 == chunks.len()).then_some(end), &mut out);
        }
        let parts = out.iter().filter_map(|event| match event {
            Event::Text { text, .. } => Some(format!("text {text}")),
            Event::CallBegin { name, .. } => Some(format!("call {name}")),
            _ => None,
        });
        (parts.collect(), exo.ending)
    }

    const CALLED: Ending = Ending::Finish(Finish::ToolCalls);
    const STOPPED: Ending = Ending::Finish(Finish::Stop);

    fn check(chunks: &[&str], end: End, parts: &[&str], ending: Ending) {
        let parts = parts.iter().map(|&part| part.to_owned()).collect();
        assert_eq!(read(chunks, end), (parts, Some(ending)), "{chunks:?}");
    }

    #[test]
    fn e_e1_markers_alone_in_their_chunks_make_a_call() {
        check(&[OPEN, r#"{"name":"f","arguments":{"a":1}}"#, CLOSE], End::Stop, &["call f"], CALLED);
    }

    #[test]
    fn e_e2_text_before_the_opener_in_one_chunk_hides_the_call() {
        let text = ["text Sure.<tool_call>", r#"text {"name":"f","arguments":{}}"#, "text </tool_call>"];
        check(&["Sure.<tool_call>", F, CLOSE], End::Stop, &text, STOPPED);
    }

    #[test]
    fn e_e3_a_split_opener_hides_the_call() {
        let text = ["text <tool_", r#"text call>{"name":"f","arguments":{}}</tool_call>"#];
        check(&["<tool_", &format!("call>{F}</tool_call>")], End::Stop, &text, STOPPED);
    }

    #[test]
    fn e_e4_text_after_the_closer_in_one_chunk_leaves_the_call_open() {
        let all = format!("text <tool_call>{F}</tool_call> bye");
        check(&[&format!("<tool_call>{F}"), "</tool_call> bye", ""], End::Stop, &[&all], Ending::Error);
    }

    #[test]
    fn e_e5_a_split_closer_leaves_the_call_open() {
        let call = format!("text <tool_call>{F}</tool_call>");
        check(&["Hi ", &format!("<tool_call>{F}</tool_"), "call>"], End::Stop, &["text Hi ", &call], Ending::Error);
    }

    #[test]
    fn e_e6_text_between_calls_goes_out_before_both() {
        let g = F.replace('f', "g");
        check(&[OPEN, F, CLOSE, "\n", OPEN, &g, CLOSE], End::Stop, &["text \n", "call f", "call g"], CALLED);
    }

    #[test]
    fn e_e7_the_text_of_the_finishing_chunk_is_lost() {
        check(&[OPEN, F, CLOSE, "extra", "last"], End::Stop, &["text extra", "call f"], CALLED);
    }

    #[test]
    fn e_e8_a_call_cut_by_the_length_limit_ends_in_error() {
        check(&[OPEN, r#"{"name":"f","argu"#], End::Length, &[r#"text <tool_call>{"name":"f","argu"#], Ending::Error);
    }

    #[test]
    fn e_e9_a_bad_payload_stops_the_reply_early() {
        check(&[OPEN, "not json", CLOSE, "more"], End::Stop, &["text <tool_call>not json</tool_call>"], Ending::Error);
    }

    #[test]
    fn e_e10_one_chunk_with_the_whole_call_is_read() {
        check(&[&format!("<tool_call>{F}</tool_call>")], End::Stop, &["call f"], CALLED);
    }
}
