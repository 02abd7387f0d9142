//! Reasoning spans, opened by the model or by the prompt (semantics 8).

use streakstone_model::Sink;

use super::{Core, Flow, NO_BLOCK, Span, State};
use crate::out::Host;
use crate::row::{Found, LOOK, Token};
use crate::unit::is_space;

impl Core<'_> {
    pub(super) fn reasoning(&mut self, span: Span, sink: &mut dyn Sink) -> Flow {
        if span.prompt {
            self.go_home();
        }
        let end = self.window.end();
        let row = self.row;
        // Which of a row's openers the prompt wrote is not known, so any of its closers counts.
        let pairs = if span.prompt { row.dialect.reasoning } else { std::slice::from_ref(&row.dialect.reasoning[usize::from(span.pair)]) };
        if span.fresh {
            if span.prompt && self.cur == 0 {
                match self.window.find(0, pairs.iter().map(|p| (p.open, ())), self.eof()) {
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
            let Some(run) = self.row.find_start(rest, false) else {
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
            let closer = self.window.find(at, pairs.iter().map(|p| (p.close, ())), self.eof());
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
                Token::BlockOpen | Token::UnitOpen => units || row.control_opens,
                Token::ReasoningOpen(_) => row.control_opens,
                Token::Control | Token::Stop => true,
                _ => false,
            });
            match self.window.find(at, active.map(|m| (m.text, m.token)), self.eof()) {
                Found::Maybe(_) => {
                    self.text(lead, sink);
                    return Flow::Wait;
                }
                Found::Yes(Token::ReasoningOpen(_), _) => self.cur = at + 1,
                Found::Yes(Token::BlockOpen | Token::UnitOpen, _) if !units => self.cur = at + 1,
                Found::Yes(Token::Stop, len) => {
                    self.text(at, sink);
                    self.cur = at + len;
                    self.state = State::Stop { at: self.cur, span: Some(Span { fresh: false, ..span }), behind_call: false };
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

    pub(super) fn after_reasoning(&mut self, sink: &mut dyn Sink) -> Flow {
        let rest = self.window.bytes(self.cur, self.window.end());
        let run = rest.iter().position(|&b| !is_space(b));
        self.cur += run.unwrap_or(rest.len());
        self.steps += run.unwrap_or(rest.len()) as u64 + 1;
        if run.is_none() {
            // The last of it may begin a marker.
            let may_begin = if self.eof() { 0 } else { self.row.spaced.min(self.cur - self.out.front()) };
            self.out.framing(self.cur - may_begin, sink);
            return Flow::Wait;
        }
        self.block = NO_BLOCK;
        if self.row.spaced > 0 {
            let (start, found) = self.marker_behind_space(self.cur);
            if matches!(found, Found::Maybe(_)) {
                return Flow::Wait;
            }
            self.cur = start;
        }
        self.out.framing(self.cur, sink);
        self.state = State::Prose;
        Flow::Go
    }
}
