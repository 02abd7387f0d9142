//! G5 and G6: `name(k=literal, literal, ...)`, one element of a Python list, or a line.

use streakstone_model::Delivery;

use super::{ArgText, Cx, Head, Step};
use crate::coerce::{Kind, python_value, reads_python_text};
use crate::python::{Lit, PyLiteral, starts_literal};

/// Bytes of a name that are looked at before a list is opened.
const LOOK_AHEAD: usize = 32;

#[derive(Debug)]
enum At {
    /// Before the name.
    Start,
    Name(usize),
    /// An argument, or with `true` the closing parenthesis.
    Arg(bool),
    /// A word that is a keyword if `=` follows, else a literal.
    Word(usize),
    AfterWord(usize, usize),
    /// In a value.
    Value(PyLiteral),
    /// In a value that the profile reads as text (M60, M62; T31; X30): it began here.
    Text(usize, Brackets),
    Comma,
}

/// Quotes and brackets, for values that are read as text.
#[derive(Debug, Default)]
struct Brackets {
    depth: usize,
    quote: Option<u8>,
    escape: bool,
}

/// What [`PyCall::glance`] sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glance {
    /// A whole call, whose name has this length.
    Whole(usize),
    /// More bytes decide.
    Cut {
        /// True if the parenthesis has come.
        open: bool,
    },
    /// Something else.
    No,
}

/// The machine. It starts at the name, or at white space before it.
#[derive(Debug)]
pub(crate) struct PyCall {
    at: At,
    positional: usize,
    keyword: bool,
    /// The parameter whose value is read as text.
    name: String,
    /// Stands behind the tool's name, before the parenthesis.
    suffix: &'static str,
    /// True if the next call may begin in any line.
    line: bool,
}

/// True for a byte of a function's name: an identifier, dotted or hyphenated (B8; M50), or a namespace.
fn in_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b':' | b'/') || b >= 0x80
}

fn in_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

fn starts_word(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b >= 0x80
}

impl PyCall {
    /// True for a byte that a name can begin with.
    pub fn starts_name(b: u8) -> bool {
        starts_word(b)
    }

    /// Whether `text`, behind the bracket of a bare list, is no call by its first bytes: a word that no `(` follows, or an argument
    /// that no literal begins with, at most one bracket deep; `None` if more bytes decide. Nothing then stands in it that reading
    /// would go back to. A list opened and given up costs 150 ns, and `[a(` is that every three bytes. Values that are
    /// `read_as_text` can begin with anything.
    pub fn is_none(text: &[u8], read_as_text: bool) -> Option<bool> {
        if !starts_word(*text.first()?) {
            return Some(false);
        }
        let Some(name) = text.iter().take(LOOK_AHEAD).position(|&b| !in_name(b)) else {
            return (text.len() >= LOOK_AHEAD).then_some(false);
        };
        match text[name..] {
            [b'('] | [b'(', b'['] => None,
            [b'(', b'[', b, ..] => Some(!read_as_text && !starts_literal(b) && b != b']'),
            [b'(', b, ..] => Some(!read_as_text && !starts_literal(b) && !starts_word(b) && b != b')'),
            _ => Some(true),
        }
    }

    /// Whether `text` begins with a short call without arguments, `name()`, at the first glance; all else takes a machine.
    #[inline]
    pub fn glance(text: &[u8], cap: usize) -> Glance {
        let most = LOOK_AHEAD.min(cap);
        if !text.first().is_some_and(|&b| starts_word(b)) {
            return Glance::No;
        }
        let name = text.iter().take(most).position(|&b| !in_name(b));
        match name.map(|name| (name, &text[name..])) {
            None if text.len() < most => Glance::Cut { open: false },
            Some((_, [b'('])) => Glance::Cut { open: true },
            Some((name, [b'(', b')', ..])) => Glance::Whole(name),
            None | Some(_) => Glance::No,
        }
    }

    /// A call; with `line` one of those that stand bare, each in a line.
    pub fn new(line: bool) -> Self {
        Self { line, ..Self::with_suffix("") }
    }

    /// A call whose name is followed by `suffix`.
    pub fn with_suffix(suffix: &'static str) -> Self {
        Self { at: At::Start, positional: 0, keyword: false, name: String::new(), suffix, line: false }
    }

