//! The healer of one text: text goes in as it comes, text and calls come out in the order of the text (U50 to U57).
//!
//! It is the parser's row `auto` and a sink. The parser takes every decision at a byte of the text, so where a delta ends changes
//! nothing; a whole text is one push and a finish.

use streakstone_model::{ByteUse, Call, CallId, CallOutcome, Dialect, End, Finish, FramingOf, Lookup, Sink, Span, lookup};
use streakstone_parsers::Parser;
use streakstone_surfaces::CallBudget;

use crate::Report;
use crate::gate::Promotable;

/// Bytes of one suspected block that are held at most; a longer one is text (U1, U55).
pub const HOLD: usize = 64 * 1024;

/// What becomes of reasoning that stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReasoningText {
    /// It stays where it is, markers and all.
    #[default]
    Keep,
    /// It goes out apart and its markers, like control tokens, are cut: for a surface that shows reasoning as such (U61).
    Split,
}

/// One step of a healed text. The bytes of text, reasoning and cuts add up to the text that went in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Text as it came. Adjacent text of one push is one step.
    Text(String),
    /// Reasoning, where it is split off.
    Reasoning(String),
    /// A promoted call, whole (U56). The bytes that it was follow as a cut.
    Call(Call),
    /// So many bytes went into a call, or are framing of one.
    Cut(usize),
}

/// A run of a promoted call's own words (U57). A call has one, or a second where text stands before its closer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promoted {
    /// Which of the promoted calls, from 0.
    pub call: usize,
    /// Where the first byte stood, counted from the begin of the first text.
    pub at: usize,
    /// The words, framing included: a caller that cannot use the call gives them back in this place.
    pub words: String,
}

/// Reads the texts of one reply, one after the other.
pub struct TextHealer<'a> {
    /// `None` once it sleeps.
    parser: Option<Parser<'a>>,
    state: Reading,
}

/// What the sink knows.
#[derive(Debug)]
struct Reading {
    split: bool,
    /// Text of which no step has spoken; its begin is already spoken of up to `front`.
    held: String,
    front: usize,
    /// Bytes before `held`.
    base: usize,
    budget: CallBudget,
    report: Report,
    promoted: Vec<Promoted>,
    /// The call that is coming.
    coming: Option<Call>,
    /// Place and words of framing of which it is not yet known whether the next call or the last one owns it.
    framing: Option<(usize, String)>,
    /// True while framing that follows belongs to the call promoted last.
    last_counts: bool,
}

/// Writes the steps of a push.
struct Collect<'r> {
    reading: &'r mut Reading,
    steps: &'r mut Vec<Step>,
}

/// The row that knows all markers.
fn auto() -> Option<&'static Dialect> {
    match lookup("auto") {
        Lookup::Known(dialect) => Some(dialect),
        Lookup::Unknown { .. } => None,
    }
}

impl<'a> TextHealer<'a> {
    /// A healer for one reply.
    #[must_use]
    pub fn new(promotable: &'a Promotable, reasoning: ReasoningText) -> Self {
        let parser = auto().map(|dialect| Parser::new(dialect, promotable.set(), promotable.options()));
        let state = Reading {
            split: reasoning == ReasoningText::Split,
            held: String::new(),
            front: 0,
            base: 0,
            budget: CallBudget::new(promotable.parallel()),
            report: Report::default(),
            promoted: Vec::new(),
            coming: None,
            framing: None,
            last_counts: false,
        };
        Self { parser, state }
    }

    /// Takes a delta.
    pub fn push(&mut self, delta: &str, steps: &mut Vec<Step>) {
        let Some(parser) = &mut self.parser else {
            self.state.base += delta.len();
            return add_text(steps, delta);
        };
        self.state.held.push_str(delta);
        parser.push_str(delta, &mut Collect { reading: &mut self.state, steps });
        self.state.compact();
    }

    /// The text is over. What comes next is another text of the same reply: a new reading, the same budget of calls.
    pub fn finish(&mut self, end: End, steps: &mut Vec<Step>) {
        if let Some(parser) = &mut self.parser {
            parser.finish(end, &mut Collect { reading: &mut self.state, steps });
            self.state.compact();
        }
    }

    /// A structured call came: what is held goes out as text, and nothing is promoted any more (U53).
    pub fn sleep(&mut self, steps: &mut Vec<Step>) {
        if self.parser.take().is_some() {
            self.state.settle();
            add_text(steps, &self.state.held[self.state.front..]);
            self.state.front = self.state.held.len();
            self.state.compact();
        }
    }

    /// True after [`sleep`](Self::sleep).
    #[must_use]
    pub const fn is_asleep(&self) -> bool {
        self.parser.is_none()
    }

    /// Bytes taken in that no step has spoken of.
    #[must_use]
    pub fn held(&self) -> usize {
        self.state.held.len() - self.state.front
    }

