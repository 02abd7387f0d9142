//! `leaks-split-marker`: right when the opener arrives whole; when a cut splits it, the first part has gone out as text by the
//! time the call is recognised. The call itself is still found.

use streakstone_model::{End, Event};
use streakstone_suite::subject::Held;

use super::core::{Core, OPEN, partial};
use super::{Model, Planted};

struct LeaksSplitMarker {
    core: Core,
    /// Bytes of the opener that went out as text at the end of the last chunk.
    leaked: usize,
}

impl Model for LeaksSplitMarker {
    fn chunk(&mut self, text: &str, end: Option<End>, out: &mut Vec<Event>) {
        let rest = &OPEN[self.leaked..];
        if self.leaked > 0 && text.starts_with(rest) {
            self.core.open_here(rest.len());
            self.leaked = 0;
        }
        self.core.chunk(text, None, out);
        if self.core.in_text() && !text.is_empty() {
            // What the core would hold goes out at once.
            let so_far = OPEN[..self.leaked].to_owned() + text;
            self.leaked = partial(&so_far, OPEN);
            self.core.flush_text(out);
        }
        if end.is_some() {
            self.leaked = 0;
            self.core.chunk("", end, out);
        }
    }

    fn held(&self) -> Held {
        self.core.held()
    }
}

/// The subject.
pub(super) fn subject() -> Planted {
    Planted {
        name: "leaks-split-marker",
        law: "no-marker-leak",
        about: "the first part of a split opener goes out as text",
        spans: true,
        make: |request| Box::new(LeaksSplitMarker { core: Core::new(request), leaked: 0 }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Request;
    use super::*;
    use streakstone_model::{ByteUse, Reply, Span, SpanUse};

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
    fn a_whole_opener_does_not_leak_and_a_split_one_does() {
        let call = r#"call>{"name":"f","arguments":{}}</tool_call>"#;
        let whole = read(&[&format!("Hi <tool_{call}")]);
        let split = read(&["Hi <to", "ol_", call]);
        assert_eq!((whole.content().as_str(), split.content().as_str()), ("Hi ", "Hi <tool_"));
        assert_eq!((whole.calls().count(), split.calls().count()), (1, 1));
        assert_eq!(split.spans[1], (SpanUse::Bytes(ByteUse::Framing), Span::new(9, 14)));
    }

    #[test]
    fn a_false_start_is_text_once() {
        let reply = read(&["a <to", "p> b<", "tool", "_call>x"]);
        assert_eq!(reply.content(), "a <top> b<tool_call>x");
    }
}