    #[expect(clippy::too_many_lines, reason = "one arm a state of the call")]
    pub fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head, bracket: &mut Option<usize>) -> Step {
        let cap = cx.options.caps.name;
        loop {
            match &mut self.at {
                At::Start => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    if !starts_word(b) {
                        return Step::malformed(*cur);
                    }
                    self.at = At::Name(*cur);
                }
                At::Name(start) | At::Word(start) => {
                    let start = *start;
                    let function = matches!(self.at, At::Name(_));
                    let rest = cx.rest(*cur);
                    let Some(run) = rest.iter().position(|&b| if function { !in_name(b) } else { !in_word(b) }) else {
                        *cur = cx.end;
                        if *cur - start > cap {
                            return Step::cap(cx.window.boundary(start + cap + 1));
                        }
                        return Step::More;
                    };
                    *cur += run;
                    if *cur - start > cap {
                        return Step::cap(cx.window.boundary(start + cap + 1));
                    }
                    if !function {
                        self.at = At::AfterWord(start, *cur);
                        continue;
                    }
                    // A name counts only once its parenthesis is there (M14). White space before it is Python too, but prose
                    // far more often.
                    if rest[run] != b'(' {
                        return Step::malformed(*cur);
                    }
                    let name = cx.window.slice(start, *cur);
                    // Most rows have no suffix, and comparing nothing with nothing took 80 ns (`memcmp` at a dangling address).
                    let name = if self.suffix.is_empty() { Some(name) } else { name.strip_suffix(self.suffix) };
                    let Some(name) = name else { return Step::malformed(*cur) };
                    head.enter(start);
                    head.name(name, cx);
                    head.open_members();
                    head.ready = head.is_call();
                    *cur += 1;
                    self.at = At::Arg(true);
                }
                At::Arg(first) => {
                    let (first, from) = (*first, *cur);
                    let b = cx.skip_space(cur);
                    if self.line
                        && let Some(at) = cx.window.bytes(from, *cur).iter().rposition(|&b| b == b'\n')
                    {
                        // Another call may begin there.
                        *bracket = Some(from + at);
                    }
                    let Some(b) = b else { return Step::More };
                    // A trailing comma is Python.
                    if b == b')' && (first || Self::count(head) > 0) {
                        *cur += 1;
                        Self::complete(cx, head);
                        return Step::Complete;
                    }
                    if starts_word(b) {
                        self.at = At::Word(*cur);
                    } else if let Some(step) = self.positional(cx, *cur, head) {
                        return step;
                    }
                }
                At::AfterWord(start, end) => {
                    let (start, end) = (*start, *end);
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    if b == b'=' {
                        *cur += 1;
                        self.keyword = true;
                        let window = cx.window;
                        if let Some(step) = self.begin(window.slice(start, end), cx, *cur, head) {
                            return step;
                        }
                    } else {
                        // Not a keyword: a literal word, read again as a value.
                        *cur = start;
                        if let Some(step) = self.positional(cx, start, head) {
                            return step;
                        }
                    }
                }
                At::Value(literal) => {
                    let ArgText::Members(members) = &mut head.args else { return Step::malformed(*cur) };
                    let from = *cur;
                    let result = literal.push(cx.window.slice(from, cx.end), &mut members.json);
                    if literal.last_bracket.is_some() {
                        *bracket = literal.last_bracket;
                    }
                    match result {
                        Lit::More => {
                            *cur = cx.end;
                            return Step::More;
                        }
                        Lit::Done(n) => {
                            *cur = from + n;
                            members.end();
                            self.at = At::Comma;
                        }
                        Lit::Bad(n) => {
                            *cur = from + n;
                            return Step::malformed(*cur);
                        }
                        Lit::Deep(n) => {
                            *cur = from + n;
                            return Step::cap(*cur);
                        }
                    }
                }
                At::Text(start, brackets) => {
                    let start = *start;
                    let (end, last) = brackets.find_end(cx.rest(*cur));
                    if let Some(last) = last {
                        *bracket = Some(*cur + last);
                    }
                    let Some(run) = end else {
                        *cur = cx.end;
                        return Step::More;
                    };
                    *cur += run;
                    let text = cx.window.slice(start, *cur);
                    if text.trim().is_empty() {
                        return Step::malformed(*cur);
                    }
                    let any = Kind::Any;
                    let kind = head.tool(cx).map_or(&any, |tool| tool.kind(&self.name));
                    let Some(json) = python_value(text, kind, cx.coercion(), cx.options.caps.depth) else {
                        return Step::malformed(*cur);
                    };
                    if let ArgText::Members(members) = &mut head.args {
                        members.json.push_str(&json);
                        members.end();
                    }
                    self.at = At::Comma;
                }
                At::Comma => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    match b {
                        b',' => {
                            *cur += 1;
                            self.at = At::Arg(false);
                        }
                        b')' => self.at = At::Arg(true),
                        _ => return Step::malformed(*cur),
                    }
                }
            }
        }
    }

    /// Reads `delta` if it is the plain inside of a string.
    #[inline]
    pub fn absorb(&mut self, delta: &str, head: &mut Head) -> bool {
        match (&mut self.at, &mut head.args) {
            (At::Value(literal), ArgText::Members(members)) => literal.absorb(delta, &mut members.json),
            _ => false,
        }
    }

    /// How many of `bytes`, which come next, are the inside of a string.
    pub fn inside(&self, bytes: &[u8]) -> usize {
        if let At::Value(literal) = &self.at { literal.inside(bytes) } else { 0 }
    }

    fn count(head: &Head) -> usize {
        if let ArgText::Members(members) = &head.args { members.count() } else { 0 }
    }

    /// A value without a keyword at `at`: it takes the schema's next property (T30).
    fn positional(&mut self, cx: &Cx<'_>, at: usize, head: &mut Head) -> Option<Step> {
        if self.keyword {
            return Some(Step::malformed(at));
        }
        let place = self.positional;
        self.positional += 1;
        // What is no call needs its extent only, not its names.
        let name = match head.tool(cx) {
            Some(tool) => tool.order.get(place).map(String::as_str),
            None if head.is_call() => None,
            None => Some(""),
        };
        match name {
            Some(name) => self.begin(name, cx, at, head),
            None => Some(Step::malformed(at)),
        }
    }

    /// Begins the value of parameter `name` at `at`.
    fn begin(&mut self, name: &str, cx: &Cx<'_>, at: usize, head: &mut Head) -> Option<Step> {
        let ArgText::Members(members) = &mut head.args else { return Some(Step::malformed(at)) };
        if members.count() == cx.options.caps.parameters {
            return Some(Step::cap(at));
        }
        members.begin(name, cx.duplicate());
        self.at = if reads_python_text(cx.coercion()) {
            name.clone_into(&mut self.name);
            At::Text(at, Brackets::default())
        } else {
            At::Value(PyLiteral::new(at, cx.options.caps.depth))
        };
        None
    }

    fn complete(cx: &Cx<'_>, head: &mut Head) {
        if let ArgText::Members(members) = &mut head.args {
            members.close(cx.duplicate(), cx.delivery == Delivery::Eager);
        }
    }

    /// How much of the JSON will not change.
    pub fn settled(&self, json: &str) -> usize {
        if let At::Value(literal) = &self.at { literal.settled(json) } else { json.len() }
    }

    pub fn repair(&mut self, cx: &Cx<'_>, head: &mut Head) -> bool {
        let closable = match &mut self.at {
            At::Arg(first) => *first,
            At::Comma => true,
            At::Value(literal) => match &mut head.args {
                ArgText::Members(members) => {
                    let closed = literal.repair(&mut members.json);
                    members.end();
                    closed
                }
                _ => false,
            },
            At::Start | At::Name(_) | At::Word(_) | At::AfterWord(..) | At::Text(..) => false,
        };
        if closable {
            Self::complete(cx, head);
        }
        closable
    }
}

