//! The envelope: prose, reasoning spans, blocks and what stands between their units.

mod between;
mod channels;
mod prose;
mod reasoning;
mod short;
mod units;

use streakstone_model::{Block as BlockPolicy, End, FramingOf, IdPlacement, Incomplete, MessageRole, ReadOptions, Sink};

use self::channels::{Header, Within};
use crate::family::{self, List, is_weak};
use crate::out::{Host, Mint, Out};
use crate::row::{Found, LOOK, Row, Token, channels_of};
use crate::scan::JsonScan;
use crate::token::SpecialTokens;
use crate::tools::ToolSet;
use crate::unit::{ArgText, Unit, is_space};
use crate::window::Window;

/// White space after a call that may still turn out to be framing; a longer run is content (semantics 3).
const SPACE_AFTER_CALL: usize = 256;

/// What the text is at `cur`.
enum State {
    Prose,
    Reasoning(Span),
    /// White space behind a reasoning span is framing.
    AfterReasoning,
    /// A stop token ended here; it is framing if nothing but white space follows.
    Stop {
        at: usize,
        span: Option<Span>,
        /// True if nothing but white space stands between a call and it.
        behind_call: bool,
    },
    /// Behind a block's opener; behind its bracket, if that came, which stood there.
    Opener(Option<usize>),
    Unit(Box<Unit>),
    /// Behind a unit or its block.
    Between,
    /// Behind an opener of several rows (`auto`), of the first length, and white space, of the second.
    Choose(usize, usize),
    /// Behind the list of an object that wraps it: the rest of the object.
    Tail(Box<JsonScan>),
    /// At the start of a reply of messages: what the prompt left open may go on.
    Prompt,
    /// In the header of a message.
    Header(Box<Header>),
    /// Behind a header: what the template or the tokenizer writes before the body of this role.
    Body(Box<Header>, MessageRole),
    /// In a message of reasoning; true before its first byte.
    Thought(bool),
}

/// An open reasoning span.
#[derive(Debug, Clone, Copy)]
struct Span {
    pair: u8,
    /// True if the prompt opened it.
    prompt: bool,
    /// True before its first byte.
    fresh: bool,
}

/// What the last unit of a block became; the block's closer goes with it (semantics 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    None,
    /// A call, or left out on purpose: what it owns is no content.
    Taken,
    Text,
}

#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of one block, all combinations occur")]
struct Block {
    /// An opener was read, and no closer.
    open: bool,
    list: List,
    /// True if the list or object stands bare: nothing of it counts before it has closed.
    bare: bool,
    /// True if the list stands in an object.
    wrapped: bool,
    last: Last,
    /// A closer is still to come.
    owed: bool,
    /// A comma was read after the last element.
    comma: bool,
    /// Closers of the last unit's own that may still come, also behind the block's.
    late_close: usize,
    /// The fence around the last unit's body that may still close, directly behind it.
    fence: Option<&'static str>,
    /// What frames the last unit may still be closed.
    framed: bool,
    /// Refused as a whole (`block=all_or_nothing`).
    poisoned: bool,
    /// Last place outside a string where an opener may have begun, since the block's own.
    bracket: Option<usize>,
}

const NO_BLOCK: Block = Block {
    open: false,
    list: List::None,
    bare: false,
    wrapped: false,
    last: Last::None,
    owed: false,
    comma: false,
    late_close: 0,
    fence: None,
    framed: false,
    poisoned: false,
    bracket: None,
};

/// Whether to go on at once.
#[derive(PartialEq, Eq)]
enum Flow {
    Go,
    Wait,
}

pub(crate) struct Core<'a> {
    /// The row in force: the reply's own, or the one of `auto` that the last opener belongs to.
    row: &'static Row,
    /// The reply's own.
    home: &'static Row,
    tools: &'a ToolSet,
    options: &'a ReadOptions,
    /// False if no name is admissible: then nothing is a unit.
    admits: bool,
    window: Window,
    cur: usize,
    state: State,
    /// The last unit's box and buffers, for the next one.
    spare: Option<Box<Unit>>,
    block: Block,
    /// The block before the candidate being read, for the case that it fails.
    before: Block,
    /// The message that prose and units stand in, in rows of messages.
    within: Within,
    /// Where the word stands in the header before the next unit that names its tool: it belongs to that call.
    named_at: Option<usize>,
    /// How the text ended, once it has.
    end: Option<End>,
    out: Out<'a>,
    /// True if a delta without a marker's first byte can pass untouched.
    plain: bool,
    /// A marker that the last delta cut: where it begins, and the shortest it may become.
    awaited: Option<(usize, &'static str)>,
    /// True if no cap on the length of a unit is set, so that deltas inside one may pass it by.
    absorbs: bool,
    steps: u64,
}

