//! G1 and the elements of G2: one strict JSON object `{"name": N, "arguments": OBJ, "id"?: ID}`. Also the value that carries
//! arguments in G4.

use streakstone_model::{Coercion, Grammar, IdPlacement, JsonKeys};

use super::{ArgText, Cx, Head, Step};
use crate::scan::{JsonScan, Scan, flat_object, is_json, string_run};
use crate::text::unescape;
use crate::tools::{Admission, Name};

/// Objects around the call's own, at most: `{"tool_call": {"function": {...}}}`.
const AROUND: u8 = 2;

/// A value that should be an object of arguments (semantics 6).
#[derive(Debug)]
pub(crate) struct ArgValue {
    scan: JsonScan,
    start: usize,
    first: u8,
}

/// What the value turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgStep {
    More,
    /// An object, a string that holds one, or null.
    Arguments,
    /// A list, a scalar or another string: the unit stays text.
    Other,
    Fail(Step),
}

impl ArgValue {
    /// Begins at `start`, where `first` stands.
    pub fn new(cx: &Cx<'_>, start: usize, first: u8, head: &mut Head) -> Self {
        if first == b'{' {
            head.args = ArgText::Raw { from: start, to: None };
        }
        Self { scan: JsonScan::noting(cx.options.caps.depth, cx.row.noted), start, first }
    }

    pub fn advance(&mut self, cx: &Cx<'_>, cur: &mut usize, head: &mut Head, bracket: &mut Option<usize>) -> ArgStep {
        let from = *cur;
        let done = match self.scan.scan(cx.rest(from)) {
            Scan::More => {
                *cur = cx.end;
                note_bracket(&self.scan, self.start, bracket);
                return ArgStep::More;
            }
            Scan::Done(n) => from + n,
            Scan::Bad(n) => {
                *cur = from + n;
                note_bracket(&self.scan, self.start, bracket);
                return ArgStep::Fail(Step::malformed(*cur));
            }
            Scan::Deep(n) => {
                *cur = from + n;
                note_bracket(&self.scan, self.start, bracket);
                return ArgStep::Fail(Step::cap(*cur));
            }
        };
        *cur = done;
        note_bracket(&self.scan, self.start, bracket);
        self.close(cx, done, head)
    }

    fn close(&self, cx: &Cx<'_>, end: usize, head: &mut Head) -> ArgStep {
        match self.first {
            b'{' => head.args = ArgText::Raw { from: self.start, to: Some(end) },
            b'n' => head.args = ArgText::Absent,
            b'"' => {
                let text = unescape(cx.window.slice(self.start + 1, end - 1)).into_owned();
                let trimmed = text.trim();
                if trimmed.starts_with('{') && is_json(trimmed, cx.options.caps.depth) {
                    head.args = ArgText::Text(trimmed.to_owned());
                } else if cx.coercion() == Coercion::Unsloth {
                    head.args = ArgText::Bare(text);
                } else {
                    return ArgStep::Other;
                }
            }
            // U31: a list or scalar becomes the empty object.
            _ if cx.coercion() == Coercion::Unsloth => head.args = ArgText::Absent,
            _ => return ArgStep::Other,
        }
        ArgStep::Arguments
    }

    /// Reads `delta` if it is the plain inside of a string.
    #[inline]
    pub fn absorb(&mut self, delta: &str) -> bool {
        self.scan.absorb(delta.as_bytes())
    }

    /// How many of `bytes`, which come next, are the inside of a string.
    pub fn inside(&self, bytes: &[u8]) -> usize {
        self.scan.inside(bytes)
    }

    /// Completes the value with closers alone; the unit's own closers follow elsewhere.
    pub fn repair(&self, cx: &Cx<'_>, head: &mut Head) -> bool {
        match self.scan.closers() {
            Some(closers) if self.first == b'{' => {
                head.args = ArgText::Text(format!("{}{closers}", cx.window.slice(self.start, cx.end)));
                true
            }
            _ => false,
        }
    }

    /// True if the value is a number that the end of the text ends.
    pub fn is_whole_number(&self) -> bool {
        self.scan.is_whole_number()
    }

