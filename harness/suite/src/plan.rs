//! The plans: every family of ways to cut a case's raw bytes into chunks, in two tiers. Only cut lists come out of here;
//! who reads them, and what is asked of the readings, is the judge's business.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use streakstone_model::{Lookup, Markers, Span};

use crate::case::Case;
use crate::limits::{
    BURSTS, BURSTS_SEED, FAMILY_BUDGET_BYTES, FAMILY_FLOOR, FULL_FAMILY_BYTES, LARGE_SEED, LAST_CHARACTERS, MARKER_PAIRS,
    NEAR_MARKER_BYTES, RANDOM_CHUNKINGS, RANDOM_MOST_CUTS, RANDOM_SEED, SEEDED_CUTS, SIZES, TOKEN_BYTES,
};
use crate::markers::{occurrences, special_spans, union};
use crate::seeded::SplitMix64;
use crate::subject::Chunking;

/// How likely a server is to see such chunks. The tiers are reported apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// What servers do.
    Realistic,
    /// What a network, a tokenizer or an attacker can do.
    Hostile,
}

impl Tier {
    /// The word used in logs and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Realistic => "realistic",
            Self::Hostile => "hostile",
        }
    }
}

/// One family of ways to cut a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plan {
    /// One chunk: what every other plan is compared with.
    Whole,
    /// The case's own `chunks`, or the cuts given on the command line.
    Given,
    /// The model's real token boundaries; only for cases with `pieces`.
    Tokens,
    /// Each marker is one chunk, the rest goes in pieces of about 4 bytes, as special tokens arrive; no cut falls inside a special
    /// token ([`Markers::special_tokens`]). A subject that takes tokens is given them as tokens.
    SpecialTokens,
    /// 2 to 4 chunks, so that several calls come in one delta.
    Bursts,
    /// The finish reason rides on the last chunk of text.
    LastWithFinish,
    /// Every cut into two chunks.
    EveryCut,
    /// One chunk per character.
    Chars,
    /// One chunk per byte, so that cuts fall inside UTF-8.
    Bytes,
    /// Chunks of 2 to 13 bytes.
    Sizes,
    /// Every pair of cuts in and around every marker.
    MarkerPairs,
    /// Seeded random cuts.
    Random,
    /// Empty chunks before, between and after the others.
    EmptyChunks,
    /// A second reply on the same instance.
    Reuse,
}

/// No plan of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown plan `{word}`; the plans are {all}", all = Plan::ALL.map(Plan::as_str).join(", "))]
pub struct UnknownPlan {
    /// What was asked.
    pub word: String,
}

/// The chunkings of one plan for one case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanCut {
    /// To be read, in order; of equal kinds the smaller cut comes first.
    pub chunkings: Vec<Chunking>,
    /// How many the full family has. A seeded plan is its own full family.
    pub possible: u64,
}

/// What a plan has for a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Planned {
    /// Chunkings.
    Cuts(PlanCut),
    /// The plan has nothing to do for this case, and nobody is to blame: `given` without chunks, cuts of a one-byte text.
    NotApplicable,
    /// The case lacks what the plan needs; counted, never a pass.
    Unsupported(&'static str),
}

impl Plan {
    /// All plans, realistic ones first.
    pub const ALL: [Self; 14] = [
        Self::Whole,
        Self::Given,
        Self::Tokens,
        Self::SpecialTokens,
        Self::Bursts,
        Self::LastWithFinish,
        Self::EveryCut,
        Self::Chars,
        Self::Bytes,
        Self::Sizes,
        Self::MarkerPairs,
        Self::Random,
        Self::EmptyChunks,
        Self::Reuse,
    ];

