//! Prose: forwarded at once but for the tail that could begin a marker.

use streakstone_model::Sink;

use super::{Block, Core, Flow, NO_BLOCK, SPACE_AFTER_CALL, Span, State, Within};
use crate::family::is_no_block;
use crate::row::{Found, LOOK, Token};
use crate::unit::{PyCall, is_space};

impl Core<'_> {
    pub(super) fn prose(&mut self, sink: &mut dyn Sink) -> Flow {
        if self.within == Within::None {
            self.go_home();
        }
        let end = self.window.end();
        if self.at_first_line() && self.admits && self.window.bytes(0, end).first().is_some_and(|&b| PyCall::starts_name(b)) {
            return self.open_bare(0, sink);
        }
        loop {
            let rest = self.window.bytes(self.cur, end);
            let Some(run) = self.row.find_start(rest, self.any_bare()) else {
                self.steps += rest.len() as u64;
                self.cur = end;
                let to = if self.eof() { end } else { self.lead(end, self.row.dialect.lead) };
                self.text(to, sink);
                return Flow::Wait;
            };
            let (first, next) = (rest[run], rest.get(run + 1).copied());
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
                    let owned = if matches!(token, Token::BlockOpen | Token::UnitOpen | Token::MessageOpen | Token::MessageEnd(_)) {
                        // What stands before a block is for its own row to say.
                        match self.row.owners(&self.window, at, at + len) {
                            [(_, owner), ..] => self.lead(at, owner.dialect.lead),
                            [] => lead,
                        }
                    } else {
                        at
                    };
                    return self.enter(token, at, len, owned, sink);
                }
                Found::No if self.row.lines => match next {
                    None if first == b'\n' && !self.eof() => {
                        self.text(at, sink);
                        return Flow::Wait;
                    }
                    Some(b) if first == b'\n' && self.admits && PyCall::starts_name(b) => return self.open_bare(at, sink),
                    _ => self.cur = at + 1,
                },
                Found::No if self.admits && self.row.bare.contains(&first) => {
                    if !self.any_bare() {
                        // The next bytes mostly say that it is prose: a list opened and given up costs 80 ns and more.
                        let text = self.window.bytes(at + 1, end);
                        self.steps += LOOK;
                        match is_no_block(&self.row.dialect.grammar, text, self.options.policies.coercion) {
                            None if !self.eof() => {
                                self.text(lead, sink);
                                return Flow::Wait;
                            }
                            Some(true) => {
                                self.cur = at + 1;
                                continue;
                            }
                            _ => {}
                        }
                    }
                    return self.open_bare(lead, sink);
                }
                Found::No => self.cur = at + 1,
            }
        }
    }

    /// True if a byte that opens a bare list ends the block before it, whatever follows.
    pub(super) const fn any_bare(&self) -> bool {
        self.block.open || self.out.is_holding()
    }

    /// A byte that may open a bare list.
    pub(super) fn open_bare(&mut self, owned: usize, sink: &mut dyn Sink) -> Flow {
        self.end_block(sink);
        self.text(owned, sink);
        self.before = self.block;
        self.block = Block { open: true, bare: true, ..NO_BLOCK };
        self.out.hold();
        self.state = State::Opener(None);
        Flow::Go
    }

    pub(super) fn stop(&mut self, at: usize, span: Option<Span>, behind_call: bool, sink: &mut dyn Sink) -> Flow {
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
            if behind_call {
                self.out.framing(end, sink);
            } else {
                self.out.framing(at, sink);
                self.text(end, sink);
            }
        }
        Flow::Wait
    }
}
