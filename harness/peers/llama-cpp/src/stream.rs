//! What llama-server sends of a stream: the differences between one parse and the next, a call's head held back until its name can no
//! longer grow.

use std::collections::BTreeSet;
use std::rc::Rc;

use streakstone_adapter::message::{End, Event};
use streakstone_adapter::serve::{Delta, No, Session};

use crate::finish;
use crate::parser::{Call, Chat, News, Piece, Stream};

/// A stream and which calls' heads have been sent.
pub struct Reading {
    chat: Rc<Chat>,
    stream: Stream,
    heads: BTreeSet<usize>,
    /// Bytes at the start of the text that the prompt has written, and how many bytes came.
    written: usize,
    seen: usize,
}

impl Reading {
    /// Begins.
    ///
    /// # Errors
    /// No memory.
    pub fn new(chat: Rc<Chat>, written: usize) -> Result<Self, No> {
        let stream = Stream::new(Rc::clone(&chat)).map_err(No::Fault)?;
        Ok(Self { chat, stream, heads: BTreeSet::new(), written, seen: 0 })
    }

    fn take(&mut self, delta: &[u8], partial: bool) -> Result<(Vec<Event>, bool), No> {
        let News { pieces, calls } = self.stream.push(delta, partial).map_err(No::Rejected)?;
        let mut events = Vec::new();
        for piece in pieces {
            self.heads_before(&piece, &calls, &mut events);
            if !piece.reasoning.is_empty() {
                events.push(Event::Reasoning(piece.reasoning));
            }
            if !piece.content.is_empty() {
                events.push(Event::Text(piece.content));
            }
            let Some((index, new)) = piece.call else { continue };
            if new.arguments.is_empty() && partial {
                continue;
            }
            self.head(index, &calls, &mut events);
            if !new.arguments.is_empty() {
                events.push(Event::Arguments { index, fragment: new.arguments });
            }
        }
        if !partial {
            (0..calls.len()).for_each(|index| self.head(index, &calls, &mut events));
        }
        Ok((events, !calls.is_empty()))
    }

    /// A piece of another kind, or a call's first argument byte, lets the waiting heads go.
    fn heads_before(&mut self, piece: &Piece, calls: &[Call], events: &mut Vec<Event>) {
        for index in 0..calls.len() {
            let waits = piece.call.as_ref().is_some_and(|(of, new)| *of == index && new.arguments.is_empty());
            if !waits {
                self.head(index, calls, events);
            }
        }
    }

    fn head(&mut self, index: usize, calls: &[Call], events: &mut Vec<Event>) {
        let Some(call) = calls.get(index).filter(|call| !call.name.is_empty()) else { return };
        if self.heads.insert(index) {
            events.push(Event::Call { index, name: call.name.clone(), id: (!call.id.is_empty()).then(|| call.id.clone()) });
        }
    }
}

impl Session for Reading {
    fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No> {
        let bytes = delta.bytes();
        let skip = self.written.saturating_sub(self.seen).min(bytes.len());
        self.seen += bytes.len();
        let bytes = &bytes[skip..];
        // llama-server sends nothing for an empty delta and does not parse again.
        if bytes.is_empty() { Ok(Vec::new()) } else { Ok(self.take(bytes, true)?.0) }
    }

    fn finish(&mut self, end: End) -> Result<Vec<Event>, No> {
        let (mut events, calls) = self.take(b"", false)?;
        events.push(finish(end, calls));
        // The server has a new state for each request.
        *self = Self::new(Rc::clone(&self.chat), self.written)?;
        Ok(events)
    }
}