    /// Its stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Given => "given",
            Self::Tokens => "tokens",
            Self::SpecialTokens => "special-tokens",
            Self::Bursts => "bursts",
            Self::LastWithFinish => "last-with-finish",
            Self::EveryCut => "every-cut",
            Self::Chars => "chars",
            Self::Bytes => "bytes",
            Self::Sizes => "sizes",
            Self::MarkerPairs => "marker-pairs",
            Self::Random => "random",
            Self::EmptyChunks => "empty-chunks",
            Self::Reuse => "reuse",
        }
    }

    /// Its tier.
    #[must_use]
    pub const fn tier(self) -> Tier {
        match self {
            Self::Whole | Self::Given | Self::Tokens | Self::SpecialTokens | Self::Bursts | Self::LastWithFinish => Tier::Realistic,
            Self::EveryCut
            | Self::Chars
            | Self::Bytes
            | Self::Sizes
            | Self::MarkerPairs
            | Self::Random
            | Self::EmptyChunks
            | Self::Reuse => Tier::Hostile,
        }
    }

    /// One line on what it does.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Whole => "one chunk; every other plan is compared with it",
            Self::Given => "the case's own chunks, or the cuts of --cut",
            Self::Tokens => "the model's real token boundaries (cases with pieces)",
            Self::SpecialTokens => "each marker whole, the rest in pieces of about 4 bytes",
            Self::Bursts => "18 seeded splits into 2 to 4 chunks, several calls in one",
            Self::LastWithFinish => "the finish reason rides on the last chunk",
            Self::EveryCut => "every cut into two chunks",
            Self::Chars => "one chunk per character",
            Self::Bytes => "one chunk per byte, also inside UTF-8",
            Self::Sizes => "chunks of 2 to 13 bytes",
            Self::MarkerPairs => "pairs of cuts in and around every marker",
            Self::Random => "100 seeded random chunkings",
            Self::EmptyChunks => "empty chunks before, between and after the others",
            Self::Reuse => "a second reply on the same instance",
        }
    }

    /// The chunkings of this plan for `case`.
    #[must_use]
    pub fn chunkings(self, case: &Case) -> Planned {
        let text = Text::of(case);
        let raw = text.raw;
        let all = match self {
            Self::Whole => vec![Chunking::whole()],
            Self::Given if case.chunks.is_empty() => return Planned::NotApplicable,
            Self::Given => case.chunks.iter().cloned().map(chunking).collect(),
            Self::Tokens => match &case.pieces {
                None => return Planned::Unsupported("the case has no pieces"),
                Some(cuts) => vec![chunking(cuts.clone())],
            },
            Self::SpecialTokens => some(text.special_tokens()).into_iter().map(|c| Chunking { special: true, ..c }).collect(),
            Self::Bursts => text.bursts(),
            Self::LastWithFinish => text.last_with_finish(),
            Self::EveryCut => return text.every_cut(),
            Self::Chars => some(text.starts.iter().copied().filter(|&at| at > 0).collect()),
            Self::Bytes => some((1..raw.len()).collect()),
            Self::Sizes => SIZES.filter(|&size| size < raw.len()).map(|size| chunking(every(size, raw.len()))).collect(),
            Self::MarkerPairs => return text.marker_pairs(),
            Self::Random => text.random(),
            Self::EmptyChunks => text.empty_chunks(),
            Self::Reuse => text.reuse(),
        };
        planned(all, None, raw.len())
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Plan {
    type Err = UnknownPlan;

    fn from_str(word: &str) -> Result<Self, UnknownPlan> {
        Self::ALL.into_iter().find(|p| p.as_str() == word).ok_or_else(|| UnknownPlan { word: word.to_owned() })
    }
}

/// Seeded chunkings of `raw`, at most `count`; what a policy change is judged on besides the named plans.
pub(crate) fn seeded_chunkings(raw_len: usize, count: usize, seed: u64) -> Vec<Chunking> {
    let mut rng = SplitMix64::new(seed);
    if raw_len < 2 {
        return Vec::new();
    }
    (0..count)
        .map(|_| {
            let cuts = 1 + rng.below(RANDOM_MOST_CUTS.min(raw_len - 1));
            let places: BTreeSet<usize> = (0..cuts).map(|_| 1 + rng.below(raw_len - 1)).collect();
            chunking(places.into_iter().collect())
        })
        .collect()
}

/// Offsets where a character begins. In bytes that are no UTF-8, one U+FFFD of the lossy reading is one character.
pub(crate) fn character_starts(raw: &[u8]) -> Vec<usize> {
    let mut starts = Vec::with_capacity(raw.len());
    let mut at = 0;
    for chunk in raw.utf8_chunks() {
        starts.extend(chunk.valid().char_indices().map(|(offset, _)| at + offset));
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            starts.push(at);
            at += chunk.invalid().len();
        }
    }
    starts
}