/// True for the tokens of a message's header.
const fn is_message(token: Token) -> bool {
    matches!(token, Token::MessageOpen | Token::MessageEnd(_))
}

impl<'a> Core<'a> {
    pub fn new(row: &'static Row, tools: &'a ToolSet, options: &'a ReadOptions, mint: Mint) -> Self {
        let mut core = Self {
            row,
            home: row,
            tools,
            options,
            admits: tools.admits_any(options),
            window: Window::new(row),
            cur: 0,
            state: State::Prose,
            spare: None,
            block: NO_BLOCK,
            before: NO_BLOCK,
            within: Within::None,
            named_at: None,
            end: None,
            out: Out::new(mint, row.dialect.ids == IdPlacement::WithName, tools),
            plain: false,
            awaited: None,
            absorbs: options.caps.hold == usize::MAX,
            steps: 0,
        };
        core.start();
        core
    }

    /// Sets up for a reply.
    fn start(&mut self) {
        self.go_home();
        let prompt = self.options.reasoning_open && !self.row.dialect.reasoning.is_empty();
        self.awaited = None;
        let messages = channels_of(self.row.dialect).is_some();
        self.state = match (messages, prompt) {
            (true, true) => State::Thought(true),
            (true, false) => State::Prompt,
            (false, true) => State::Reasoning(Span { pair: 0, prompt: true, fresh: true }),
            (false, false) => State::Prose,
        };
        self.within = Within::None;
        self.named_at = None;
        self.out.host = if prompt { Host::Reasoning } else { Host::Content };
        self.plain = matches!(self.state, State::Prose) && !self.at_first_line();
    }

    /// Reads on by `row`.
    fn take_row(&mut self, row: &'static Row) {
        self.row = row;
        self.out.ids_hold_names = row.dialect.ids == IdPlacement::WithName;
    }

    /// Outside any block the reply's own row is in force.
    fn go_home(&mut self) {
        if !std::ptr::eq(self.row, self.home) {
            self.take_row(self.home);
        }
    }

    pub const fn steps(&self) -> u64 {
        self.steps
    }

    /// Raw bytes without a span.
    pub const fn pending(&self) -> usize {
        self.out.pending()
    }

    /// True while a unit, or a block that counts as a whole, is open.
    pub fn unit_open(&self) -> bool {
        matches!(self.state, State::Unit(_) | State::Opener(_) | State::Tail(_) | State::Header(_) | State::Body(..) | State::Choose(..))
            || self.out.is_holding()
            || self.in_short_call()
    }

    /// One U+FFFD for `raw` bytes.
    pub fn push_replaced(&mut self, raw: usize, sink: &mut dyn Sink) {
        self.out.taken(self.window.end(), 0, Some(raw));
        self.window.push("\u{fffd}");
        self.run(sink);
    }

    pub fn expect_specials(&mut self, known: SpecialTokens) {
        self.window.expect_specials(known);
    }

    /// The spelling of a special token.
    pub fn special(&self, id: u32) -> Option<&str> {
        self.window.special(id)
    }

    /// A special token.
    pub fn push_special<S: Sink>(&mut self, text: &str, sink: &mut S) {
        self.window.announce(text.len());
        self.push(text, sink);
    }

