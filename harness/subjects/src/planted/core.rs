//! The honest core that most planted models spoil: a push reader of `<tool_call>{"name", "arguments"}</tool_call>`.
//!
//! Small on purpose: strict JSON bodies, exact names, no reasoning, no repair. It is right on simple texts, whole and cut, so
//! that what a planted model gets wrong is its planted fault and nothing else.

use serde::Deserialize;
use serde_json::value::RawValue;
use streakstone_model::{ByteUse, CallOutcome, End, Event, Finish, Span};
use streakstone_suite::subject::Held;

use super::Request;

/// The opener of a call.
pub(super) const OPEN: &str = "<tool_call>";
/// The closer of a call, optional framing.
pub(super) const CLOSE: &str = "</tool_call>";
/// The longest run of white space after a call that is held as framing (semantics 3a).
const WHITE_CAP: usize = 256;

/// The body of a call.
#[derive(Deserialize)]
struct Body<'a> {
    name: String,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

/// Where a JSON object being scanned stands.
#[derive(Debug, Clone, Copy, Default)]
struct Scan {
    /// Bytes of the pending text already looked at.
    at: usize,
    depth: usize,
    in_string: bool,
    escaped: bool,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// Outside a block.
    Text,
    /// After the opener; `opener` is its length in the pending text.
    Body { opener: usize, scan: Scan },
    /// After a call; `closer` is true if its closer may still come.
    After { closer: bool },
}

/// The reader. It is reset by the finish.
pub(super) struct Core {
    request: Request,
    state: State,
    /// The chunk being read, after what was held of those before.
    buffer: String,
    /// Bytes of the buffer that events have spoken of.
    spent: usize,
    /// Offset of the buffer's first byte in the reply.
    start: usize,
    /// Index of the next call.
    pub(super) next_index: usize,
    /// True if a call of this reply is complete.
    complete: bool,
}

impl Core {
    /// A reader of one request.
    pub(super) fn new(request: Request) -> Self {
        Self { request, state: State::Text, buffer: String::new(), spent: 0, start: 0, next_index: 0, complete: false }
    }

    /// Takes a chunk in and, with an end cause, finishes the reply.
    pub(super) fn chunk(&mut self, text: &str, end: Option<End>, out: &mut Vec<Event>) {
        self.buffer.push_str(text);
        self.run(out);
        if let Some(end) = end {
            self.finish(end, out);
        }
        if self.spent > 0 {
            self.buffer.drain(..self.spent);
            self.start += self.spent;
            self.spent = 0;
        }
    }

    /// Bytes taken in that no event has spoken of.
    fn pending(&self) -> &str {
        &self.buffer[self.spent..]
    }

    /// What it holds.
    pub(super) fn held(&self) -> Held {
        Held { bytes: self.pending().len(), unit_open: matches!(self.state, State::Body { .. }) }
    }

    /// True outside a block and its tail.
    pub(super) const fn in_text(&self) -> bool {
        matches!(self.state, State::Text)
    }

    /// The open call's text after its opener, as far as it came.
    pub(super) fn open_body(&self) -> Option<&str> {
        if let State::Body { opener, .. } = self.state { Some(&self.pending()[opener..]) } else { None }
    }

    /// True if a call of this name may go out.
    pub(super) fn admits(&self, name: &str) -> bool {
        self.request.admits(name)
    }

    /// Sends what is held as text.
    pub(super) fn flush_text(&mut self, out: &mut Vec<Event>) {
        let all = self.pending().len();
        self.text(all, out);
    }

    /// Opens a call whose opener's last `opener` bytes come next.
    pub(super) fn open_here(&mut self, opener: usize) {
        self.state = State::Body { opener, scan: Scan { at: opener, ..Scan::default() } };
    }

    fn run(&mut self, out: &mut Vec<Event>) {
        loop {
            let moved = match self.state {
                State::Text => self.text_step(out),
                State::Body { opener, scan } => self.body_step(opener, scan, out),
                State::After { closer } => self.after_step(closer, out),
            };
            if !moved {
                return;
            }
        }
    }

    /// Sends text up to an opener; holds a tail that could begin one, with the newline before it.
    fn text_step(&mut self, out: &mut Vec<Event>) -> bool {
        if let Some(at) = self.pending().find(OPEN) {
            let lead = usize::from(self.pending()[..at].ends_with('\n'));
            self.text(at - lead, out);
            self.open_here(lead + OPEN.len());
            return true;
        }
        let tail = partial(self.pending(), OPEN);
        let lead = usize::from(self.pending()[..self.pending().len() - tail].ends_with('\n'));
        self.text(self.pending().len() - tail - lead, out);
        false
    }

    /// Scans the call's object; promotes it when it closes, leaves it as text if it is none.
    fn body_step(&mut self, opener: usize, mut scan: Scan, out: &mut Vec<Event>) -> bool {
        while let Some(&byte) = self.pending().as_bytes().get(scan.at) {
            if scan.depth == 0 && byte != b'{' && !byte.is_ascii_whitespace() {
                self.state = State::Text;
                self.text(scan.at, out);
                return true;
            }
            scan.at += 1;
            match (scan.in_string, byte) {
                (true, _) if scan.escaped => scan.escaped = false,
                (true, b'\\') => scan.escaped = true,
                (_, b'"') => scan.in_string = !scan.in_string,
                (false, b'{' | b'[') => scan.depth += 1,
                (false, b'}' | b']') => {
                    scan.depth -= 1;
                    if scan.depth == 0 {
                        self.close_call(opener, scan.at, out);
                        return true;
                    }
                }
                _ => {}
            }
        }
        self.state = State::Body { opener, scan };
        false
    }

