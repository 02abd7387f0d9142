//! Candidates: from a block's opener to a complete unit, or back to text (semantics 2).

use streakstone_model::{Block as BlockPolicy, CallOutcome, Delivery, DropReason, End, Incomplete, Parallel, Sink, Truncated};

use super::{Core, Flow, Last, Span, State};
use crate::family::{Entry, List, Place, entry};
use crate::out::{Host, Ready};
use crate::tools::Admission;
use crate::unit::{Cx, Machine, Step, Unit, is_space};

impl Core<'_> {
    /// Behind a block's opener, or at a bare bracket.
    pub(super) fn opener(&mut self, bracket: Option<usize>, sink: &mut dyn Sink) -> Flow {
        let from = self.cur;
        let rest = self.window.bytes(from, self.window.end());
        let run = rest.iter().position(|&b| !is_space(b));
        self.cur += run.unwrap_or(rest.len());
        self.steps += run.unwrap_or(rest.len()) as u64 + 1;
        let b = run.map(|run| rest[run]);
        // The list's own bracket is the opener of a bare list; of a marked one it may begin a marker.
        let inner = bracket.filter(|_| !self.block.bare || self.block.owed || self.block.wrapped);
        if let Some(limit) = self.blank_limit(from) {
            return self.fail(limit, Incomplete::Cap, inner, sink);
        }
        let Some(b) = b else {
            return if self.eof() { self.fail(self.cur, Incomplete::Truncated, inner, sink) } else { Flow::Wait };
        };
        let list = bracket.is_some().then_some(List::None);
        match entry(&self.row.dialect.grammar, Place { list, first: true, comma: false, bare: self.block.bare }, b) {
            Entry::Unit(machine, list) => {
                self.block.list = list;
                self.begin(machine)
            }
            Entry::List => {
                self.state = State::Opener(Some(self.cur));
                self.cur += 1;
                Flow::Go
            }
            Entry::No => self.fail(self.cur, Incomplete::Malformed, inner, sink),
        }
    }

    /// Where the cap on what is held falls in the white space `from..cur` behind an opener, if it does. Reading gets past the opener: where
    /// calls begin lines that is the end of the line before.
    pub(super) fn blank_limit(&self, from: usize) -> Option<usize> {
        let front = self.out.front();
        let limit = front.saturating_add(self.options.caps.hold).max(front + usize::from(self.block.bare));
        (self.cur > from && self.cur > limit).then_some(limit.max(from))
    }

    pub(super) fn begin(&mut self, machine: Machine) -> Flow {
        // The first byte of a bare object is its opener.
        self.begin_behind(machine, self.cur + usize::from(self.block.bare))
    }

    /// A unit whose opener ends at `floor`.
    #[inline]
    pub(super) fn begin_behind(&mut self, machine: Machine, floor: usize) -> Flow {
        let mut unit = self.fresh(machine, floor);
        unit.bracket = self.block.bracket;
        if let Some(at) = self.named_at.take() {
            unit.head.enter(at);
        }
        let element = self.block.bare && self.block.list != List::None;
        if element && self.row.noted.contains(self.window.bytes(self.cur, self.cur + 1)[0]) {
            unit.bracket = Some(self.cur);
        }
        self.state = State::Unit(unit);
        Flow::Go
    }

    /// A unit that owns all from the front, in the box of the one before: a box a call was an allocation in five.
    #[inline]
    pub(super) fn fresh(&mut self, machine: Machine, floor: usize) -> Box<Unit> {
        let start = self.out.front();
        let Some(mut unit) = self.spare.take() else { return Box::new(Unit::new(machine, start, floor)) };
        unit.renew(machine, start, floor);
        unit
    }

    /// `unit` is over; its box and its buffers serve the next one.
    #[inline]
    fn retire(&mut self, mut unit: Box<Unit>) {
        unit.head.clear();
        self.spare = Some(unit);
    }

    /// The delivery in force.
    pub(super) fn delivery(&self) -> Delivery {
        if self.block.bare || self.options.policies.block == BlockPolicy::AllOrNothing {
            Delivery::Validated
        } else {
            self.options.policies.delivery
        }
    }

    pub(super) fn unit(&mut self, sink: &mut dyn Sink) -> Flow {
        let State::Unit(mut unit) = std::mem::replace(&mut self.state, State::Between) else { return Flow::Go };
        // A cap smaller than what the unit owns before its body counts behind it: reading must get past the opener.
        let limit = unit.start.saturating_add(self.options.caps.hold).max(unit.floor);
        let end = self.window.end();
        let capped = limit < end;
        // An opener or a header alone may be longer than the cap.
        let border = if capped { self.window.boundary(limit).max(self.cur) } else { end };
        let text_end = self.end;
        let mut cur = self.cur;
        let mut cx = self.cx(border);
        let mut step = unit.advance(&mut cx, &mut cur);
        let awaited = cx.awaited;
        if matches!(step, Step::More) && capped {
            step = Step::cap(border);
        }
        let over = matches!(step, Step::More) && text_end.is_some();
        if over && text_end != Some(End::Length) && unit.ends_here(&mut cx, &mut cur) {
            step = Step::Complete;
        }
        self.awaited = awaited;
        self.cur = cur;
        if unit.head.is_call() {
            // The opener of an admissible unit ends a span that the prompt opened, whatever becomes of the unit (semantics 8).
            self.out.host = Host::Content;
        }
        self.send(&mut unit, step, sink);
        if matches!(step, Step::Complete) && unit.arguments(&self.window, self.cur) > self.options.caps.arguments {
            // The length is sure at the unit's end only: coercion and repeated parameters change it.
            step = Step::cap(self.cur);
        }
        match step {
            Step::Complete => {
                let flow = self.complete(&mut unit, sink);
                self.retire(unit);
                flow
            }
            Step::Fail { resume, why } => {
                let flow = self.refuse(&unit, resume, why, sink);
                self.retire(unit);
                flow
            }
            Step::List => {
                self.block.wrapped = true;
                self.block.bracket = Some(self.cur);
                self.state = State::Opener(Some(self.cur));
                self.cur += 1;
                self.retire(unit);
                Flow::Go
            }
            Step::More if over => self.cut(unit, sink),
            Step::More => {
                self.state = State::Unit(unit);
                Flow::Wait
            }
        }
    }

    /// What a unit's machine reads, up to `end`.
    pub(super) fn cx(&mut self, end: usize) -> Cx<'_> {
        Cx {
            window: &self.window,
            end,
            row: self.row,
            tools: self.tools,
            options: self.options,
            delivery: self.delivery(),
            steps: &mut self.steps,
            awaited: None,
        }
    }

    /// Why one more call may not go out.
    pub(super) fn refusal(&self) -> Option<DropReason> {
        if self.out.completed() >= 1 && self.options.policies.parallel == Parallel::First {
            Some(DropReason::Parallel)
        } else if self.out.completed() >= self.options.caps.calls {
            Some(DropReason::CallCap)
        } else {
            None
        }
    }

    /// Eager: head and fragments as far as they are sure.
    pub(super) fn send(&mut self, unit: &mut Unit, step: Step, sink: &mut dyn Sink) {
        if self.delivery() != Delivery::Eager {
            return;
        }
        if !unit.sent {
            let Some(Admission::Call(name)) = &unit.head.admission else { return };
            if !unit.head.ready || self.refusal().is_some() {
                return;
            }
            self.out.begin(self.tools.name(name), unit.head.id.take(), unit.head.body, sink);
            unit.sent = true;
        }
        let fragment = unit.fragment(&self.window, self.cur, step == Step::Complete);
        self.out.arguments(fragment, sink);
        unit.sent_len += fragment.len();
    }

    /// The unit's body closed at `cur`.
    pub(super) fn complete(&mut self, unit: &mut Unit, sink: &mut dyn Sink) -> Flow {
        let to = self.cur;
        let reasoning = self.out.host == Host::Reasoning;
        self.block.bracket = unit.bracket.filter(|_| self.block.bare);
        self.block.comma = false;
        (self.block.late_close, self.block.fence) = unit.closers();
        self.block.framed = unit.is_framed();
        let refusal = self.refusal();
        let admission = if self.block.poisoned { None } else { unit.head.admission.take() };
        self.block.last = match admission {
            Some(Admission::Call(_)) if unit.sent => {
                self.out.end(to, CallOutcome::Complete, sink);
                Last::Taken
            }
            Some(Admission::Call(name)) => {
                if let Some(reason) = refusal {
                    self.out.host = Host::Content;
                    self.out.dropped(to, reason, sink);
                } else {
                    let head = Ready { name, id: unit.head.id.take(), body: unit.head.body };
                    self.out.call(head, unit.take_arguments(to), &self.window, to, sink);
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
        if self.block.bare && self.block.list == List::None {
            self.close_bare(sink);
        }
        if !self.block.open {
            // A unit without its block's opener is a block of its own.
            self.end_block(sink);
        }
        self.state = State::Between;
        Flow::Go
    }

    /// The unit is none.
    pub(super) fn refuse(&mut self, unit: &Unit, resume: usize, why: Incomplete, sink: &mut dyn Sink) -> Flow {
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
    pub(super) fn resume(&self, at: usize, bracket: Option<usize>) -> usize {
        let here = at < self.window.end();
        let bracket = bracket.filter(|&b| b < at);
        if self.row.bare.is_empty() {
            // A marker that the grammar broke in, `[TOOL_`, or at the white space before.
            let inside = bracket.and_then(|bracket| self.marker_around(bracket, at));
            return inside.or_else(|| if here { self.marker_around(at, at + 1) } else { None }).unwrap_or(at);
        }
        let Some(bracket) = bracket else { return at };
        let here = here && self.row.bare.contains(&self.window.bytes(at, at + 1)[0]);
        if here { at } else { bracket }
    }

    /// Where a marker begins that the bytes `at..to` may be part of: an opener there, or any in the white space before it.
    fn marker_around(&self, at: usize, to: usize) -> Option<usize> {
        let most = self.row.spaced.min(at.saturating_sub(self.out.front()));
        (at - most..=at).find(|&from| {
            let bytes = self.window.bytes(from, to);
            if from == at {
                self.row.begins_opener(bytes)
            } else {
                bytes[..at - from].iter().all(|&b| is_space(b)) && self.row.begins_marker(bytes)
            }
        })
    }

    /// The candidate failed at `at`; all up to the place where reading goes on is text of the host.
    pub(super) fn fail(&mut self, at: usize, why: Incomplete, bracket: Option<usize>, sink: &mut dyn Sink) -> Flow {
        let resume = self.resume(at, bracket);
        debug_assert!(resume >= self.out.keep(), "{why:?}");
        let reasoning = self.out.host == Host::Reasoning;
        self.named_at = None;
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
    pub(super) fn cut(&mut self, mut unit: Box<Unit>, sink: &mut dyn Sink) -> Flow {
        let end = self.window.end();
        let eager = self.delivery() == Delivery::Eager;
        let policy = self.options.policies.truncated;
        let may_repair = self.end == Some(End::Stop) && policy == Truncated::Repair && !self.block.bare && !unit.sent;
        if may_repair {
            let so_far = if eager { unit.fragment(&self.window, self.cur, false).to_owned() } else { String::new() };
            let cur = self.cur;
            if unit.repair(&mut self.cx(end), cur) {
                self.cur = end;
                match &unit.head.admission {
                    // Eager invents no closer: the call is there, and open.
                    Some(Admission::Call(name)) if eager && self.refusal().is_none() && !self.block.poisoned => {
                        self.out.begin(self.tools.name(name), unit.head.id.take(), unit.head.body, sink);
                        self.out.arguments(&so_far, sink);
                        unit.sent = true;
                    }
                    _ => return self.complete(&mut unit, sink),
                }
            }
        }
        let named = unit.head.is_call();
        if policy == Truncated::Drop && !unit.sent && !unit.is_word() && self.out.host == Host::Content && !self.block.poisoned {
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
}