    /// Text.
    #[inline]
    pub fn push<S: Sink>(&mut self, mut delta: &str, sink: &mut S) {
        self.out.taken(0, delta.len(), None);
        if self.plain {
            let passed = self.passes(delta.as_bytes());
            if passed > 0 {
                self.steps += passed as u64;
                self.window.skip(passed);
                self.cur += passed;
                self.out.pass(&delta[..passed], sink);
                if passed == delta.len() {
                    return;
                }
                delta = &delta[passed..];
            }
        } else if self.absorbs
            && let State::Unit(unit) = &mut self.state
            && self.cur == self.window.end()
            && unit.absorb(delta, self.cur)
        {
            // Most of a call is the inside of one string: no state can change there.
            self.steps += delta.len() as u64;
            self.cur += delta.len();
            unit.take_in(&mut self.window, delta);
            if unit.sent {
                // The model's own bytes are their own fragment.
                let raw = matches!(unit.head.args, ArgText::Raw { .. }) && !unit.held;
                let fragment = if raw { delta } else { unit.fragment(&self.window, self.cur, false) };
                self.out.arguments(fragment, sink);
                unit.sent_len += fragment.len();
            }
            return;
        }
        match &mut self.state {
            State::Unit(unit) => unit.take_in(&mut self.window, delta),
            _ => {
                self.window.push(delta);
            }
        }
        if self.continues_marker(delta) {
            self.steps += delta.len() as u64;
            return;
        }
        if matches!(self.state, State::Unit(_)) {
            self.awaited = None;
            if self.unit(sink) == Flow::Wait {
                // Nothing else can have changed.
                return;
            }
        }
        self.run(sink);
    }

    /// `rest` of a long delta follows, piece by piece. What of it cannot end the unit is kept for sure: room for it is made once, and none for what
    /// may be prose behind the unit. Growing by doubling touched three times the memory of an argument of 300 KB.
    pub fn make_room(&mut self, rest: &str, piece: usize) {
        /// Less than that is no long argument.
        const LONG: usize = 4096;
        if self.absorbs
            && let State::Unit(unit) = &mut self.state
            && self.cur == self.window.end()
            && !self.window.has_room(rest.len().min(LONG))
        {
            let inside = unit.inside(rest.as_bytes(), self.window.is_plain());
            if inside >= LONG {
                // The piece in which it ends must not make it grow either.
                self.window.reserve((inside + piece).min(rest.len()));
                unit.reserve(inside);
            }
        }
    }

    /// True if a cut marker goes on with `delta`, which the window holds already, and is still cut.
    #[inline]
    fn continues_marker(&self, delta: &str) -> bool {
        self.awaited.is_some_and(|(at, word)| {
            let end = self.window.end() - at;
            end < word.len() && self.absorbs && word.as_bytes()[end - delta.len()..].starts_with(delta.as_bytes())
        })
    }

    /// How much of a delta of prose passes untouched: all before what could begin something, and before the newlines that this
    /// would own. It never enters the window, so that a long delta is not copied.
    #[inline]
    fn passes(&self, delta: &[u8]) -> usize {
        let run = self.row.find_start(delta, self.any_bare()).unwrap_or(delta.len());
        let lead = delta[..run].iter().rev().take(self.row.dialect.lead).take_while(|&&b| b == b'\n').count();
        run - lead
    }

    /// The text is over.
    pub fn finish(&mut self, end: End, sink: &mut dyn Sink) {
        self.end = Some(end);
        self.run(sink);
        self.settle(sink);
        let reason = self.out.reason(end == End::Length);
        sink.finish(reason);
        // The next reply starts afresh on the same instance.
        self.window.clear();
        self.cur = 0;
        self.block = NO_BLOCK;
        self.before = NO_BLOCK;
        self.end = None;
        self.out.reset();
        self.start();
    }

    const fn eof(&self) -> bool {
        self.end.is_some()
    }

    fn run(&mut self, sink: &mut dyn Sink) {
        self.awaited = None;
        loop {
            let flow = match &mut self.state {
                State::Prose => self.prose(sink),
                State::Reasoning(span) => {
                    let span = *span;
                    self.reasoning(span, sink)
                }
                State::AfterReasoning => self.after_reasoning(sink),
                State::Stop { at, span, behind_call } => {
                    let (at, span, behind_call) = (*at, *span, *behind_call);
                    self.stop(at, span, behind_call, sink)
                }
                State::Opener(bracket) => {
                    let bracket = *bracket;
                    self.opener(bracket, sink)
                }
                State::Unit(_) => self.unit(sink),
                State::Between => self.between(sink),
                State::Choose(len, space) => {
                    let (len, space) = (*len, *space);
                    self.choose(len, space, sink)
                }
                State::Tail(_) => self.tail(sink),
                State::Prompt => self.prompt(),
                State::Header(_) => self.header(sink),
                State::Body(..) => self.body(sink),
                State::Thought(fresh) => {
                    let fresh = *fresh;
                    self.thought(fresh, sink)
                }
            };
            if flow == Flow::Wait {
                break;
            }
        }
        self.window.release(self.out.keep());
        self.plain = self.window.is_empty() && matches!(self.state, State::Prose) && !self.out.is_holding() && !self.at_first_line();
    }

