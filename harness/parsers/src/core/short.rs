//! Calls without arguments in a Python list, `name()`, read without a unit: a list of five bytes a call has little else to pay with.
//!
//! What is decided here is what the unit would decide, at the same byte. All that is not as plain as that is left to it.

use streakstone_model::{Delivery, Sink};

use super::{Core, Flow, Last, SPACE_AFTER_CALL, State};
use crate::family::List;
use crate::out::{Host, Ready};
use crate::tools::Admission;
use crate::unit::{Arguments, Glance, PyCall, is_space};

impl Core<'_> {
    /// Reads on behind a call of a list as long as short calls follow; `None` where they do not.
    pub(super) fn short_calls(&mut self, sink: &mut dyn Sink) -> Option<Flow> {
        let caps = &self.options.caps;
        let odd = self.block.poisoned || self.block.fence.is_some() || self.named_at.is_some();
        if odd || !self.block.open || !self.absorbs || caps.arguments < "{}".len() {
            return None;
        }
        // A cut call is for the unit to judge.
        let may_wait = !self.eof();
        let eager = self.delivery() == Delivery::Eager;
        loop {
            if !self.skip_space() {
                return None;
            }
            if !self.block.comma {
                if self.next_byte() != Some(b',') {
                    return None;
                }
                self.block.comma = true;
                self.cur += 1;
                if !self.skip_space() {
                    return None;
                }
            }
            let Some(b) = self.next_byte() else { return may_wait.then_some(Flow::Wait) };
            let at = self.cur;
            let name = match PyCall::glance(self.window.bytes(at, self.window.end()), caps.name) {
                Glance::Whole(name) => at + name,
                // An eager head goes out at the parenthesis.
                Glance::Cut { open } => return (may_wait && !(open && eager)).then_some(Flow::Wait),
                Glance::No => return None,
            };
            let Admission::Call(tool) = self.tools.admit(self.window.slice(at, name), self.options) else { return None };
            self.before = self.block;
            if !self.block.bare {
                self.block.bracket = None;
            } else if self.row.noted.contains(b) {
                self.block.bracket = Some(at);
            }
            (self.block.comma, self.block.late_close, self.block.framed) = (false, 0, false);
            self.block.last = Last::Taken;
            self.cur = name + "()".len();
            self.steps += (self.cur - at) as u64;
            if let Some(reason) = self.refusal() {
                self.out.host = Host::Content;
                self.out.dropped(self.cur, reason, sink);
            } else {
                let ready = Ready { name: tool, id: None, body: at };
                self.out.call(ready, Arguments::None, &self.window, self.cur, sink);
            }
        }
    }

    /// Moves over white space; false, and nothing moved, if there is more of it than may follow a call.
    fn skip_space(&mut self) -> bool {
        let rest = self.window.bytes(self.cur, self.window.end());
        let run = rest.iter().position(|&b| !is_space(b)).unwrap_or(rest.len());
        let few = self.cur + run - self.out.front() <= SPACE_AFTER_CALL;
        if few {
            self.cur += run;
            self.steps += run as u64 + 1;
        }
        few
    }

    /// The byte at `cur`, if it has come.
    fn next_byte(&self) -> Option<u8> {
        self.window.bytes(self.cur, self.window.end()).first().copied()
    }

    /// True if [`Self::short_calls`] waits for the rest of a call.
    pub(super) fn in_short_call(&self) -> bool {
        let begun = matches!(self.state, State::Between) && self.block.list == List::Calls && self.block.comma;
        begun && self.next_byte().is_some_and(PyCall::starts_name)
    }
}
