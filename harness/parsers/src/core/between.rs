//! Behind a unit: separators, closers, the next unit, or prose again (semantics 2 and 3).

use streakstone_model::{End, FramingOf, Grammar, Incomplete, PythonShape, Sink};

use super::{Core, Flow, Last, SPACE_AFTER_CALL, State, Within};
use crate::family::{Entry, List, Place, entry, separator};
use crate::row::{Found, LOOK, Token, find};
use crate::scan::{JsonScan, Scan};
use crate::unit::{PyCall, is_space};

impl Core<'_> {
    #[expect(clippy::too_many_lines, reason = "one question after the other, in the order in which they count")]
    pub(super) fn between(&mut self, sink: &mut dyn Sink) -> Flow {
        if self.block.list == List::Calls
            && let Some(flow) = self.short_calls(sink)
        {
            return flow;
        }
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
            self.cur = at;
            return if self.eof() { self.over(end, sink) } else { Flow::Wait };
        };
        if let Some(flow) = self.fence(front, at, sink) {
            return flow;
        }
        let taken = self.block.last == Last::Taken;
        if self.block.list == List::None && !self.block.comma && separator(&self.row.dialect.grammar) == Some(b) {
            self.block.comma = true;
            self.cur = at + 1;
            return Flow::Go;
        }
        if self.block.open {
            match (self.block.list, b) {
                (List::Objects | List::Calls, b',') if !self.block.comma => {
                    self.block.comma = true;
                    self.cur = at + 1;
                    return Flow::Go;
                }
                (List::Objects | List::Calls, b']') => {
                    self.closer(front, at + 1, sink);
                    self.block.list = List::None;
                    if self.block.wrapped {
                        let scan = JsonScan::rest_of_object(self.options.caps.depth, self.row.noted);
                        self.state = State::Tail(Box::new(scan));
                    } else if self.block.bare {
                        self.close_bare(sink);
                    }
                    return Flow::Go;
                }
                (list, _) => {
                    let place =
                        Place { list: (list != List::None).then_some(list), first: false, comma: self.block.comma, bare: self.block.bare };
                    if let Entry::Unit(machine, list) = entry(&self.row.dialect.grammar, place, b) {
                        self.cur = at;
                        self.before = self.block;
                        self.block.list = list;
                        return self.begin(machine);
                    }
                }
            }
        }
        let line = self.row.lines && at > front && self.window.bytes(at - 1, at) == b"\n";
        if line && self.admits && !self.block.open && PyCall::starts_name(b) {
            let owned = if taken { front } else { self.lead(at, self.row.dialect.lead) };
            self.cur = at;
            return self.open_bare(owned, sink);
        }
        let (mut start, mut found) = self.marker_behind_space(at);
        // Two families in one text (`auto`): the next block may be of any.
        let next = match found {
            Found::No | Found::Yes(Token::BlockOpen, _) => !self.block.bare,
            Found::Yes(Token::UnitOpen, _) => !self.block.open,
            Found::Yes(..) | Found::Maybe(_) => false,
        };
        if next && self.within == Within::None && !std::ptr::eq(self.row, self.home) {
            self.go_home();
            (start, found) = self.marker_behind_space(at);
        }
        match found {
            Found::Maybe(_) => {
                self.cur = at;
                Flow::Wait
            }
            // A bare list that did not close counts for nothing.
            _ if self.block.bare => self.fail(at, Incomplete::Malformed, self.block.bracket, sink),
            Found::Yes(marker, len) => {
                let at = start;
                let owned = match marker {
                    // The separator of two units of one block belongs to the second.
                    Token::UnitOpen if self.block.open => front,
                    Token::ReasoningOpen(_) => at,
                    _ if taken => front,
                    Token::BlockOpen if self.block.comma => front,
                    Token::BlockOpen | Token::UnitOpen | Token::MessageOpen | Token::MessageEnd(_) => self.lead(at, self.row.dialect.lead),
                    _ => at,
                };
                if !matches!(marker, Token::Control | Token::UnitClose | Token::FrameClose) {
                    self.state = State::Prose;
                }
                let closes = matches!(marker, Token::BlockClose | Token::MessageClose);
                let flow = self.enter(marker, at, len, owned, sink);
                if let State::Stop { behind_call, .. } = &mut self.state {
                    *behind_call = taken;
                }
                if closes {
                    self.state = if taken { State::Between } else { State::Prose };
                }
                flow
            }
            Found::No if self.admits && self.row.bare.contains(&b) => {
                // A separator belongs to the unit behind it, whatever is before (semantics 2).
                let owned = if taken || self.block.comma { front } else { self.lead(at, self.row.dialect.lead) };
                self.cur = at;
                self.open_bare(owned, sink)
            }
            Found::No => self.leave(at, sink),
        }
    }

    /// The fence around the unit's body, if it closes at `at`.
    fn fence(&mut self, front: usize, at: usize, sink: &mut dyn Sink) -> Option<Flow> {
        let fence = self.block.fence?;
        self.steps += LOOK;
        match find(self.window.bytes(at, self.window.end()), std::iter::once((fence, ())), self.eof()) {
            Found::Maybe(_) => {
                self.cur = at;
                return Some(Flow::Wait);
            }
            Found::No => self.block.fence = None,
            Found::Yes((), len) => {
                self.block.fence = None;
                self.closer(front, at + len, sink);
                return Some(Flow::Go);
            }
        }
        None
    }

    /// A bare list or object has closed: it goes out.
    pub(super) fn close_bare(&mut self, sink: &mut dyn Sink) {
        if self.block.poisoned {
            self.out.refuse();
            self.text(self.cur, sink);
            self.block.last = Last::Text;
            self.block.poisoned = false;
        }
        self.out.release(&self.window, sink);
        self.block.bare = false;
        self.block.open = false;
        // In Python a closer may follow a list whose opener was left out.
        self.block.owed |= matches!(self.row.dialect.grammar, Grammar::Python(_));
    }

    /// Behind the list of calls, in the object that wraps it.
    pub(super) fn tail(&mut self, sink: &mut dyn Sink) -> Flow {
        let State::Tail(scan) = &mut self.state else { return Flow::Go };
        let (from, end) = (self.cur, self.window.end());
        let limit = self.out.front().saturating_add(self.options.caps.hold);
        let border = if limit < end { self.window.boundary(limit).max(from) } else { end };
        let result = scan.scan(self.window.bytes(from, border));
        if let Some(at) = scan.last_noted {
            self.block.bracket = Some(self.out.front() + at);
        }
        let failed = match result {
            Scan::Done(n) => {
                self.steps += n as u64 + 1;
                self.block.wrapped = false;
                self.closer(self.out.front(), from + n, sink);
                if self.block.bare {
                    self.close_bare(sink);
                }
                self.state = State::Between;
                return Flow::Go;
            }
            Scan::More if border < end => (border, Incomplete::Cap),
            Scan::More if self.eof() => (end, Incomplete::Truncated),
            Scan::More => {
                self.cur = end;
                self.steps += (end - from) as u64;
                return Flow::Wait;
            }
            Scan::Bad(n) => (from + n, Incomplete::Malformed),
            Scan::Deep(n) => (from + n, Incomplete::Cap),
        };
        let (at, why) = failed;
        self.steps += (at - from) as u64 + 1;
        if self.block.bare {
            return self.fail(at, why, self.block.bracket, sink);
        }
        // The list's calls stand; what follows them is text, unless it is the white space before a closer that never came.
        self.block.wrapped = false;
        let blank = self.window.bytes(self.out.front(), at).iter().all(|&b| is_space(b));
        if blank {
            self.cur = at;
            self.state = State::Between;
            return Flow::Go;
        }
        self.text(at, sink);
        self.leave(at, sink)
    }

    /// What follows the unit is neither white space nor syntax: prose, scanned from `at`.
    pub(super) fn leave(&mut self, at: usize, sink: &mut dyn Sink) -> Flow {
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
    pub(super) fn over(&mut self, end: usize, sink: &mut dyn Sink) -> Flow {
        if self.block.bare {
            return self.fail(end, Incomplete::Truncated, self.block.bracket, sink);
        }
        if self.block.last == Last::Taken && !self.block.comma && !self.block.poisoned {
            self.out.framing_of(FramingOf::Call, end, sink);
        } else {
            // A separator that nothing followed belongs to no unit.
            self.text(end, sink);
        }
        Flow::Wait
    }

    /// The text is over: a block still held is decided.
    pub(super) fn settle(&mut self, sink: &mut dyn Sink) {
        let end = self.window.end();
        // Under `all_or_nothing` an unclosed Python list is text (T32); so is any block that the length limit may have cut
        // before what refuses it.
        let list = matches!(&self.row.dialect.grammar, Grammar::Python(calls) if calls.shape != PythonShape::Lines);
        let unclosed = self.end == Some(End::Length) || list;
        if self.block.open && unclosed {
            self.poison(end, sink);
        }
        self.end_block(sink);
    }
}