/// Offsets within [`NEAR_MARKER_BYTES`] of a marker, and [`SEEDED_CUTS`] others, strictly inside the text.
pub(crate) fn near_markers(occurrences: &[Span], raw_len: usize, seeded: usize, seed: u64) -> Vec<usize> {
    let near = occurrences
        .iter()
        .flat_map(|span| span.start.saturating_sub(NEAR_MARKER_BYTES)..=span.end.saturating_add(NEAR_MARKER_BYTES))
        .filter(|&at| at > 0 && at < raw_len);
    let mut cuts: BTreeSet<usize> = near.collect();
    let mut rng = SplitMix64::new(seed);
    if raw_len > 1 {
        cuts.extend((0..seeded).map(|_| 1 + rng.below(raw_len - 1)));
    }
    cuts.into_iter().collect()
}

/// How many readings of `raw_len` bytes one family may have; every cut of a text of [`FULL_FAMILY_BYTES`] and below.
pub(crate) fn family_limit(raw_len: usize) -> usize {
    let budget = if raw_len <= FULL_FAMILY_BYTES { FULL_FAMILY_BYTES * FULL_FAMILY_BYTES } else { FAMILY_BUDGET_BYTES };
    (budget / raw_len.max(1)).max(FAMILY_FLOOR)
}

fn chunking(cuts: Vec<usize>) -> Chunking {
    Chunking { cuts, ..Chunking::default() }
}

/// One chunking, or none where there is nothing to cut.
fn some(cuts: Vec<usize>) -> Vec<Chunking> {
    if cuts.is_empty() { Vec::new() } else { vec![chunking(cuts)] }
}

fn every(size: usize, len: usize) -> Vec<usize> {
    (size..len).step_by(size).collect()
}

fn planned(mut all: Vec<Chunking>, possible: Option<u64>, raw_len: usize) -> Planned {
    if all.is_empty() {
        return Planned::NotApplicable;
    }
    let possible = possible.unwrap_or(all.len() as u64);
    let limit = family_limit(raw_len);
    if all.len() > limit {
        all = SplitMix64::new(LARGE_SEED).sample(all, limit);
    }
    Planned::Cuts(PlanCut { chunkings: all, possible })
}

/// What the plans need to know of a raw text.
struct Text<'a> {
    raw: &'a [u8],
    starts: Vec<usize>,
    markers: Vec<Span>,
    /// The markers, and the special tokens that stand outside of them.
    whole: Vec<Span>,
}

impl<'a> Text<'a> {
    fn of(case: &'a Case) -> Self {
        let (markers, whole) = match case.dialect {
            Lookup::Known(dialect) => {
                let row = Markers::of(dialect);
                let markers = occurrences(&row, &case.raw);
                let whole = union(&markers, &special_spans(&row, &case.raw));
                (markers, whole)
            }
            Lookup::Unknown { .. } => (Vec::new(), Vec::new()),
        };
        Self { raw: &case.raw, starts: character_starts(&case.raw), markers, whole }
    }

    fn len(&self) -> usize {
        self.raw.len()
    }

    /// Cuts of `start..end` into pieces of about [`TOKEN_BYTES`], on character boundaries, without the end itself.
    fn pieces(&self, start: usize, end: usize, cuts: &mut Vec<usize>) {
        let mut last = start;
        let from = self.starts.partition_point(|&at| at <= start);
        for &at in self.starts[from..].iter().take_while(|&&at| at < end) {
            if at - last >= TOKEN_BYTES {
                cuts.push(at);
                last = at;
            }
        }
    }

    fn special_tokens(&self) -> Vec<usize> {
        let (mut cuts, mut at) = (Vec::new(), 0);
        for span in &self.whole {
            self.pieces(at, span.start, &mut cuts);
            cuts.extend([span.start, span.end]);
            at = span.end;
        }
        self.pieces(at, self.len(), &mut cuts);
        cuts.retain(|&cut| cut > 0 && cut < self.len());
        cuts.dedup();
        cuts
    }