impl Brackets {
    /// The place of the `,` or `)` that ends the value, and of the last `[` outside a string before it.
    fn find_end(&mut self, bytes: &[u8]) -> (Option<usize>, Option<usize>) {
        let mut bracket = None;
        for (i, &b) in bytes.iter().enumerate() {
            match (self.quote, b) {
                (Some(_), _) if std::mem::take(&mut self.escape) => {}
                (Some(_), b'\\') => self.escape = true,
                (Some(quote), _) if b == quote => self.quote = None,
                (None, b'\'' | b'"') => self.quote = Some(b),
                (None, b'(' | b'[' | b'{') => {
                    self.depth += 1;
                    if b == b'[' {
                        bracket = Some(i);
                    }
                }
                (None, b',' | b')') if self.depth == 0 => return (Some(i), bracket),
                (None, b')' | b']' | b'}') => self.depth = self.depth.saturating_sub(1),
                (Some(_) | None, _) => {}
            }
        }
        (None, bracket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_short_call_without_arguments_is_seen_at_a_glance() {
        let at = |text: &str| PyCall::glance(text.as_bytes(), 8);
        assert_eq!(at("a.b(), c"), Glance::Whole(3));
        for (cut, open) in [("a", false), ("a.b", false), ("a(", true)] {
            assert_eq!(at(cut), Glance::Cut { open }, "{cut}");
        }
        for other in ["", "1()", "a(x=1)", "a( )", "a ()", "a]", "abcdefgh", "abcdefgh()"] {
            assert_eq!(at(other), Glance::No, "{other}");
        }
    }

    #[test]
    fn a_bracket_in_a_string_does_not_end_a_value() {
        let mut brackets = Brackets::default();
        assert_eq!(brackets.find_end(br#"{"a": "),["}, 1"#), (Some(12), None));
    }
}
