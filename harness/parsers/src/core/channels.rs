//! Messages: a header says what its body is. Reasoning and content are read here and as prose, a call is a unit.
//!
//! A header is a candidate. If it turns out to be none, its bytes are text of what it stood in, and reading goes on at the
//! latest opener in it, else where it failed.

use streakstone_model::{ChannelCalls, FramingOf, MessageBody, MessageRole, PromptHeader, Sink};

use super::{Core, Flow, Last, NO_BLOCK, State};
use crate::out::Host;
use crate::row::{Found, LOOK, Token, channels_of};
use crate::unit::{Machine, Message, TagUnit, is_name, is_space};

/// Bytes a header may have besides the cap on names: more than any template writes, twice over.
const HEADER_BYTES: usize = 256;

/// The message in which prose and units stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    None,
    Content,
    /// A call, or what turned out to be none; its closer goes with the unit.
    Call,
}

/// The word that names a tool.
#[derive(Debug, Clone, Copy)]
struct Tool {
    name: (usize, usize),
    word: usize,
    marked: bool,
}

/// What is known of a header being read.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Header {
    start: usize,
    /// Begin of the word that `cur` is in.
    word: Option<usize>,
    /// True directly behind the channel's token.
    names_channel: bool,
    /// Place of the latest opener but its own.
    latest: Option<usize>,
    /// What the last channel says.
    channel: Option<MessageRole>,
    /// What a recipient that is no tool says.
    recipient: Option<MessageRole>,
    tool: Option<Tool>,
    /// True if a recipient stood behind its mark.
    marked: bool,
    /// Begin of the first word that is none of a header.
    odd: Option<usize>,
    /// Behind the header's end.
    end: usize,
}

/// Tokens that a header may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Open,
    Channel,
    Inner,
    End(Option<MessageRole>),
    Close,
}

fn parts(calls: &'static ChannelCalls) -> impl Iterator<Item = (&'static str, Part)> {
    let of = |list: &'static [&'static str], part| list.iter().map(move |text| (*text, part));
    let open = calls.open.iter().map(|text| (*text, if *text == calls.channel { Part::Channel } else { Part::Open }));
    let ends = calls.ends.iter().map(|(text, role)| (*text, Part::End(*role)));
    open.chain(of(calls.inner, Part::Inner)).chain(ends).chain(of(calls.close, Part::Close))
}

impl Header {
    pub fn new(start: usize) -> Self {
        Self { start, ..Self::default() }
    }

    /// The word `text` that began at `from`.
    fn read(&mut self, calls: &'static ChannelCalls, text: &str, from: usize) {
        // Stray punctuation before a word is nobody's text (openai/harmony#38).
        let word = text.trim_start_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() {
            return;
        }
        let end = from + text.len();
        let names_channel = std::mem::take(&mut self.names_channel);
        let marked = if calls.to.is_empty() { Some(word) } else { word.strip_prefix(calls.to) };
        if let Some(name) = marked {
            let reserved = calls.recipients.iter().find(|(reserved, _)| *reserved == name);
            if let Some((_, role)) = reserved {
                self.recipient = self.recipient.or(*role);
            } else if self.tool.is_some_and(|tool| tool.marked) {
                self.odd.get_or_insert(from);
            } else {
                self.tool = Some(Tool { name: tool_name(calls, name, end), word: from, marked: true });
            }
            self.marked = true;
        } else if !calls.prefix.is_empty() && word.starts_with(calls.prefix) && self.tool.is_none() {
            self.tool = Some(Tool { name: tool_name(calls, word, end), word: from, marked: false });
        } else if let Some((_, role)) = calls.channels.iter().find(|(name, _)| *name == word) {
            self.channel = Some(*role);
        } else if names_channel || !is_word(calls, word) {
            self.odd.get_or_insert(from);
        }
    }

    /// The tool that the message calls. One that was named without a mark beside a marked recipient is the author: its answer.
    fn called(&self) -> Option<Tool> {
        self.tool.filter(|tool| tool.marked || !self.marked)
    }

