//! The header of a tag: a name after `=`, attributes, or a name and a key as elements.

use streakstone_model::{TagAttributes, TagPairs, TagStyle};

use crate::row::Found;
use crate::unit::{Cx, Step, is_space};
use crate::window::Window;

/// What a header belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::unit) enum Of {
    Unit,
    Parameter,
    /// The element that holds all arguments as JSON.
    Json,
}

/// A word of a header: where it stands, or its text if that had to be decoded.
#[derive(Debug)]
pub(in crate::unit) enum Word {
    At(usize, usize),
    Decoded(String),
}

impl Default for Word {
    fn default() -> Self {
        Self::At(0, 0)
    }
}

impl Word {
    pub fn text<'a>(&'a self, window: &'a Window) -> &'a str {
        match self {
            Self::At(from, to) if from == to => "",
            Self::At(from, to) => window.slice(*from, *to),
            Self::Decoded(text) => text,
        }
    }
}

/// A header while it is read, and what it says.
#[derive(Debug)]
pub(in crate::unit) struct Header {
    pub of: Of,
    pub name: Option<Word>,
    /// The call's id, where attributes carry one.
    pub id: Option<String>,
    /// What the wire says of a value: text, or JSON.
    pub text: Option<bool>,
    /// The same as an attribute writes it.
    pub kind: Option<String>,
    at: At,
    key: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// White space before a name, or between attributes.
    Space,
    /// In a name that began here.
    Name(usize),
    /// After a name: blanks before an optional `>`.
    AfterName(usize),
    Attribute(usize),
    Equals,
    Quote,
    Quoted(u8, usize),
    Bare(usize),
    /// In the text of a key, or with true of a type, that began here.
    Element(usize, bool),
    /// Behind a key or type: a type or the value's opener.
    AfterKey,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::unit) enum HeaderStep {
    More,
    Done,
    Fail(Step),
}

/// True if a type on the wire says that the value is text as it stands: `string="true"` (B13), `type="string"` (B16), `raw` (B35).
fn says_text(word: &str) -> bool {
    matches!(word, "true" | "string" | "str" | "raw")
}

impl Header {
    pub const fn new(of: Of) -> Self {
        Self { of, name: None, id: None, text: None, kind: None, at: At::Space, key: String::new() }
    }

    pub fn advance(&mut self, style: TagStyle, cx: &mut Cx<'_>, cur: &mut usize) -> HeaderStep {
        match (style, self.of) {
            (TagStyle::Equals, _) => self.equals(cx, cur),
            (TagStyle::Attributes(attributes), _) => self.attributes(&attributes, cx, cur),
            (TagStyle::Pairs(_), Of::Unit | Of::Json) => self.plain(cx, cur),
            (TagStyle::Pairs(pairs), Of::Parameter) => self.pairs(&pairs, cx, cur),
        }
    }

    /// True if `delta`, which stands at `at`, only makes the word longer that is being read. Long words are left to the check of
    /// their cap.
    #[inline]
    pub fn absorb(&self, delta: &str, at: usize) -> bool {
        const USUAL: usize = 64;
        let (At::Name(start) | At::Element(start, _) | At::Quoted(_, start)) = self.at else { return false };
        at + delta.len() - start <= USUAL && delta.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    }

    /// Where the run of bytes ends that `cur` is in; the header fails if it is longer than the cap.
    fn run(cx: &Cx<'_>, cur: &mut usize, start: usize, ends: impl Fn(u8) -> bool) -> Result<u8, HeaderStep> {
        let rest = cx.rest(*cur);
        let run = rest.iter().position(|&b| ends(b));
        *cur += run.unwrap_or(rest.len());
        if *cur - start > cx.options.caps.name {
            return Err(HeaderStep::Fail(Step::cap(cx.window.boundary(start + cx.options.caps.name + 1))));
        }
        run.map(|run| rest[run]).ok_or(HeaderStep::More)
    }

    /// A name after `=` (M20).
    fn equals(&mut self, cx: &mut Cx<'_>, cur: &mut usize) -> HeaderStep {
        loop {
            match self.at {
                At::Name(start) => {
                    if let Err(step) = Self::run(cx, cur, start, |b| is_space(b) || b == b'<' || b == b'>') {
                        return step;
                    }
                    self.name = Some(Word::At(start, *cur));
                    self.at = At::AfterName(*cur);
                }
                At::AfterName(end) => {
                    // Blanks belong to the tag only if its `>` follows; else to what comes after.
                    let rest = cx.rest(*cur);
                    let Some(run) = rest.iter().position(|&b| b != b' ' && b != b'\t') else {
                        *cur = cx.end;
                        return HeaderStep::More;
                    };
                    *cur = if rest[run] == b'>' { *cur + run + 1 } else { end };
                    return HeaderStep::Done;
                }
                _ => {
                    if cx.skip_space(cur).is_none() {
                        return HeaderStep::More;
                    }
                    self.at = At::Name(*cur);
                }
            }
        }
    }

    /// A name that white space or the next tag ends.
    fn plain(&mut self, cx: &mut Cx<'_>, cur: &mut usize) -> HeaderStep {
        loop {
            if let At::Name(start) = self.at {
                if let Err(step) = Self::run(cx, cur, start, |b| is_space(b) || b == b'<') {
                    return step;
                }
                self.name = Some(Word::At(start, *cur));
                return HeaderStep::Done;
            }
            if cx.skip_space(cur).is_none() {
                return HeaderStep::More;
            }
            self.at = At::Name(*cur);
        }
    }

