//! The parser's public face: bytes in, steps out.

use streakstone_model::{Dialect, End, ReadOptions, Sink};

use crate::core::Core;
use crate::out::Mint;
use crate::row::Row;
use crate::token::{SpecialTokens, Token, UnknownToken};
use crate::tools::ToolSet;
use crate::utf8::Lossy;

/// Longest piece of a delta that is read at once: what is passed on leaves before the next piece is taken in, so that a long
/// delta of prose is never copied as a whole.
const PIECE: usize = 16 * 1024;

/// What a parser holds back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// Raw bytes taken in that no step has spoken of.
    pub bytes: usize,
    /// True if a unit is open: then holding is its right.
    pub unit_open: bool,
}

/// A push parser for one dialect. Whole parsing is one push and a finish.
pub struct Parser<'a> {
    core: Core<'a>,
    lossy: Lossy,
}

impl<'a> Parser<'a> {
    /// A parser for `dialect` with the request's tools and options. Missing ids are minted as `call_` and 24 hex digits
    /// counting the calls of a reply.
    #[must_use]
    pub fn new(dialect: &'static Dialect, tools: &'a ToolSet, options: &'a ReadOptions) -> Self {
        Self::minting(dialect, tools, options, Mint::Sequential)
    }

    /// The same with a source of ids of the caller's: given the call's index it returns an id, which should be 1 to 64 of
    /// `[A-Za-z0-9_-]` and new.
    #[must_use]
    pub fn with_ids(
        dialect: &'static Dialect,
        tools: &'a ToolSet,
        options: &'a ReadOptions,
        mint: Box<dyn FnMut(usize) -> String + Send>,
    ) -> Self {
        Self::minting(dialect, tools, options, Mint::Source(mint))
    }

    fn minting(dialect: &'static Dialect, tools: &'a ToolSet, options: &'a ReadOptions, mint: Mint) -> Self {
        Self { core: Core::new(Row::of(dialect), tools, options, mint), lossy: Lossy::default() }
    }

    /// The same parser for token input: a marker that is one of `special` counts only where it comes as that token
    /// ([`push_token`](Self::push_token)). Markers that are none are found in the text as before; what [`push`](Self::push) takes
    /// is ordinary text. Replies equal those of text input for every text in which ordinary text spells no special token.
    #[must_use]
    pub fn with_tokens(mut self, special: SpecialTokens) -> Self {
        self.core.expect_specials(special);
        self
    }

    /// Takes a token.
    ///
    /// # Errors
    /// The id is that of no special token given to [`with_tokens`](Self::with_tokens). Nothing was read then.
    pub fn push_token<S: Sink>(&mut self, token: Token<'_>, sink: &mut S) -> Result<(), UnknownToken> {
        let id = match token {
            Token::Text(text) => {
                self.push(text, sink);
                return Ok(());
            }
            Token::Special(id) => id,
        };
        let text = self.core.special(id).ok_or(UnknownToken(id))?.to_owned();
        let core = &mut self.core;
        self.lossy.finish(&mut |_, replaced| core.push_replaced(replaced.unwrap_or(0), sink));
        self.core.push_special(&text, sink);
        Ok(())
    }

    /// Takes a delta, which may cut a UTF-8 character.
    pub fn push<S: Sink>(&mut self, delta: &[u8], sink: &mut S) {
        let core = &mut self.core;
        if self.lossy.is_clear()
            && let Ok(text) = std::str::from_utf8(delta)
        {
            feed(core, text, sink);
            return;
        }
        self.lossy.push(delta, &mut |text, replaced| match replaced {
            None => feed(core, text, sink),
            Some(raw) => core.push_replaced(raw, sink),
        });
    }

    /// Takes a delta of whole characters. After a [`push`](Self::push) that cut a character, that character is invalid.
    #[inline]
    pub fn push_str<S: Sink>(&mut self, delta: &str, sink: &mut S) {
        if self.lossy.is_clear() {
            feed(&mut self.core, delta, sink);
        } else {
            self.push(delta.as_bytes(), sink);
        }
    }

    /// Ends the reply. The same instance then reads the next one from its first byte.
    pub fn finish<S: Sink>(&mut self, end: End, sink: &mut S) {
        let core = &mut self.core;
        self.lossy.finish(&mut |_, replaced| core.push_replaced(replaced.unwrap_or(0), sink));
        self.core.finish(end, sink);
    }

    /// What is held back now.
    #[must_use]
    pub fn held(&self) -> Held {
        Held { bytes: self.core.pending() + self.lossy.held(), unit_open: self.core.unit_open() }
    }

    /// Bytes looked at since the parser was made, over all replies: a machine-independent measure of work.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.core.steps()
    }
}

/// Reads `text` in pieces; where one ends changes nothing.
#[inline]
fn feed<S: Sink>(core: &mut Core<'_>, text: &str, sink: &mut S) {
    let mut rest = text;
    while rest.len() > PIECE {
        let (piece, more) = rest.split_at(rest.floor_char_boundary(PIECE));
        core.push(piece, sink);
        core.make_room(more, PIECE);
        rest = more;
    }
    core.push(rest, sink);
}
