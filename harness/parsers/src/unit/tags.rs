//! G7 and G9: a tag opens the unit and names it, tags hold the parameters, a tag closes it.
//!
//! A value is data: a closer inside it counts only if what follows can follow it (semantics 7). Until that is known it is held.

use streakstone_model::{Block, ChannelCalls, Grammar, MessageBody, TagCalls};

use super::args::Members;
use super::{ArgText, Cx, Head, Step, is_space};
use crate::coerce::{Kind, coerce};
use crate::row::{Found, Row, contains};
use crate::scan::{JsonScan, Scan};
use crate::text::{compact, string};
use crate::tools::Admission;

#[derive(Debug)]
enum At {
    /// Before the unit's opener: white space, then the opener.
    Open,
    /// In the unit's or (true) a parameter's header.
    Header(bool, Header),
    /// Between tags.
    Body,
    /// In a value that began here, scanned up to `cur`.
    Value(usize),
    /// A closer stands at `close..after`; what follows decides. True if it is the unit's own.
    Confirm { value: usize, close: usize, after: usize, unit: bool },
    /// A JSON object in place of parameters.
    Json(JsonScan, usize),
}

/// A name after `=`, or attributes.
#[derive(Debug, Default)]
struct Header {
    start: usize,
    at: HeaderAt,
    name: Option<String>,
    /// The `string` attribute.
    text: Option<bool>,
    key: String,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum HeaderAt {
    /// White space before a name, or between attributes.
    #[default]
    Space,
    /// In a name that began here.
    Name(usize),
    /// After a name: blanks before an optional `>`.
    AfterName(usize),
    Key(usize),
    Equals,
    Quote,
    Quoted(u8, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeaderStep {
    More,
    Done,
    Fail(Step),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    ParamOpen,
    ParamClose,
    UnitClose,
    BlockClose,
}

/// The machine. It starts at the unit's opener, or at white space before it.
#[derive(Debug)]
pub(crate) struct TagUnit {
    at: At,
    /// The parameter being read: its name, and what its `string` attribute says.
    param: (String, Option<bool>),
    parameters: usize,
    /// True once the block's closer stood for the unit's own.
    pub lacks_closer: bool,
    /// True if the unit is a message, which the end of the text ends too.
    message: bool,
}

/// The tags of `row`, if it is one of tags.
fn tags_of(row: &'static Row) -> Option<&'static TagCalls> {
    match &row.dialect.grammar {
        Grammar::Tags(tags) | Grammar::Channels(ChannelCalls { body: MessageBody::Parameters(tags) | MessageBody::Units(tags), .. }) => {
            Some(tags)
        }
        _ => None,
    }
}

fn closers(tags: &'static TagCalls) -> impl Iterator<Item = (&'static str, Tag)> {
    let params = tags.parameter_closes.iter().map(|t| (*t, Tag::ParamClose));
    std::iter::once((tags.parameter[1], Tag::ParamClose)).chain(params).chain(std::iter::once((tags.unit[1], Tag::UnitClose)))
}

fn after_closer(tags: &'static TagCalls, unit: bool) -> impl Iterator<Item = (&'static str, Tag)> {
    let inner = [(tags.parameter[0], Tag::ParamOpen), (tags.unit[1], Tag::UnitClose)];
    let blocks = tags.blocks.iter().map(|block| (block[1], Tag::BlockClose));
    inner.into_iter().filter(move |_| !unit).chain(blocks)
}

impl TagUnit {
    pub fn new() -> Self {
        Self { at: At::Open, param: (String::new(), None), parameters: 0, lacks_closer: false, message: false }
    }

    /// Behind a header that has named the call: only parameters are in the body.
    pub fn in_message(head: &mut Head) -> Self {
        head.args = ArgText::Members(Members::open());
        head.ready = head.is_call();
        Self { at: At::Body, message: true, ..Self::new() }
    }

    #[expect(clippy::too_many_lines, reason = "one arm a state of the unit")]
    pub fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head) -> Step {
        let Some(tags) = tags_of(cx.row) else { return Step::malformed(*cur) };
        loop {
            match &mut self.at {
                At::Open => {
                    if cx.skip_space(cur).is_none() {
                        return Step::More;
                    }
                    match cx.look(*cur, std::iter::once((tags.unit[0], ()))) {
                        Found::Maybe(_) => return Step::More,
                        Found::No => return Step::malformed(*cur),
                        Found::Yes((), len) => {
                            head.enter(*cur);
                            *cur += len;
                            self.at = At::Header(false, Header { start: *cur, ..Header::default() });
                        }
                    }
                }
                At::Header(parameter, header) => match header.advance(cx, cur, tags.attributes) {
                    HeaderStep::More => return Step::More,
                    HeaderStep::Fail(step) => return step,
                    HeaderStep::Done => {
                        let name = header.name.take().unwrap_or_default();
                        if *parameter {
                            self.param = (name, header.text);
                            self.at = At::Value(*cur);
                        } else if name.is_empty() {
                            return Step::malformed(*cur);
                        } else {
                            head.name(&name, cx);
                            head.args = ArgText::Members(Members::open());
                            head.ready = head.is_call();
                            self.at = At::Body;
                        }
                    }
                },
                At::Body => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    if b == b'{' && tags.attributes && self.parameters == 0 {
                        head.args = ArgText::Raw { from: *cur, to: None };
                        self.at = At::Json(JsonScan::new(cx.options.caps.depth), *cur);
                        continue;
                    }
                    match cx.look(*cur, after_closer(tags, false)) {
                        Found::Maybe(_) => return Step::More,
                        Found::No => return Step::malformed(*cur),
                        Found::Yes(Tag::ParamOpen, len) => {
                            if self.parameters == cx.options.caps.parameters {
                                return Step::cap(*cur);
                            }
                            self.parameters += 1;
                            *cur += len;
                            self.at = At::Header(true, Header { start: *cur, ..Header::default() });
                        }
                        Found::Yes(tag, len) => {
                            // The block's closer stands for a missing closer of the unit and is read after it.
                            self.lacks_closer = tag != Tag::UnitClose;
                            *cur += if self.lacks_closer { 0 } else { len };
                            Self::complete(cx, head);
                            return Step::Complete;
                        }
                    }
                }
                At::Value(start) => {
                    let start = *start;
                    let Some(run) = memchr::memchr(b'<', cx.rest(*cur)) else {
                        *cur = cx.end;
                        return Step::More;
                    };
                    *cur += run;
                    match cx.look(*cur, closers(tags)) {
                        Found::Maybe(_) => return Step::More,
                        Found::No => *cur += 1,
                        Found::Yes(tag, len) => {
                            let close = *cur;
                            *cur += len;
                            self.at = At::Confirm { value: start, close, after: *cur, unit: tag == Tag::UnitClose };
                        }
                    }
                }
                At::Confirm { value, close, after, unit } => {
                    let (value, close, after, unit) = (*value, *close, *after, *unit);
                    if cx.skip_space(cur).is_none() {
                        return Step::More;
                    }
                    match cx.look(*cur, after_closer(tags, unit)) {
                        Found::Maybe(_) => return Step::More,
                        Found::No => {
                            // No closer: the value goes on behind it.
                            *cur = after;
                            self.at = At::Value(value);
                        }
                        Found::Yes(..) => {
                            self.parameter(cx, head, value, close);
                            if unit {
                                *cur = after;
                                Self::complete(cx, head);
                                return Step::Complete;
                            }
                            self.at = At::Body;
                        }
                    }
                }
                At::Json(scan, start) => {
                    let (from, start) = (*cur, *start);
                    match scan.scan(cx.rest(from)) {
                        Scan::More => {
                            *cur = cx.end;
                            return Step::More;
                        }
                        Scan::Done(n) => {
                            *cur = from + n;
                            head.args = ArgText::Raw { from: start, to: Some(*cur) };
                            // Only closers may follow.
                            self.parameters = cx.options.caps.parameters;
                            self.at = At::Body;
                        }
                        Scan::Bad(n) => {
                            *cur = from + n;
                            return Step::malformed(*cur);
                        }
                        Scan::Deep(n) => {
                            *cur = from + n;
                            return Step::cap(*cur);
                        }
                    }
                }
            }
        }
    }

    /// Reads `delta` if no closer can begin in it and a value is open.
    #[inline]
    pub fn absorb(&mut self, delta: &str) -> bool {
        matches!(self.at, At::Value(_)) && !contains(delta.as_bytes(), b'<')
    }

    /// The value `from..to` of the current parameter is closed.
    fn parameter(&mut self, cx: &Cx<'_>, head: &mut Head, from: usize, to: usize) {
        let (name, text) = std::mem::take(&mut self.param);
        // M21: a parameter without a name is skipped, the call stays.
        if name.is_empty() {
            return;
        }
        let value = cx.window.slice(from, to);
        let newlines = tags_of(cx.row).is_some_and(|t| t.newlines);
        let value = trim(value, newlines);
        let depth = cx.options.caps.depth;
        let json = match text {
            Some(true) => string(value),
            Some(false) => compact(value, depth).unwrap_or_else(|| {
                // T10: TensorFold keeps the whole block as text for it.
                if cx.options.policies.block == Block::AllOrNothing {
                    head.admission = Some(Admission::Text);
                }
                string(value)
            }),
            None => {
                let any = Kind::Any;
                let kind = head.tool(cx).map_or(&any, |tool| tool.kind(&name));
                coerce(value, kind, cx.coercion(), depth)
            }
        };
        if let ArgText::Members(members) = &mut head.args {
            members.begin(&name, cx.duplicate());
            members.json.push_str(&json);
            members.end();
        }
    }

    fn complete(cx: &Cx<'_>, head: &mut Head) {
        if let ArgText::Members(members) = &mut head.args {
            members.close(cx.duplicate(), cx.delivery == streakstone_model::Delivery::Eager);
        }
    }

    /// The text ended, not by the length limit: the end counts as what may follow a closer.
    pub fn ends_here(&mut self, cx: &Cx<'_>, cur: &mut usize, head: &mut Head) -> bool {
        if self.message && matches!(self.at, At::Body) && self.parameters > 0 {
            // The stop token that ends a message is often removed.
            Self::complete(cx, head);
            return true;
        }
        let At::Confirm { value, close, after, unit } = self.at else { return false };
        let rest = cx.rest(after);
        let rest = &rest[rest.iter().position(|&b| !is_space(b)).unwrap_or(rest.len())..];
        if !tags_of(cx.row).is_some_and(|tags| cut_closer(tags, rest, unit)) {
            return false;
        }
        self.parameter(cx, head, value, close);
        self.at = At::Body;
        let ends = unit || self.message;
        if ends {
            *cur = after;
            Self::complete(cx, head);
        }
        ends
    }

    /// True if only closers lack: no value, no name, no header is open.
    pub fn repair(&mut self, cx: &Cx<'_>, cur: usize, head: &mut Head) -> bool {
        let Some(tags) = tags_of(cx.row) else { return false };
        let closable = match &self.at {
            At::Body => cut_closer(tags, cx.rest(cur), false),
            At::Json(scan, start) => match scan.closers() {
                Some(closers) => {
                    head.args = ArgText::Text(format!("{}{closers}", cx.window.slice(*start, cx.end)));
                    true
                }
                None => false,
            },
            At::Open | At::Header(..) | At::Value(_) | At::Confirm { .. } => false,
        };
        if closable {
            Self::complete(cx, head);
        }
        closable
    }
}

/// True if `rest`, the last bytes of the text, is nothing or the beginning of a closer that may stand there.
fn cut_closer(tags: &'static TagCalls, rest: &[u8], unit: bool) -> bool {
    after_closer(tags, unit).any(|(text, tag)| tag != Tag::ParamOpen && text.as_bytes().starts_with(rest))
}

/// One newline off each side, if both are there (semantics 7).
fn trim(value: &str, newlines: bool) -> &str {
    if !newlines {
        return value;
    }
    value.strip_prefix('\n').and_then(|v| v.strip_suffix('\n')).unwrap_or(value)
}

impl Header {
    /// Reads a name after `=` (M20), or attributes up to `>`.
    fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize, attributes: bool) -> HeaderStep {
        let cap = cx.options.caps.name;
        loop {
            let rest = cx.rest(*cur);
            match self.at {
                HeaderAt::Space => {
                    let Some(b) = cx.skip_space(cur) else { return HeaderStep::More };
                    match (attributes, b) {
                        (true, b'>') => {
                            *cur += 1;
                            return HeaderStep::Done;
                        }
                        (true, _) if b.is_ascii_alphabetic() => self.at = HeaderAt::Key(*cur),
                        (true, _) => return HeaderStep::Fail(Step::malformed(*cur)),
                        (false, _) => self.at = HeaderAt::Name(*cur),
                    }
                }
                HeaderAt::Name(start) => {
                    let Some(run) = rest.iter().position(|&b| is_space(b) || b == b'<' || b == b'>') else {
                        *cur = cx.end;
                        return self.more_or_cap(cx, start, *cur);
                    };
                    *cur += run;
                    if *cur - start > cap {
                        return self.more_or_cap(cx, start, *cur);
                    }
                    self.name = Some(cx.window.slice(start, *cur).to_owned());
                    self.at = HeaderAt::AfterName(*cur);
                }
                HeaderAt::AfterName(end) => {
                    // Blanks belong to the tag only if its `>` follows; else to what comes after.
                    let Some(run) = rest.iter().position(|&b| b != b' ' && b != b'\t') else {
                        *cur = cx.end;
                        return HeaderStep::More;
                    };
                    *cur = if rest[run] == b'>' { *cur + run + 1 } else { end };
                    return HeaderStep::Done;
                }
                HeaderAt::Key(start) => {
                    let Some(run) = rest.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b != b'-') else {
                        *cur = cx.end;
                        return self.more_or_cap(cx, start, *cur);
                    };
                    *cur += run;
                    if *cur - start > cap {
                        return self.more_or_cap(cx, start, *cur);
                    }
                    cx.window.slice(start, *cur).clone_into(&mut self.key);
                    self.at = HeaderAt::Equals;
                }
                HeaderAt::Equals | HeaderAt::Quote => {
                    let Some(&b) = rest.first() else { return HeaderStep::More };
                    self.at = match (self.at, b) {
                        (HeaderAt::Equals, b'=') => HeaderAt::Quote,
                        (HeaderAt::Quote, b'"' | b'\'') => HeaderAt::Quoted(b, *cur + 1),
                        _ => return HeaderStep::Fail(Step::malformed(*cur)),
                    };
                    *cur += 1;
                }
                HeaderAt::Quoted(quote, start) => {
                    // M23: the search for the closing quote ends at the next `<`.
                    let Some(run) = rest.iter().position(|&b| b == quote || b == b'<') else {
                        *cur = cx.end;
                        return self.more_or_cap(cx, start, *cur);
                    };
                    *cur += run;
                    if *cur - start > cap {
                        return self.more_or_cap(cx, start, *cur);
                    }
                    if rest[run] == b'<' {
                        return HeaderStep::Fail(Step::malformed(*cur));
                    }
                    let value = cx.window.slice(start, *cur);
                    match self.key.as_str() {
                        "name" => self.name = Some(value.to_owned()),
                        "string" => self.text = Some(value == "true"),
                        _ => {}
                    }
                    *cur += 1;
                    self.at = HeaderAt::Space;
                }
            }
        }
    }

    fn more_or_cap(&self, cx: &Cx<'_>, start: usize, cur: usize) -> HeaderStep {
        debug_assert!(start >= self.start);
        if cur - start > cx.options.caps.name {
            return HeaderStep::Fail(Step::cap(cx.window.boundary(start + cx.options.caps.name + 1)));
        }
        HeaderStep::More
    }
}
