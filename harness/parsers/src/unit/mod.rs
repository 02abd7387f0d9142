//! One call while it is read: a machine a grammar, all over the same undecided window.
//!
//! A machine moves `cur` forward over bytes it has taken; a place it may have to come back to (a cut marker, a name) it keeps.
//! It decides at byte positions only, so where a delta ends changes nothing.

mod args;
mod braces;
mod elements;
mod message;
mod named;
mod object;
mod pycall;
mod pydict;
mod tags;

use streakstone_model::{Coercion, Delivery, Duplicate, Incomplete, ReadOptions};

use args::Members;
pub(crate) use args::{ArgText, Arguments};
pub(crate) use braces::Braces;
pub(crate) use elements::ElementUnit;
pub(crate) use message::{Message, is_name};
pub(crate) use named::Named;
pub(crate) use object::CallObject;
pub(crate) use pycall::{Glance, PyCall};
pub(crate) use pydict::PyDict;
pub(crate) use tags::TagUnit;

use crate::coerce::{bare_string, rewrite_body, rewrites_bodies};
use crate::row::{Found, LOOK, Look, Row};
pub(crate) use crate::text::is_space;
use crate::text::make_room;
use crate::tools::{Admission, Compiled, Name, ToolSet};
use crate::window::Window;

/// Bytes of room beside a long value, for its closers and a few more members.
const SPARE: usize = 128;

/// Longest buffer that one unit leaves to the next.
const KEPT: usize = 4096;

/// What a machine reads and by which rules.
pub(crate) struct Cx<'a> {
    pub window: &'a Window,
    /// Bytes from here on are not to be read yet.
    pub end: usize,
    pub row: &'static Row,
    pub tools: &'a ToolSet,
    pub options: &'a ReadOptions,
    /// Delivery in force for this unit.
    pub delivery: Delivery,
    pub steps: &'a mut u64,
    /// Set when a tag is cut: where it begins, and the shortest it may become.
    pub awaited: Option<(usize, &'static str)>,
}

impl Cx<'_> {
    /// The undecided bytes from `from`.
    pub fn rest(&self, from: usize) -> &[u8] {
        self.window.bytes(from, self.end)
    }

    /// Moves `cur` over white space; the byte after it, if it has come.
    pub fn skip_space(&mut self, cur: &mut usize) -> Option<u8> {
        let rest = self.window.bytes(*cur, self.end);
        let run = rest.iter().position(|&b| !is_space(b)).unwrap_or(rest.len());
        *cur += run;
        *self.steps += run as u64 + 1;
        rest.get(run).copied()
    }

    /// Looks for one of `words` at `at`.
    pub fn look<T: Copy>(&mut self, at: usize, words: impl Iterator<Item = (&'static str, T)>) -> Found<'static, T> {
        let found = self.window.find_in(at, self.end, words, false);
        self.looked(at, found)
    }

    /// The same for words that `hold` brings one by one, which takes half as long; else for `words`.
    #[inline]
    pub fn look_fast<T: Copy, W: Iterator<Item = (&'static str, T)>>(
        &mut self,
        at: usize,
        hold: impl FnOnce(&mut Look<'_, 'static, T>),
        words: impl FnOnce() -> W,
    ) -> Found<'static, T> {
        if !self.window.is_plain() {
            return self.look(at, words());
        }
        let mut look = Look::new(self.rest(at), false);
        hold(&mut look);
        let found = look.end();
        self.looked(at, found)
    }

    fn looked<T: Copy>(&mut self, at: usize, found: Found<'static, T>) -> Found<'static, T> {
        *self.steps += LOOK;
        if let Found::Maybe(word) = found {
            self.awaited = Some((at, word));
        }
        found
    }

    /// The name policy for repeated parameters.
    pub fn duplicate(&self) -> Duplicate {
        self.options.policies.duplicate
    }

    /// The coercion profile.
    pub fn coercion(&self) -> Coercion {
        self.options.policies.coercion
    }
}

/// How far a machine came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It needs more input.
    More,
    /// The unit's body closed at `cur`.
    Complete,
    /// A list of calls begins at `cur` inside the unit's object.
    List,
    /// The unit is none. Its bytes up to `resume` are text; reading goes on there.
    Fail { resume: usize, why: Incomplete },
}

impl Step {
    /// The unit's grammar is broken at `at`.
    pub const fn malformed(at: usize) -> Self {
        Self::Fail { resume: at, why: Incomplete::Malformed }
    }

