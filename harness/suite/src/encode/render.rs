//! A document in a dialect: the raw text, and the reply it means (`semantics.md` 3, 4, 8).

use std::ops::Range;

use super::{Call, Document, Encoder, Fate, Part, TARGET};

/// Longest run of white space that is framing after a call (semantics 3).
const SPACE_AFTER_CALL: usize = 256;

/// One part of the reply that a text means. Adjacent text is merged, and so is adjacent reasoning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpectedPart {
    /// Content.
    Text(String),
    /// Reasoning.
    Reasoning(String),
    /// A call.
    Call {
        /// The name.
        name: String,
        /// The arguments as JSON.
        arguments: String,
        /// The id on the wire, if it must be kept.
        id: Option<String>,
    },
}

/// A document in a dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The text.
    pub raw: String,
    /// What it means under the default policies.
    pub parts: Vec<ExpectedPart>,
    /// The bytes that each call owns, its markers and the separator before it included.
    pub units: Vec<Range<usize>>,
}

/// A piece of the text and its part in the reply.
enum Piece {
    /// Content, white space at its ends apart.
    Text(String),
    /// Markers that are framing wherever they stand.
    Framing(&'static str),
    /// A reasoning span.
    Reasoning { open: String, text: String, close: String },
    /// A call: its bytes, and what it becomes.
    Unit { raw: String, becomes: Becomes },
}

impl Piece {
    /// Its last bytes.
    fn end(&self) -> &str {
        match self {
            Self::Text(text) | Self::Reasoning { close: text, .. } | Self::Unit { raw: text, .. } => text,
            Self::Framing(marker) => marker,
        }
    }
}

enum Becomes {
    Call(ExpectedPart),
    Text,
    Dropped,
}

/// Writes a document.
#[must_use]
pub fn render(encoder: &Encoder, document: &Document) -> Rendered {
    let mut writer = Writer { encoder, document, pieces: Vec::new(), calls: 0, promoted: 0, cut: false };
    let mut rest = document.parts.as_slice();
    while let Some((part, behind)) = rest.split_first() {
        rest = behind;
        match part {
            Part::Prose(text) => writer.prose(text, true),
            Part::Reasoning(text) => writer.reasoning(text),
            Part::Call(_) => {
                let run = 1 + behind.iter().take_while(|p| matches!(p, Part::Call(_))).count();
                let calls: Vec<&Call> = document.parts[document.parts.len() - behind.len() - 1..]
                    .iter()
                    .take(run)
                    .filter_map(|p| if let Part::Call(call) = p { Some(call) } else { None })
                    .collect();
                rest = &behind[run - 1..];
                writer.block(&calls);
            }
        }
    }
    if !writer.cut {
        writer.pieces.push(Piece::Framing(encoder.message.end));
    }
    join(writer.pieces, encoder.wire.lead)
}

struct Writer<'a> {
    encoder: &'a Encoder,
    document: &'a Document,
    pieces: Vec<Piece>,
    calls: usize,
    promoted: usize,
    /// True if the text ends inside a call.
    cut: bool,
}

impl Writer<'_> {
    /// What begins the next message.
    fn turn(&self) -> &'static str {
        if self.pieces.is_empty() { "" } else { self.encoder.message.turn }
    }

    fn prose(&mut self, text: &str, wrapped: bool) {
        let Some((open, close)) = self.encoder.message.prose.filter(|_| wrapped) else {
            self.pieces.push(Piece::Text(text.to_owned()));
            return;
        };
        let turn = self.turn();
        self.pieces.extend([Piece::Framing(turn), Piece::Framing(open), Piece::Text(text.to_owned()), Piece::Framing(close)]);
    }

    fn reasoning(&mut self, text: &str) {
        let Some(span) = &self.encoder.reasoning else { return };
        let opened = self.document.prompt_opened && self.pieces.is_empty();
        let open = if opened { String::new() } else { format!("{}{}{}", self.turn(), span.open, span.inner) };
        let close = format!("{}{}", span.inner, span.close);
        self.pieces.push(Piece::Reasoning { open, text: text.to_owned(), close });
        if !span.after.is_empty() {
            self.pieces.push(Piece::Text(span.after.to_owned()));
        }
    }

    fn block(&mut self, calls: &[&Call]) {
        let block = &self.encoder.block;
        if self.encoder.message.prose_always && !self.pieces.iter().any(|p| matches!(p, Piece::Text(_))) {
            self.prose("", true);
        }
        let last = self.pieces.iter().rev().map(Piece::end).find(|end| !end.is_empty());
        if self.encoder.wire.line && last.is_some_and(|end| !end.ends_with('\n')) {
            self.pieces.push(Piece::Text("\n".to_owned()));
        }
        let (open, close) = block.lone.filter(|_| calls.len() == 1).unwrap_or((block.open, block.close));
        // Without a block the white space between calls stands between blocks of one call, and no call owns it.
        let alone = open.is_empty() && close.is_empty() && block.between.trim_matches(SPACE).is_empty();
        // A list without a marker counts only if it closes.
        let open_list = self.encoder.wire.whole_list && calls.iter().any(|c| matches!(c.fate, Fate::Cut | Fate::Malformed));
        for (place, call) in calls.iter().enumerate() {
            let mut raw = String::new();
            if place == 0 {
                raw.extend([self.turn(), open]);
            } else if alone {
                self.pieces.push(Piece::Text(block.between.to_owned()));
            } else {
                raw.push_str(block.between);
            }
            if let Some((before, after)) = self.encoder.message.heading {
                raw.extend([before, &call.name, after]);
            }
            self.encoder.write_call(call, self.calls, self.document.style, &mut raw);
            if place + 1 == calls.len() {
                raw.push_str(close);
            }
            match call.fate {
                Fate::Sound | Fate::Undeclared => {}
                Fate::Malformed => {
                    let (from, to) = self.encoder.malform();
                    raw = raw.replacen(&from, to, 1);
                }
                Fate::Cut => {
                    raw.truncate(raw.find(TARGET).unwrap_or_default() + TARGET.len() / 2);
                    self.cut = true;
                }
            }
            let becomes = if open_list { Becomes::Text } else { self.becomes(call) };
            self.pieces.push(Piece::Unit { raw, becomes });
            self.calls += 1;
        }
        if !self.cut && !block.tail.is_empty() {
            self.pieces.push(Piece::Framing(block.tail));
        }
        if !self.cut && !block.after.is_empty() {
            self.pieces.push(Piece::Text(block.after.to_owned()));
        }
    }

    /// A call that is not sound is text; calls after the first are dropped where the request allows one (semantics 4, 9).
    fn becomes(&mut self, call: &Call) -> Becomes {
        if call.fate != Fate::Sound {
            return Becomes::Text;
        }
        self.promoted += 1;
        if self.document.first_call_only && self.promoted > 1 {
            return Becomes::Dropped;
        }
        let mut arguments = String::new();
        super::literal::json_object(&call.arguments, super::JsonStyle::default(), &mut arguments);
        Becomes::Call(ExpectedPart::Call { name: call.name.clone(), arguments, id: self.encoder.id(call, self.calls) })
    }
}