    /// What the message is, if the header is one; `end` is what its end token says.
    fn role(&self, end: Option<MessageRole>) -> Option<MessageRole> {
        match end {
            Some(MessageRole::Call) => end,
            None if self.called().is_some() => Some(MessageRole::Call),
            _ if !self.is_plain() => None,
            _ => end.or(self.recipient).or(self.channel).or(Some(MessageRole::Content)),
        }
    }

    /// True if nothing but tokens and words of a header were read.
    fn is_plain(&self) -> bool {
        self.odd.is_none() && self.tool.is_none()
    }
}

/// Where the name is of a recipient that ends at `end`.
fn tool_name(calls: &'static ChannelCalls, written: &str, end: usize) -> (usize, usize) {
    (end - written.strip_prefix(calls.prefix).unwrap_or(written).len(), end)
}

/// True for a word of headers that says nothing: a role, a content type.
fn is_word(calls: &'static ChannelCalls, word: &str) -> bool {
    calls.words.contains(&word) || calls.recipients.iter().any(|(name, role)| *name == word && role.is_none())
}

impl Core<'_> {
    /// At the start of a reply: the rest of the header that the prompt began, or no header.
    pub(super) fn prompt(&mut self) -> Flow {
        let Some(calls) = channels_of(self.row.dialect) else { return Flow::Wait };
        let rest = self.window.bytes(0, self.window.end());
        self.steps += LOOK;
        let header = match calls.prompt {
            PromptHeader::Recipient(spellings) => match self.window.find(0, spellings.iter().map(|text| (*text, ())), self.eof()) {
                Found::Maybe(_) => return Flow::Wait,
                found => found != Found::No,
            },
            PromptHeader::Name => match rest.first() {
                None => return Flow::Wait,
                Some(&b) => is_name(b),
            },
        };
        self.state = if header { State::Header(Box::new(Header::new(0))) } else { State::Prose };
        Flow::Go
    }

    /// In a header. Bytes are looked at one by one: a header is short.
    pub(super) fn header(&mut self, sink: &mut dyn Sink) -> Flow {
        let State::Header(mut header) = std::mem::replace(&mut self.state, State::Prose) else { return Flow::Go };
        let Some(calls) = channels_of(self.row.dialect) else { return Flow::Go };
        let cap = self.options.caps.name.saturating_add(HEADER_BYTES).min(self.options.caps.hold);
        loop {
            let end = self.window.end();
            let rest = self.window.bytes(self.cur, end);
            let Some(&b) = rest.first() else {
                if !self.eof() {
                    self.state = State::Header(header);
                    return Flow::Wait;
                }
                self.end_word(&mut header, calls);
                if header.is_plain() {
                    // Its tokens are control tokens, and it has no other words.
                    self.open_message(&header, sink);
                    return Flow::Go;
                }
                return self.no_header(&header, end, sink);
            };
            self.steps += 1;
            if self.cur - header.start > cap {
                let at = self.window.boundary(self.cur);
                return self.no_header(&header, at, sink);
            }
            if !b.is_ascii_alphanumeric() {
                self.steps += LOOK;
                match self.window.find(self.cur, parts(calls), self.eof()) {
                    Found::Maybe(word) => {
                        self.awaited = Some((self.cur, word));
                        self.state = State::Header(header);
                        return Flow::Wait;
                    }
                    Found::Yes(part, len) => {
                        self.end_word(&mut header, calls);
                        let own = self.cur == header.start;
                        match part {
                            Part::Open if !own => return self.no_header(&header, self.cur, sink),
                            Part::Close => return self.no_header(&header, self.cur, sink),
                            Part::Channel | Part::Open => {
                                if !own {
                                    header.latest = Some(self.cur);
                                }
                                header.names_channel = part == Part::Channel;
                            }
                            Part::Inner => header.names_channel = false,
                            Part::End(role) => {
                                header.end = self.cur + len;
                                self.cur = header.end;
                                return self.headed(header, role, sink);
                            }
                        }
                        self.cur += len;
                        continue;
                    }
                    Found::No => {}
                }
                if is_space(b) {
                    self.end_word(&mut header, calls);
                    self.cur += 1;
                    continue;
                }
            }
            if header.word.is_none() {
                if calls.to.is_empty() && !header.is_plain() {
                    // A second word where one stands alone.
                    return self.no_header(&header, self.cur, sink);
                }
                header.word = Some(self.cur);
            }
            self.cur += 1;
        }
    }

    fn end_word(&self, header: &mut Header, calls: &'static ChannelCalls) {
        if let Some(from) = header.word.take() {
            header.read(calls, self.window.slice(from, self.cur), from);
        }
    }

    /// The candidate is none: text up to its latest opener, else up to `at`.
    fn no_header(&mut self, header: &Header, at: usize, sink: &mut dyn Sink) -> Flow {
        let to = header.latest.unwrap_or(at);
        self.text(to, sink);
        self.cur = to;
        self.state = if self.out.host == Host::Reasoning { State::Thought(false) } else { State::Prose };
        Flow::Go
    }

    /// The header is over.
    fn headed(&mut self, header: Box<Header>, end: Option<MessageRole>, sink: &mut dyn Sink) -> Flow {
        let Some(role) = header.role(end) else {
            // Its end is no opener, and the closer of what follows goes with it.
            if self.out.host == Host::Content {
                self.within = Within::Call;
                self.block = NO_BLOCK;
            }
            return self.no_header(&Header { latest: None, ..*header }, self.cur, sink);
        };
        if role != MessageRole::Call {
            self.open_message(&header, sink);
        }
        self.state = State::Body(header, role);
        Flow::Go
    }

    /// A header of reasoning or content: framing, with the newline before it that ends a span of reasoning.
    fn open_message(&mut self, header: &Header, sink: &mut dyn Sink) {
        if self.out.host == Host::Content {
            self.end_block(sink);
            self.text(header.start, sink);
        }
        self.out.framing(self.cur, sink);
    }

    /// Behind a header.
    pub(super) fn body(&mut self, sink: &mut dyn Sink) -> Flow {
        let State::Body(header, role) = std::mem::replace(&mut self.state, State::Prose) else { return Flow::Go };
        let Some(calls) = channels_of(self.row.dialect) else { return Flow::Go };
        if calls.space && self.cur == header.end && role != MessageRole::Call {
            match self.window.bytes(self.cur, self.window.end()).first() {
                None if !self.eof() => {
                    self.state = State::Body(header, role);
                    return Flow::Wait;
                }
                Some(b' ') => {
                    self.cur += 1;
                    self.out.framing(self.cur, sink);
                }
                _ => {}
            }
        }
        match role {
            MessageRole::Reasoning => {
                self.out.host = Host::Reasoning;
                self.within = Within::None;
                self.state = State::Thought(true);
            }
            MessageRole::Content => {
                self.out.host = Host::Content;
                self.within = Within::Content;
                self.block = NO_BLOCK;
            }
            MessageRole::Call => return self.call_body(header, calls, sink),
        }
        Flow::Go
    }

    /// Behind the header of a call.
    fn call_body(&mut self, header: Box<Header>, calls: &'static ChannelCalls, sink: &mut dyn Sink) -> Flow {
        if matches!(calls.body, MessageBody::Units(_)) {
            let end = self.window.end();
            let from = self.cur;
            let rest = self.window.bytes(from, end);
            let run = rest.iter().position(|&b| !is_space(b)).unwrap_or(rest.len());
            self.cur += run;
            self.steps += run as u64 + 1;
            if let Some(limit) = self.blank_limit(from) {
                self.call_message(sink);
                return self.no_header(&Header { latest: None, ..*header }, limit, sink);
            }
            let found = if self.cur == end { Found::Maybe("") } else { self.marker(self.cur) };
            if matches!(found, Found::Maybe(_)) && !self.eof() {
                self.state = State::Body(header, MessageRole::Call);
                return Flow::Wait;
            }
            self.call_message(sink);
            return match found {
                Found::Yes(token @ (Token::BlockOpen | Token::UnitOpen), len) => {
                    self.named_at = header.called().map(|tool| header.odd.map_or(tool.word, |odd| odd.min(tool.word)));
                    self.enter(token, self.cur, len, self.out.front(), sink)
                }
                _ => self.no_header(&Header { latest: None, ..*header }, self.cur, sink),
            };
        }
        self.call_message(sink);
        self.hold_block();
        let mut unit = self.fresh(Machine::Message(Message::arguments()), self.cur);
        let tool = header.called();
        let first = tool.map_or(header.end, |tool| tool.word);
        unit.head.enter(header.odd.map_or(first, |odd| odd.min(first)));
        let name = tool.map_or("", |tool| self.window.slice(tool.name.0, tool.name.1)).to_owned();
        let end = self.window.end();
        let start = self.cur;
        let cx = self.cx(end);
        match calls.body {
            MessageBody::Object => unit.machine = Machine::Message(Message::object()),
            MessageBody::Json | MessageBody::Parameters(_) | MessageBody::Units(_) => unit.head.name(&name, &cx),
        }
        if let Some((_, argument)) = calls.raw.iter().find(|(tool, _)| *tool == name) {
            unit.machine = Machine::Message(Message::raw(argument, start, &mut unit.head));
        } else if let MessageBody::Parameters(tags) = &calls.body {
            unit.machine = Machine::Tags(TagUnit::in_message(tags, &mut unit.head));
        }
        self.state = State::Unit(unit);
        Flow::Go
    }

    /// A message that is a call begins: a span of reasoning and a block are over.
    fn call_message(&mut self, sink: &mut dyn Sink) {
        self.out.host = Host::Content;
        self.end_block(sink);
        self.within = Within::Call;
        self.block = NO_BLOCK;
        self.before = NO_BLOCK;
    }

    /// The closer of a message ends at `to`: framing, but for a call's that became text. What is before `owned` is text.
    pub(super) fn close_message(&mut self, owned: usize, to: usize, sink: &mut dyn Sink) {
        if self.within == Within::Call && (self.block.last != Last::Taken || self.block.poisoned) {
            self.text(to, sink);
        } else {
            self.text(owned, sink);
            self.out.framing_of(if self.within == Within::Call { FramingOf::Call } else { FramingOf::Envelope }, to, sink);
        }
        self.cur = to;
        self.within = Within::None;
        self.block.open = false;
        self.block.owed = false;
        self.end_block(sink);
    }

    /// In a message of reasoning. A message that begins ends it, and so does its closer.
    pub(super) fn thought(&mut self, fresh: bool, sink: &mut dyn Sink) -> Flow {
        let end = self.window.end();
        if fresh {
            match self.window.bytes(self.cur, end).first() {
                None if !self.eof() => return Flow::Wait,
                Some(b'\n') => {
                    self.cur += 1;
                    self.out.framing(self.cur, sink);
                }
                _ => {}
            }
            self.state = State::Thought(false);
        }
        loop {
            let rest = self.window.bytes(self.cur, end);
            let Some(run) = self.row.find_start(rest, false) else {
                self.steps += rest.len() as u64;
                self.cur = end;
                let to = if self.eof() { end } else { self.lead(end, 1) };
                self.text(to, sink);
                return Flow::Wait;
            };
            self.steps += run as u64 + LOOK;
            let at = self.cur + run;
            self.cur = at;
            let lead = self.lead(at, 1);
            let active = self
                .row
                .markers
                .iter()
                .filter(|m| matches!(m.token, Token::MessageOpen | Token::MessageEnd(true) | Token::MessageClose | Token::Control));
            match self.window.find(at, active.map(|m| (m.text, m.token)), self.eof()) {
                Found::Maybe(word) => {
                    self.awaited = Some((at, word));
                    self.text(lead, sink);
                    return Flow::Wait;
                }
                Found::Yes(Token::MessageClose, len) => {
                    self.text(lead, sink);
                    self.cur = at + len;
                    self.out.framing(self.cur, sink);
                    self.out.host = Host::Content;
                    self.within = Within::None;
                    self.state = State::AfterReasoning;
                    return Flow::Go;
                }
                Found::Yes(Token::Control, len) => {
                    self.text(at, sink);
                    self.cur = at + len;
                    self.out.framing(self.cur, sink);
                }
                Found::Yes(token, len) => return self.enter(token, at, len, lead, sink),
                Found::No => self.cur = at + 1,
            }
        }
    }
}
