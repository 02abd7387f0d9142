//! G7, G8, G9, G10 and G12: a tag opens the unit and names it, tags hold the parameters, a tag closes it.
//!
//! A value is data: a closer inside it counts only if what follows can follow it (semantics 7). Until that is known it is held.
//! Text that goes into the arguments as it stands goes there as it comes.

pub(super) mod header;

use streakstone_model::{Block, Delivery, JsonKeys, TagCalls, TagJson, TagStyle};

use self::header::{Header, HeaderStep, Of, Word};
use super::{ArgText, CallObject, Cx, Head, Step, is_space};
use crate::coerce::{Kind, Wire, coerce, stays_text};
use crate::row::{Found, Look, contains, find, find_byte};
use crate::scan::{JsonScan, Scan};
use crate::text::{compact, make_room, push_escaped, push_long_string, string};
use crate::tools::Admission;

const CDATA: [&str; 2] = ["<![CDATA[", "]]>"];

#[derive(Debug)]
enum At {
    /// Before the unit's opener, or with false before what frames it: white space, then the opener.
    Open(bool),
    /// Behind an opener, at this place if it is the unit's: a name, or a call object.
    Named(Option<usize>),
    Header(Header),
    /// Between tags.
    Body,
    /// Where a value begins.
    Fresh(usize),
    /// In a value that began here, scanned up to `cur`.
    Value(usize),
    /// A closer stands at `close..after`; what follows decides. True if it is the unit's own.
    Confirm {
        value: usize,
        close: usize,
        after: usize,
        unit: bool,
    },
    /// Behind the opener of an element that holds a JSON object.
    JsonOpen,
    /// A JSON object in place of parameters.
    Json(JsonScan, usize),
    /// Behind it, where it has an element of its own.
    JsonClose,
    /// A JSON call object in place of the name and the parameters.
    Object(Box<CallObject>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    ParamOpen,
    ParamClose,
    UnitClose,
    BlockClose,
    /// Behind the name.
    Separator,
    /// Opens the arguments as JSON.
    JsonOpen,
}

/// The parameter being read.
#[derive(Debug, Default)]
struct Param {
    name: Word,
    /// What the wire says of it: text, or JSON.
    text: Option<bool>,
    /// True if it goes into the arguments as text: known where its value begins.
    is_text: bool,
    /// Up to where its text is in the arguments, if it goes there as it comes.
    passed: Option<usize>,
    cdata: bool,
}

/// The machine. It starts at the unit's opener, or at white space before it.
#[derive(Debug)]
pub(crate) struct TagUnit {
    tags: &'static TagCalls,
    at: At,
    param: Param,
    parameters: usize,
    /// True once the block's closer stood for the unit's own.
    pub lacks_closer: bool,
    /// True if the unit is a message, which the end of the text ends too.
    message: bool,
}

fn closers(tags: &'static TagCalls) -> impl Iterator<Item = (&'static str, Tag)> {
    let params = tags.parameter_closes.iter().map(|t| (*t, Tag::ParamClose));
    std::iter::once((tags.parameter[1], Tag::ParamClose)).chain(params).chain(std::iter::once((tags.unit[1], Tag::UnitClose)))
}

/// What may stand behind a closed parameter, or behind the unit's own closer.
fn after_closer(tags: &'static TagCalls, unit: bool) -> impl Iterator<Item = (&'static str, Tag)> {
    let inner = [(tags.parameter[0], Tag::ParamOpen), (tags.unit[1], Tag::UnitClose)];
    let frame = Some((tags.frame[1], Tag::BlockClose)).filter(|(close, _)| !close.is_empty());
    let blocks = tags.blocks.iter().map(|block| (block[1], Tag::BlockClose));
    inner.into_iter().filter(move |_| !unit).chain(frame).chain(blocks)
}

/// What may stand between tags besides; only before the first parameter.
fn before_parameters(tags: &'static TagCalls, first: bool) -> impl Iterator<Item = (&'static str, Tag)> {
    let separator = match tags.style {
        TagStyle::Pairs(pairs) => Some((pairs.separator, Tag::Separator)).filter(|(text, _)| !text.is_empty()),
        TagStyle::Equals | TagStyle::Attributes(_) => None,
    };
    let json = tags.json.element().map(|element| (element[0], Tag::JsonOpen));
    separator.into_iter().chain(json).filter(move |_| first)
}

/// A closer of a value at `at`.
fn look_closer(tags: &'static TagCalls, cx: &mut Cx<'_>, at: usize) -> Found<'static, Tag> {
    let hold = |look: &mut Look<'_, 'static, Tag>| {
        look.word(tags.parameter[1], Tag::ParamClose);
        for close in tags.parameter_closes {
            look.word(close, Tag::ParamClose);
        }
        look.word(tags.unit[1], Tag::UnitClose);
    };
    cx.look_fast(at, hold, || closers(tags))
}

