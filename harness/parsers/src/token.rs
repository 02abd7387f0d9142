//! Token input: text that is text whatever it spells, and special tokens, which alone are control markers.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// A piece of a reply as a detokeniser hands it over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'t> {
    /// Ordinary text; it may cut a UTF-8 character.
    Text(&'t [u8]),
    /// A special token, by its id.
    Special(u32),
}

/// A special token that the parser's [`SpecialTokens`] do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownToken(pub u32);

impl std::fmt::Display for UnknownToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is the id of no special token", self.0)
    }
}

impl std::error::Error for UnknownToken {}

/// The special tokens of a vocabulary: id and spelling. Cheap to clone.
#[derive(Debug, Clone)]
pub struct SpecialTokens(Arc<Known>);

#[derive(Debug)]
struct Known {
    by_id: HashMap<u32, Box<str>>,
    texts: HashSet<Box<str>>,
}

/// Ids of `o200k_harmony`, the vocabulary of gpt-oss (openai-harmony 0.0.8, `src/tiktoken_ext/public_encodings.rs`).
const O200K_HARMONY: [(u32, &str); 9] = [
    (199_998, "<|startoftext|>"),
    (199_999, "<|endoftext|>"),
    (200_002, "<|return|>"),
    (200_003, "<|constrain|>"),
    (200_005, "<|channel|>"),
    (200_006, "<|start|>"),
    (200_007, "<|end|>"),
    (200_008, "<|message|>"),
    (200_012, "<|call|>"),
];

impl SpecialTokens {
    /// From pairs of id and spelling. Of two pairs with one id the last counts.
    pub fn new<'t>(tokens: impl IntoIterator<Item = (u32, &'t str)>) -> Self {
        let by_id: HashMap<u32, Box<str>> = tokens.into_iter().map(|(id, text)| (id, text.into())).collect();
        let texts = by_id.values().cloned().collect();
        Self(Arc::new(Known { by_id, texts }))
    }

    /// Those of gpt-oss.
    #[must_use]
    pub fn o200k_harmony() -> Self {
        Self::new(O200K_HARMONY)
    }

    /// How the token is spelled.
    #[must_use]
    pub fn text(&self, id: u32) -> Option<&str> {
        self.0.by_id.get(&id).map(|text| &**text)
    }

    /// The id of a spelling.
    #[must_use]
    pub fn id(&self, text: &str) -> Option<u32> {
        self.0.by_id.iter().find(|(_, known)| &***known == text).map(|(id, _)| *id)
    }
}

/// Where special tokens stand in the window.
#[derive(Debug)]
pub(crate) struct Placed {
    pub known: SpecialTokens,
    /// Position and length, ascending.
    at: VecDeque<(usize, usize)>,
}

impl Placed {
    pub fn new(known: SpecialTokens) -> Self {
        Self { known, at: VecDeque::new() }
    }

    pub fn add(&mut self, at: usize, len: usize) {
        self.at.push_back((at, len));
    }

    /// Forgets those before `keep`.
    pub fn release(&mut self, keep: usize) {
        while self.at.front().is_some_and(|&(at, _)| at < keep) {
            self.at.pop_front();
        }
    }

    pub fn clear(&mut self) {
        self.at.clear();
    }

    /// True if `word` can stand at `at`: one that is a special token only where it came as one.
    pub fn admits(&self, at: usize, word: &str) -> bool {
        if !self.known.0.texts.contains(word) {
            return true;
        }
        self.at.binary_search_by_key(&at, |&(at, _)| at).is_ok_and(|place| self.at[place].1 == word.len())
    }
}
