//! `retracts-argument`: while a call is open it completes the arguments it has so far by guess and sends them; when more
//! comes, it sends the corrected text from the start. What a client joined before is wrong by then.

use std::fmt::Write as _;

use serde_json::Value;
use streakstone_model::{CallOutcome, End, Event, Incomplete};
use streakstone_suite::subject::Held;

use super::core::Core;
use super::{Model, Planted};

struct RetractsArgument {
    core: Core,
    /// The guess sent for the open call, with the call's index.
    guessed: Option<(usize, String)>,
}

impl RetractsArgument {
    fn guess(&mut self, out: &mut Vec<Event>) {
        let Some(value) = self.core.open_body().and_then(completed) else { return };
        let (Some(name), Some(arguments)) = (value.get("name").and_then(Value::as_str), value.get("arguments")) else { return };
        if !arguments.is_object() || !self.core.admits(name) {
            return;
        }
        let (index, fragment) = (self.core.next_index, arguments.to_string());
        if self.guessed.is_none() {
            out.push(Event::CallBegin { index, name: name.to_owned(), id: format!("call_{index:08}"), minted: true });
        }
        if self.guessed.as_ref().is_none_or(|(_, sent)| *sent != fragment) {
            out.push(Event::Arguments { index, fragment: fragment.clone() });
            self.guessed = Some((index, fragment));
        }
    }
}

impl Model for RetractsArgument {
    fn chunk(&mut self, text: &str, end: Option<End>, out: &mut Vec<Event>) {
        let before = out.len();
        self.core.chunk(text, end, out);
        for event in out.split_off(before) {
            let index = self.guessed.as_ref().map(|(index, _)| *index);
            match event {
                // The head has gone out with the guess.
                Event::CallBegin { index: begins, .. } if Some(begins) == index => {}
                Event::CallEnd { index: ends, .. } if Some(ends) == index => {
                    self.guessed = None;
                    out.push(event);
                }
                // The call turned out to be text, or the reply ends.
                Event::Text { .. } | Event::Finish { .. } if index.is_some() => {
                    let outcome = CallOutcome::Incomplete { reason: Incomplete::Malformed };
                    out.extend(index.map(|index| Event::CallEnd { index, outcome }));
                    self.core.next_index += usize::from(!matches!(event, Event::Finish { .. }));
                    self.guessed = None;
                    out.push(event);
                }
                other => out.push(other),
            }
        }
        self.guess(out);
    }

    fn held(&self) -> Held {
        self.core.held()
    }
}

/// The text with its open string and brackets closed, if that is JSON.
fn completed(text: &str) -> Option<Value> {
    let (mut closers, mut in_string, mut escaped) = (Vec::new(), false, false);
    for byte in text.bytes() {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b'{') => closers.push('}'),
            (false, b'[') => closers.push(']'),
            (false, b'}' | b']') => drop(closers.pop()),
            _ => {}
        }
    }
    let mut whole = text.to_owned();
    if in_string {
        whole.push('"');
    }
    for closer in closers.iter().rev() {
        let _ = write!(whole, "{closer}");
    }
    serde_json::from_str(&whole).ok()
}

/// The subject.
pub(super) fn subject() -> Planted {
    Planted {
        name: "retracts-argument",
        law: "never-retracted",
        about: "sends guessed arguments and corrects them later",
        spans: true,
        make: |request| Box::new(RetractsArgument { core: Core::new(request), guessed: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Request;
    use super::*;
    use streakstone_model::Reply;

    fn read(chunks: &[&str]) -> Reply {
        let mut model = (subject().make)(Request::default());
        let mut out = Vec::new();
        for chunk in chunks {
            model.chunk(chunk, None, &mut out);
        }
        model.chunk("", Some(End::Stop), &mut out);
        Reply::from_events(&out).unwrap()
    }

    #[test]
    fn a_call_that_comes_whole_is_right_and_a_cut_value_is_sent_twice() {
        let whole = read(&[r#"<tool_call>{"name":"f","arguments":{"n":12}}</tool_call>"#]);
        assert_eq!(whole.calls().next().unwrap().arguments, r#"{"n":12}"#);
        let split = read(&[r#"<tool_call>{"name":"f","arguments":{"n":1"#, "2}}</tool_call>"]);
        assert_eq!(split.calls().next().unwrap().arguments, r#"{"n":1}{"n":12}"#);
    }

    #[test]
    fn a_guess_for_what_is_no_call_ends_incomplete() {
        let reply = read(&[r#"<tool_call>{"name":"f","arguments":{"n":1"#, "2,]}}</tool_call> bye"]);
        assert!(!reply.calls().next().unwrap().is_complete());
        assert!(reply.content().ends_with(" bye"));
    }
}
