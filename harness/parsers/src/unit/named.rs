//! G4 and G17: a header with the name in it, then one JSON object. What the header is made of is the row's data.

use streakstone_model::{Grammar, HeaderPart, Incomplete, NamedCalls};

use super::object::{ArgStep, ArgValue};
use super::{ArgText, Cx, Head, Step, is_space};
use crate::row::{Found, Row, contains};
use crate::text::{push_string, string};
use crate::tools::Admission;

/// Bytes of an id beyond the name in it: `functions.`, a colon and an index.
const ID_AROUND_NAME: usize = 24;
/// White space admitted between the parts of a header.
const HEADER_SPACE: usize = 256;

#[derive(Debug)]
enum At {
    /// Before the unit's opener.
    Open,
    /// Before the next part of the header, or behind the last one before the body. White space began here.
    Part(usize),
    Name(usize),
    Id(usize),
    /// In an element that is not used: where it began, and its closer.
    Element(usize, &'static str),
    InArgs(ArgValue),
    /// In an object that may turn out to be text.
    InBody(ArgValue, usize),
    /// In a body that is text.
    Text(usize),
}

/// The machine. It starts at the opener, at the header, or at white space before it.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of one header, all combinations occur")]
pub(crate) struct Named {
    at: At,
    /// Parts of the header that are read.
    part: usize,
    opener: Opener,
    /// True once a marker was read besides the opener.
    marked: bool,
    /// True where white space is no part of the header.
    tight: bool,
    fenced: bool,
    not_a_call: bool,
    /// The row's, once the unit is complete.
    closers: (usize, Option<&'static str>),
}

/// The opener of a unit. Where none was read, only a marker behind a word makes it a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opener {
    /// It was read, or must come.
    Own,
    /// The section's may stand for it.
    Section,
    /// It may be left out behind another unit.
    LeftOut,
}

fn calls_of(row: &'static Row) -> Option<&'static NamedCalls> {
    if let Grammar::Named(calls) = &row.dialect.grammar { Some(calls) } else { None }
}

fn words(list: &'static [&'static str]) -> impl Iterator<Item = (&'static str, ())> {
    list.iter().map(|word| (*word, ()))
}

/// True for a first byte of a marker that may come behind part `part`.
fn starts_marker(calls: &NamedCalls, part: usize, b: u8) -> bool {
    let starts = |word: &&str| word.as_bytes()[0] == b;
    calls.header[part + 1..].iter().any(|part| match part {
        HeaderPart::Text(words) | HeaderPart::Maybe(words) => words.iter().any(starts),
        _ => false,
    })
}

impl Named {
    const fn new(opener: Opener) -> Self {
        Self { at: At::Open, part: 0, opener, marked: false, tight: false, fenced: false, not_a_call: false, closers: (0, None) }
    }

    /// Where the unit's own opener stands, or the opener of its block stands for it.
    pub const fn opened() -> Self {
        Self::new(Opener::Own)
    }

    /// Directly behind the opener of a section.
    pub const fn in_section() -> Self {
        Self::new(Opener::Section)
    }

    /// Behind another unit.
    pub const fn behind_unit() -> Self {
        Self::new(Opener::LeftOut)
    }

    /// True for a word behind a unit that no marker has made a name: as yet it is prose, and owns nothing.
    pub fn is_word(&self) -> bool {
        self.opener == Opener::LeftOut && !self.marked
    }

    /// True for a byte that a name can begin with.
    pub fn starts_name(b: u8) -> bool {
        b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
    }