    /// True if closers alone complete the value.
    fn closable(&self) -> bool {
        self.scan.closers().is_some()
    }
}

/// True if an id may come behind the arguments.
fn late_id(cx: &Cx<'_>) -> bool {
    match cx.row.dialect.ids {
        IdPlacement::None => false,
        IdPlacement::After => true,
        // In a list in place of Mistral's header, an id stands anywhere.
        IdPlacement::Before | IdPlacement::WithName => !matches!(cx.row.dialect.grammar, Grammar::Json(_)),
    }
}

fn note_bracket(scan: &JsonScan, start: usize, bracket: &mut Option<usize>) {
    if let Some(at) = scan.last_noted {
        *bracket = Some(start + at);
    }
}

#[derive(Debug)]
enum At {
    Open,
    /// A key, or with `true` the closing brace.
    Key(bool),
    InKey(JsonScan, usize),
    Colon(Key),
    Value(Key),
    InName(JsonScan, usize),
    InId(JsonScan, usize),
    InArgs(ArgValue),
    InOther(ArgValue),
    Comma,
}

/// A string of the object that is read for what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Key,
    Name,
    Id,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Name,
    Args,
    Id,
    /// Holds the call.
    Call,
    /// Holds a list of calls.
    List,
    Other,
}

/// The machine. It starts at the `{`.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of one object, all combinations occur")]
pub(crate) struct CallObject {
    at: At,
    keys: &'static JsonKeys,
    /// True where an element without arguments is no call.
    needs_arguments: bool,
    /// True where a list of calls may stand in the object.
    may_wrap: bool,
    /// Objects open around the call's own.
    around: u8,
    named: bool,
    has_args: bool,
    /// True once something makes the object no call; its end is still looked for.
    not_a_call: bool,
}

impl CallObject {
    pub fn new(keys: &'static JsonKeys, needs_arguments: bool) -> Self {
        Self { at: At::Open, keys, needs_arguments, may_wrap: false, around: 0, named: false, has_args: false, not_a_call: false }
    }

    /// The same, for an object that may hold a list of calls in place of one.
    pub fn or_wrapper(self) -> Self {
        Self { may_wrap: true, ..self }
    }