    /// `K</arg_key>`, a type if there is one, and the value's opener.
    fn pairs(&mut self, pairs: &TagPairs, cx: &mut Cx<'_>, cur: &mut usize) -> HeaderStep {
        loop {
            match self.at {
                At::Element(start, kind) => {
                    if let Err(step) = Self::run(cx, cur, start, |b| b == b'<') {
                        return step;
                    }
                    let close = if kind { pairs.kind[1] } else { pairs.key_end };
                    let len = match cx.look(*cur, std::iter::once((close, ()))) {
                        Found::Maybe(_) => return HeaderStep::More,
                        Found::No => return HeaderStep::Fail(Step::malformed(*cur)),
                        Found::Yes((), len) => len,
                    };
                    let text = cx.window.slice(start, *cur);
                    if kind {
                        self.text = Some(says_text(text.trim()));
                    } else {
                        let from = *cur - text.trim_start().len();
                        self.name = Some(Word::At(from, from + text.trim().len()));
                    }
                    *cur += len;
                    if pairs.value.is_empty() {
                        return HeaderStep::Done;
                    }
                    self.at = At::AfterKey;
                }
                At::AfterKey => {
                    if cx.skip_space(cur).is_none() {
                        return HeaderStep::More;
                    }
                    let kind = Some(pairs.kind[0]).filter(|open| !open.is_empty() && self.text.is_none());
                    let words = std::iter::once((pairs.value, false)).chain(kind.map(|open| (open, true)));
                    match cx.look(*cur, words) {
                        Found::Maybe(_) => return HeaderStep::More,
                        Found::No => return HeaderStep::Fail(Step::malformed(*cur)),
                        Found::Yes(is_kind, len) => {
                            *cur += len;
                            if !is_kind {
                                return HeaderStep::Done;
                            }
                            self.at = At::Element(*cur, true);
                        }
                    }
                }
                _ => self.at = At::Element(*cur, false),
            }
        }
    }

    /// Attributes in any order, up to the opener's end.
    fn attributes(&mut self, attributes: &TagAttributes, cx: &mut Cx<'_>, cur: &mut usize) -> HeaderStep {
        loop {
            match self.at {
                At::Attribute(start) => {
                    if let Err(step) = Self::run(cx, cur, start, |b| !b.is_ascii_alphanumeric() && b != b'_' && b != b'-') {
                        return step;
                    }
                    cx.window.slice(start, *cur).clone_into(&mut self.key);
                    self.at = At::Equals;
                }
                At::Equals | At::Quote => {
                    let Some(&b) = cx.rest(*cur).first() else { return HeaderStep::More };
                    match (self.at, b) {
                        (At::Equals, b'=') => self.at = At::Quote,
                        (At::Quote, b'"' | b'\'') => self.at = At::Quoted(b, *cur + 1),
                        // Unquoted values are read as most peers do (B21).
                        (At::Quote, _) if !is_space(b) && b != b'<' && b != b'>' => self.at = At::Bare(*cur),
                        _ => return HeaderStep::Fail(Step::malformed(*cur)),
                    }
                    *cur += 1;
                }
                At::Quoted(quote, start) => {
                    // M23: the search for the closing quote ends at the next `<`.
                    match Self::run(cx, cur, start, |b| b == quote || b == b'<') {
                        Err(step) => return step,
                        Ok(b'<') => return HeaderStep::Fail(Step::malformed(*cur)),
                        Ok(_) => {}
                    }
                    self.note(attributes, cx.window, start, *cur);
                    *cur += 1;
                }
                At::Bare(start) => {
                    if let Err(step) = Self::run(cx, cur, start, |b| is_space(b) || b == b'<' || b == b'>') {
                        return step;
                    }
                    self.note(attributes, cx.window, start, *cur);
                }
                _ => {
                    let Some(b) = cx.skip_space(cur) else { return HeaderStep::More };
                    match cx.look(*cur, std::iter::once((attributes.end, ()))) {
                        Found::Maybe(_) => return HeaderStep::More,
                        Found::Yes((), len) => {
                            *cur += len;
                            return HeaderStep::Done;
                        }
                        Found::No if b.is_ascii_alphabetic() => self.at = At::Attribute(*cur),
                        Found::No => return HeaderStep::Fail(Step::malformed(*cur)),
                    }
                }
            }
        }
    }

    /// An attribute has its value.
    fn note(&mut self, attributes: &TagAttributes, window: &Window, from: usize, to: usize) {
        let value = window.slice(from, to);
        self.at = At::Space;
        let name = if self.of == Of::Unit { attributes.name } else { attributes.key };
        let decoded;
        let value = if !attributes.entities.is_empty() && value.contains('&') {
            decoded = attributes.entities.iter().fold(value.to_owned(), |text, (entity, plain)| text.replace(entity, plain));
            &decoded
        } else {
            value
        };
        match self.key.as_str() {
            key if key == name => {
                let same = value.len() == to - from;
                self.name = Some(if same { Word::At(from, to) } else { Word::Decoded(value.to_owned()) });
            }
            key if key == attributes.kind => {
                self.text = Some(says_text(value));
                self.kind = Some(value.to_owned());
            }
            "id" if self.of == Of::Unit => self.id = Some(value.to_owned()),
            _ => {}
        }
    }
}
