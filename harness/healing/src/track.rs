//! The texts of one reply inside a stream of records: how far they are decided, and what each record's share of them became.

use std::collections::VecDeque;

use streakstone_model::{Call, End};

use crate::Report;
use crate::gate::Promotable;
use crate::text::{ReasoningText, Step, TextHealer};

/// What a run of text became.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mark {
    Text(usize),
    Cut(usize),
    Call(Call),
}

/// What goes out for a record's share of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    Call(Call),
}

/// A record's share of the texts: bytes `from..to` of all that was fed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Share {
    pub text: String,
    to: usize,
}

/// A place between two records where a text begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    at: usize,
    ends: usize,
}

pub(crate) struct Track<'a> {
    healer: TextHealer<'a>,
    marks: VecDeque<Mark>,
    steps: Vec<Step>,
    fed: usize,
    decided: usize,
    /// Texts that have ended.
    ends: usize,
    /// True if something was fed since the last end.
    open: bool,
}

impl<'a> Track<'a> {
    pub fn new(promotable: &'a Promotable) -> Self {
        Self {
            healer: TextHealer::new(promotable, ReasoningText::Keep),
            marks: VecDeque::new(),
            steps: Vec::new(),
            fed: 0,
            decided: 0,
            ends: 0,
            open: false,
        }
    }

    /// Takes a record's text.
    pub fn feed(&mut self, text: String) -> Share {
        self.fed += text.len();
        self.open = true;
        self.healer.push(&text, &mut self.steps);
        self.note();
        Share { text, to: self.fed }
    }

    /// The text is over.
    pub fn end(&mut self, end: End) {
        self.healer.finish(end, &mut self.steps);
        self.note();
        self.ends += 1;
        self.open = false;
    }

    /// The text is over if one has begun.
    pub fn end_open(&mut self, end: End) {
        if self.open {
            self.end(end);
        }
    }

    /// Nothing is promoted from here on.
    pub fn sleep(&mut self) {
        self.healer.sleep(&mut self.steps);
        self.note();
    }

    fn note(&mut self) {
        for step in self.steps.drain(..) {
            let (mark, len) = match step {
                Step::Text(text) | Step::Reasoning(text) => (Mark::Text(text.len()), text.len()),
                Step::Cut(len) => (Mark::Cut(len), len),
                Step::Call(call) => (Mark::Call(call), 0),
            };
            self.decided += len;
            match (self.marks.back_mut(), &mark) {
                (Some(Mark::Text(last)), Mark::Text(_)) | (Some(Mark::Cut(last)), Mark::Cut(_)) => *last += len,
                _ => self.marks.push_back(mark),
            }
        }
    }

    /// The place where the next text begins.
    pub const fn start(&self) -> Start {
        Start { at: self.fed, ends: self.ends }
    }

    /// The share of a record that has no text but goes with all text before it.
    pub const fn here(&self) -> Share {
        Share { text: String::new(), to: self.fed }
    }

    /// True if it is known what the whole share became.
    pub const fn is_decided(&self, share: &Share) -> bool {
        self.decided >= share.to
    }

    /// True if it is known what the text's first byte became, or that it has none.
    pub const fn has_begun(&self, start: Start) -> bool {
        self.decided > start.at || self.ends > start.ends || self.healer.is_asleep()
    }

    /// True if the next byte to be taken went into a call.
    pub fn cut_is_next(&self) -> bool {
        matches!(self.marks.front(), Some(Mark::Cut(_) | Mark::Call(_)))
    }

    /// What a decided share became; `None` if it is text as it came. Shares are taken in the order in which they were fed.
    pub fn take(&mut self, share: &Share) -> Option<Vec<Piece>> {
        let (mut pieces, mut rest, mut changed) = (Vec::new(), share.text.as_str(), false);
        while !rest.is_empty() {
            let Some(mark) = self.marks.pop_front() else { break };
            let (len, cut) = match mark {
                Mark::Call(call) => {
                    changed = true;
                    pieces.push(Piece::Call(call));
                    continue;
                }
                Mark::Text(len) => (len, false),
                Mark::Cut(len) => (len, true),
            };
            let part = len.min(rest.len());
            if part < len {
                self.marks.push_front(if cut { Mark::Cut(len - part) } else { Mark::Text(len - part) });
            }
            let (text, more) = rest.split_at(part);
            rest = more;
            changed |= cut;
            match pieces.last_mut() {
                _ if cut => {}
                Some(Piece::Text(last)) => last.push_str(text),
                _ => pieces.push(Piece::Text(text.to_owned())),
            }
        }
        changed.then_some(pieces)
    }

    pub const fn report(&self) -> Report {
        self.healer.report()
    }

    /// Bytes of text that are held.
    pub fn held(&self) -> usize {
        self.healer.held()
    }
}
