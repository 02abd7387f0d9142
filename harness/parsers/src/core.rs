//! The envelope: prose, reasoning spans, blocks and what stands between their units.

use streakstone_model::{
    Block as BlockPolicy, CallOutcome, Delivery, DropReason, End, Grammar, Incomplete, Parallel, ReadOptions, Sink, Truncated,
};

use crate::out::{Host, Mint, Out, Ready};
use crate::row::{Found, LOOK, Row, Token, find};
use crate::tools::{Admission, ToolSet};
use crate::unit::{ArgText, CallObject, Cx, Machine, Named, PyCall, Step, TagUnit, Unit, is_space};
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
    Stop(usize, Option<Span>),
    /// Behind a block's opener; behind its bracket, if that came, which stood there.
    Opener(Option<usize>),
    Unit(Box<Unit>),
    /// Behind a unit or its block.
    Between,
}

/// An open reasoning span.
#[derive(Debug, Clone, Copy)]
struct Span {
    pair: usize,
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

/// Elements of a bracketed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    None,
    Objects,
    Calls,
}

#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of one block, all combinations occur")]
struct Block {
    /// An opener was read, and no closer.
    open: bool,
    list: List,
    /// True if the list stands bare: nothing of it counts before its `]`.
    bare: bool,
    last: Last,
    /// A closer is still to come.
    owed: bool,
    /// A comma was read after the last element.
    comma: bool,
    /// Refused as a whole (`block=all_or_nothing`).
    poisoned: bool,
    /// Last `[` outside a string since the list's own.
    bracket: Option<usize>,
}

const NO_BLOCK: Block =
    Block { open: false, list: List::None, bare: false, last: Last::None, owed: false, comma: false, poisoned: false, bracket: None };

/// Whether to go on at once.
#[derive(PartialEq, Eq)]
enum Flow {
    Go,
    Wait,
}

pub(crate) struct Core<'a> {
    row: &'static Row,
    tools: &'a ToolSet,
    options: &'a ReadOptions,
    /// False if no name is admissible: then nothing is a unit.
    admits: bool,
    window: Window,
    cur: usize,
    state: State,
    block: Block,
    /// The block before the candidate being read, for the case that it fails.
    before: Block,
    /// How the text ended, once it has.
    end: Option<End>,
    out: Out,
    /// True if a delta without a marker's first byte can pass untouched.
    plain: bool,
    /// A marker that the last delta cut: where it begins, and the shortest it may become.
    awaited: Option<(usize, &'static str)>,
    /// True if no cap on the length of a unit is set, so that deltas inside one may pass it by.
    absorbs: bool,
    steps: u64,
}

