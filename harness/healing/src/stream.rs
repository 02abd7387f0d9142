//! Streams of events, cut anywhere. A record goes out as it came, comments and line ends too, unless bytes of it went into a call: so a
//! stream that has nothing to heal is byte for byte the same, false alarms included. A record whose text is partly undecided waits, and the
//! records behind it with it.

mod anthropic;
mod chat;
mod responses;

use std::collections::VecDeque;

use streakstone_surfaces::{Frame, Ids, Surface};

use crate::Report;
use crate::gate::Promotable;
use crate::ids::CallIds;
use crate::json::Object;
use crate::record::{Blocks, Raw};

/// Longest record that is taken apart. A longer one, which no server writes, ends healing: the rest passes as it is.
pub const MAX_RECORD: usize = 16 << 20;
/// Bytes of records that wait at most. A token a record is 100 times its text; a held block of 64 KiB of text stays far below.
pub const MAX_WAITING: usize = 32 << 20;

/// Heals one stream of events.
pub struct StreamHealer<'a> {
    blocks: Blocks,
    surface: Inner<'a>,
    /// True once nothing is taken apart any more.
    passing: bool,
}

enum Inner<'a> {
    Chat(chat::Chat<'a>),
    Responses(responses::Responses<'a>),
    Anthropic(anthropic::Anthropic<'a>),
}

impl<'a> StreamHealer<'a> {
    /// A healer for one response. `ids` makes the ids of calls and items that the model or upstream did not name.
    #[must_use]
    pub fn new(surface: Surface, promotable: &'a Promotable, ids: Ids) -> Self {
        let ids = CallIds::new(surface, ids, promotable);
        let surface = match surface {
            Surface::Chat => Inner::Chat(chat::Chat::new(promotable, ids)),
            Surface::Responses => Inner::Responses(responses::Responses::new(promotable, ids)),
            Surface::Anthropic => Inner::Anthropic(anthropic::Anthropic::new(promotable, ids)),
        };
        Self { blocks: Blocks::default(), surface, passing: false }
    }

    /// Takes bytes from upstream and appends what may go on to the client.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.passing {
            return out.extend_from_slice(bytes);
        }
        self.blocks.push(bytes);
        while let Some(block) = self.blocks.next() {
            self.record(block, out);
        }
        if self.blocks.pending() > MAX_RECORD {
            self.flush(out);
            out.extend(self.blocks.rest());
            self.passing = true;
        }
    }

    /// Upstream has nothing more, whether it said so or broke off. What is held goes out as it came.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if self.blocks.ends_in_return() {
            let block = self.blocks.rest();
            self.record(block, out);
        }
        self.flush(out);
        out.extend(self.blocks.rest());
        self.passing = true;
    }

    fn record(&mut self, block: Vec<u8>, out: &mut Vec<u8>) {
        let raw = Raw::new(block);
        match &mut self.surface {
            Inner::Chat(own) => own.record(raw, out),
            Inner::Responses(own) => own.record(raw, out),
            Inner::Anthropic(own) => own.record(raw, out),
        }
        if self.waiting() > MAX_WAITING {
            self.flush(out);
        }
    }

    /// Everything that waits goes out, and nothing more is promoted.
    fn flush(&mut self, out: &mut Vec<u8>) {
        match &mut self.surface {
            Inner::Chat(own) => own.flush(out),
            Inner::Responses(own) => own.flush(out),
            Inner::Anthropic(own) => own.flush(out),
        }
    }

    /// What became of the calls so far.
    #[must_use]
    pub fn report(&self) -> Report {
        match &self.surface {
            Inner::Chat(own) => own.report(),
            Inner::Responses(own) => own.report(),
            Inner::Anthropic(own) => own.report(),
        }
    }

    /// Bytes of text that are held because they may be a call. At most a marker's prefix or one suspected block for each choice.
    #[must_use]
    pub fn held(&self) -> usize {
        match &self.surface {
            Inner::Chat(own) => own.held(),
            Inner::Responses(own) => own.held(),
            Inner::Anthropic(own) => own.held(),
        }
    }

    /// Bytes of records that wait, the open one included.
    #[must_use]
    pub fn waiting(&self) -> usize {
        let waiting = match &self.surface {
            Inner::Chat(own) => own.waiting(),
            Inner::Responses(own) => own.waiting(),
            Inner::Anthropic(own) => own.waiting(),
        };
        waiting + self.blocks.pending()
    }
}

/// Records that wait for their turn.
struct Queue<K> {
    records: VecDeque<(Raw, K)>,
    bytes: usize,
}

impl<K> Queue<K> {
    const fn new() -> Self {
        Self { records: VecDeque::new(), bytes: 0 }
    }

    fn push(&mut self, raw: Raw, kind: K) {
        self.bytes += raw.bytes.len();
        self.records.push_back((raw, kind));
    }

    /// The first record, if it is ready.
    fn pop(&mut self, ready: impl FnOnce(&K) -> bool) -> Option<(Raw, K)> {
        let first = self.records.pop_front_if(|(_, kind)| ready(kind))?;
        self.bytes -= first.0.bytes.len();
        Some(first)
    }
}

/// An event whose name stands in the data too, as Responses and Anthropic write it.
fn named(data: &Object) -> Frame {
    Frame { event: data.string("type"), data: data.to_string() }
}