    /// A cap is reached at `at`.
    pub const fn cap(at: usize) -> Self {
        Self::Fail { resume: at, why: Incomplete::Cap }
    }
}

/// What is known of a unit's call.
#[derive(Debug, Default)]
pub(crate) struct Head {
    /// Where the body begins; what stands before is framing.
    pub body: usize,
    /// True once the body has begun (the opener alone is no unit yet).
    pub in_body: bool,
    /// What becomes of it, once the name is known.
    pub admission: Option<Admission>,
    /// The model's id.
    pub id: Option<String>,
    pub args: ArgText,
    /// True when the arguments have begun and head and fragments may go out.
    pub ready: bool,
    /// Buffers of a unit before, for the members of this one.
    spare: Option<Box<Members>>,
}

impl Head {
    /// Notes where the body begins.
    pub fn enter(&mut self, at: usize) {
        if !self.in_body {
            self.body = at;
            self.in_body = true;
        }
    }

    /// Lets go of all that is known, but for buffers that are no larger than usual.
    pub fn clear(&mut self) {
        (self.body, self.in_body, self.ready) = (0, false, false);
        self.admission = None;
        self.id = None;
        if let ArgText::Members(members) = std::mem::take(&mut self.args)
            && members.json.capacity() <= KEPT
        {
            self.spare = Some(members);
        }
    }

    /// The arguments are put together from parameters.
    pub fn open_members(&mut self) {
        let mut members = self.spare.take().unwrap_or_default();
        members.open();
        self.args = ArgText::Members(members);
    }

    /// Decides by the name.
    pub fn name(&mut self, written: &str, cx: &Cx<'_>) {
        self.admission = Some(cx.tools.admit(written, cx.options));
    }

    /// The tool that is called, if it is declared.
    pub fn tool<'a>(&self, cx: &'a Cx<'_>) -> Option<&'a Compiled> {
        match self.admission {
            Some(Admission::Call(Name::Tool(place))) => Some(cx.tools.tool(place)),
            _ => None,
        }
    }

    /// The body closed: what the coercion profile makes of JSON arguments.
    #[inline]
    fn close_body(&mut self, cx: &Cx<'_>, rewrite: bool) {
        if rewrite || matches!(self.args, ArgText::Bare(_)) {
            self.rewrite(cx, rewrite);
        }
    }

    fn rewrite(&mut self, cx: &Cx<'_>, rewrite: bool) {
        let body = match &self.args {
            ArgText::Bare(text) => {
                if let Some(json) = bare_string(text, self.tool(cx)) {
                    self.args = ArgText::Text(json);
                } else {
                    self.args = ArgText::Absent;
                    self.admission = Some(Admission::Text);
                }
                return;
            }
            ArgText::Raw { from, to: Some(to) } => cx.window.slice(*from, *to),
            ArgText::Text(text) => text,
            ArgText::Raw { to: None, .. } | ArgText::Absent | ArgText::Members(_) => return,
        };
        if rewrite && self.is_call() {
            self.args = ArgText::Text(rewrite_body(body, self.tool(cx), cx.options.caps.depth));
        }
    }

    /// True if the unit may become a call.
    pub fn is_call(&self) -> bool {
        matches!(self.admission, Some(Admission::Call(_)))
    }
}

/// A unit being read.
pub(crate) struct Unit {
    pub head: Head,
    pub machine: Machine,
    /// Where what it owns begins.
    pub start: usize,
    /// Where reading may stop at the earliest: behind its opener.
    pub floor: usize,
    /// True once head and fragments went out (eager).
    pub sent: bool,
    /// Bytes of the arguments that went out.
    pub sent_len: usize,
    /// True if JSON arguments are known only once they have closed.
    pub held: bool,
    /// Place of the last `[` outside a string since the opener, where a bare list could begin.
    pub bracket: Option<usize>,
}

/// The machines.
pub(crate) enum Machine {
    Object(CallObject),
    Named(Named),
    Tags(TagUnit),
    Elements(Box<ElementUnit>),
    Python(PyCall),
    Message(Message),
    Dict(PyDict),
    Braces(Braces),
}

impl Unit {
    /// A unit that owns all from `start`; its opener ends at `floor`.
    pub fn new(machine: Machine, start: usize, floor: usize) -> Self {
        Self { head: Head::default(), machine, start, floor, sent: false, sent_len: 0, held: false, bracket: None }
    }