    #[expect(clippy::too_many_lines, reason = "one arm a state of the unit")]
    pub fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head, bracket: &mut Option<usize>) -> Step {
        let Some(calls) = calls_of(cx.row) else { return Step::malformed(*cur) };
        loop {
            match &mut self.at {
                At::Open => {
                    if let Some(step) = self.open(calls, cx, cur, head) {
                        return step;
                    }
                }
                At::Part(from) => {
                    let from = *from;
                    let step = match calls.header.get(self.part) {
                        Some(part) => self.part(calls, *part, from, cx, cur),
                        None => self.body(calls, from, cx, cur, head),
                    };
                    match step {
                        // The white space behind a word is before what follows, not the word's.
                        Some(Step::Fail { why, .. }) if self.is_word() => return Step::Fail { resume: from, why },
                        Some(step) => return step,
                        None => {}
                    }
                }
                At::Name(start) => {
                    let start = *start;
                    let in_id = calls.header[self.part] == HeaderPart::NameInId;
                    let cap = cx.options.caps.name.saturating_add(if in_id { ID_AROUND_NAME } else { 0 });
                    let Some(end) = name_end(cx, *cur, start, cap) else {
                        *cur = cx.end.min(start.saturating_add(cap).saturating_add(1));
                        return if *cur - start > cap { cap_at(cx, start, cap) } else { Step::More };
                    };
                    if end - start > cap {
                        return Step::cap(end);
                    }
                    head.enter(start);
                    *cur = end;
                    let written = cx.window.slice(start, end);
                    if !in_id {
                        head.name(written, cx);
                    } else if !name_in_id(written, cx, head) {
                        return Step::cap(end);
                    }
                    self.next(end);
                }
                At::Id(start) => {
                    let start = *start;
                    let (part, cap) = (self.part, cx.options.caps.name);
                    let rest = cx.rest(*cur);
                    // An id that no surface can carry is still an id: the call stands and gets a new one (M52).
                    let Some(run) = rest.iter().position(|&b| b == b'{' || b < b' ' || starts_marker(calls, part, b)) else {
                        *cur = cx.end;
                        return if *cur - start > cap { cap_at(cx, start, cap) } else { Step::More };
                    };
                    *cur += run;
                    if *cur - start > cap {
                        return cap_at(cx, start, cap);
                    }
                    self.tight = matches!(calls.header[part], HeaderPart::MaybeId(_));
                    let id = cx.window.slice(start, *cur);
                    head.id = Some(if self.tight { id } else { id.trim_end() }.to_owned());
                    self.next(*cur);
                }
                At::Element(start, close) => {
                    let (start, close) = (*start, *close);
                    let cap = cx.options.caps.name;
                    let run = memchr::memchr(close.as_bytes()[0], cx.rest(*cur));
                    *cur = run.map_or(cx.end, |run| *cur + run);
                    if *cur - start > cap {
                        return cap_at(cx, start, cap);
                    }
                    match run.map(|_| cx.look(*cur, std::iter::once((close, ())))) {
                        None | Some(Found::Maybe(_)) => return Step::More,
                        Some(Found::No) => *cur += 1,
                        Some(Found::Yes((), len)) => {
                            *cur += len;
                            self.next(*cur);
                        }
                    }
                }
                At::InArgs(value) => match value.advance(cx, cur, head, bracket) {
                    ArgStep::More => return Step::More,
                    ArgStep::Fail(step) => return step,
                    done => {
                        self.not_a_call = done == ArgStep::Other;
                        return self.complete(calls, head);
                    }
                },
                At::InBody(value, start) => match value.advance(cx, cur, head, bracket) {
                    ArgStep::More => return Step::More,
                    ArgStep::Fail(step @ Step::Fail { why: Incomplete::Cap, .. }) => return step,
                    ArgStep::Fail(_) => {
                        // It was text from its first byte on.
                        *cur = *start;
                        self.at = At::Text(*start);
                    }
                    ArgStep::Arguments | ArgStep::Other => return self.complete(calls, head),
                },
                At::Text(start) => {
                    let start = *start;
                    let Some(run) = memchr::memchr(b'<', cx.rest(*cur)) else {
                        *cur = cx.end;
                        return Step::More;
                    };
                    *cur += run;
                    match cx.look(*cur, words(calls.unit_close)) {
                        Found::Maybe(_) => return Step::More,
                        Found::No => *cur += 1,
                        Found::Yes(..) => {
                            let text = cx.window.slice(start, *cur);
                            let mut json = "{".to_owned();
                            push_string(&mut json, calls.text.unwrap_or_default());
                            json.push(':');
                            json.push_str(&string(text.strip_suffix('\n').unwrap_or(text)));
                            json.push('}');
                            head.args = ArgText::Text(json);
                            return self.complete(calls, head);
                        }
                    }
                }
            }
        }
    }

    /// The next part of the header; white space before it begins at `from`.
    fn next(&mut self, from: usize) {
        self.part += 1;
        self.at = At::Part(from);
    }

