//! Random documents. The choices come from a seed, or from a list of words that a property test can make shorter.

use streakstone_model::{End, Part as ReplyPart, Reply, json::Json};

use super::render::{ExpectedPart, render};
use super::scenario::{Made, damaged};
use super::toolset::{FUNCTIONS, Kind, UNDECLARED};
use super::{Call, Document, Encoder, Fate, JsonStyle, Literal, Part, encoder};
use crate::case::Case;
use crate::seeded::SplitMix64;

/// Ways to cut one generated reply.
const CHUNKINGS: usize = 2;

/// Most cuts in one of them.
const MOST_CUTS: usize = 9;

/// Where choices come from.
#[derive(Debug, Clone)]
pub struct Choices<'a> {
    script: &'a [u32],
    seeded: Option<SplitMix64>,
}

impl<'a> Choices<'a> {
    /// From a seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { script: &[], seeded: Some(SplitMix64::new(seed)) }
    }

    /// From a list of words; at its end every choice is the first, which is always the plainest.
    #[must_use]
    pub fn scripted(script: &'a [u32]) -> Self {
        Self { script, seeded: None }
    }

    /// A number in `0..bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        if let Some(seeded) = &mut self.seeded {
            return seeded.below(bound);
        }
        let Some((&word, rest)) = self.script.split_first() else { return 0 };
        self.script = rest;
        word as usize % bound.max(1)
    }

    /// True once in `times`.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    fn pick<'b>(&mut self, words: &[&'b str]) -> &'b str {
        words.get(self.below(words.len())).copied().unwrap_or_default()
    }
}

/// A random reply, and the parts it means in their order.
#[derive(Debug, Clone)]
pub struct GeneratedCase {
    /// The case, with its own chunkings.
    pub case: Case,
    /// The parts.
    pub parts: Vec<ExpectedPart>,
}

/// The random reply of a row for a seed, the same on every machine; `None` if the row has no encoder.
#[must_use]
pub fn generate(row: &str, seed: u64) -> Option<GeneratedCase> {
    let encoder = encoder(row)?;
    let mut choices = Choices::seeded(seed);
    let mut generated = document(encoder, &mut choices);
    generated.case.name = format!("{row}/generated/{seed}");
    let length = generated.case.raw.len();
    generated.case.chunks = if length > 1 {
        (0..CHUNKINGS)
            .map(|_| {
                let mut cuts: Vec<usize> = (0..=choices.below(MOST_CUTS)).map(|_| 1 + choices.below(length - 1)).collect();
                cuts.sort_unstable();
                cuts
            })
            .collect()
    } else {
        // What cannot be cut is read whole.
        vec![Vec::new()]
    };
    Some(generated)
}

/// A random reply of a dialect, without chunkings.
#[must_use]
pub fn document(encoder: &Encoder, choices: &mut Choices<'_>) -> GeneratedCase {
    let document = Author { encoder, choices }.document();
    let rendered = render(encoder, &document);
    let parts = rendered.parts.clone();
    let end = if choices.once_in(8) { End::Length } else { End::Stop };
    GeneratedCase { case: Made { end, ..Made::of(rendered, &document) }.case(encoder, "random", "random"), parts }
}

/// What in `reply` is not as `parts` say, in their order; `None` if all is.
#[must_use]
pub fn parts_differ(parts: &[ExpectedPart], reply: &Reply) -> Option<String> {
    let got: Vec<&ReplyPart> = reply.parts.iter().filter(|p| !matches!(p, ReplyPart::Call(call) if !call.is_complete())).collect();
    let place = (0..parts.len().max(got.len())).find(|&place| match (parts.get(place), got.get(place)) {
        (Some(ExpectedPart::Text(want)), Some(ReplyPart::Text(got)))
        | (Some(ExpectedPart::Reasoning(want)), Some(ReplyPart::Reasoning(got))) => want != got,
        (Some(ExpectedPart::Call { name, arguments, id }), Some(ReplyPart::Call(call))) => {
            *name != call.name
                || Json::parse(arguments).ok() != Json::parse(&call.arguments).ok()
                || id.as_ref().is_some_and(|id| call.id.minted || *id != call.id.value)
        }
        _ => true,
    })?;
    Some(format!("part {place}: expected {:?}, got {:?}", parts.get(place), got.get(place)))
}