    /// Becomes a new unit in place, its head having been cleared: what it holds is several hundred bytes, which moving would copy.
    #[inline]
    pub fn renew(&mut self, machine: Machine, start: usize, floor: usize) {
        self.machine = machine;
        (self.start, self.floor) = (start, floor);
        (self.sent, self.sent_len, self.held, self.bracket) = (false, 0, false, None);
    }

    /// Goes behind `opener`, which was found at `at`; false if the machine must look for it itself.
    #[inline]
    pub fn opened(&mut self, opener: &str, at: usize) -> bool {
        if let Machine::Tags(m) = &mut self.machine { m.opened(opener, at, &mut self.head) } else { false }
    }

    /// Reads on.
    pub fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize) -> Step {
        let before = *cur;
        // A JSON object inside tags is no body of its own; exo does not type the tags that may hold one (X23).
        self.held = rewrites_bodies(cx.coercion()) && matches!(self.machine, Machine::Object(_) | Machine::Named(_) | Machine::Message(_));
        let step = match &mut self.machine {
            Machine::Object(m) => m.advance(cx, cur, &mut self.head, &mut self.bracket),
            Machine::Named(m) => m.advance(cx, cur, &mut self.head, &mut self.bracket),
            Machine::Tags(m) => m.advance(cx, cur, &mut self.head, &mut self.bracket),
            Machine::Elements(m) => m.advance(cx, cur, &mut self.head),
            Machine::Python(m) => m.advance(cx, cur, &mut self.head, &mut self.bracket),
            Machine::Dict(m) => m.advance(cx, cur, &mut self.head, &mut self.bracket),
            Machine::Braces(m) => m.advance(cx, cur, &mut self.head),
            Machine::Message(m) => m.advance(cx, cur, &mut self.head, &mut self.bracket),
        };
        *cx.steps += (*cur).saturating_sub(before) as u64 + 1;
        if matches!(step, Step::Complete) {
            self.head.close_body(cx, self.held);
        }
        step
    }

    /// Reads `delta`, which stands at `at`, if it cannot end or change anything: the inside of a string, value or name. False, and
    /// nothing read, if not.
    #[inline]
    pub fn absorb(&mut self, delta: &str, at: usize) -> bool {
        match &mut self.machine {
            Machine::Object(m) => m.absorb(delta),
            Machine::Named(m) => m.absorb(delta),
            Machine::Tags(m) => m.absorb(delta, at, &mut self.head),
            Machine::Elements(m) => m.absorb(delta),
            Machine::Python(m) => m.absorb(delta, &mut self.head),
            Machine::Dict(m) => m.absorb(delta, &mut self.head),
            Machine::Braces(m) => m.absorb(delta, &mut self.head),
            Machine::Message(m) => m.absorb(delta),
        }
    }

    /// How many of `bytes`, which come next, are sure to be inside the unit; less than there are where that takes long to say.
    pub fn inside(&self, bytes: &[u8], plain: bool) -> usize {
        match &self.machine {
            Machine::Object(m) => m.inside(bytes),
            Machine::Named(m) => m.inside(bytes),
            Machine::Tags(m) => m.inside(bytes, plain),
            Machine::Python(m) => m.inside(bytes),
            Machine::Message(m) => m.inside(bytes),
            Machine::Elements(_) | Machine::Dict(_) | Machine::Braces(_) => 0,
        }
    }

    /// Makes room for `len` bytes in arguments that are put together as the text comes.
    pub fn reserve(&mut self, len: usize) {
        if matches!(&self.machine, Machine::Tags(m) if !m.passes_on()) {
            return;
        }
        match &mut self.head.args {
            ArgText::Members(members) => make_room(&mut members.json, len + SPARE),
            ArgText::Text(json) => make_room(json, len + SPARE),
            ArgText::Absent | ArgText::Raw { .. } | ArgText::Bare(_) => {}
        }
    }

    /// Appends a delta to the window. Where a large text had to grow, arguments that are put together as it comes keep pace: with twice the
    /// room, as text grows when it is escaped.
    #[inline]
    pub fn take_in(&mut self, window: &mut Window, delta: &str) {
        if let Some(room) = window.push(delta) {
            self.reserve(2 * (room + delta.len()));
        }
    }

    /// The text ended inside the unit. True if closers alone complete it: the arguments are then complete.
    pub fn repair(&mut self, cx: &mut Cx<'_>, cur: usize) -> bool {
        let repaired = match &mut self.machine {
            Machine::Object(m) => m.repair(cx, &mut self.head),
            Machine::Named(m) => m.repair(cx, &mut self.head),
            Machine::Tags(m) => m.repair(cx, cur, &mut self.head),
            Machine::Elements(m) => m.repair(cx, &mut self.head),
            Machine::Python(m) => m.repair(cx, &mut self.head),
            Machine::Dict(m) => m.repair(&mut self.head),
            Machine::Braces(m) => m.repair(cx, &mut self.head),
            Machine::Message(m) => m.repair(cx, &mut self.head),
        };
        if repaired {
            self.head.close_body(cx, self.held);
        }
        repaired
    }

    /// The text ended, and not by the length limit: true if that end closes the unit.
    pub fn ends_here(&mut self, cx: &mut Cx<'_>, cur: &mut usize) -> bool {
        match &mut self.machine {
            Machine::Tags(m) => m.ends_here(cx, cur, &mut self.head),
            Machine::Elements(m) => m.ends_here(),
            Machine::Named(m) => m.ends_here(&mut self.head),
            Machine::Message(m) => m.ends_here(cx, cur, &mut self.head),
            Machine::Object(_) | Machine::Python(_) | Machine::Dict(_) | Machine::Braces(_) => false,
        }
    }

    /// Of a complete unit: how many closers of its own may still come, and the fence that may still close.
    pub fn closers(&self) -> (usize, Option<&'static str>) {
        match &self.machine {
            // The block's closer stood for the unit's own.
            Machine::Tags(m) => (usize::from(m.lacks_closer), None),
            Machine::Elements(m) => (usize::from(m.lacks_closer), None),
            Machine::Named(m) => m.closers(),
            Machine::Object(_) | Machine::Python(_) | Machine::Dict(_) | Machine::Braces(_) | Machine::Message(_) => (0, None),
        }
    }

    /// True if nothing yet says that it is one, not even its opener.
    pub fn is_word(&self) -> bool {
        matches!(&self.machine, Machine::Named(m) if m.is_word())
    }

    /// Bytes of the arguments of a complete unit.
    pub fn arguments(&self, window: &Window, cur: usize) -> usize {
        self.sent_len + self.fragment(window, cur, true).len()
    }

    /// True if a closer of what frames the unit may follow.
    pub fn is_framed(&self) -> bool {
        matches!(&self.machine, Machine::Tags(m) if m.is_framed())
    }

    /// All arguments of a complete unit of which nothing was sent; they are gone from it then.
    pub fn take_arguments(&mut self, cur: usize) -> Arguments {
        match std::mem::take(&mut self.head.args) {
            ArgText::Absent => Arguments::None,
            ArgText::Bare(_) => Arguments::Text(String::new()),
            ArgText::Raw { from, to } => Arguments::At(from, to.unwrap_or(cur)),
            ArgText::Text(json) => Arguments::Text(json),
            // Empty ones, which hostile texts repeat, keep their buffers.
            ArgText::Members(members) if members.json == "{}" => {
                self.head.spare = Some(members);
                Arguments::None
            }
            ArgText::Members(mut members) => {
                let json = std::mem::take(&mut members.json);
                self.head.spare = Some(members);
                Arguments::Text(json)
            }
        }
    }

    /// The arguments that are sure, from `self.sent_len` on; all of them when `whole`.
    pub fn fragment<'a>(&'a self, window: &'a Window, cur: usize, whole: bool) -> &'a str {
        match &self.head.args {
            ArgText::Absent => {
                if whole {
                    "{}"
                } else {
                    ""
                }
            }
            ArgText::Raw { .. } | ArgText::Text(_) if self.held && !whole => "",
            ArgText::Bare(_) => "",
            ArgText::Raw { from, to } => {
                let to = to.unwrap_or(cur);
                let from = from + self.sent_len;
                if from < to { window.slice(from, to) } else { "" }
            }
            ArgText::Text(text) => {
                let settled = match (&self.machine, whole) {
                    (Machine::Dict(m), false) => m.settled(text),
                    _ => text.len(),
                };
                text.get(self.sent_len..settled).unwrap_or("")
            }
            ArgText::Members(members) => {
                let settled = match (&self.machine, whole) {
                    (_, true) => members.json.len(),
                    (Machine::Python(m), false) => m.settled(&members.json).min(members.settled()),
                    (_, false) => members.settled(),
                };
                members.json.get(self.sent_len..settled).unwrap_or("")
            }
        }
    }
}