    fn bursts(&self) -> Vec<Chunking> {
        let inner = self.starts.get(1..).unwrap_or_default();
        if inner.is_empty() {
            return Vec::new();
        }
        let mut rng = SplitMix64::new(BURSTS_SEED);
        let all: BTreeSet<Vec<usize>> = (0..BURSTS)
            .map(|i| (0..=i % 3).map(|_| inner[rng.below(inner.len())]).collect::<BTreeSet<_>>().into_iter().collect())
            .collect();
        all.into_iter().map(chunking).collect()
    }

    fn last_with_finish(&self) -> Vec<Chunking> {
        let tail = self.starts.iter().rev().take(LAST_CHARACTERS).copied().filter(|&at| at > 0).map(|at| vec![at]);
        let mut tokens = Vec::new();
        self.pieces(0, self.len(), &mut tokens);
        let all: BTreeSet<Vec<usize>> = tail.chain([Vec::new(), self.special_tokens(), tokens]).collect();
        all.into_iter().map(|cuts| Chunking { cuts, last_with_finish: true, ..Chunking::default() }).collect()
    }

    fn every_cut(&self) -> Planned {
        let len = self.len();
        let possible = len.saturating_sub(1) as u64;
        let cuts = if len <= FULL_FAMILY_BYTES { (1..len).collect() } else { near_markers(&self.markers, len, SEEDED_CUTS, LARGE_SEED) };
        // Thinned before the chunkings are built: a megabyte of markers has a million of them.
        let cuts = SplitMix64::new(LARGE_SEED).sample(cuts, family_limit(len));
        planned(cuts.into_iter().map(|cut| chunking(vec![cut])).collect(), Some(possible), len)
    }

    /// For every marker all pairs `a <= b` with `a` from one byte before it to its end and `b` from `a` to one byte after it.
    fn marker_pairs(&self) -> Planned {
        let len = self.len();
        let grid = |span: &Span| (span.start.saturating_sub(1), span.end, (span.end + 1).min(len));
        let possible = self.markers.iter().map(grid).fold(0_u64, |sum, (first, last, end)| {
            let pairs = (first..=last).map(|a| (end - a + 1) as u64).sum::<u64>();
            sum.saturating_add(pairs)
        });
        let wanted = MARKER_PAIRS.min(family_limit(len));
        // Long texts: as many markers as the cap can hold at least one pair of.
        let markers = SplitMix64::new(LARGE_SEED).sample(self.markers.clone(), wanted);
        let pairs: BTreeSet<[usize; 2]> = markers
            .iter()
            .map(grid)
            .flat_map(|(first, last, end)| (first..=last).flat_map(move |a| (a..=end).map(move |b| [a, b])))
            .collect();
        let pairs = SplitMix64::new(LARGE_SEED).sample(pairs.into_iter().collect(), wanted);
        planned(pairs.into_iter().map(|pair| chunking(pair.to_vec())).collect(), Some(possible), len)
    }

    fn random(&self) -> Vec<Chunking> {
        seeded_chunkings(self.len(), RANDOM_CHUNKINGS, RANDOM_SEED)
    }

    fn empty_chunks(&self) -> Vec<Chunking> {
        let len = self.len();
        let doubled = |cuts: Vec<usize>| cuts.into_iter().flat_map(|cut| [cut, cut]).collect::<Vec<_>>();
        let chars: Vec<usize> = self.starts.iter().copied().chain([len]).collect();
        let all: BTreeSet<Vec<usize>> = [
            vec![0],
            vec![len],
            vec![0, 0, len, len],
            doubled(self.markers.iter().flat_map(|s| [s.start, s.end]).collect()),
            doubled(chars),
            doubled(every(TOKEN_BYTES, len)),
        ]
        .into_iter()
        .collect();
        all.into_iter().filter(|cuts| !cuts.is_empty()).map(chunking).collect()
    }

    fn reuse(&self) -> Vec<Chunking> {
        let len = self.len();
        let all: BTreeSet<Vec<usize>> = [Vec::new(), vec![len / 2], every(TOKEN_BYTES, len), (1..len).collect()].into_iter().collect();
        all.into_iter().map(|cuts| Chunking { cuts, reuse: true, ..Chunking::default() }).collect()
    }
}
