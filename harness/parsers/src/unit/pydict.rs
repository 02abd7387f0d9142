//! G5 as Sarashina writes it: `{'name': N, 'arguments': {...}}` as a Python literal, one element of a list.

use super::{ArgText, Cx, Head, Step};
use crate::python::{Lit, PyLiteral};
use crate::scan::is_json;
use crate::text::unescape;
use crate::tools::Admission;

/// Keys that carry the arguments, as in JSON.
const ARGUMENT_KEYS: [&str; 3] = ["arguments", "parameters", "args"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Name,
    Args,
    Other,
}

#[derive(Debug)]
enum At {
    Open,
    /// A key, or with `true` the closing brace.
    Key(bool),
    InKey(PyLiteral),
    Value(Key),
    InValue(Key, PyLiteral),
    Comma,
}

/// The machine. It starts at the `{`.
#[derive(Debug)]
pub(crate) struct PyDict {
    at: At,
    /// A key or value that is no arguments, as JSON.
    json: String,
    named: bool,
    has_args: bool,
    /// True once something makes the dict no call; its end is still looked for.
    not_a_call: bool,
}

impl PyDict {
    pub fn new() -> Self {
        Self { at: At::Open, json: String::new(), named: false, has_args: false, not_a_call: false }
    }

    pub fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head, bracket: &mut Option<usize>) -> Step {
        let depth = cx.options.caps.depth;
        loop {
            match &mut self.at {
                At::InKey(_) | At::InValue(..) => {
                    let args = matches!(self.at, At::InValue(Key::Args, _));
                    let (At::InKey(literal) | At::InValue(_, literal)) = &mut self.at else { return Step::malformed(*cur) };
                    let out = match &mut head.args {
                        ArgText::Text(text) if args => text,
                        _ => &mut self.json,
                    };
                    let from = *cur;
                    let result = literal.push(cx.window.slice(from, cx.end), out);
                    if literal.last_bracket.is_some() {
                        *bracket = literal.last_bracket;
                    }
                    match result {
                        Lit::More => {
                            *cur = cx.end;
                            return Step::More;
                        }
                        Lit::Bad(n) => {
                            *cur = from + n;
                            return Step::malformed(*cur);
                        }
                        Lit::Deep(n) => {
                            *cur = from + n;
                            return Step::cap(*cur);
                        }
                        Lit::Done(n) => *cur = from + n,
                    }
                    if let Some(step) = self.closed(cx, *cur, head) {
                        return step;
                    }
                    // The colon behind a key.
                    *cur += usize::from(matches!(self.at, At::Value(_)));
                }
                _ => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    match (&self.at, b) {
                        (At::Open, b'{') => {
                            head.enter(*cur);
                            self.at = At::Key(true);
                        }
                        // A trailing comma is Python.
                        (At::Key(_) | At::Comma, b'}') => {
                            *cur += 1;
                            self.complete(head);
                            return Step::Complete;
                        }
                        (At::Comma, b',') => self.at = At::Key(false),
                        (At::Key(_), b'\'' | b'"') => {
                            self.json.clear();
                            self.at = At::InKey(PyLiteral::until(*cur, 0, b":"));
                            continue;
                        }
                        (At::Value(key), _) => {
                            let key = *key;
                            self.json.clear();
                            // What is no dict, string or None is no arguments, and a name is a string.
                            let strings = matches!(b, b'\'' | b'"');
                            self.not_a_call |= key == Key::Name && !strings;
                            self.not_a_call |= key == Key::Args && !(strings || matches!(b, b'{' | b'N' | b'n'));
                            if key == Key::Args && b == b'{' {
                                head.args = ArgText::Text(String::new());
                                self.note_ready(head);
                            }
                            self.at = At::InValue(key, PyLiteral::until(*cur, depth, b",}"));
                            continue;
                        }
                        _ => return Step::malformed(*cur),
                    }
                    *cur += 1;
                }
            }
        }
    }

    /// A key or value ended before `cur`.
    fn closed(&mut self, cx: &Cx<'_>, cur: usize, head: &mut Head) -> Option<Step> {
        let At::InValue(key, _) = self.at else {
            let key = text_of(&self.json).map_or(Key::Other, |text| match text.as_str() {
                "name" => Key::Name,
                word if ARGUMENT_KEYS.contains(&word) => Key::Args,
                _ => Key::Other,
            });
            let again = (key == Key::Name && self.named) || (key == Key::Args && self.has_args);
            if again || cx.rest(cur).first() != Some(&b':') {
                return Some(Step::malformed(cur));
            }
            self.named |= key == Key::Name;
            self.has_args |= key == Key::Args;
            self.at = At::Value(key);
            return None;
        };
        match key {
            Key::Name => match text_of(&self.json) {
                Some(name) => head.name(&name, cx),
                None => self.not_a_call = true,
            },
            Key::Args if matches!(head.args, ArgText::Absent) => match text_of(&self.json) {
                None => self.not_a_call |= self.json != "null",
                Some(text) if text.trim().starts_with('{') && is_json(text.trim(), cx.options.caps.depth) => {
                    head.args = ArgText::Text(text.trim().to_owned());
                }
                Some(_) => self.not_a_call = true,
            },
            Key::Args | Key::Other => {}
        }
        self.at = At::Comma;
        self.note_ready(head);
        None
    }

    /// Head and fragments may go once name and arguments are there.
    fn note_ready(&self, head: &mut Head) {
        head.ready = !matches!(head.args, ArgText::Absent) && head.is_call() && !self.not_a_call;
    }

    /// How much of the arguments' JSON will not change.
    pub fn settled(&self, json: &str) -> usize {
        if let At::InValue(Key::Args, literal) = &self.at { literal.settled(json) } else { json.len() }
    }

    /// Reads `delta` if it is the plain inside of a string of the arguments.
    #[inline]
    pub fn absorb(&mut self, delta: &str, head: &mut Head) -> bool {
        match (&mut self.at, &mut head.args) {
            (At::InValue(Key::Args, literal), ArgText::Text(text)) => literal.absorb(delta, text),
            _ => false,
        }
    }

    fn complete(&self, head: &mut Head) {
        if self.not_a_call || head.admission.is_none() {
            head.admission = Some(Admission::Text);
        }
        head.ready = head.is_call();
    }

    pub fn repair(&mut self, head: &mut Head) -> bool {
        let closable = match (&mut self.at, &mut head.args) {
            (At::Key(first), _) => *first,
            (At::Comma, _) => true,
            (At::InValue(Key::Args, literal), ArgText::Text(text)) => literal.repair(text),
            _ => false,
        };
        if closable {
            self.complete(head);
        }
        closable
    }
}

/// The text of `json`, if it is a string.
fn text_of(json: &str) -> Option<String> {
    let inside = json.strip_prefix('"')?.strip_suffix('"')?;
    Some(unescape(inside).into_owned())
}
