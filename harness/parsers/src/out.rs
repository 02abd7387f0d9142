//! The way out: spans that tile the raw bytes, text, calls. Holds a block back where it must be decided as a whole.

use std::collections::{HashSet, VecDeque};

use streakstone_model::{ByteUse, CallId, CallOutcome, DropReason, Finish, FramingOf, Sink, Span};

use crate::tools::{Name, ToolSet};
use crate::unit::Arguments;
use crate::window::Window;

/// What undecided text becomes when it is no call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Host {
    Content,
    Reasoning,
}

/// Makes ids for calls whose model wrote none.
pub(crate) enum Mint {
    /// [`sequential`], which can be asked for an earlier call's id again: then no id is kept.
    Sequential,
    /// The caller's source, given the call's index.
    Source(Box<dyn FnMut(usize) -> String + Send>),
}

/// A call that is ready to go.
#[derive(Debug)]
pub(crate) struct Ready {
    pub name: Name,
    pub id: Option<String>,
    /// Where its body begins; what it owns before is framing.
    pub body: usize,
}

/// One decided piece of a held block.
#[derive(Debug)]
enum Item {
    Text(usize),
    Framing(usize, FramingOf),
    Dropped(usize, DropReason),
    Call(usize, Ready, Arguments),
}

pub(crate) struct Out<'a> {
    tools: &'a ToolSet,
    /// First position without a span.
    front: usize,
    /// The same in raw bytes.
    raw_front: usize,
    /// Raw bytes taken in.
    raw_total: usize,
    /// Positions of U+FFFD that stand for raw bytes, with their number.
    replaced: VecDeque<(usize, usize)>,
    pub host: Host,
    /// A held block: its decided pieces, and the first position beyond them.
    held: Option<(Vec<Item>, usize)>,
    /// Calls begun.
    begun: usize,
    /// Calls completed and delivered.
    complete: usize,
    /// Calls completed and held.
    queued: usize,
    /// Ids given out, once the model wrote one; minted ones alone are not looked up.
    ids: Option<HashSet<String>>,
    /// True if an id that holds the name is kept as well.
    pub ids_hold_names: bool,
    /// Ids of the caller's source given out before the model wrote one.
    minted: Vec<String>,
    mint: Mint,
}

/// `call_` and 24 hex digits, as mlxcel and TensorFold mint (M8); counts calls, so that a replay gives the same ids.
const fn sequential(index: usize) -> [u8; 29] {
    let mut id = *b"call_000000000000000000000000";
    let mut rest = index + 1;
    let mut place = id.len();
    while rest > 0 {
        place -= 1;
        id[place] = b"0123456789abcdef"[rest & 15];
        rest >>= 4;
    }
    id
}

/// The ids of the first calls: to show that such bytes are text took longer than to write them.
static FIRST_IDS: [[u8; 29]; 16] = {
    let mut ids = [[0; 29]; 16];
    let mut index = 0;
    while index < ids.len() {
        ids[index] = sequential(index);
        index += 1;
    }
    ids
};
static FIRST_TEXTS: [&str; 16] = {
    let mut texts = [""; 16];
    let mut index = 0;
    while index < texts.len() {
        texts[index] = match std::str::from_utf8(&FIRST_IDS[index]) {
            Ok(text) => text,
            Err(_) => "",
        };
        index += 1;
    }
    texts
};

fn sequential_text(index: usize) -> String {
    sequential(index).map(char::from).iter().collect()
}

/// Longest id that every surface carries (semantics 5).
const ID_BYTES: usize = 64;

