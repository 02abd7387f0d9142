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
use crate::track::Track;

/// Longest record that is taken apart. A longer one, which no server writes, ends healing: the rest passes as it is.
pub const MAX_RECORD: usize = 16 << 20;
/// Bytes of records that wait at most. A token a record is 100 times its text; a held block of 64 KiB of text stays far below.
pub const MAX_WAITING: usize = 32 << 20;

/// Heals one stream of events.
pub struct StreamHealer<'a> {
    blocks: Blocks,
    line: Box<dyn Line + Send + 'a>,
    /// True once nothing is taken apart any more.
    passing: bool,
}

/// The records of one surface's stream, one after the other.
trait Line {
    /// Takes a record and appends what may go on.
    fn record(&mut self, raw: Raw, out: &mut Vec<u8>);
    /// Everything that waits goes out, and nothing more is promoted.
    fn flush(&mut self, out: &mut Vec<u8>);
    fn report(&self) -> Report;
    fn held(&self) -> usize;
    fn waiting(&self) -> usize;
}

/// What is a surface's own.
trait Own {
    /// What a record is.
    type Kind;

    /// Reads a record and feeds its text.
    fn take_in(&mut self, raw: &Raw) -> Self::Kind;
    /// True if all is known that says what becomes of the record.
    fn is_ready(&self, kind: &Self::Kind) -> bool;
    /// Sends a record that is ready: as it came, or rewritten.
    fn send(&mut self, raw: &Raw, kind: Self::Kind, out: &mut Vec<u8>);
    /// The texts.
    fn tracks(&self) -> impl Iterator<Item = &Track<'_>>;
    /// Nothing is promoted from here on.
    fn sleep(&mut self);
    /// Structured calls that were left out.
    fn dropped(&self) -> usize;
}

/// A surface with the records that wait for their turn.
struct Waiting<K, S> {
    own: S,
    records: VecDeque<(Raw, K)>,
    bytes: usize,
}

impl<S: Own> Waiting<S::Kind, S> {
    const fn new(own: S) -> Self {
        Self { own, records: VecDeque::new(), bytes: 0 }
    }

    fn drain(&mut self, out: &mut Vec<u8>) {
        while let Some((raw, kind)) = self.records.pop_front_if(|(_, kind)| self.own.is_ready(kind)) {
            self.bytes -= raw.bytes.len();
            self.own.send(&raw, kind, out);
        }
    }
}

impl<S: Own> Line for Waiting<S::Kind, S> {
    fn record(&mut self, raw: Raw, out: &mut Vec<u8>) {
        let kind = self.own.take_in(&raw);
        self.bytes += raw.bytes.len();
        self.records.push_back((raw, kind));
        self.drain(out);
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        self.own.sleep();
        self.drain(out);
    }

    fn report(&self) -> Report {
        let mut report = Report { calls: 0, dropped: self.own.dropped() };
        self.own.tracks().for_each(|track| report.add(track.report()));
        report
    }

    fn held(&self) -> usize {
        self.own.tracks().map(Track::held).sum()
    }

    fn waiting(&self) -> usize {
        self.bytes
    }
}

impl<'a> StreamHealer<'a> {
    /// A healer for one response. `ids` makes the ids of calls and items that the model or upstream did not name.
    #[must_use]
    pub fn new(surface: Surface, promotable: &'a Promotable, ids: Ids) -> Self {
        let ids = CallIds::new(surface, ids, promotable);
        let line: Box<dyn Line + Send + 'a> = match surface {
            Surface::Chat => Box::new(Waiting::new(chat::Chat::new(promotable, ids))),
            Surface::Responses => Box::new(Waiting::new(responses::Responses::new(promotable, ids))),
            Surface::Anthropic => Box::new(Waiting::new(anthropic::Anthropic::new(promotable, ids))),
        };
        Self { blocks: Blocks::default(), line, passing: false }
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
            self.line.flush(out);
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
        self.line.flush(out);
        out.extend(self.blocks.rest());
        self.passing = true;
    }

    fn record(&mut self, block: Vec<u8>, out: &mut Vec<u8>) {
        self.line.record(Raw::new(block), out);
        if self.waiting() > MAX_WAITING {
            self.line.flush(out);
        }
    }

    /// What became of the calls so far.
    #[must_use]
    pub fn report(&self) -> Report {
        self.line.report()
    }

    /// Bytes of text that are held because they may be a call. At most a marker's prefix or one suspected block for each choice.
    #[must_use]
    pub fn held(&self) -> usize {
        self.line.held()
    }

    /// Bytes of records that wait, the open one included.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.line.waiting() + self.blocks.pending()
    }
}

/// An event whose name stands in the data too, as Responses and Anthropic write it.
fn named(data: &Object) -> Frame {
    Frame { event: data.string("type"), data: data.to_string() }
}