/// What stands behind a closer.
fn look_after(tags: &'static TagCalls, unit: bool, cx: &mut Cx<'_>, at: usize) -> Found<'static, Tag> {
    cx.look_fast(at, |look| hold_after(tags, unit, look), || after_closer(tags, unit))
}

/// What stands between tags.
fn look_between(tags: &'static TagCalls, first: bool, cx: &mut Cx<'_>, at: usize) -> Found<'static, Tag> {
    let hold = |look: &mut Look<'_, 'static, Tag>| {
        hold_after(tags, false, look);
        if first {
            before_parameters(tags, true).for_each(|(word, tag)| look.word(word, tag));
        }
    };
    cx.look_fast(at, hold, || after_closer(tags, false).chain(before_parameters(tags, first)))
}

/// [`after_closer`], one by one.
fn hold_after(tags: &'static TagCalls, unit: bool, look: &mut Look<'_, 'static, Tag>) {
    if !unit {
        look.word(tags.parameter[0], Tag::ParamOpen);
        look.word(tags.unit[1], Tag::UnitClose);
    }
    if !tags.frame[1].is_empty() {
        look.word(tags.frame[1], Tag::BlockClose);
    }
    for block in tags.blocks {
        look.word(block[1], Tag::BlockClose);
    }
}

impl TagUnit {
    #[inline]
    pub fn new(tags: &'static TagCalls) -> Self {
        Self::starting(tags, At::Open(tags.frame[0].is_empty()))
    }

    /// Behind the opener: the unit starts with its name.
    pub fn named(tags: &'static TagCalls) -> Self {
        Self::starting(tags, At::Named(None))
    }

    /// Behind a header that has named the call: only parameters are in the body.
    pub fn in_message(tags: &'static TagCalls, head: &mut Head) -> Self {
        head.open_members();
        head.ready = head.is_call();
        Self { message: true, ..Self::starting(tags, At::Body) }
    }

    #[inline]
    fn starting(tags: &'static TagCalls, at: At) -> Self {
        Self { tags, at, param: Param::default(), parameters: 0, lacks_closer: false, message: false }
    }

    /// Goes behind `opener`, which was found at `at`; false if it is not what the machine looks for first.
    #[inline]
    pub fn opened(&mut self, opener: &str, at: usize, head: &mut Head) -> bool {
        let first = matches!(self.at, At::Open(_)) && opener == self.tags.unit[0] && !matches!(self.tags.style, TagStyle::Pairs(_));
        if first {
            head.enter(at);
            self.at = At::Header(Header::new(Of::Unit));
        }
        first
    }