/// True for an id every surface can carry (semantics 5).
pub(crate) fn valid_id(id: &str) -> bool {
    (1..=ID_BYTES).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

impl<'a> Out<'a> {
    pub fn new(mint: Mint, ids_hold_names: bool, tools: &'a ToolSet) -> Self {
        Self {
            tools,
            ids_hold_names,
            front: 0,
            raw_front: 0,
            raw_total: 0,
            replaced: VecDeque::new(),
            host: Host::Content,
            held: None,
            begun: 0,
            complete: 0,
            queued: 0,
            ids: None,
            minted: Vec::new(),
            mint,
        }
    }

    /// Starts over with the same source of ids.
    pub fn reset(&mut self) {
        self.front = 0;
        self.raw_front = 0;
        self.raw_total = 0;
        self.replaced.clear();
        self.host = Host::Content;
        self.held = None;
        self.begun = 0;
        self.complete = 0;
        self.queued = 0;
        self.ids = None;
        self.minted.clear();
    }

    /// Notes `len` bytes of text taken in, or one U+FFFD at `at` for `raw` bytes.
    #[inline]
    pub fn taken(&mut self, at: usize, len: usize, replaced: Option<usize>) {
        match replaced {
            None => self.raw_total += len,
            Some(raw) => {
                self.raw_total += raw;
                self.replaced.push_back((at, raw));
            }
        }
    }

    /// Raw bytes taken in without a span.
    pub const fn pending(&self) -> usize {
        self.raw_total - self.raw_front
    }

    /// First undecided position.
    pub fn front(&self) -> usize {
        self.held.as_ref().map_or(self.front, |(_, front)| *front)
    }

    /// First position whose text is still needed.
    pub const fn keep(&self) -> usize {
        self.front
    }

    /// True while a block is held.
    pub const fn is_holding(&self) -> bool {
        self.held.is_some()
    }

    /// Complete calls so far, held ones too.
    pub const fn completed(&self) -> usize {
        self.complete + self.queued
    }

    /// Moves the front to `to` and says which raw bytes that was.
    fn span(&mut self, to: usize) -> Span {
        let mut raw = to - self.front;
        while let Some(&(at, len)) = self.replaced.front() {
            if at >= to {
                break;
            }
            raw = raw + len - '\u{fffd}'.len_utf8();
            self.replaced.pop_front();
        }
        let span = Span::new(self.raw_front, self.raw_front + raw);
        self.front = to;
        self.raw_front = span.end;
        span
    }

    /// Everything up to `to` is text of the host.
    pub fn text(&mut self, window: &Window, to: usize, sink: &mut dyn Sink) {
        if let Some((items, front)) = &mut self.held {
            if to > *front {
                items.push(Item::Text(to));
                *front = to;
            }
            return;
        }
        if to > self.front {
            let text = window.slice(self.front, to);
            let host = self.host;
            let span = self.span(to);
            match host {
                Host::Content => sink.text(text, span),
                Host::Reasoning => sink.reasoning(text, span),
            }
        }
    }

    /// Content that never entered the window.
    #[inline]
    pub fn pass<S: Sink>(&mut self, text: &str, sink: &mut S) {
        let span = self.span(self.front + text.len());
        sink.text(text, span);
    }

    /// Everything up to `to` is framing of the envelope.
    pub fn framing(&mut self, to: usize, sink: &mut dyn Sink) {
        self.framing_of(FramingOf::Envelope, to, sink);
    }

    /// Everything up to `to` is framing.
    pub fn framing_of(&mut self, of: FramingOf, to: usize, sink: &mut dyn Sink) {
        if let Some((items, front)) = &mut self.held {
            items.push(Item::Framing(to, of));
            *front = to;
        } else if to > self.front {
            let span = self.span(to);
            sink.framing(of, span);
        }
    }

    /// Everything up to `to` is left out.
    pub fn dropped(&mut self, to: usize, reason: DropReason, sink: &mut dyn Sink) {
        if let Some((items, front)) = &mut self.held {
            items.push(Item::Dropped(to, reason));
            *front = to;
            return;
        }
        self.bytes(ByteUse::Dropped { reason }, to, sink);
    }

    fn bytes(&mut self, what: ByteUse, to: usize, sink: &mut dyn Sink) {
        if to > self.front {
            let span = self.span(to);
            sink.bytes(what, span);
        }
    }

    /// A complete call that ends at `to`.
    pub fn call(&mut self, ready: Ready, arguments: Arguments, window: &Window, to: usize, sink: &mut dyn Sink) {
        if let Some((items, front)) = &mut self.held {
            items.push(Item::Call(to, ready, arguments));
            *front = to;
            self.queued += 1;
            return;
        }
        self.host = Host::Content;
        self.begin(self.tools.name(&ready.name), ready.id, ready.body, sink);
        self.arguments(arguments.text(window), sink);
        self.end(to, CallOutcome::Complete, sink);
    }

    /// The head of a call whose arguments follow (eager).
    pub fn begin(&mut self, name: &str, id: Option<String>, body: usize, sink: &mut dyn Sink) {
        self.host = Host::Content;
        if body > self.front {
            let span = self.span(body);
            sink.framing(FramingOf::Call, span);
        }
        let index = self.begun;
        self.begun += 1;
        let written = id.filter(|id| valid_id(id) || (self.ids_hold_names && CallId::holds_name(id)));
        if let (None, None, Mint::Sequential) = (&written, &self.ids, &self.mint) {
            if let Some(id) = FIRST_TEXTS.get(index) {
                sink.call_begin(index, name, id, true);
            } else {
                sink.call_begin(index, name, std::str::from_utf8(&sequential(index)).unwrap_or_default(), true);
            }
            return;
        }
        let (id, minted) = self.identity(index, written);
        sink.call_begin(index, name, &id, minted);
        match &mut self.ids {
            Some(ids) => {
                ids.insert(id);
            }
            None => self.minted.push(id),
        }
    }

    /// The id of call `index`: the model's if it is new, else one that is minted; true for the latter.
    fn identity(&mut self, index: usize, written: Option<String>) -> (String, bool) {
        if let Some(id) = written {
            let ids = self.ids.get_or_insert_with(|| match self.mint {
                Mint::Sequential => (0..index).map(sequential_text).collect(),
                Mint::Source(_) => self.minted.drain(..).collect(),
            });
            if !ids.contains(&id) {
                return (id, false);
            }
        }
        let minted = match &mut self.mint {
            Mint::Sequential => sequential_text(index),
            Mint::Source(source) => source(index),
        };
        let Some(ids) = self.ids.as_ref().filter(|ids| ids.contains(&minted)) else { return (minted, true) };
        // A source that meets a model's id must not make two calls one; nor may the id grow past what surfaces carry.
        let mut id = minted.clone();
        let mut tries = 0_usize;
        while ids.contains(&id) {
            tries += 1;
            let tail = format!("x{tries}");
            let room = minted.floor_char_boundary(ID_BYTES.saturating_sub(tail.len()));
            id = format!("{}{tail}", &minted[..room]);
        }
        (id, true)
    }

    /// A fragment of the arguments of the call begun last.
    #[inline]
    pub fn arguments<S: Sink + ?Sized>(&self, fragment: &str, sink: &mut S) {
        if !fragment.is_empty() {
            sink.arguments(self.begun - 1, fragment);
        }
    }

    /// The call begun last ends at `to`.
    pub fn end(&mut self, to: usize, outcome: CallOutcome, sink: &mut dyn Sink) {
        let index = self.begun - 1;
        self.bytes(ByteUse::Call { index }, to, sink);
        sink.call_end(index, outcome);
        self.complete += usize::from(outcome == CallOutcome::Complete);
    }

    /// Holds back all that follows, until [`Self::release`] or [`Self::refuse`].
    pub fn hold(&mut self) {
        if self.held.is_none() {
            self.held = Some((Vec::new(), self.front));
        }
    }

    /// Lets the held block go as it was decided.
    #[inline]
    pub fn release(&mut self, window: &Window, sink: &mut dyn Sink) {
        if self.held.is_some() {
            self.release_held(window, sink);
        }
    }

    fn release_held(&mut self, window: &Window, sink: &mut dyn Sink) {
        let Some((items, _)) = self.held.take() else { return };
        self.queued = 0;
        for item in items {
            match item {
                Item::Text(to) => self.text(window, to, sink),
                Item::Framing(to, of) => self.framing_of(of, to, sink),
                Item::Dropped(to, reason) => self.bytes(ByteUse::Dropped { reason }, to, sink),
                Item::Call(to, ready, arguments) => self.call(ready, arguments, window, to, sink),
            }
        }
    }

    /// Takes the held block back: nothing of it was decided.
    pub fn refuse(&mut self) {
        self.held = None;
        self.queued = 0;
    }

    /// The finish reason under the end cause `length` or not (semantics 9).
    pub const fn reason(&self, length: bool) -> Finish {
        if length {
            Finish::Length
        } else if self.complete > 0 {
            Finish::ToolCalls
        } else {
            Finish::Stop
        }
    }
}