/// What stands beside a run of text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Edge,
    Framing,
    Reasoning,
    Unit,
}

/// Puts the pieces together and applies the white-space rules of semantics 3.
fn join(pieces: Vec<Piece>, lead: usize) -> Rendered {
    let mut raw = String::new();
    let mut units = Vec::new();
    let mut parts: Vec<ExpectedPart> = Vec::new();
    // Text that may still lose white space at its end, and what stood before it.
    let mut text = String::new();
    let mut before = Beside::Edge;
    for piece in pieces {
        let start = raw.len();
        let (beside, part) = match piece {
            Piece::Text(piece) => {
                raw.push_str(&piece);
                text.push_str(&piece);
                continue;
            }
            Piece::Unit { raw: unit, becomes } => {
                raw.push_str(&unit);
                units.push(start..raw.len());
                match becomes {
                    Becomes::Text => {
                        text.push_str(&unit);
                        continue;
                    }
                    Becomes::Call(call) => (Beside::Unit, Some(call)),
                    Becomes::Dropped => (Beside::Unit, None),
                }
            }
            Piece::Framing(marker) => {
                raw.push_str(marker);
                // Directly behind a call, what follows still stands behind the call.
                if marker.is_empty() || (before == Beside::Unit && text.is_empty()) {
                    continue;
                }
                (Beside::Framing, None)
            }
            Piece::Reasoning { open, text, close } => {
                raw.extend([open, text.clone(), close]);
                (Beside::Reasoning, Some(ExpectedPart::Reasoning(text)))
            }
        };
        settle(&mut text, before, beside, lead, &mut parts);
        before = beside;
        if let Some(part) = part {
            match (parts.last_mut(), part) {
                (Some(ExpectedPart::Reasoning(last)), ExpectedPart::Reasoning(more)) => last.push_str(&more),
                (_, part) => parts.push(part),
            }
        }
    }
    settle(&mut text, before, Beside::Edge, lead, &mut parts);
    Rendered { raw, parts, units }
}

const SPACE: [char; 4] = [' ', '\n', '\t', '\r'];

/// Takes from `text` what is framing between two neighbours; the rest is content.
fn settle(text: &mut String, before: Beside, behind: Beside, lead: usize, parts: &mut Vec<ExpectedPart>) {
    let run = std::mem::take(text);
    let mut kept = run.as_str();
    let blank = kept.trim_matches(SPACE).is_empty();
    if blank && kept.len() <= SPACE_AFTER_CALL && before == Beside::Unit && matches!(behind, Beside::Unit | Beside::Edge) {
        kept = "";
    }
    if before == Beside::Reasoning {
        kept = kept.trim_start_matches(SPACE);
    }
    if behind == Beside::Unit {
        for _ in 0..lead {
            kept = kept.strip_suffix('\n').unwrap_or(kept);
        }
    }
    if kept.is_empty() {
        return;
    }
    match parts.last_mut() {
        Some(ExpectedPart::Text(last)) => last.push_str(kept),
        _ => parts.push(ExpectedPart::Text(kept.to_owned())),
    }
}