    #[expect(clippy::too_many_lines, reason = "one arm a state of the unit")]
    pub fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head, bracket: &mut Option<usize>) -> Step {
        let tags = self.tags;
        loop {
            match &mut self.at {
                At::Open(framed) => {
                    if cx.skip_space(cur).is_none() {
                        return Step::More;
                    }
                    let frame = Some((tags.frame[0], true)).filter(|_| !*framed);
                    match cx.look(*cur, std::iter::once((tags.unit[0], false)).chain(frame)) {
                        Found::Maybe(_) => return Step::More,
                        Found::No => return Step::malformed(*cur),
                        Found::Yes(true, len) => {
                            *framed = true;
                            *cur += len;
                        }
                        Found::Yes(false, len) => {
                            let opener = *cur;
                            *cur += len;
                            if matches!(tags.style, TagStyle::Pairs(_)) {
                                self.at = At::Named(Some(opener));
                            } else {
                                head.enter(opener);
                                self.at = At::Header(Header::new(Of::Unit));
                            }
                        }
                    }
                }
                At::Named(opener) => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    if b == b'{' && tags.json == TagJson::Unit {
                        self.at = At::Object(Box::new(CallObject::new(&JsonKeys::USUAL, false)));
                    } else {
                        head.enter(opener.unwrap_or(*cur));
                        self.at = At::Header(Header::new(Of::Unit));
                    }
                }
                At::Header(header) => match header.advance(tags.style, cx, cur) {
                    HeaderStep::More => return Step::More,
                    HeaderStep::Fail(step) => return step,
                    HeaderStep::Done => {
                        let name = header.name.take().unwrap_or_default();
                        match header.of {
                            Of::Parameter => {
                                self.param = Param { name, text: header.text, ..Param::default() };
                                self.at = At::Fresh(*cur);
                            }
                            Of::Json => self.at = At::JsonOpen,
                            Of::Unit if name.text(cx.window).is_empty() => return Step::malformed(*cur),
                            Of::Unit => {
                                head.id = header.id.take();
                                head.name(name.text(cx.window), cx);
                                head.open_members();
                                // A name that only white space ends may still be a word of prose.
                                head.ready = head.is_call() && !matches!(tags.style, TagStyle::Pairs(_));
                                self.at = At::Body;
                            }
                        }
                    }
                },
                At::Body => {
                    let Some(b) = cx.skip_space(cur) else { return Step::More };
                    if b == b'{' && matches!(tags.json, TagJson::Arguments | TagJson::Block) && self.parameters == 0 {
                        self.json(cx, *cur, head);
                        continue;
                    }
                    match look_between(tags, self.parameters == 0, cx, *cur) {
                        Found::Maybe(_) => return Step::More,
                        Found::No => return Step::malformed(*cur),
                        Found::Yes(tag, len) => {
                            if let Some(step) = self.tag(tag, len, cx, cur, head) {
                                return step;
                            }
                        }
                    }
                }
                At::Fresh(start) => {
                    let start = *start;
                    if tags.cdata {
                        match cx.look(start, std::iter::once((CDATA[0], ()))) {
                            Found::Maybe(_) => return Step::More,
                            Found::No => {}
                            Found::Yes((), _) => self.param.cdata = true,
                        }
                    }
                    if !self.pass_from(start, cx, head) {
                        return Step::More;
                    }
                    self.at = At::Value(start);
                }
                At::Value(start) => {
                    let start = *start;
                    let Some(run) = find_byte(cx.rest(*cur), b'<') else {
                        *cur = cx.end;
                        self.pass(cx, head, *cur);
                        return Step::More;
                    };
                    *cur += run;
                    // Closers begin alike, `</`: their third byte spares most looks in markup, at 12 of 25 ns a byte of `</</`.
                    let third = |word: &str| cx.rest(*cur).get(2).is_none_or(|b| word.as_bytes().get(2).is_none_or(|third| third == b));
                    if !closers(tags).any(|(word, _)| third(word)) {
                        *cur += 1;
                        continue;
                    }
                    match look_closer(tags, cx, *cur) {
                        Found::Maybe(_) => {
                            self.pass(cx, head, *cur);
                            return Step::More;
                        }
                        Found::No => *cur += 1,
                        Found::Yes(..) if self.param.cdata && !cx.window.slice(start, *cur).trim_end().ends_with(CDATA[1]) => *cur += 1,
                        Found::Yes(tag, len) => {
                            let close = *cur;
                            self.pass(cx, head, close);
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
                    match look_after(tags, unit, cx, *cur) {
                        Found::Maybe(_) => return Step::More,
                        Found::No => {
                            // No closer: the value goes on behind it.
                            *cur = after;
                            self.at = At::Value(value);
                        }
                        Found::Yes(tag, len) => {
                            self.parameter(cx, head, value, close);
                            if unit {
                                *cur = after;
                                Self::complete(cx, head);
                                return Step::Complete;
                            }
                            self.at = At::Body;
                            if let Some(step) = self.tag(tag, len, cx, cur, head) {
                                return step;
                            }
                        }
                    }
                }
                At::JsonOpen => match cx.skip_space(cur) {
                    None => return Step::More,
                    Some(b'{') => self.json(cx, *cur, head),
                    Some(_) => return Step::malformed(*cur),
                },
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
                            self.parameters = cx.options.caps.parameters.max(1);
                            self.at = if tags.json.element().is_some() { At::JsonClose } else { At::Body };
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
                At::JsonClose => {
                    if cx.skip_space(cur).is_none() {
                        return Step::More;
                    }
                    let close = tags.json.element().map_or("", |element| element[1]);
                    match cx.look(*cur, std::iter::once((close, ()))) {
                        Found::Maybe(_) => return Step::More,
                        // As with values, a closer that lacks before an outer one is made up for.
                        Found::No => self.at = At::Body,
                        Found::Yes((), len) => {
                            *cur += len;
                            self.at = At::Body;
                        }
                    }
                }
                At::Object(object) => {
                    // The object is the unit's body; the tag's closer behind it is framing.
                    self.lacks_closer = true;
                    return object.advance(cx, cur, head, bracket);
                }
            }
        }
    }

    /// A tag of `len` bytes stands at `cur` between tags.
    fn tag(&mut self, tag: Tag, len: usize, cx: &Cx<'_>, cur: &mut usize, head: &mut Head) -> Option<Step> {
        match tag {
            Tag::ParamOpen => {
                if self.parameters >= cx.options.caps.parameters {
                    return Some(Step::cap(*cur));
                }
                head.ready = head.is_call();
                self.parameters += 1;
                *cur += len;
                self.at = At::Header(Header::new(Of::Parameter));
            }
            Tag::Separator => *cur += len,
            Tag::JsonOpen => {
                *cur += len;
                self.at = At::Header(Header::new(Of::Json));
            }
            Tag::ParamClose | Tag::UnitClose | Tag::BlockClose => {
                // The block's closer stands for a missing closer of the unit and is read after it.
                self.lacks_closer = tag != Tag::UnitClose;
                *cur += if self.lacks_closer { 0 } else { len };
                head.ready = head.is_call();
                Self::complete(cx, head);
                return Some(Step::Complete);
            }
        }
        None
    }

    /// True if the template writes a closer behind the unit's own.
    pub fn is_framed(&self) -> bool {
        !self.tags.frame[1].is_empty()
    }

    /// A JSON object that is all arguments begins at `start`.
    fn json(&mut self, cx: &Cx<'_>, start: usize, head: &mut Head) {
        head.ready = head.is_call();
        head.args = ArgText::Raw { from: start, to: None };
        self.at = At::Json(JsonScan::new(cx.options.caps.depth), start);
    }

    /// Reads `delta`, which stands at `at`, if no closer can begin in it and a value is open, or if it goes on with a name.
    #[inline]
    pub fn absorb(&mut self, delta: &str, at: usize, head: &mut Head) -> bool {
        match &mut self.at {
            At::Value(_) if !contains(delta.as_bytes(), b'<') => {
                if let (Some(to), ArgText::Members(members)) = (&mut self.param.passed, &mut head.args) {
                    push_escaped(&mut members.json, delta);
                    *to += delta.len();
                }
                true
            }
            At::Header(header) => header.absorb(delta, at),
            At::Object(object) => object.absorb(delta),
            _ => false,
        }
    }

    /// How many of `bytes`, which come next, are the inside of a value. Where tags may have suffixes or be tokens, `plain` is false:
    /// then it ends at the first `<`.
    pub fn inside(&self, bytes: &[u8], plain: bool) -> usize {
        match &self.at {
            At::Value(_) => {
                let mut ends = memchr::memchr_iter(b'<', bytes);
                let may_close = |&at: &usize| !plain || find(&bytes[at..], closers(self.tags), false) != Found::No;
                ends.find(may_close).unwrap_or(bytes.len())
            }
            At::Json(scan, _) => scan.inside(bytes),
            At::Object(object) => object.inside(bytes),
            _ => 0,
        }
    }

    /// Decides whether the value that begins at `start` goes into the arguments as it comes. False if the next byte decides.
    fn pass_from(&mut self, start: usize, cx: &Cx<'_>, head: &mut Head) -> bool {
        let text = self.param.text.unwrap_or_else(|| stays_text(self.kind(cx, head), cx.coercion()));
        self.param.is_text = text;
        if !text || self.param.name.text(cx.window).is_empty() || self.param.cdata {
            return true;
        }
        if self.tags.newlines {
            // A newline at the front is the template's only if there is one at the end.
            match cx.rest(start).first() {
                None => return false,
                Some(b'\n') => return true,
                Some(_) => {}
            }
        }
        if let ArgText::Members(members) = &mut head.args {
            members.begin(self.param.name.text(cx.window), cx.duplicate());
            members.json.push('"');
            self.param.passed = Some(start);
        }
        true
    }

    /// True if the value that is open goes into the arguments as it comes.
    pub const fn passes_on(&self) -> bool {
        self.param.passed.is_some()
    }

    /// Passes on the text up to `to`, if it goes into the arguments as it stands.
    fn pass(&mut self, cx: &Cx<'_>, head: &mut Head, to: usize) {
        if let (Some(from), ArgText::Members(members)) = (&mut self.param.passed, &mut head.args) {
            push_escaped(&mut members.json, cx.window.slice(*from, to));
            *from = to;
        }
    }

    /// The family of peers' rules that types its text.
    fn wire(&self) -> Wire {
        match self.tags.style {
            TagStyle::Equals => Wire::TagEquals,
            TagStyle::Attributes(_) => Wire::Invoke,
            TagStyle::Pairs(_) => Wire::KeyValue,
        }
    }

    /// The declared type of the current parameter.
    fn kind<'a>(&self, cx: &'a Cx<'_>, head: &Head) -> &'a Kind {
        head.tool(cx).map_or(&Kind::Any, |tool| tool.kind(self.param.name.text(cx.window)))
    }

    /// The value `from..to` of the current parameter is closed.
    fn parameter(&mut self, cx: &Cx<'_>, head: &mut Head, from: usize, to: usize) {
        if self.param.passed.is_some() {
            self.pass(cx, head, to);
            if let ArgText::Members(members) = &mut head.args {
                members.json.push('"');
                members.end();
            }
            self.param = Param::default();
            return;
        }
        // M21: a parameter without a name is skipped, the call stays.
        if self.param.name.text(cx.window).is_empty() {
            return;
        }
        let mut value = trim(cx.window.slice(from, to), self.tags.newlines);
        if self.param.cdata {
            let inside = value.strip_prefix(CDATA[0]).and_then(|v| v.trim_end().strip_suffix(CDATA[1]));
            value = inside.unwrap_or(value);
        }
        let depth = cx.options.caps.depth;
        if self.param.is_text
            && let ArgText::Members(members) = &mut head.args
        {
            members.begin(self.param.name.text(cx.window), cx.duplicate());
            push_long_string(&mut members.json, value);
            members.end();
            self.param = Param::default();
            return;
        }
        let json = match self.param.text {
            Some(true) => string(value),
            Some(false) => compact(value, depth).unwrap_or_else(|| {
                // T10: TensorFold keeps the whole block as text for it.
                if cx.options.policies.block == Block::AllOrNothing {
                    head.admission = Some(Admission::Text);
                }
                string(value)
            }),
            None => coerce(value, self.kind(cx, head), cx.coercion(), self.wire(), depth),
        };
        if let ArgText::Members(members) = &mut head.args {
            members.begin(self.param.name.text(cx.window), cx.duplicate());
            make_room(&mut members.json, json.len());
            members.json.push_str(&json);
            members.end();
        }
        self.param = Param::default();
    }

    fn complete(cx: &Cx<'_>, head: &mut Head) {
        if let ArgText::Members(members) = &mut head.args {
            members.close(cx.duplicate(), cx.delivery == Delivery::Eager);
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
        if !self.cut_closer(cx, rest, unit) {
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
    pub fn repair(&mut self, cx: &mut Cx<'_>, cur: usize, head: &mut Head) -> bool {
        let closable = match &mut self.at {
            At::Body => self.cut_closer(cx, cx.rest(cur), false),
            At::JsonClose => {
                let close = self.tags.json.element().map_or("", |element| element[1]);
                close.as_bytes().starts_with(cx.rest(cur))
            }
            At::Json(scan, start) => match scan.closers() {
                Some(closers) => {
                    head.args = ArgText::Text(format!("{}{closers}", cx.window.slice(*start, cx.end)));
                    true
                }
                None => false,
            },
            At::Object(object) => return object.repair(cx, head),
            At::Open(_) | At::Named(_) | At::Header(_) | At::Fresh(_) | At::Value(_) | At::Confirm { .. } | At::JsonOpen => false,
        };
        if closable {
            Self::complete(cx, head);
        }
        closable
    }

    /// True if `rest`, the last bytes of the text, is nothing or the beginning of a closer that may stand there.
    fn cut_closer(&self, cx: &Cx<'_>, rest: &[u8], unit: bool) -> bool {
        let closers = after_closer(self.tags, unit).filter(|(_, tag)| *tag != Tag::ParamOpen);
        rest.is_empty() || matches!(cx.window.find_in(cx.end - rest.len(), cx.end, closers, false), Found::Maybe(_))
    }
}

/// One newline off each side, if both are there (semantics 7).
fn trim(value: &str, newlines: bool) -> &str {
    if !newlines {
        return value;
    }
    value.strip_prefix('\n').and_then(|v| v.strip_suffix('\n')).unwrap_or(value)
}