    /// The unit's opener, which a section's may stand for.
    fn open(&mut self, calls: &'static NamedCalls, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head) -> Option<Step> {
        if cx.skip_space(cur).is_none() {
            return Some(Step::More);
        }
        if calls.unit.is_empty() {
            self.at = At::Part(*cur);
            return None;
        }
        match cx.look(*cur, words(calls.unit)) {
            Found::Maybe(_) => return Some(Step::More),
            Found::No if self.opener == Opener::Own => return Some(Step::malformed(*cur)),
            Found::No => {}
            Found::Yes((), len) => {
                head.enter(*cur);
                *cur += len;
                self.opener = Opener::Own;
            }
        }
        self.at = At::Part(*cur);
        None
    }

    /// Skips white space that began at `from`, where there may be any.
    fn space(&self, cx: &mut Cx<'_>, cur: &mut usize, from: usize) -> Space {
        if self.tight {
            return cx.rest(*cur).first().map_or(Space::More, |&b| Space::Over(b));
        }
        let b = cx.skip_space(cur);
        if *cur - from > HEADER_SPACE {
            *cur = from + HEADER_SPACE;
            return Space::TooMuch;
        }
        b.map_or(Space::More, Space::Over)
    }

    /// Where the header broke, at `cur` behind white space that began at `from`. Behind a unit's own opener the white space is
    /// read again: a newline in it may belong to the next block.
    fn broken(calls: &NamedCalls, from: usize, cur: usize) -> Step {
        Step::malformed(if calls.unit.is_empty() { cur } else { from })
    }

    /// A part of the header.
    fn part(&mut self, calls: &NamedCalls, part: HeaderPart, from: usize, cx: &mut Cx<'_>, cur: &mut usize) -> Option<Step> {
        let b = match self.space(cx, cur, from) {
            Space::Over(b) => b,
            Space::More => return Some(Step::More),
            Space::TooMuch => return Some(Step::malformed(*cur)),
        };
        let (found, required) = match part {
            HeaderPart::Space(_) => {
                self.next(from);
                return None;
            }
            HeaderPart::Name | HeaderPart::NameInId => {
                if !Self::starts_name(b) {
                    return Some(Self::broken(calls, from, *cur));
                }
                self.at = At::Name(*cur);
                return None;
            }
            HeaderPart::Id => {
                self.at = At::Id(*cur);
                return None;
            }
            HeaderPart::Text(list) => (cx.look(*cur, words(list)), true),
            HeaderPart::Maybe(list) => (cx.look(*cur, words(list)), false),
            HeaderPart::MaybeId(word) | HeaderPart::MaybeElement([word, _]) => (cx.look(*cur, std::iter::once((word, ()))), false),
        };
        match found {
            Found::Maybe(_) => Some(Step::More),
            Found::No if required => Some(Self::broken(calls, from, *cur)),
            Found::No => {
                self.next(from);
                None
            }
            Found::Yes((), len) => {
                *cur += len;
                self.tight = false;
                self.marked = true;
                match part {
                    HeaderPart::MaybeId(_) => self.at = At::Id(*cur),
                    HeaderPart::MaybeElement([_, close]) => self.at = At::Element(*cur, close),
                    _ => self.next(*cur),
                }
                None
            }
        }
    }