impl<'a> Core<'a> {
    pub fn new(row: &'static Row, tools: &'a ToolSet, options: &'a ReadOptions, mint: Mint) -> Self {
        let mut core = Self {
            row,
            tools,
            options,
            admits: tools.admits_any(options),
            window: Window::default(),
            cur: 0,
            state: State::Prose,
            block: NO_BLOCK,
            before: NO_BLOCK,
            end: None,
            out: Out::new(mint),
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
        let prompt = self.options.reasoning_open && !self.row.dialect.reasoning.is_empty();
        self.awaited = None;
        self.state = if prompt { State::Reasoning(Span { pair: 0, prompt: true, fresh: true }) } else { State::Prose };
        self.out.host = if prompt { Host::Reasoning } else { Host::Content };
        self.plain = !prompt;
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
        matches!(self.state, State::Unit(_) | State::Opener(_)) || self.out.is_holding()
    }

    /// One U+FFFD for `raw` bytes.
    pub fn push_replaced(&mut self, raw: usize, sink: &mut dyn Sink) {
        self.out.taken(self.window.end(), 0, Some(raw));
        self.window.push("\u{fffd}");
        self.run(sink);
    }

    /// Text.
    #[inline]
    pub fn push<S: Sink>(&mut self, delta: &str, sink: &mut S) {
        self.out.taken(0, delta.len(), None);
        if self.plain {
            if self.passes(delta.as_bytes()) {
                self.steps += delta.len() as u64;
                self.window.skip(delta.len());
                self.cur += delta.len();
                self.out.pass(delta, sink);
                return;
            }
        } else if self.absorbs
            && let State::Unit(unit) = &mut self.state
            && self.cur == self.window.end()
            && unit.absorb(delta)
        {
            // Most of a call is the inside of one string: no state can change there.
            self.steps += delta.len() as u64;
            self.cur += delta.len();
            self.window.push(delta);
            if unit.sent {
                // The model's own bytes are their own fragment.
                let raw = matches!(unit.head.args, ArgText::Raw { .. });
                let fragment = if raw { delta } else { unit.fragment(&self.window, self.cur, false) };
                self.out.arguments(fragment, sink);
                unit.sent_len += fragment.len();
            }
            return;
        }
        self.window.push(delta);
        if self.continues_marker(delta) {
            self.steps += delta.len() as u64;
            return;
        }
        self.run(sink);
    }

    /// True if a cut marker goes on with `delta`, which the window holds already, and is still cut.
    #[inline]
    fn continues_marker(&self, delta: &str) -> bool {
        self.awaited.is_some_and(|(at, word)| {
            let end = self.window.end() - at;
            end < word.len() && self.absorbs && word.as_bytes()[end - delta.len()..].starts_with(delta.as_bytes())
        })
    }

    /// True if nothing in the delta can matter to what follows it.
    #[inline]
    fn passes(&self, delta: &[u8]) -> bool {
        delta.last().is_some_and(|&b| b != b'\n') && self.row.find_first(delta).is_none()
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
                State::Stop(at, span) => {
                    let (at, span) = (*at, *span);
                    self.stop(at, span, sink)
                }
                State::Opener(bracket) => {
                    let bracket = *bracket;
                    self.opener(bracket, sink)
                }
                State::Unit(_) => self.unit(sink),
                State::Between => self.between(sink),
            };
            if flow == Flow::Wait {
                break;
            }
        }
        self.window.release(self.out.keep());
        self.plain = self.window.is_empty() && matches!(self.state, State::Prose) && !self.out.is_holding();
    }

    /// The marker at `at`, of those that mean something now.
    fn marker(&mut self, at: usize) -> Found<'static, Token> {
        let (admits, owed) = (self.admits, self.block.owed);
        let rest = self.window.bytes(at, self.window.end());
        self.steps += LOOK;
        let active = self.row.markers.iter().filter(move |m| match m.token {
            Token::BlockOpen | Token::UnitOpen => admits,
            Token::BlockClose => owed,
            Token::ReasoningOpen(_) | Token::Control | Token::Stop => true,
        });
        let found = find(rest, active.map(|m| (m.text.as_str(), m.token)), self.eof());
        if let Found::Maybe(word) = found {
            self.awaited = Some((at, word));
        }
        found
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

    fn prose(&mut self, sink: &mut dyn Sink) -> Flow {
        let end = self.window.end();
        loop {
            let rest = self.window.bytes(self.cur, end);
            let Some(run) = self.row.find_first(rest) else {
                self.steps += rest.len() as u64;
                self.cur = end;
                let to = if self.eof() { end } else { self.lead(end, self.row.dialect.lead) };
                self.text(to, sink);
                return Flow::Wait;
            };
            let first = rest[run];
            self.steps += run as u64 + 1;
            let at = self.cur + run;
            self.cur = at;
            let lead = self.lead(at, self.row.dialect.lead);
            match self.marker(at) {
                Found::Maybe(_) => {
                    self.text(lead, sink);
                    return Flow::Wait;
                }
                Found::Yes(token, len) => {
                    let owned = if matches!(token, Token::BlockOpen | Token::UnitOpen) { lead } else { at };
                    return self.enter(token, at, len, owned, sink);
                }
                Found::No if self.row.bare && self.admits && first == b'[' => {
                    return self.open_bare(lead, sink);
                }
                Found::No => self.cur = at + 1,
            }
        }
    }

    /// A marker stands at `at` in prose or behind a unit. What is before `owned` is text.
    fn enter(&mut self, token: Token, at: usize, len: usize, owned: usize, sink: &mut dyn Sink) -> Flow {
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
                self.block = Block { open: true, owed: true, ..NO_BLOCK };
                self.cur = at + len;
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
                self.state = State::Unit(Box::new(Unit::new(Machine::Tags(TagUnit::new()), self.out.front())));
            }
            Token::BlockClose => {
                if self.block.last == Last::Taken && !self.block.poisoned {
                    self.text(owned, sink);
                    self.out.framing(at + len, sink);
                } else {
                    self.text(at + len, sink);
                }
                self.cur = at + len;
                self.block.open = false;
                self.block.owed = false;
                self.block.list = List::None;
                self.end_block(sink);
            }
            Token::Control => {
                self.text(owned, sink);
                self.cur = at + len;
                self.out.framing(self.cur, sink);
            }
            Token::Stop => {
                self.text(owned, sink);
                self.cur = at + len;
                self.state = State::Stop(self.cur, None);
            }
        }
        Flow::Go
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
        if self.options.policies.block == BlockPolicy::AllOrNothing && self.out.is_holding() {
            self.out.refuse();
            self.text(to, sink);
            self.block.poisoned = self.block.open;
        }
    }

    /// A `[` that may open a bare list.
    fn open_bare(&mut self, owned: usize, sink: &mut dyn Sink) -> Flow {
        self.end_block(sink);
        self.text(owned, sink);
        self.before = self.block;
        self.block = Block { open: true, bare: true, ..NO_BLOCK };
        self.out.hold();
        self.state = State::Opener(None);
        Flow::Go
    }

    fn reasoning(&mut self, span: Span, sink: &mut dyn Sink) -> Flow {
        let end = self.window.end();
        let pair = &self.row.dialect.reasoning[span.pair];
        if span.fresh {
            if span.prompt && self.cur == 0 {
                match find(self.window.bytes(0, end), std::iter::once((pair.open, ())), self.eof()) {
                    Found::Maybe(_) => return Flow::Wait,
                    Found::Yes((), len) => {
                        self.cur = len;
                        self.out.framing(len, sink);
                    }
                    Found::No => {}
                }
            }
            match self.window.bytes(self.cur, end).first() {
                None if !self.eof() => return Flow::Wait,
                Some(b'\n') => {
                    self.cur += 1;
                    self.out.framing(self.cur, sink);
                }
                _ => {}
            }
            self.state = State::Reasoning(Span { fresh: false, ..span });
        }
        let units = span.prompt && self.row.dialect.call_ends_reasoning && self.admits;
        loop {
            let rest = self.window.bytes(self.cur, end);
            let Some(run) = self.row.find_first(rest) else {
                self.steps += rest.len() as u64;
                self.cur = end;
                let to = if self.eof() { end } else { self.lead(end, 1) };
                self.text(to, sink);
                return Flow::Wait;
            };
            self.steps += run as u64 + 1;
            let at = self.cur + run;
            self.cur = at;
            let lead = self.lead(at, 1);
            let rest = &rest[run..];
            let closer = find(rest, std::iter::once((pair.close, ())), self.eof());
            if let Found::Yes((), len) = closer {
                self.text(lead, sink);
                self.cur = at + len;
                self.out.framing(self.cur, sink);
                self.out.host = Host::Content;
                self.state = State::AfterReasoning;
                return Flow::Go;
            }
            self.steps += LOOK;
            let active = self.row.markers.iter().filter(|m| match m.token {
                Token::BlockOpen | Token::UnitOpen => units,
                Token::Control | Token::Stop => true,
                Token::BlockClose | Token::ReasoningOpen(_) => false,
            });
            match find(rest, active.map(|m| (m.text.as_str(), m.token)), self.eof()) {
                Found::Maybe(_) => {
                    self.text(lead, sink);
                    return Flow::Wait;
                }
                Found::Yes(Token::Stop, len) => {
                    self.text(at, sink);
                    self.cur = at + len;
                    self.state = State::Stop(self.cur, Some(Span { fresh: false, ..span }));
                    return Flow::Go;
                }
                Found::Yes(Token::Control, len) => {
                    self.text(at, sink);
                    self.cur = at + len;
                    self.out.framing(self.cur, sink);
                }
                Found::Yes(token, len) => return self.enter(token, at, len, lead, sink),
                Found::No if matches!(closer, Found::Maybe(_)) => {
                    self.text(lead, sink);
                    return Flow::Wait;
                }
                Found::No => self.cur = at + 1,
            }
        }
    }

    fn after_reasoning(&mut self, sink: &mut dyn Sink) -> Flow {
        let rest = self.window.bytes(self.cur, self.window.end());
        let run = rest.iter().position(|&b| !is_space(b));
        self.cur += run.unwrap_or(rest.len());
        self.steps += run.unwrap_or(rest.len()) as u64 + 1;
        self.out.framing(self.cur, sink);
        if run.is_none() {
            return Flow::Wait;
        }
        self.block = NO_BLOCK;
        self.state = State::Prose;
        Flow::Go
    }

    fn stop(&mut self, at: usize, span: Option<Span>, sink: &mut dyn Sink) -> Flow {
        let end = self.window.end();
        let rest = self.window.bytes(self.cur, end);
        let run = rest.iter().position(|&b| !is_space(b)).unwrap_or(rest.len());
        self.cur += run;
        self.steps += run as u64 + 1;
        if self.cur < end || self.cur - at > SPACE_AFTER_CALL {
            // Text follows, so the token is text too.
            self.text(at, sink);
            self.cur = at;
            self.state = span.map_or(State::Prose, State::Reasoning);
            return Flow::Go;
        }
        if self.eof() {
            if span.is_none() && self.block.last == Last::Taken {
                self.out.framing(end, sink);
            } else {
                self.out.framing(at, sink);
                self.text(end, sink);
            }
        }
        Flow::Wait
    }

    /// Behind a block's opener, or at a bare bracket.
    fn opener(&mut self, bracket: Option<usize>, sink: &mut dyn Sink) -> Flow {
        let rest = self.window.bytes(self.cur, self.window.end());
        let run = rest.iter().position(|&b| !is_space(b));
        self.cur += run.unwrap_or(rest.len());
        self.steps += run.unwrap_or(rest.len()) as u64 + 1;
        let b = run.map(|run| rest[run]);
        // The list's own bracket is the opener of a bare list; of a marked one it may begin a marker.
        let inner = bracket.filter(|_| !self.block.bare);
        let Some(b) = b else {
            return if self.eof() { self.fail(self.cur, Incomplete::Truncated, inner, sink) } else { Flow::Wait };
        };
        let objects = match &self.row.dialect.grammar {
            Grammar::JsonObject(_) => b == b'{',
            Grammar::Mistral { .. } if bracket.is_none() && Named::starts_name(b) => {
                return self.begin(Machine::Named(Named::new(false)));
            }
            Grammar::PythonList { .. } if bracket.is_some() && (b.is_ascii_alphabetic() || b == b'_' || b >= 0x80) => {
                self.block.list = List::Calls;
                return self.begin(Machine::Python(PyCall::new()));
            }
            // Marked lists may hold JSON (B8); a bare one is Python.
            Grammar::PythonList { .. } => bracket.is_some() && b == b'{' && !self.block.bare,
            Grammar::Mistral { .. } | Grammar::BareJsonList => bracket.is_some() && b == b'{',
            Grammar::TagEquals { .. } | Grammar::InvokeTyped(_) => return self.begin(Machine::Tags(TagUnit::new())),
        };
        if objects {
            if bracket.is_some() {
                self.block.list = List::Objects;
            }
            let bare = matches!(self.row.dialect.grammar, Grammar::BareJsonList);
            return self.begin(Machine::Object(CallObject::new(bare)));
        }
        let list = !matches!(self.row.dialect.grammar, Grammar::JsonObject(_));
        if b == b'[' && list && bracket.is_none() {
            self.state = State::Opener(Some(self.cur));
            self.cur += 1;
            return Flow::Go;
        }
        self.fail(self.cur, Incomplete::Malformed, inner, sink)
    }

    fn begin(&mut self, machine: Machine) -> Flow {
        let mut unit = Unit::new(machine, self.out.front());
        unit.bracket = self.block.bracket;
        self.state = State::Unit(Box::new(unit));
        Flow::Go
    }

    /// The delivery in force.
    fn delivery(&self) -> Delivery {
        if self.block.bare || self.options.policies.block == BlockPolicy::AllOrNothing {
            Delivery::Validated
        } else {
            self.options.policies.delivery
        }
    }

    fn unit(&mut self, sink: &mut dyn Sink) -> Flow {
        let State::Unit(mut unit) = std::mem::replace(&mut self.state, State::Between) else { return Flow::Go };
        let limit = unit.start.saturating_add(self.options.caps.hold);
        let end = self.window.end();
        let capped = limit < end;
        let mut cx = Cx {
            window: &self.window,
            end: if capped { self.window.boundary(limit) } else { end },
            row: self.row,
            tools: self.tools,
            options: self.options,
            delivery: self.delivery(),
            steps: &mut self.steps,
            awaited: None,
        };
        let mut cur = self.cur;
        let mut step = unit.advance(&mut cx, &mut cur);
        self.awaited = cx.awaited;
        if step == Step::More && capped {
            step = Step::cap(cx.end);
        }
        let mut over = false;
        if step == Step::More
            && let Some(end) = self.end
        {
            over = true;
            if end != End::Length && unit.ends_here(&mut cx, &mut cur) {
                step = Step::Complete;
            }
        }
        self.cur = cur;
        self.send(&mut unit, step, sink);
        match step {
            Step::Complete => self.complete(&mut unit, sink),
            Step::Fail { resume, why } => self.refuse(&unit, resume, why, sink),
            Step::More if over => self.cut(unit, sink),
            Step::More => {
                self.state = State::Unit(unit);
                Flow::Wait
            }
        }
    }

    /// True if one more call may go out.
    fn refusal(&self) -> Option<DropReason> {
        if self.out.completed() >= 1 && self.options.policies.parallel == Parallel::First {
            Some(DropReason::Parallel)
        } else if self.out.completed() >= self.options.caps.calls {
            Some(DropReason::CallCap)
        } else {
            None
        }
    }

    /// Eager: head and fragments as far as they are sure.
    fn send(&mut self, unit: &mut Unit, step: Step, sink: &mut dyn Sink) {
        if self.delivery() != Delivery::Eager {
            return;
        }
        if !unit.sent {
            let Some(Admission::Call { name, .. }) = &unit.head.admission else { return };
            if !unit.head.ready || self.refusal().is_some() {
                return;
            }
            self.out.begin(name, unit.head.id.take(), unit.head.body, sink);
            unit.sent = true;
        }
        let fragment = unit.fragment(&self.window, self.cur, step == Step::Complete);
        self.out.arguments(fragment, sink);
        unit.sent_len += fragment.len();
    }

    /// The unit's body closed at `cur`.
    fn complete(&mut self, unit: &mut Unit, sink: &mut dyn Sink) -> Flow {
        let to = self.cur;
        let reasoning = self.out.host == Host::Reasoning;
        self.block.bracket = unit.bracket.filter(|_| self.block.bare);
        self.block.comma = false;
        let refusal = self.refusal();
        let admission = if self.block.poisoned { None } else { unit.head.admission.take() };
        self.block.last = match admission {
            Some(Admission::Call { .. }) if unit.sent => {
                self.out.end(to, CallOutcome::Complete, sink);
                Last::Taken
            }
            Some(Admission::Call { name, .. }) => {
                if let Some(reason) = refusal {
                    self.out.host = Host::Content;
                    self.out.dropped(to, reason, sink);
                } else {
                    let head = Ready { name, id: unit.head.id.take(), body: unit.head.body };
                    self.out.call(head, unit.fragment(&self.window, to, true), to, sink);
                }
                Last::Taken
            }
            Some(Admission::Drop) if !reasoning => {
                self.out.dropped(to, DropReason::Undeclared, sink);
                Last::Taken
            }
            Some(Admission::Drop | Admission::Text) | None => {
                self.text(to, sink);
                self.poison(to, sink);
                Last::Text
            }
        };
        if reasoning && self.block.last == Last::Text {
            self.block = self.before;
            self.state = State::Reasoning(Span { pair: 0, prompt: true, fresh: false });
            return Flow::Go;
        }
        if !self.block.open {
            // A unit without its block's opener is a block of its own.
            self.end_block(sink);
        }
        self.state = State::Between;
        Flow::Go
    }

    /// The unit is none.
    fn refuse(&mut self, unit: &Unit, resume: usize, why: Incomplete, sink: &mut dyn Sink) -> Flow {
        if !unit.sent {
            return self.fail(resume, why, unit.bracket, sink);
        }
        let resume = self.resume(resume, unit.bracket);
        self.out.end(resume, CallOutcome::Incomplete { reason: why }, sink);
        self.block = self.before;
        self.cur = resume;
        self.state = State::Prose;
        Flow::Go
    }

    /// Where reading goes on after a candidate failed at `at` (semantics 2): the latest place outside a string where an
    /// opener began, else the failing byte.
    fn resume(&self, at: usize, bracket: Option<usize>) -> usize {
        let Some(bracket) = bracket.filter(|&b| b < at) else { return at };
        match &self.row.dialect.grammar {
            _ if self.row.bare => {
                let here = at < self.window.end() && self.window.bytes(at, at + 1) == b"[";
                if here { at } else { bracket }
            }
            Grammar::Mistral { open, .. } if open.as_bytes().starts_with(self.window.bytes(bracket, at)) => bracket,
            _ => at,
        }
    }

    /// The candidate failed at `at`; all up to the place where reading goes on is text of the host.
    fn fail(&mut self, at: usize, why: Incomplete, bracket: Option<usize>, sink: &mut dyn Sink) -> Flow {
        let resume = self.resume(at, bracket);
        debug_assert!(resume >= self.out.keep(), "{why:?}");
        let reasoning = self.out.host == Host::Reasoning;
        if self.block.bare {
            self.out.refuse();
            self.block = self.before;
        }
        if self.out.is_holding() && self.block.open {
            // Under `all_or_nothing` the rest of the block is text too, up to its closer.
            self.poison(resume, sink);
            self.block.last = Last::Text;
        } else {
            self.out.refuse();
            if self.block.last == Last::None {
                // No unit of the block counted: it never was one.
                self.block = self.before;
            }
            self.text(resume, sink);
        }
        self.cur = resume;
        self.state = if reasoning { State::Reasoning(Span { pair: 0, prompt: true, fresh: false }) } else { State::Prose };
        Flow::Go
    }

    /// The text ended inside the unit (semantics 8).
    fn cut(&mut self, mut unit: Box<Unit>, sink: &mut dyn Sink) -> Flow {
        let end = self.window.end();
        let eager = self.delivery() == Delivery::Eager;
        let policy = self.options.policies.truncated;
        let may_repair = self.end == Some(End::Stop) && policy == Truncated::Repair && !self.block.bare && !unit.sent;
        if may_repair {
            let so_far = unit.fragment(&self.window, self.cur, false).to_owned();
            let mut cx = Cx {
                window: &self.window,
                end,
                row: self.row,
                tools: self.tools,
                options: self.options,
                delivery: self.delivery(),
                steps: &mut self.steps,
                awaited: None,
            };
            if unit.repair(&mut cx, self.cur) {
                self.cur = end;
                match &unit.head.admission {
                    // Eager invents no closer: the call is there, and open.
                    Some(Admission::Call { name, .. }) if eager && self.refusal().is_none() && !self.block.poisoned => {
                        self.out.begin(name, unit.head.id.take(), unit.head.body, sink);
                        self.out.arguments(&so_far, sink);
                        unit.sent = true;
                    }
                    _ => return self.complete(&mut unit, sink),
                }
            }
        }
        let named = unit.head.is_call();
        if policy == Truncated::Drop && !unit.sent && self.out.host == Host::Content && !self.block.poisoned {
            let dropped = if self.block.bare { named } else { unit.head.in_body && (named || unit.head.admission.is_none()) };
            if dropped {
                self.cur = end;
                if self.block.bare {
                    self.out.refuse();
                }
                self.out.dropped(end, DropReason::Truncated, sink);
                self.block.last = Last::Taken;
                self.state = State::Between;
                return Flow::Go;
            }
        }
        self.cur = end;
        self.refuse(&unit, end, Incomplete::Truncated, sink)
    }

    fn between(&mut self, sink: &mut dyn Sink) -> Flow {
        let end = self.window.end();
        let rest = self.window.bytes(self.cur, end);
        let run = rest.iter().position(|&b| !is_space(b)).unwrap_or(rest.len());
        let at = self.cur + run;
        self.steps += run as u64 + 1;
        let front = self.out.front();
        if at - front > SPACE_AFTER_CALL {
            return self.leave(front, sink);
        }
        let Some(&b) = rest.get(run) else {
            if self.eof() {
                self.over(end, sink);
            }
            self.cur = at;
            return Flow::Wait;
        };
        let taken = self.block.last == Last::Taken;
        if self.block.open {
            match (self.block.list, b) {
                (List::Objects | List::Calls, b',') if !self.block.comma => {
                    self.block.comma = true;
                    self.cur = at + 1;
                    return Flow::Go;
                }
                (List::Objects | List::Calls, b']') => {
                    self.cur = at + 1;
                    if taken {
                        self.out.framing(self.cur, sink);
                    } else {
                        self.text(self.cur, sink);
                    }
                    self.block.list = List::None;
                    if self.block.bare {
                        self.out.release(&self.window, sink);
                        self.block.bare = false;
                        self.block.open = false;
                        self.block.owed = true;
                    }
                    return Flow::Go;
                }
                (List::Objects, b'{') => return self.element(at, Machine::Object(CallObject::new(self.block.bare))),
                (List::Calls, _) if self.block.comma && (b.is_ascii_alphabetic() || b == b'_' || b >= 0x80) => {
                    return self.element(at, Machine::Python(PyCall::new()));
                }
                (List::None, b'{') if matches!(self.row.dialect.grammar, Grammar::JsonObject(_)) => {
                    return self.element(at, Machine::Object(CallObject::new(false)));
                }
                (List::None, _) if matches!(self.row.dialect.grammar, Grammar::Mistral { .. }) && Named::starts_name(b) => {
                    return self.element(at, Machine::Named(Named::new(true)));
                }
                _ => {}
            }
        }
        match self.marker(at) {
            Found::Maybe(_) => {
                self.cur = at;
                Flow::Wait
            }
            // A bare list that did not close counts for nothing.
            _ if self.block.bare => self.fail(at, Incomplete::Malformed, self.block.bracket, sink),
            Found::Yes(marker, len) => {
                let owned = match marker {
                    // The separator of two units of one block belongs to the second.
                    Token::UnitOpen if self.block.open => front,
                    Token::BlockClose | Token::BlockOpen | Token::UnitOpen | Token::Control | Token::Stop if taken => front,
                    Token::BlockOpen | Token::UnitOpen => self.lead(at, self.row.dialect.lead),
                    _ => at,
                };
                if marker != Token::Control {
                    self.state = State::Prose;
                }
                let closes = marker == Token::BlockClose;
                let flow = self.enter(marker, at, len, owned, sink);
                if closes {
                    self.state = if taken { State::Between } else { State::Prose };
                }
                flow
            }
            Found::No if self.row.bare && self.admits && b == b'[' => {
                let owned = if taken { front } else { self.lead(at, self.row.dialect.lead) };
                self.cur = at;
                self.open_bare(owned, sink)
            }
            Found::No => self.leave(at, sink),
        }
    }

    /// The next element of the block begins at `at`; it owns all from the front.
    fn element(&mut self, at: usize, machine: Machine) -> Flow {
        self.cur = at;
        self.before = self.block;
        self.begin(machine)
    }

    /// What follows the unit is neither white space nor syntax: prose, scanned from `at`.
    fn leave(&mut self, at: usize, sink: &mut dyn Sink) -> Flow {
        if self.block.bare {
            return self.fail(at, Incomplete::Malformed, self.block.bracket, sink);
        }
        self.cur = at;
        if self.block.open {
            self.poison(at, sink);
        }
        // What was held of a block that was not refused goes out once it is over; stray text alone does not end one.
        self.block.list = List::None;
        self.state = State::Prose;
        Flow::Go
    }

    /// The text ended behind a unit.
    fn over(&mut self, end: usize, sink: &mut dyn Sink) {
        if self.block.bare {
            self.cur = end;
            self.fail(end, Incomplete::Truncated, self.block.bracket, sink);
            self.run(sink);
            return;
        }
        if self.block.last == Last::Taken && !self.block.comma && !self.block.poisoned {
            self.out.framing(end, sink);
        } else {
            // A separator that nothing followed belongs to no unit.
            self.text(end, sink);
        }
    }

    /// The text is over: a block still held is decided.
    fn settle(&mut self, sink: &mut dyn Sink) {
        let end = self.window.end();
        // Under `all_or_nothing` an unclosed Python list is text (T32); so is any block that the length limit may have cut
        // before what refuses it.
        let unclosed = self.end == Some(End::Length) || matches!(self.row.dialect.grammar, Grammar::PythonList { .. });
        if self.block.open && unclosed {
            self.poison(end, sink);
        }
        self.end_block(sink);
    }
}