    /// The words of the promoted calls, in the order of the text.
    #[must_use]
    pub fn promoted(&self) -> &[Promoted] {
        &self.state.promoted
    }

    /// Calls so far.
    #[must_use]
    pub const fn report(&self) -> Report {
        self.state.report
    }

    /// Bytes looked at, a measure of work that no machine changes.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.parser.as_ref().map_or(0, Parser::steps)
    }
}

fn add_text(steps: &mut Vec<Step>, text: &str) {
    match steps.last_mut() {
        _ if text.is_empty() => {}
        Some(Step::Text(last)) => last.push_str(text),
        _ => steps.push(Step::Text(text.to_owned())),
    }
}

fn add_cut(steps: &mut Vec<Step>, len: usize) {
    match steps.last_mut() {
        _ if len == 0 => {}
        Some(Step::Cut(last)) => *last += len,
        _ => steps.push(Step::Cut(len)),
    }
}

impl Reading {
    /// Place and words of the next `span.len()` bytes.
    fn take(&mut self, span: Span) -> (usize, &str) {
        let from = self.front;
        // A step never speaks of more than came in.
        self.front = (from + span.len()).min(self.held.len());
        (self.base + from, &self.held[from..self.front])
    }

    /// Framing that no call followed belongs to the call before it.
    fn settle(&mut self) {
        let Some((at, words)) = self.framing.take().filter(|_| self.last_counts) else { return };
        match self.promoted.last_mut() {
            Some(last) if last.at + last.words.len() == at => last.words.push_str(&words),
            Some(Promoted { call, .. }) => {
                let call = *call;
                self.promoted.push(Promoted { call, at, words });
            }
            None => {}
        }
    }

    /// Lets go of what was spoken of.
    fn compact(&mut self) {
        if self.front > 0 {
            self.held.drain(..self.front);
            self.base += self.front;
            self.front = 0;
        }
    }
}

impl Sink for Collect<'_> {
    fn text(&mut self, _: &str, span: Span) {
        self.reading.settle();
        let (_, words) = self.reading.take(span);
        add_text(self.steps, words);
    }

    fn reasoning(&mut self, text: &str, span: Span) {
        if !self.reading.split {
            return self.text(text, span);
        }
        self.reading.settle();
        let (_, words) = self.reading.take(span);
        match self.steps.last_mut() {
            Some(Step::Reasoning(last)) => last.push_str(words),
            _ => self.steps.push(Step::Reasoning(words.to_owned())),
        }
    }

    fn call_begin(&mut self, _: usize, name: &str, id: &str, minted: bool) {
        let id = CallId { value: id.to_owned(), minted };
        self.reading.coming = Some(Call { name: name.to_owned(), id, arguments: String::new(), outcome: CallOutcome::Complete });
    }

    fn arguments(&mut self, _: usize, fragment: &str) {
        if let Some(call) = &mut self.reading.coming {
            call.arguments.push_str(fragment);
        }
    }

    fn call_end(&mut self, _: usize, outcome: CallOutcome) {
        let Some(mut call) = self.reading.coming.take() else { return };
        call.outcome = outcome;
        let (at, words) = self.reading.framing.take().unwrap_or_default();
        self.reading.last_counts = self.reading.budget.take();
        let cut = match self.steps.pop() {
            Some(Step::Cut(len)) => len,
            other => {
                self.steps.extend(other);
                0
            }
        };
        if self.reading.last_counts {
            self.reading.promoted.push(Promoted { call: self.reading.report.calls, at, words });
            self.reading.report.calls += 1;
            self.steps.push(Step::Call(call));
        } else {
            self.reading.report.dropped += 1;
        }
        add_cut(self.steps, cut);
    }

    fn bytes(&mut self, what: ByteUse, span: Span) {
        if matches!(what, ByteUse::Call { .. }) && self.reading.coming.is_some() {
            // The framing right before it is its own.
            let before = self.reading.framing.take();
            let (at, body) = self.reading.take(span);
            let body = body.to_owned();
            let (at, mut words) = before.unwrap_or((at, String::new()));
            words.push_str(&body);
            self.reading.framing = Some((at, words));
        } else {
            self.reading.settle();
            self.reading.take(span);
            if matches!(what, ByteUse::Dropped { .. }) {
                self.reading.last_counts = false;
                self.reading.report.dropped += 1;
            }
        }
        add_cut(self.steps, span.len());
    }

    fn framing(&mut self, of: FramingOf, span: Span) {
        if of == FramingOf::Envelope && !self.reading.split {
            return self.text("", span);
        }
        self.reading.settle();
        let (at, words) = self.reading.take(span);
        let words = words.to_owned();
        if of == FramingOf::Call {
            self.reading.framing = Some((at, words));
        }
        add_cut(self.steps, span.len());
    }

    fn finish(&mut self, _: Finish) {
        self.reading.settle();
        self.reading.last_counts = false;
    }
}
