//! `rescans`: keeps the whole reply and reads it again from its first byte on every chunk. Right, and quadratic.

use streakstone_model::{End, Event};
use streakstone_suite::subject::Held;

use super::core::Core;
use super::{Model, Planted, Request};

struct Rescans {
    request: Request,
    buffer: String,
    /// Events of the reply that went out.
    sent: usize,
    /// Characters looked at, over and over.
    steps: u64,
}

impl Model for Rescans {
    fn chunk(&mut self, text: &str, end: Option<End>, out: &mut Vec<Event>) {
        self.buffer.push_str(text);
        // Character by character, so that the events of a longer buffer begin with those of a shorter one.
        let mut core = Core::new(self.request.clone());
        let mut events = Vec::new();
        let mut utf8 = [0; 4];
        for character in self.buffer.chars() {
            self.steps += 1;
            core.chunk(character.encode_utf8(&mut utf8), None, &mut events);
        }
        if end.is_some() {
            core.chunk("", end, &mut events);
        }
        let all = events.len();
        out.extend(events.into_iter().skip(self.sent));
        self.sent = all;
        if end.is_some() {
            self.buffer.clear();
            self.sent = 0;
        }
    }

    fn held(&self) -> Held {
        // Outside a call it forwards as the core does; what it keeps for the next scan has gone out.
        let mut core = Core::new(self.request.clone());
        core.chunk(&self.buffer, None, &mut Vec::new());
        core.held()
    }

    fn steps(&self) -> Option<u64> {
        Some(self.steps)
    }
}

/// The subject.
pub(super) fn subject() -> Planted {
    Planted {
        name: "rescans",
        law: "linear",
        about: "reads its whole buffer again on every chunk",
        spans: true,
        make: |request| Box::new(Rescans { request, buffer: String::new(), sent: 0, steps: 0 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use streakstone_model::Reply;

    #[test]
    fn the_reply_is_right_whole_and_in_pieces() {
        let text = "Hé.\n<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}}</tool_call>\n<tool_call>{\"name\":\"g\"}</tool_call> bye";
        let read = |size: usize| {
            let mut model = (subject().make)(Request::default());
            let mut out = Vec::new();
            let chars: Vec<char> = text.chars().collect();
            for chunk in chars.chunks(size) {
                model.chunk(&chunk.iter().collect::<String>(), None, &mut out);
            }
            model.chunk("", Some(End::Stop), &mut out);
            Reply::from_events(&out).unwrap()
        };
        let whole = read(1000);
        assert_eq!((whole.content().as_str(), whole.calls().count()), ("Hé. bye", 2));
        for size in 1..9 {
            assert_eq!(read(size), whole);
        }
    }
}
