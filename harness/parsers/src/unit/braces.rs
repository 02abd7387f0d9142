//! G13: `call:name{key:value,...}` with bare keys. The arguments are put together as compact JSON while they are read.

use streakstone_model::{BraceCalls, Delivery, Grammar};

use super::args::Members;
use super::named::{Named, name_end};
use super::{ArgText, Cx, Head, Step};
use crate::python::push_code;
use crate::row::{Found, Row, contains};
use crate::scan::is_json;
use crate::text::{push_escaped, push_string};

/// White space admitted before the bracket.
const HEADER_SPACE: usize = 256;

/// What a string stands between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quote {
    /// The row's delimiter: all between is text.
    Row,
    /// JSON's quote, or a single one: backslashes escape.
    Byte(u8),
}

#[derive(Debug, Clone, Copy)]
enum At {
    /// Before what stands before the name.
    Start,
    /// Before the name.
    Head,
    Name(usize),
    /// Behind the name, which ended here.
    Open(usize),
    /// At a key; true where the bracket may close.
    Key(bool),
    BareKey(usize),
    QuotedKey(usize, Quote),
    Colon,
    /// At a value; true where the list may close.
    Value(bool),
    Str(Quote),
    Escape(u8),
    /// `\uhhhh`: the quote, digits left and the value so far.
    Hex(u8, u8, u32),
    /// In a value that is not delimited.
    Word(usize),
    After,
}

/// An open bracket: the byte that closes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Frame(u8);

/// The machine. It starts behind the opener, or at the template's word, or at white space before either.
#[derive(Debug)]
pub(crate) struct Braces {
    at: At,
    /// True where only the template's word makes a call.
    needs_head: bool,
    frames: Vec<Frame>,
    /// A comma was read and its JSON comma is not written yet: a trailing one is left out.
    comma: bool,
    key: String,
}