const PROSE: &[&str] = &[
    "Sure.",
    " ",
    "Let me look",
    "5 < 7",
    "a > b",
    ", ",
    "\n",
    "\n\n",
    "é",
    "東京",
    "👩",
    "*bold*",
    "`x`",
    "```\ncode\n```",
    "<b>",
    "</b>",
    "{x}",
    "[1]",
    "f(x)",
    "\"so\"",
    "it's",
    "&amp;",
    "｜",
    "null",
    "\\",
    ";",
    "|",
];

const VALUE: &[&str] = &[
    "a", "Paris", " ", "x y", "é", "東京", "👩", "\"", "'", "\\", "\\n", "\n", "\t", "{", "}", "[", "]", "(", ")", ",", ":", "=", "null",
    "true", "02134", "1e5", "</x>", "<", "｜", "`", "&lt;", "\u{7f}",
];

const EDGES: &[&str] = &["", "", "", " ", "\n", "\n\n", "\n\n\n", "\t\n"];

struct Author<'e, 'c, 's> {
    encoder: &'e Encoder,
    choices: &'c mut Choices<'s>,
}

impl Author<'_, '_, '_> {
    fn document(&mut self) -> Document {
        let mut document = Document {
            style: JsonStyle { compact: self.choices.once_in(3), ascii: self.choices.once_in(4) },
            first_call_only: self.choices.once_in(10),
            ..Document::default()
        };
        let parts = &mut document.parts;
        let damage = match self.choices.below(12) {
            10 => Some(Fate::Malformed),
            11 => Some(Fate::Cut),
            _ => None,
        };
        let can = |tag: &str| self.encoder.cannot(tag).is_none();
        let (before, between, after, several) = (can("text-before"), can("text-between"), can("text-after"), can("two-calls"));
        if self.encoder.reasoning.is_some() && self.choices.once_in(3) {
            document.prompt_opened = self.choices.once_in(2);
            parts.push(Part::Reasoning(self.thought()));
        }
        let blocks = match self.choices.below(8) {
            0 => 0,
            6 | 7 if between => 2,
            _ => 1,
        };
        if blocks == 0 || (before && self.choices.once_in(2)) {
            parts.push(Part::Prose(self.prose()));
        }
        for block in 0..blocks {
            if block > 0 {
                let blank = !self.encoder.wire.trimmed && self.choices.once_in(4);
                parts.push(Part::Prose(if blank { " \n".to_owned() } else { self.prose() }));
            }
            // What is damaged is the last thing said, and only a cut one has neighbours in its block.
            let damage = damage.filter(|_| block + 1 == blocks);
            let calls = match damage {
                Some(Fate::Malformed) => 0,
                Some(_) if several => self.choices.below(2),
                Some(_) => 0,
                None if several && self.choices.once_in(3) => 2 + self.choices.below(2),
                None => 1,
            };
            parts.extend((0..calls).map(|_| Part::Call(self.call())));
            parts.extend(damage.map(damaged));
        }
        if blocks > 0 && damage != Some(Fate::Cut) && after && self.choices.once_in(3) {
            parts.push(Part::Prose(if self.encoder.wire.trimmed || self.choices.once_in(2) { self.prose() } else { self.blank() }));
        }
        document
    }

    fn blank(&mut self) -> String {
        // One byte more than a run of framing may have.
        if self.choices.once_in(20) { " ".repeat(257) } else { EDGES[3 + self.choices.below(EDGES.len() - 3)].to_owned() }
    }

    fn thought(&mut self) -> String {
        let mut text = String::from("Think");
        for _ in 0..self.choices.below(5) {
            text.push_str(self.choices.pick(PROSE));
        }
        text.push('.');
        text
    }

    /// Prose with at least one word, and white space at its ends where messages do not wrap it.
    fn prose(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.choices.below(6) {
            text.push_str(self.choices.pick(PROSE));
        }
        // The first half of a marker, which must come out again. More of it could begin a call that fails, and own white space.
        if let (true, Some(mark)) = (self.choices.once_in(6), self.encoder.wire.marks.first()) {
            let half = (1..=mark.len() / 2).filter(|&at| mark.is_char_boundary(at)).nth(self.choices.below(mark.len() / 2)).unwrap_or(0);
            text.push_str(&mark[..half]);
        }
        for word in self.encoder.wire.prose_avoid {
            text = text.replace(word, "");
        }
        if text.trim().is_empty() {
            text.push_str("Well.");
        }
        if self.encoder.wire.trimmed {
            return text.trim().to_owned();
        }
        format!("{}{text}{}", self.choices.pick(EDGES), self.choices.pick(EDGES))
    }

    fn call(&mut self) -> Call {
        if self.choices.once_in(10) {
            let arguments = vec![("city".to_owned(), Literal::Text(self.string()))];
            return Call { name: UNDECLARED.to_owned(), arguments, fate: Fate::Undeclared };
        }
        let (name, parameters) = FUNCTIONS[self.choices.below(FUNCTIONS.len())];
        let mut arguments = Vec::new();
        for (key, kind) in parameters {
            let wanted = *kind != Kind::Data || self.encoder.wire.nested;
            if wanted && self.choices.below(4) < 3 {
                arguments.push(((*key).to_owned(), self.value(*kind)));
            }
        }
        Call { name: name.to_owned(), arguments, fate: Fate::Sound }
    }

    fn string(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.choices.below(7) {
            text.push_str(self.choices.pick(VALUE));
            if self.choices.once_in(8) {
                // A word behind a marker, so that no closer is followed by what would make it count (semantics 7).
                text.extend([self.choices.pick(self.encoder.wire.marks), " x"]);
            }
        }
        for word in self.encoder.wire.value_avoid {
            text = text.replace(word, "");
        }
        text
    }

    fn integer(&mut self) -> Literal {
        Literal::number(self.choices.pick(&["7", "0", "-12", "1000000", "12345678901234567890"]))
    }

    fn number(&mut self) -> Literal {
        Literal::number(self.choices.pick(&["7", "0.50", "-2.25", "1e3", "100", "3.141592653589793238"]))
    }

    fn value(&mut self, kind: Kind) -> Literal {
        let nested = self.encoder.wire.nested;
        match kind {
            Kind::Text => Literal::Text(self.string()),
            Kind::Integer => self.integer(),
            Kind::Number => self.number(),
            Kind::Boolean => Literal::Bool(self.choices.once_in(2)),
            Kind::Null => Literal::Null,
            Kind::Integers => {
                let least = usize::from(!nested);
                Literal::List((0..least + self.choices.below(3)).map(|_| self.integer()).collect())
            }
            Kind::Point => {
                let mut members = Vec::new();
                if !nested || self.choices.below(3) > 0 {
                    members.push(("x".to_owned(), self.number()));
                }
                if self.choices.once_in(2) {
                    members.push(("label".to_owned(), Literal::Text(self.string())));
                }
                Literal::Map(members)
            }
            Kind::Color => Literal::text(self.choices.pick(&["red", "green", "blue"])),
            // A letter first, so that the text is neither null nor a number.
            Kind::Either => match self.choices.below(3) {
                0 => self.integer(),
                1 => Literal::Text(format!("v{}", self.string())),
                _ => Literal::Null,
            },
            Kind::Maybe if self.choices.once_in(2) => Literal::Null,
            Kind::Maybe => Literal::Text(format!("v{}", self.string())),
            Kind::Data => {
                let members = ["a", "b", "key_1"].iter().take(self.choices.below(3));
                Literal::Map(members.map(|key| ((*key).to_owned(), self.any(3))).collect())
            }
        }
    }

    /// A value without a schema, containers to this depth.
    fn any(&mut self, depth: usize) -> Literal {
        match self.choices.below(if depth == 0 { 5 } else { 7 }) {
            0 => Literal::Text(self.string()),
            1 => self.integer(),
            2 => self.number(),
            3 => Literal::Bool(self.choices.once_in(2)),
            4 => Literal::Null,
            5 => Literal::List((0..self.choices.below(3)).map(|_| self.any(depth - 1)).collect()),
            _ => Literal::Map(["a", "b"].iter().take(self.choices.below(3)).map(|key| ((*key).to_owned(), self.any(depth - 1))).collect()),
        }
    }
}