    #[expect(clippy::too_many_lines, reason = "one arm a state of the object")]
    pub fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head, bracket: &mut Option<usize>) -> Step {
        loop {
            match &mut self.at {
                At::InArgs(value) => match value.advance(cx, cur, head, bracket) {
                    ArgStep::More => {
                        self.note_ready(cx, head);
                        return Step::More;
                    }
                    ArgStep::Fail(step) => {
                        self.note_ready(cx, head);
                        return step;
                    }
                    done => {
                        self.not_a_call |= done == ArgStep::Other;
                        self.at = At::Comma;
                        self.note_ready(cx, head);
                    }
                },
                At::InOther(value) => {
                    let mut unused = Head::default();
                    match value.advance(cx, cur, &mut unused, bracket) {
                        ArgStep::More => return Step::More,
                        ArgStep::Fail(step) => return step,
                        ArgStep::Arguments | ArgStep::Other => self.at = At::Comma,
                    }
                }
                At::InKey(scan, start) | At::InName(scan, start) | At::InId(scan, start) => {
                    let (from, start) = (*cur, *start);
                    let end = match scan.scan(cx.rest(from)) {
                        Scan::More => {
                            *cur = cx.end;
                            return Step::More;
                        }
                        Scan::Done(n) => from + n,
                        Scan::Bad(n) | Scan::Deep(n) => return Step::malformed(from + n),
                    };
                    let text = unescape(cx.window.slice(start + 1, end - 1));
                    let part = match self.at {
                        At::InKey(..) => Part::Key,
                        At::InName(..) => Part::Name,
                        _ => Part::Id,
                    };
                    if let Err(step) = self.string(part, &text, start, cx, head) {
                        return step;
                    }
                    *cur = end;
                }
                _ => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    match (&self.at, b) {
                        (At::Open, b'{') => {
                            head.enter(*cur);
                            self.at = At::Key(true);
                            *cur += 1;
                            self.usual(cx, cur, head, bracket);
                        }
                        (At::Key(_), b'"') => {
                            if let Some(step) = self.short_string(Part::Key, cx, cur, head) {
                                return step;
                            }
                            if let (At::Colon(key), [b':', b' ', ..]) = (&self.at, cx.rest(*cur)) {
                                self.at = At::Value(*key);
                                *cur += 2;
                            }
                        }
                        (At::Value(key @ (Key::Name | Key::Id)), b'"') => {
                            let part = if *key == Key::Name { Part::Name } else { Part::Id };
                            if let Some(step) = self.short_string(part, cx, cur, head) {
                                return step;
                            }
                        }
                        (At::Key(true) | At::Comma, b'}') => {
                            *cur += 1;
                            if self.around == 0 {
                                self.complete(head);
                                return Step::Complete;
                            }
                            self.around -= 1;
                            self.at = At::Comma;
                        }
                        (At::Comma, b',') => {
                            self.at = At::Key(false);
                            *cur += 1;
                        }
                        (At::Colon(key), b':') => {
                            self.at = At::Value(*key);
                            *cur += 1;
                        }
                        (At::Value(Key::Call), b'{') => {
                            if cx.row.noted.contains(b) {
                                *bracket = Some(*cur);
                            }
                            self.around += 1;
                            self.at = At::Key(true);
                            *cur += 1;
                        }
                        (At::Value(Key::List), b'[') => return Step::List,
                        (At::Value(key), _) => self.at = self.value(*key, b, *cur, cx, head),
                        _ => return Step::malformed(*cur),
                    }
                    match &self.at {
                        At::Value(Key::Name) => self.named = true,
                        At::Value(Key::Args) => self.has_args = true,
                        _ => {}
                    }
                }
            }
        }
    }

    /// Reads the usual spelling of all before the arguments, if it stands at `cur` whole: `"name": "f", "arguments": {`. State by
    /// state it was a third of a short call.
    fn usual(&mut self, cx: &Cx<'_>, cur: &mut usize, head: &mut Head, bracket: &mut Option<usize>) {
        const NAME: &[u8] = b"\"name\": \"";
        const ARGUMENTS: &[u8] = b"\", \"arguments\": {";
        let Some(rest) = cx.rest(*cur).strip_prefix(NAME) else { return };
        let len = string_run(rest);
        if !rest[len..].starts_with(ARGUMENTS) || !self.keys.name.contains(&"name") || !self.keys.arguments.contains(&"arguments") {
            return;
        }
        let from = *cur + NAME.len();
        self.name(cx.window.slice(from, from + len), cx, head);
        (self.named, self.has_args) = (true, true);
        let start = from + len + ARGUMENTS.len() - 1;
        let noted = cx.row.noted;
        // Arguments without nesting need no scanner.
        if let Some(n) = flat_object(cx.rest(start), noted).filter(|_| cx.options.caps.depth > 0) {
            if noted.contains(b'{') {
                *bracket = Some(start);
            }
            *cur = start + n;
            head.args = ArgText::Raw { from: start, to: Some(*cur) };
            self.at = At::Comma;
            self.note_ready(cx, head);
        } else {
            *cur = start;
            self.at = At::InArgs(ArgValue::new(cx, start, b'{', head));
        }
    }

    /// Reads the key, name or id that begins at `cur` at once if all of it is there and nothing in it is escaped; else begins to
    /// read it. Nearly all are so, and the scanner costs twice as much.
    fn short_string(&mut self, part: Part, cx: &Cx<'_>, cur: &mut usize, head: &mut Head) -> Option<Step> {
        let (start, inside) = (*cur, *cur + 1);
        let rest = cx.rest(inside);
        let len = string_run(rest);
        if rest.get(len) == Some(&b'"') {
            *cur = inside + len + 1;
            return self.string(part, cx.window.slice(inside, inside + len), start, cx, head).err();
        }
        let scan = JsonScan::new(1);
        self.at = match part {
            Part::Key => At::InKey(scan, start),
            Part::Name => At::InName(scan, start),
            Part::Id => At::InId(scan, start),
        };
        None
    }

    /// A key, name or id that began at `start` has closed; `text` is what it says.
    fn string(&mut self, part: Part, text: &str, start: usize, cx: &Cx<'_>, head: &mut Head) -> Result<(), Step> {
        let name_is_key = self.keys.name.is_empty();
        match part {
            Part::Key if name_is_key && self.named => return Err(Step::malformed(start)),
            Part::Key if name_is_key => {
                self.named = true;
                self.name(text, cx, head);
                self.at = At::Colon(Key::Args);
            }
            Part::Key => {
                let key = self.key(text, cx);
                if (key == Key::Name && self.named) || (key == Key::Args && self.has_args) {
                    return Err(Step::malformed(start));
                }
                self.at = At::Colon(key);
            }
            Part::Name => {
                self.name(text, cx, head);
                self.at = At::Comma;
                self.note_ready(cx, head);
            }
            Part::Id => {
                head.id.get_or_insert_with(|| text.to_owned());
                self.at = At::Comma;
            }
        }
        Ok(())
    }

    /// Reads `delta` if it is the plain inside of a string of the arguments.
    #[inline]
    pub fn absorb(&mut self, delta: &str) -> bool {
        if let At::InArgs(value) = &mut self.at { value.absorb(delta) } else { false }
    }

    /// How many of `bytes`, which come next, are the inside of a string of the arguments.
    pub fn inside(&self, bytes: &[u8]) -> usize {
        if let At::InArgs(value) = &self.at { value.inside(bytes) } else { 0 }
    }

    fn key(&self, text: &str, cx: &Cx<'_>) -> Key {
        let keys = self.keys;
        let empty = !self.named && !self.has_args;
        match text {
            key if keys.name.contains(&key) => Key::Name,
            // An id counts as long as the head may not have gone out without it.
            key if keys.id.contains(&key) && (late_id(cx) || !(self.named && self.has_args)) => Key::Id,
            key if keys.arguments.contains(&key) => Key::Args,
            key if empty && self.around < AROUND && keys.call.contains(&key) => Key::Call,
            key if empty && self.around == 0 && self.may_wrap && keys.list.contains(&key) => Key::List,
            _ => Key::Other,
        }
    }

    fn name(&self, written: &str, cx: &Cx<'_>, head: &mut Head) {
        head.name(written, cx);
        if self.keys.no_call.contains(&written) && matches!(head.admission, Some(Admission::Call(Name::Written(_)))) {
            head.admission = Some(Admission::Text);
        }
    }

    fn value(&mut self, key: Key, b: u8, at: usize, cx: &Cx<'_>, head: &mut Head) -> At {
        if key == Key::Args {
            return At::InArgs(ArgValue::new(cx, at, b, head));
        }
        // A name that is no string names nothing.
        self.not_a_call |= key == Key::Name;
        // `b'x'`: what this value is does not matter.
        At::InOther(ArgValue::new(cx, at, b'x', head))
    }

    /// Head and fragments may go once name and arguments are there, unless an id may come behind them: in an object it may
    /// stand anywhere.
    fn note_ready(&self, cx: &Cx<'_>, head: &mut Head) {
        let known = !matches!(head.args, ArgText::Absent | ArgText::Bare(_));
        head.ready = known && head.is_call() && !self.not_a_call && !late_id(cx);
    }

    fn complete(&self, head: &mut Head) {
        if self.not_a_call || (self.needs_arguments && !self.has_args) || head.admission.is_none() {
            head.admission = Some(Admission::Text);
        }
    }

    pub fn repair(&mut self, cx: &mut Cx<'_>, head: &mut Head) -> bool {
        let closable = match &self.at {
            At::Key(first) => *first,
            At::Comma => true,
            At::InArgs(value) => value.repair(cx, head),
            At::InOther(value) => value.closable(),
            At::Open | At::InKey(..) | At::Colon(_) | At::Value(_) | At::InName(..) | At::InId(..) => false,
        };
        if closable {
            self.complete(head);
        }
        closable
    }
}
