//! G4 as Mistral writes it: `name ([CALL_ID] id)? ([ARGS])? {...}`.

use streakstone_model::{Grammar, NamedCalls};

use super::object::{ArgStep, ArgValue};
use super::{ArgText, Cx, Head, Step, is_space};
use crate::row::Found;
use crate::tools::Admission;

/// White space admitted between the parts of a header.
const HEADER_SPACE: usize = 256;

#[derive(Debug)]
enum At {
    /// Before the name.
    Start,
    Name(usize),
    /// After the name: an id, the arguments' marker, or the brace.
    AfterName(usize),
    Id(usize),
    AfterId,
    /// After the marker: white space, then the value.
    Value(usize),
    InArgs(ArgValue),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    CallId,
    Args,
    Brace,
}

/// The machine. It starts at the name, or at white space before it.
#[derive(Debug)]
pub(crate) struct Named {
    at: At,
    /// True where no opener was read: then only `[ARGS]` or `[CALL_ID]` makes a word a name.
    needs_marker: bool,
    not_a_call: bool,
}

impl Named {
    pub fn new(needs_marker: bool) -> Self {
        Self { at: At::Start, needs_marker, not_a_call: false }
    }

    /// True for a byte that a name can begin with.
    pub fn starts_name(b: u8) -> bool {
        b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
    }

    pub fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head, bracket: &mut Option<usize>) -> Step {
        let Grammar::Named(NamedCalls { call_id, args, .. }) = &cx.row.dialect.grammar else { return Step::malformed(*cur) };
        loop {
            match &mut self.at {
                At::Start => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    if !Self::starts_name(b) {
                        return Step::malformed(*cur);
                    }
                    self.at = At::Name(*cur);
                }
                At::Name(start) => {
                    let start = *start;
                    let Some(end) = name_end(cx, *cur, start) else {
                        *cur = cx.end.min(start + cx.options.caps.name + 1);
                        if *cur - start > cx.options.caps.name {
                            return Step::cap(cx.window.boundary(*cur));
                        }
                        return Step::More;
                    };
                    if end - start > cx.options.caps.name {
                        return Step::cap(end);
                    }
                    head.enter(start);
                    *cur = end;
                    self.at = At::AfterName(end);
                    head.name(cx.window.slice(start, end), cx);
                }
                At::AfterName(end) => {
                    let end = *end;
                    match header_space(cx, cur, end) {
                        Space::Over(_) => {}
                        Space::More => return Step::More,
                        Space::TooMuch => return Step::malformed(*cur),
                    }
                    let words = [(*call_id, Part::CallId), (*args, Part::Args), ("{", Part::Brace)];
                    match cx.look(*cur, words.into_iter()) {
                        Found::Maybe(_) => return Step::More,
                        Found::Yes(Part::CallId, len) => {
                            *cur += len;
                            self.at = At::Id(*cur);
                        }
                        Found::Yes(Part::Args, len) => {
                            *cur += len;
                            self.at = At::Value(*cur);
                        }
                        Found::Yes(Part::Brace, _) if !self.needs_marker => self.at = At::Value(*cur),
                        Found::Yes(Part::Brace, _) | Found::No => return Step::malformed(*cur),
                    }
                }
                At::Id(start) => {
                    let start = *start;
                    let rest = cx.rest(*cur);
                    // An id that no surface can carry is still an id: the call stands and gets a new one (M52).
                    let Some(run) = rest.iter().position(|&b| b == b'[' || b == b'{' || b < b' ') else {
                        *cur = cx.end;
                        return if *cur - start > cx.options.caps.name { cap_at(cx, start) } else { Step::More };
                    };
                    *cur += run;
                    if *cur - start > cx.options.caps.name {
                        return cap_at(cx, start);
                    }
                    head.id = Some(cx.window.slice(start, *cur).to_owned());
                    self.at = At::AfterId;
                }
                At::AfterId => match cx.look(*cur, [(*args, Part::Args), ("{", Part::Brace)].into_iter()) {
                    Found::Maybe(_) => return Step::More,
                    Found::Yes(part, len) => {
                        *cur += if part == Part::Args { len } else { 0 };
                        self.at = At::Value(*cur);
                    }
                    Found::No => return Step::malformed(*cur),
                },
                At::Value(from) => {
                    let from = *from;
                    let b = match header_space(cx, cur, from) {
                        Space::Over(b) => b,
                        Space::More => return Step::More,
                        Space::TooMuch => return Step::malformed(*cur),
                    };
                    self.at = At::InArgs(ArgValue::new(cx, *cur, b, head));
                    head.ready = head.is_call() && b == b'{';
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
            }
        }
    }

    /// Reads `delta` if it is the plain inside of a string of the arguments.
    #[inline]
    pub fn absorb(&mut self, delta: &str) -> bool {
        if let At::InArgs(value) = &mut self.at { value.absorb(delta) } else { false }
    }

    fn complete(&self, head: &mut Head) {
        if self.not_a_call {
            head.admission = Some(Admission::Text);
        }
        head.ready = head.is_call();
    }

    pub fn repair(&mut self, cx: &Cx<'_>, head: &mut Head) -> bool {
        match &self.at {
            At::InArgs(value) => value.repair(cx, head),
            _ => false,
        }
    }

    /// A bare number as arguments ends with the text; it is no object, so the unit is text.
    pub fn ends_here(&mut self, head: &mut Head) -> bool {
        let number = matches!(&self.at, At::InArgs(value) if value.is_whole_number());
        if number {
            head.args = ArgText::Absent;
            self.not_a_call = true;
            self.complete(head);
        }
        number
    }
}

/// The end of the name that began at `start`, if it has come.
fn name_end(cx: &Cx<'_>, cur: usize, start: usize) -> Option<usize> {
    let stop = cx.end.min(start + cx.options.caps.name + 1);
    let bytes = if cur < stop { cx.window.bytes(cur, stop) } else { &[] };
    bytes.iter().position(|&b| is_space(b) || b"[]{}<>\"'(),".contains(&b) || b < 0x20).map(|n| cur + n)
}

fn cap_at(cx: &Cx<'_>, start: usize) -> Step {
    Step::cap(cx.window.boundary(start + cx.options.caps.name + 1))
}

/// White space of a header.
enum Space {
    /// This byte follows it.
    Over(u8),
    /// More of it may come.
    More,
    TooMuch,
}

/// Skips white space of a header that began at `from`.
fn header_space(cx: &mut Cx<'_>, cur: &mut usize, from: usize) -> Space {
    let b = cx.skip_space(cur);
    if *cur - from > HEADER_SPACE {
        *cur = from + HEADER_SPACE;
        return Space::TooMuch;
    }
    b.map_or(Space::More, Space::Over)
}