    /// Where the body begins, behind its fence.
    fn body(&mut self, calls: &'static NamedCalls, from: usize, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head) -> Option<Step> {
        let b = match self.space(cx, cur, from) {
            Space::Over(b) if self.tight && b != b'{' => return Some(Step::malformed(*cur)),
            Space::Over(b) => b,
            Space::More => return Some(Step::More),
            Space::TooMuch => return Some(Step::malformed(*cur)),
        };
        if let Some((open, close)) = calls.fence.filter(|_| b == b'`') {
            if !self.fenced {
                match cx.look(*cur, words(open)) {
                    Found::Maybe(_) => return Some(Step::More),
                    Found::No => return Some(Step::malformed(*cur)),
                    Found::Yes((), len) => {
                        *cur += len;
                        self.fenced = true;
                        self.marked = true;
                        self.at = At::Part(*cur);
                        return None;
                    }
                }
            }
            match cx.look(*cur, std::iter::once((close, ()))) {
                Found::Maybe(_) => return Some(Step::More),
                Found::No => return Some(Step::malformed(*cur)),
                Found::Yes(..) => return Some(self.complete(calls, head)),
            }
        }
        if b == b'<' && !calls.unit_close.is_empty() {
            // No arguments are none (B15).
            match cx.look(*cur, words(calls.unit_close).chain(words(calls.close))) {
                Found::Maybe(_) => return Some(Step::More),
                Found::Yes(..) if self.marked || calls.text.is_some() => return Some(self.complete(calls, head)),
                Found::Yes(..) | Found::No => {}
            }
        }
        if calls.text.is_some() {
            self.at = if b == b'{' { At::InBody(ArgValue::new(cx, *cur, b, head), *cur) } else { At::Text(*cur) };
        } else if !self.marked && (self.opener != Opener::Own || b != b'{') {
            return Some(Step::malformed(*cur));
        } else {
            self.at = At::InArgs(ArgValue::new(cx, *cur, b, head));
            head.ready = head.is_call() && b == b'{' && !calls.closed;
        }
        None
    }

    /// Reads `delta` if it is the plain inside of a string of the arguments.
    #[inline]
    pub fn absorb(&mut self, delta: &str) -> bool {
        match &mut self.at {
            At::InArgs(value) | At::InBody(value, _) => value.absorb(delta),
            At::Text(_) => !contains(delta.as_bytes(), b'<'),
            _ => false,
        }
    }

    /// How many of `bytes`, which come next, are the inside of a string.
    pub fn inside(&self, bytes: &[u8]) -> usize {
        match &self.at {
            At::InArgs(value) | At::InBody(value, _) => value.inside(bytes),
            _ => 0,
        }
    }

    /// Of a complete unit: how many closers may still come, and the fence that may still close.
    pub const fn closers(&self) -> (usize, Option<&'static str>) {
        self.closers
    }

    fn complete(&mut self, calls: &'static NamedCalls, head: &mut Head) -> Step {
        self.closers = (calls.unit_close.len(), calls.fence.filter(|_| self.fenced).map(|(_, close)| close));
        self.settle(head);
        Step::Complete
    }

    fn settle(&self, head: &mut Head) {
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
            self.settle(head);
        }
        number
    }
}

/// Decides by an id that holds the name. Models write it without its prefix, its dot or its colon (B15, B51): then the name is
/// the declared one that is left without the word and the digits. False if the name is too long.
fn name_in_id(written: &str, cx: &Cx<'_>, head: &mut Head) -> bool {
    head.id = Some(written.to_owned());
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let (whole, indexed) = written.rsplit_once(':').filter(|(_, index)| digits(index)).map_or((written, false), |(name, _)| (name, true));
    let name = whole.strip_prefix("functions.").unwrap_or(whole);
    let worn = whole.strip_prefix("functions").filter(|_| !indexed);
    let worn = worn.map(|rest| rest.trim_start_matches('.').trim_end_matches(|c: char| c.is_ascii_digit()));
    if name.len() > cx.options.caps.name {
        return false;
    }
    let declared = [Some(name), Some(whole), worn].into_iter().flatten().find(|name| cx.tools.declares(name, cx.options));
    match declared {
        Some(name) => head.name(name, cx),
        // A counter alone names nothing.
        None if digits(name) => head.admission = Some(Admission::Text),
        None => head.name(name, cx),
    }
    true
}

/// The end of the name that began at `start`, if it has come.
pub(super) fn name_end(cx: &Cx<'_>, cur: usize, start: usize, cap: usize) -> Option<usize> {
    let stop = cx.end.min(start.saturating_add(cap).saturating_add(1));
    let bytes = if cur < stop { cx.window.bytes(cur, stop) } else { &[] };
    bytes.iter().position(|&b| is_space(b) || b"[]{}<>\"'(),".contains(&b) || b < 0x20).map(|n| cur + n)
}

fn cap_at(cx: &Cx<'_>, start: usize, cap: usize) -> Step {
    Step::cap(cx.window.boundary(start + cap + 1))
}

/// White space of a header.
enum Space {
    /// This byte follows it.
    Over(u8),
    /// More of it may come.
    More,
    TooMuch,
}