    /// True before the first byte where a call may begin a line.
    const fn at_first_line(&self) -> bool {
        self.row.lines && self.cur == 0
    }

    /// The marker at `at`, of those that mean something now.
    fn marker(&mut self, at: usize) -> Found<'static, Token> {
        let (admits, block) = (self.admits, &self.block);
        let outside = self.within == Within::None;
        let all = self.row.control_opens;
        self.steps += LOOK;
        let likely = self.row.markers_at(self.window.bytes(at, self.window.end()));
        if likely.is_empty() {
            return Found::No;
        }
        let active = |token: Token| match token {
            Token::BlockOpen | Token::UnitOpen => admits || all,
            Token::BlockClose => block.owed,
            Token::UnitClose => block.late_close > 0,
            Token::FrameClose => block.framed,
            Token::MessageEnd(alone) => alone || outside,
            Token::ReasoningOpen(_) | Token::Control | Token::Stop | Token::MessageOpen | Token::MessageClose => true,
        };
        let found = self.window.find_of(at, likely.iter().map(|m| (m.text, m.token)), active, self.eof());
        match found {
            Found::Yes(Token::BlockOpen | Token::UnitOpen, _) if !admits => return Found::No,
            Found::Maybe(word) => self.awaited = Some((at, word)),
            Found::Yes(..) | Found::No => {}
        }
        found
    }

    /// The marker at `at`, where white space ended, or in that white space: some begin with it. And where it begins.
    fn marker_behind_space(&mut self, at: usize) -> (usize, Found<'static, Token>) {
        let most = self.row.spaced.min(at - self.out.front());
        for start in at - most..at {
            if is_space(self.window.bytes(start, at)[0]) {
                let found = self.marker(start);
                if found != Found::No {
                    return (start, found);
                }
            }
        }
        (at, self.marker(at))
    }

    /// Where the newlines directly before `at` begin that a block there would own; at most `most`, none before the front.
    fn lead(&self, at: usize, most: usize) -> usize {
        let mut start = at;
        while at - start < most && start > self.out.front() && self.window.bytes(start - 1, start) == b"\n" {
            start -= 1;
        }
        start
    }

    fn text(&mut self, to: usize, sink: &mut dyn Sink) {
        self.out.text(&self.window, to, sink);
    }

    /// A marker stands at `at` in prose or behind a unit. What is before `owned` is text.
    fn enter(&mut self, token: Token, at: usize, len: usize, owned: usize, sink: &mut dyn Sink) -> Flow {
        match self.row.owners(&self.window, at, at + len) {
            [] => {}
            [(token, row)] if !is_message(*token) => {
                self.take_row(row);
                return self.enter(*token, at, len, owned, sink);
            }
            _ if is_message(token) || matches!(token, Token::BlockOpen | Token::UnitOpen) => {
                self.text(owned, sink);
                self.cur = at + len;
                self.state = State::Choose(len, 0);
                return Flow::Go;
            }
            _ => {}
        }
        match token {
            Token::ReasoningOpen(pair) => {
                self.end_block(sink);
                self.text(at, sink);
                self.cur = at + len;
                self.out.framing(self.cur, sink);
                self.out.host = Host::Reasoning;
                self.state = State::Reasoning(Span { pair, prompt: false, fresh: true });
            }
            Token::BlockOpen => {
                self.end_block(sink);
                self.text(owned, sink);
                self.before = self.block;
                let bare = is_weak(&self.row.dialect.grammar, self.window.slice(at, at + len));
                self.block = Block { open: true, owed: true, bare, ..NO_BLOCK };
                self.cur = at + len;
                if bare {
                    self.out.hold();
                }
                self.hold_block();
                self.state = State::Opener(None);
            }
            Token::UnitOpen => {
                if !self.block.open {
                    self.end_block(sink);
                }
                self.text(owned, sink);
                self.before = self.block;
                if !self.block.open {
                    self.block = Block { owed: true, ..NO_BLOCK };
                    self.hold_block();
                }
                self.cur = at;
                if let Some(machine) = family::unit(&self.row.dialect.grammar) {
                    self.begin_behind(machine, at + len);
                    if let State::Unit(unit) = &mut self.state
                        && unit.opened(self.window.slice(at, at + len), at)
                    {
                        self.cur = at + len;
                    }
                }
            }
            Token::UnitClose => {
                self.block.late_close -= 1;
                self.closer(owned, at + len, sink);
            }
            Token::FrameClose => {
                self.block.framed = false;
                self.closer(owned, at + len, sink);
            }
            Token::BlockClose => {
                self.closer(owned, at + len, sink);
                self.block.framed = false;
                self.block.open = false;
                self.block.owed = false;
                self.block.list = List::None;
                self.end_block(sink);
            }
            Token::MessageOpen | Token::MessageEnd(_) => {
                self.text(owned, sink);
                self.cur = at;
                self.state = State::Header(Box::new(Header::new(at)));
            }
            Token::MessageClose => self.close_message(owned, at + len, sink),
            Token::Control => {
                self.text(owned, sink);
                self.cur = at + len;
                self.out.framing(self.cur, sink);
            }
            Token::Stop => {
                self.text(owned, sink);
                self.cur = at + len;
                self.state = State::Stop { at: self.cur, span: None, behind_call: false };
            }
        }
        Flow::Go
    }

    /// Behind an opener of `len` bytes that several rows have, and `space` bytes of white space: what follows says whose it is.
    fn choose(&mut self, len: usize, space: usize, sink: &mut dyn Sink) -> Flow {
        let at = self.cur - space - len;
        let mut cur = self.cur;
        let b = self.cx(self.window.end()).skip_space(&mut cur);
        let from = std::mem::replace(&mut self.cur, cur);
        if let Some(limit) = self.blank_limit(from) {
            return self.fail(limit, Incomplete::Cap, None, sink);
        }
        if b.is_none() && !self.eof() {
            self.state = State::Choose(len, space + cur - from);
            return Flow::Wait;
        }
        let owners = self.row.owners(&self.window, at, at + len);
        let fits = |(token, row): &&(Token, &'static Row)| b.is_some_and(|b| family::goes_on(&row.dialect.grammar, *token, b));
        // A token of messages says so little that a header must begin behind it.
        let first = owners.first().filter(|(token, _)| !is_message(*token));
        match owners.iter().find(fits).or(first) {
            Some(&(token, row)) => {
                self.take_row(row);
                self.enter(token, at, len, self.out.front(), sink)
            }
            None => self.fail(cur, Incomplete::Malformed, None, sink),
        }
    }

    /// A closer that ends at `to` goes with the last unit: framing behind a call, text behind text (semantics 2). What is before
    /// `owned` is text.
    fn closer(&mut self, owned: usize, to: usize, sink: &mut dyn Sink) {
        if self.block.last == Last::Taken && !self.block.poisoned {
            self.text(owned, sink);
            self.out.framing_of(FramingOf::Call, to, sink);
        } else {
            self.text(to, sink);
        }
        self.cur = to;
    }

    /// Under `block=all_or_nothing`, nothing of a block goes out before it is closed.
    fn hold_block(&mut self) {
        if self.options.policies.block == BlockPolicy::AllOrNothing && self.out.host == Host::Content {
            self.out.hold();
        }
    }

    /// The block is over: what was held of it goes out.
    fn end_block(&mut self, sink: &mut dyn Sink) {
        self.out.release(&self.window, sink);
        self.block.poisoned = false;
        self.block.open = false;
    }

    /// Under `block=all_or_nothing`, something in the block is refused: all of it is text.
    fn poison(&mut self, to: usize, sink: &mut dyn Sink) {
        if self.options.policies.block != BlockPolicy::AllOrNothing || !self.out.is_holding() {
            return;
        }
        if self.block.bare {
            // Whether a bare list is a block at all is known at its `]` only.
            self.block.poisoned = true;
        } else {
            self.out.refuse();
            self.text(to, sink);
            self.block.poisoned = self.block.open;
        }
    }
}