fn calls_of(row: &'static Row) -> Option<&'static BraceCalls> {
    if let Grammar::Braces(calls) = &row.dialect.grammar { Some(calls) } else { None }
}

impl Braces {
    pub fn new(needs_head: bool) -> Self {
        Self { at: At::Start, needs_head, frames: Vec::new(), comma: false, key: String::new() }
    }

    #[expect(clippy::too_many_lines, reason = "one arm a state of the unit")]
    pub fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head) -> Step {
        let Some(calls) = calls_of(cx.row) else { return Step::malformed(*cur) };
        let quote = || std::iter::once((calls.quote, ()));
        loop {
            match self.at {
                At::Start => {
                    if cx.skip_space(cur).is_none() {
                        return Step::More;
                    }
                    let heads = if self.needs_head { &calls.heads[..1] } else { calls.heads };
                    match cx.look(*cur, heads.iter().map(|word| (*word, ()))) {
                        Found::Maybe(_) => return Step::More,
                        Found::No if self.needs_head => return Step::malformed(*cur),
                        Found::No => {}
                        Found::Yes((), len) => {
                            head.enter(*cur);
                            *cur += len;
                        }
                    }
                    self.at = At::Head;
                }
                At::Head => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    if !Named::starts_name(b) {
                        return Step::malformed(*cur);
                    }
                    head.enter(*cur);
                    self.at = At::Name(*cur);
                }
                At::Name(start) => {
                    let cap = cx.options.caps.name;
                    let end = name_end(cx, *cur, start, cap);
                    *cur = end.unwrap_or_else(|| cx.end.min(start.saturating_add(cap).saturating_add(1)));
                    if *cur - start > cap {
                        return Step::cap(cx.window.boundary(start + cap + 1));
                    }
                    if end.is_none() {
                        return Step::More;
                    }
                    head.name(cx.window.slice(start, *cur), cx);
                    self.at = At::Open(*cur);
                }
                At::Open(from) => {
                    let b = cx.skip_space(cur);
                    if *cur - from > HEADER_SPACE {
                        return Step::malformed(from + HEADER_SPACE);
                    }
                    let close = match b {
                        None => return Step::More,
                        Some(b'{') => b'}',
                        // Models write a call of Python too (B51).
                        Some(b'(') if *cur == from => b')',
                        Some(_) => return Step::malformed(*cur),
                    };
                    *cur += 1;
                    head.open_members();
                    head.ready = head.is_call();
                    self.frames.push(Frame(close));
                    self.at = At::Key(true);
                }
                At::Key(may_close) => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    match b {
                        b'<' => match cx.look(*cur, quote()) {
                            Found::Maybe(_) => return Step::More,
                            Found::No => return Step::malformed(*cur),
                            Found::Yes((), len) => {
                                *cur += len;
                                self.at = At::QuotedKey(*cur, Quote::Row);
                            }
                        },
                        b'"' | b'\'' => {
                            *cur += 1;
                            self.at = At::QuotedKey(*cur, Quote::Byte(b));
                        }
                        b if may_close && self.frames.last() == Some(&Frame(b)) => {
                            *cur += 1;
                            if self.close(cx, head) {
                                return Step::Complete;
                            }
                        }
                        b if is_syntax(b) => return Step::malformed(*cur),
                        _ => self.at = At::BareKey(*cur),
                    }
                }
                At::BareKey(start) | At::QuotedKey(start, Quote::Byte(_)) => {
                    let cap = cx.options.caps.name;
                    let rest = cx.rest(*cur);
                    let run = match self.at {
                        At::QuotedKey(_, Quote::Byte(b)) => rest.iter().position(|&c| c == b || c == b'\\'),
                        _ => rest.iter().position(|&b| is_syntax(b)),
                    };
                    *cur = run.map_or(cx.end, |run| *cur + run);
                    if *cur - start > cap {
                        return Step::cap(cx.window.boundary(start + cap + 1));
                    }
                    let Some(run) = run else { return Step::More };
                    let key = cx.window.slice(start, *cur);
                    match (self.at, rest[run]) {
                        (At::QuotedKey(..), b'\\') => return Step::malformed(*cur),
                        (At::QuotedKey(..), _) => {
                            key.clone_into(&mut self.key);
                            *cur += 1;
                        }
                        (_, b':' | b'=') => key.trim_end().clone_into(&mut self.key),
                        _ => return Step::malformed(*cur),
                    }
                    self.at = At::Colon;
                }
                At::QuotedKey(start, Quote::Row) => {
                    let cap = cx.options.caps.name;
                    let run = memchr::memchr(b'<', cx.rest(*cur));
                    *cur = run.map_or(cx.end, |run| *cur + run);
                    if *cur - start > cap {
                        return Step::cap(cx.window.boundary(start + cap + 1));
                    }
                    match run.map(|_| cx.look(*cur, quote())) {
                        None | Some(Found::Maybe(_)) => return Step::More,
                        Some(Found::No) => *cur += 1,
                        Some(Found::Yes((), len)) => {
                            cx.window.slice(start, *cur).clone_into(&mut self.key);
                            *cur += len;
                            self.at = At::Colon;
                        }
                    }
                }
                At::Colon => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    if !matches!(b, b':' | b'=') {
                        return Step::malformed(*cur);
                    }
                    if let Some(step) = self.begin(cx, *cur, head) {
                        return step;
                    }
                    *cur += 1;
                }
                At::Value(may_close) => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    if let Some(step) = self.value(b, may_close, calls, cx, cur, head) {
                        return step;
                    }
                }
                At::Str(Quote::Row) => {
                    let ArgText::Members(members) = &mut head.args else { return Step::malformed(*cur) };
                    let run = memchr::memchr(b'<', cx.rest(*cur));
                    let to = run.map_or(cx.end, |run| *cur + run);
                    push_escaped(&mut members.json, cx.window.slice(*cur, to));
                    *cur = to;
                    match run.map(|_| cx.look(to, quote())) {
                        None | Some(Found::Maybe(_)) => return Step::More,
                        Some(Found::No) => {
                            members.json.push('<');
                            *cur += 1;
                        }
                        Some(Found::Yes((), len)) => {
                            *cur += len;
                            members.json.push('"');
                            self.done(members);
                        }
                    }
                }
                At::Str(Quote::Byte(close)) => {
                    let ArgText::Members(members) = &mut head.args else { return Step::malformed(*cur) };
                    let rest = cx.rest(*cur);
                    let run = rest.iter().position(|&b| b == close || b == b'\\');
                    let to = run.map_or(cx.end, |run| *cur + run);
                    push_escaped(&mut members.json, cx.window.slice(*cur, to));
                    *cur = to;
                    let Some(run) = run else { return Step::More };
                    *cur += 1;
                    if rest[run] == b'\\' {
                        self.at = At::Escape(close);
                    } else {
                        members.json.push('"');
                        self.done(members);
                    }
                }
                At::Escape(close) => {
                    let ArgText::Members(members) = &mut head.args else { return Step::malformed(*cur) };
                    let Some(&b) = cx.rest(*cur).first() else { return Step::More };
                    self.at = At::Str(Quote::Byte(close));
                    match b {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => members.json.extend(['\\', char::from(b)]),
                        b'\'' => members.json.push('\''),
                        b'u' => self.at = At::Hex(close, 4, 0),
                        _ => return Step::malformed(*cur),
                    }
                    *cur += 1;
                }
                At::Hex(close, left, value) => {
                    let ArgText::Members(members) = &mut head.args else { return Step::malformed(*cur) };
                    let Some(&b) = cx.rest(*cur).first() else { return Step::More };
                    let Some(digit) = char::from(b).to_digit(16) else { return Step::malformed(*cur) };
                    let value = value * 16 + digit;
                    *cur += 1;
                    self.at = At::Hex(close, left - 1, value);
                    if left == 1 {
                        push_code(&mut members.json, value);
                        self.at = At::Str(Quote::Byte(close));
                    }
                }
                At::Word(start) => {
                    let round = self.frames.first() == Some(&Frame(b')'));
                    let rest = cx.rest(*cur);
                    let Some(run) = rest.iter().position(|&b| matches!(b, b',' | b'}' | b']' | b'<') || (round && b == b')')) else {
                        *cur = cx.end;
                        return Step::More;
                    };
                    *cur += run;
                    let ArgText::Members(members) = &mut head.args else { return Step::malformed(*cur) };
                    let word = cx.window.slice(start, *cur).trim_end();
                    if is_json(word, 1) {
                        members.json.push_str(word);
                    } else if calls.words && rest[run] != b'<' {
                        push_string(&mut members.json, word);
                    } else {
                        return Step::malformed(*cur);
                    }
                    self.done(members);
                }
                At::After => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    if b == b',' {
                        self.comma = true;
                        self.at = if self.frames.last() == Some(&Frame(b']')) { At::Value(true) } else { At::Key(true) };
                    } else if self.frames.last() != Some(&Frame(b)) {
                        return Step::malformed(*cur);
                    }
                    *cur += 1;
                    if b != b',' && self.close(cx, head) {
                        return Step::Complete;
                    }
                }
            }
        }
    }

    /// The key is read; its value comes.
    fn begin(&mut self, cx: &Cx<'_>, at: usize, head: &mut Head) -> Option<Step> {
        let ArgText::Members(members) = &mut head.args else { return Some(Step::malformed(at)) };
        let comma = std::mem::take(&mut self.comma);
        if self.key.is_empty() {
            return Some(Step::malformed(at));
        }
        if self.frames.len() > 1 {
            if comma {
                members.json.push(',');
            }
            push_string(&mut members.json, &self.key);
            members.json.push(':');
        } else if members.count() == cx.options.caps.parameters {
            return Some(Step::cap(at));
        } else {
            members.begin(&self.key, cx.duplicate());
        }
        self.at = At::Value(false);
        None
    }

    /// A value begins with `b`, or its list closes.
    fn value(&mut self, b: u8, may_close: bool, calls: &BraceCalls, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head) -> Option<Step> {
        if b == b']' && may_close {
            *cur += 1;
            self.close(cx, head);
            return None;
        }
        let mut next = match b {
            b'<' => At::Str(Quote::Row),
            b'"' | b'\'' => At::Str(Quote::Byte(b)),
            b'{' => At::Key(true),
            b'[' => At::Value(true),
            b if is_syntax(b) => return Some(Step::malformed(*cur)),
            _ => At::Word(*cur),
        };
        let mut len = 1;
        if b == b'<' {
            match cx.look(*cur, std::iter::once((calls.quote, ()))) {
                Found::Maybe(_) => return Some(Step::More),
                Found::No => return Some(Step::malformed(*cur)),
                Found::Yes((), quote) => len = quote,
            }
        }
        let ArgText::Members(members) = &mut head.args else { return Some(Step::malformed(*cur)) };
        if std::mem::take(&mut self.comma) {
            members.json.push(',');
        }
        match &mut next {
            At::Word(_) => len = 0,
            At::Str(_) => members.json.push('"'),
            _ => {
                if self.frames.len() > cx.options.caps.depth {
                    return Some(Step::cap(*cur));
                }
                members.json.push(char::from(b));
                self.frames.push(Frame(if b == b'{' { b'}' } else { b']' }));
            }
        }
        *cur += len;
        self.at = next;
        None
    }

    /// A value is written.
    fn done(&mut self, members: &mut Members) {
        if self.frames.len() == 1 {
            members.end();
        }
        self.at = At::After;
    }

    /// The innermost bracket closed; true if it was the last.
    fn close(&mut self, cx: &Cx<'_>, head: &mut Head) -> bool {
        let ArgText::Members(members) = &mut head.args else { return false };
        self.comma = false;
        let frame = self.frames.pop();
        if self.frames.is_empty() {
            members.close(cx.duplicate(), cx.delivery == Delivery::Eager);
            return true;
        }
        members.json.push(frame.map_or('}', |Frame(b)| char::from(b)));
        self.done(members);
        false
    }

    /// Reads `delta` if it is the plain inside of a string.
    #[inline]
    pub fn absorb(&mut self, delta: &str, head: &mut Head) -> bool {
        let ArgText::Members(members) = &mut head.args else { return false };
        let plain = match self.at {
            At::Str(Quote::Row) => !contains(delta.as_bytes(), b'<'),
            At::Str(Quote::Byte(close)) => !delta.bytes().any(|b| b == close || b == b'\\'),
            _ => false,
        };
        if plain {
            push_escaped(&mut members.json, delta);
        }
        plain
    }

    /// True if only closers lack: no string, word or key is open, and nothing is due.
    pub fn repair(&mut self, cx: &Cx<'_>, head: &mut Head) -> bool {
        let closable = !self.comma && !self.frames.is_empty() && matches!(self.at, At::After | At::Key(true) | At::Value(true));
        if closable {
            while !self.close(cx, head) {}
        }
        closable
    }
}

/// True for a byte that no key or word begins with, and that ends a key.
const fn is_syntax(b: u8) -> bool {
    matches!(b, b'{' | b'}' | b'[' | b']' | b'(' | b')' | b',' | b':' | b'=' | b'<' | b'"')
}
