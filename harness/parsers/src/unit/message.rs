//! The body of a message that is a call: one JSON object of arguments, a JSON call object, or the text of one argument.
//!
//! The header, which names the tool, is read before (`core/channels.rs`).

use streakstone_model::{ChannelCalls, JsonKeys};

use super::object::{ArgStep, ArgValue};
use super::{ArgText, CallObject, Cx, Head, Step};
use crate::row::{Found, channels_of};
use crate::text::push_string;
use crate::tools::Admission;

#[derive(Debug)]
enum At {
    /// Before the arguments.
    Start,
    InArgs(ArgValue),
    /// Before a call object.
    Object,
    InObject(CallObject),
    /// In the text of this argument, which began here.
    Raw(&'static str, usize),
    /// An opener stands at the first place; a header may follow from the second on.
    Next(&'static str, usize, usize, usize),
}

/// What may end a body that has no closer of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Border {
    Close,
    Open,
}

/// The machine. It starts behind the header.
#[derive(Debug)]
pub(crate) struct Message {
    at: At,
    not_a_call: bool,
}

impl Message {
    /// One JSON object of arguments.
    pub fn arguments() -> Self {
        Self { at: At::Start, not_a_call: false }
    }

    /// One JSON call object.
    pub fn object() -> Self {
        Self { at: At::Object, not_a_call: false }
    }

    /// All of the body, from `start` on, is the text of `argument`.
    pub fn raw(argument: &'static str, start: usize, head: &mut Head) -> Self {
        head.open_members();
        head.ready = head.is_call();
        Self { at: At::Raw(argument, start), not_a_call: false }
    }

    pub fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head, bracket: &mut Option<usize>) -> Step {
        let Some(calls) = channels_of(cx.row.dialect) else { return Step::malformed(*cur) };
        loop {
            match &mut self.at {
                At::Start => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    match cx.look(*cur, calls.close.iter().map(|close| (*close, ()))) {
                        Found::Maybe(_) => return Step::More,
                        Found::Yes((), _) => {
                            // No arguments at all (M70).
                            head.ready = head.is_call();
                            return Step::Complete;
                        }
                        Found::No => {
                            self.at = At::InArgs(ArgValue::new(cx, *cur, b, head));
                            head.ready = head.is_call() && b == b'{';
                        }
                    }
                }
                At::InArgs(value) => match value.advance(cx, cur, head, bracket) {
                    ArgStep::More => return Step::More,
                    ArgStep::Fail(step) => return step,
                    done => {
                        self.not_a_call = done == ArgStep::Other;
                        self.complete(head);
                        return Step::Complete;
                    }
                },
                At::Object => match cx.skip_space(cur) {
                    None => return Step::More,
                    Some(b'{') => self.at = At::InObject(CallObject::new(&JsonKeys::USUAL, false)),
                    Some(_) => return Step::malformed(*cur),
                },
                At::InObject(object) => return object.advance(cx, cur, head, bracket),
                At::Raw(argument, start) => {
                    let (argument, start) = (*argument, *start);
                    let Some(run) = cx.row.find_start(cx.rest(*cur), false) else {
                        *cur = cx.end;
                        return Step::More;
                    };
                    *cur += run;
                    match cx.look(*cur, borders(calls)) {
                        Found::Maybe(_) => return Step::More,
                        Found::No => *cur += 1,
                        Found::Yes(Border::Close, _) => return Self::close_raw(cx, *cur, argument, start, head),
                        Found::Yes(Border::Open, len) => {
                            let opener = *cur;
                            *cur += len;
                            self.at = At::Next(argument, start, opener, *cur);
                        }
                    }
                }
                At::Next(argument, start, opener, from) => {
                    let (argument, start, opener, from) = (*argument, *start, *opener, *from);
                    let rest = cx.rest(*cur);
                    let run = rest.iter().position(|&b| !is_name(b));
                    let end = *cur + run.unwrap_or(rest.len());
                    if run.is_none() && end - from <= cx.options.caps.name {
                        *cur = end;
                        return Step::More;
                    }
                    let line = run.is_some_and(|run| rest[run] == b'\n');
                    if line && begins_message(cx, calls, from, end) {
                        *cur = opener;
                        return Self::close_raw(cx, opener, argument, start, head);
                    }
                    *cur = end;
                    self.at = At::Raw(argument, start);
                }
            }
        }
    }

    /// The text of `argument` ends at `end`.
    fn close_raw(cx: &Cx<'_>, end: usize, argument: &str, start: usize, head: &mut Head) -> Step {
        if let ArgText::Members(members) = &mut head.args {
            members.begin(argument, cx.duplicate());
            push_string(&mut members.json, cx.window.slice(start, end));
            members.end();
            members.json.push('}');
        }
        Step::Complete
    }

    /// Reads `delta` if it is the plain inside of a string of the arguments.
    #[inline]
    pub fn absorb(&mut self, delta: &str) -> bool {
        match &mut self.at {
            At::InArgs(value) => value.absorb(delta),
            At::InObject(object) => object.absorb(delta),
            _ => false,
        }
    }

    /// How many of `bytes`, which come next, are the inside of a string.
    pub fn inside(&self, bytes: &[u8]) -> usize {
        match &self.at {
            At::InArgs(value) => value.inside(bytes),
            At::InObject(object) => object.inside(bytes),
            _ => 0,
        }
    }

    fn complete(&self, head: &mut Head) {
        if self.not_a_call {
            head.admission = Some(Admission::Text);
        }
        head.ready = head.is_call();
    }

    pub fn repair(&mut self, cx: &mut Cx<'_>, head: &mut Head) -> bool {
        match &mut self.at {
            At::InArgs(value) => value.repair(cx, head),
            At::InObject(object) => object.repair(cx, head),
            _ => false,
        }
    }

    /// The text ended, and not by the length limit: plain text is over. A bare number as arguments is no object.
    pub fn ends_here(&mut self, cx: &Cx<'_>, cur: &mut usize, head: &mut Head) -> bool {
        match &self.at {
            At::Raw(argument, start) | At::Next(argument, start, ..) if *start < cx.end => {
                *cur = cx.end;
                Self::close_raw(cx, cx.end, argument, *start, head);
                true
            }
            At::InArgs(value) if value.is_whole_number() => {
                head.args = ArgText::Absent;
                self.not_a_call = true;
                self.complete(head);
                true
            }
            _ => false,
        }
    }
}

fn borders(calls: &'static ChannelCalls) -> impl Iterator<Item = (&'static str, Border)> {
    let close = calls.close.iter().map(|text| (*text, Border::Close));
    close.chain(calls.open.iter().map(|text| (*text, Border::Open)))
}

/// A byte of a bare name in a header.
pub(crate) fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"_-.:/".contains(&b) || b >= 0x80
}

/// True if the line `from..end` behind an opener is a header: then plain text ends before it.
fn begins_message(cx: &Cx<'_>, calls: &ChannelCalls, from: usize, end: usize) -> bool {
    let name = cx.window.slice(from, end);
    let known = calls.recipients.iter().any(|(word, role)| *word == name && role.is_some());
    known || matches!(cx.tools.admit(name, cx.options), Admission::Call(_))
}