    fn close_call(&mut self, opener: usize, end: usize, out: &mut Vec<Event>) {
        let body = &self.pending()[opener..end];
        let call = serde_json::from_str::<Body<'_>>(body).ok().and_then(|b| {
            let arguments = b.arguments.map_or("{}", RawValue::get);
            (arguments.starts_with('{') && self.request.admits(&b.name)).then(|| (b.name, arguments.to_owned()))
        });
        let Some((name, fragment)) = call else {
            self.state = State::Text;
            self.text(end, out);
            return;
        };
        let index = self.next_index;
        self.next_index += 1;
        self.complete = true;
        self.bytes(ByteUse::Framing, opener, out);
        out.push(Event::CallBegin { index, name, id: format!("call_{index:08}"), minted: true });
        out.push(Event::Arguments { index, fragment });
        out.push(Event::CallEnd { index, outcome: CallOutcome::Complete });
        self.bytes(ByteUse::Call { index }, end - opener, out);
        self.state = State::After { closer: true };
    }

    /// White space, the closer and the next opener after a call are framing; anything else is text again.
    fn after_step(&mut self, closer: bool, out: &mut Vec<Event>) -> bool {
        let white = self.pending().len() - self.pending().trim_start_matches([' ', '\t', '\r', '\n']).len();
        let rest = &self.pending()[white..];
        let next = if closer { [OPEN, CLOSE].as_slice() } else { [OPEN].as_slice() };
        if closer && rest.starts_with(CLOSE) {
            self.bytes(ByteUse::Framing, white + CLOSE.len(), out);
            self.state = State::After { closer: false };
            return true;
        }
        if rest.starts_with(OPEN) {
            self.open_here(white + OPEN.len());
            return true;
        }
        if white <= WHITE_CAP && next.iter().any(|marker| marker.starts_with(rest)) {
            return false;
        }
        self.state = State::Text;
        true
    }

    fn finish(&mut self, end: End, out: &mut Vec<Event>) {
        let white = self.pending().trim_start_matches([' ', '\t', '\r', '\n']).is_empty();
        if matches!(self.state, State::After { .. }) && white {
            let all = self.pending().len();
            self.bytes(ByteUse::Framing, all, out);
        }
        self.flush_text(out);
        let reason = match end {
            End::Length => Finish::Length,
            End::Stop | End::StopString if self.complete => Finish::ToolCalls,
            End::Stop | End::StopString => Finish::Stop,
        };
        out.push(Event::Finish { reason });
        *self = Self::new(self.request.clone());
    }

    fn text(&mut self, len: usize, out: &mut Vec<Event>) {
        if len > 0 {
            let text = self.pending()[..len].to_owned();
            out.push(Event::Text { text, span: self.spend(len) });
        }
    }

    fn bytes(&mut self, what: ByteUse, len: usize, out: &mut Vec<Event>) {
        if len > 0 {
            out.push(Event::Bytes { what, span: self.spend(len) });
        }
    }

    fn spend(&mut self, len: usize) -> Span {
        let from = self.start + self.spent;
        self.spent += len;
        Span::new(from, from + len)
    }
}

/// Length of the longest tail of `text` that is a proper beginning of `marker`.
pub(super) fn partial(text: &str, marker: &str) -> usize {
    (1..marker.len().min(text.len() + 1)).rev().find(|&n| text.ends_with(&marker[..n])).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use streakstone_model::{Part, Reply};

    const TEXT: &str = "Sure.\n<tool_call>\n{\"name\":\"f\",\"arguments\":{\"a\":\"}</tool_call>\\\"\"}}\n\
                        </tool_call>\n<tool_call>{\"name\":\"g\"}</tool_call> bye <tool";

    fn read(chunks: &[&str]) -> Reply {
        let mut core = Core::new(Request::default());
        let mut out = Vec::new();
        for chunk in chunks {
            core.chunk(chunk, None, &mut out);
        }
        core.chunk("", Some(End::Stop), &mut out);
        Reply::from_events(&out).unwrap()
    }

    #[test]
    fn the_core_reads_calls_and_keeps_the_text_around_them() {
        let reply = read(&[TEXT]);
        assert_eq!(reply.content(), "Sure. bye <tool");
        let calls: Vec<_> = reply.calls().map(|c| (c.name.as_str(), c.arguments.as_str())).collect();
        assert_eq!(calls, [("f", r#"{"a":"}</tool_call>\""}"#), ("g", "{}")]);
        assert_eq!(reply.finish, Finish::ToolCalls);
        let end = reply.spans.iter().fold(0, |at, (_, span)| {
            assert_eq!(span.start, at);
            span.end
        });
        assert_eq!(end, TEXT.len());
    }

    #[test]
    fn the_core_reads_every_cut_alike() {
        let whole = read(&[TEXT]);
        for cut in 1..TEXT.len() {
            assert_eq!(read(&[&TEXT[..cut], &TEXT[cut..]]), whole, "cut {cut}");
        }
    }

    #[test]
    fn what_is_no_call_stays_text() {
        for text in
            ["<tool_call>not json</tool_call>", "<tool_call>{\"name\":\"f\"", "a < b", "<tool_call>{\"name\":\"f\",\"arguments\":[1]}"]
        {
            let reply = read(&[text]);
            assert_eq!(reply.parts, [Part::Text(text.to_owned())]);
        }
    }
}
