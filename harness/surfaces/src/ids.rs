//! The ids of a response: which of the model's are kept, and how the others are minted (semantics 5).

use std::collections::HashSet;

use streakstone_model::CallId;

use crate::Surface;

/// Longest id of a call.
pub const MAX_ID: usize = 64;
/// Hexadecimal digits of an id that [`Ids::sequential`] mints: as many as SGLang, mlxcel and TensorFold write.
const DIGITS: usize = 24;
/// Tries before an id from the caller's source is taken although it is no new one: a broken source must not hang a server.
const TRIES: usize = 8;

/// What an id is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IdKind {
    /// A Chat Completions answer.
    Completion,
    /// A Responses answer.
    Response,
    /// A message: an output item of Responses, or an Anthropic answer.
    Message,
    /// A function call item of Responses.
    FunctionCall,
    /// A reasoning item of Responses.
    Reasoning,
    /// A call, on Chat and as `call_id` on Responses.
    Call,
    /// A `tool_use` block.
    ToolUse,
}

impl IdKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Completion, Self::Response, Self::Message, Self::FunctionCall, Self::Reasoning, Self::Call, Self::ToolUse];

    /// What an id of this kind begins with when it is minted.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Completion => "chatcmpl-",
            Self::Response => "resp_",
            Self::Message => "msg_",
            Self::FunctionCall => "fc_",
            Self::Reasoning => "rs_",
            Self::Call => "call_",
            Self::ToolUse => "toolu_",
        }
    }
}

/// The ids of one response: no two are equal.
pub struct Ids {
    source: Box<dyn FnMut(IdKind) -> String + Send>,
    used: HashSet<String>,
}

impl std::fmt::Debug for Ids {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ids").field("used", &self.used).finish_non_exhaustive()
    }
}

impl Ids {
    /// Ids from a source of the caller's, which gives what stands behind the prefix: 1 to 55 of `[A-Za-z0-9]`, new each time.
    #[must_use]
    pub fn from_source(source: Box<dyn FnMut(IdKind) -> String + Send>) -> Self {
        Self { source, used: HashSet::new() }
    }

    /// Ids that count: the same in every run.
    #[must_use]
    pub fn sequential() -> Self {
        let mut count = 0_u64;
        Self::from_source(Box::new(move |_| {
            count += 1;
            format!("{count:0DIGITS$x}")
        }))
    }

    /// A new id.
    pub fn mint(&mut self, kind: IdKind) -> String {
        let mut id = String::new();
        for _ in 0..TRIES {
            id = format!("{}{}", kind.prefix(), (self.source)(kind));
            if self.used.insert(id.clone()) {
                break;
            }
        }
        id
    }

    /// Notes an id that is taken: by an earlier message of the conversation, or by whoever else writes this response.
    pub fn reserve(&mut self, id: &str) {
        self.used.insert(id.to_owned());
    }

    /// The id of a call on `surface`: the one it has if the surface can carry it and it is new here, else a minted one. What the
    /// parser minted has another surface's prefix on Anthropic and is minted again there.
    pub fn call(&mut self, surface: Surface, id: &str, minted: bool) -> String {
        let foreign = minted && surface == Surface::Anthropic && !id.starts_with(IdKind::ToolUse.prefix());
        if !foreign && carries(surface, id) && self.used.insert(id.to_owned()) {
            return id.to_owned();
        }
        self.mint(if surface == Surface::Anthropic { IdKind::ToolUse } else { IdKind::Call })
    }
}

/// True for `[A-Za-z0-9_-]{1,64}`, which every surface carries.
#[must_use]
pub fn is_plain(id: &str) -> bool {
    (1..=MAX_ID).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// True if a call may have this id on `surface`: a plain one, and on Chat and Responses what Kimi writes (`functions.NAME:INDEX`).
#[must_use]
pub fn carries(surface: Surface, id: &str) -> bool {
    is_plain(id) || (surface != Surface::Anthropic && id.len() <= MAX_ID && CallId::holds_name(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_models_id_passes_on_every_surface_once() {
        for surface in Surface::ALL {
            let mut ids = Ids::sequential();
            assert_eq!(ids.call(surface, "abc123XYZ", false), "abc123XYZ");
            let second = ids.call(surface, "abc123XYZ", false);
            assert!(second.starts_with(if surface == Surface::Anthropic { "toolu_" } else { "call_" }), "{second}");
            assert_ne!(ids.call(surface, "not valid", false), "not valid");
        }
    }

    #[test]
    fn an_id_that_holds_the_name_stays_where_it_can() {
        let kimi = "functions.get_weather:0";
        assert_eq!(Ids::sequential().call(Surface::Chat, kimi, false), kimi);
        assert_eq!(Ids::sequential().call(Surface::Responses, kimi, false), kimi);
        assert!(Ids::sequential().call(Surface::Anthropic, kimi, false).starts_with("toolu_"));
    }

    #[test]
    fn what_the_parser_minted_gets_the_surfaces_prefix() {
        let minted = "call_000000000000000000000001";
        assert_eq!(Ids::sequential().call(Surface::Chat, minted, true), minted);
        assert!(Ids::sequential().call(Surface::Anthropic, minted, true).starts_with("toolu_"));
        assert_eq!(Ids::sequential().call(Surface::Anthropic, minted, false), minted);
    }

    #[test]
    fn a_reserved_id_is_given_to_no_call() {
        let mut ids = Ids::sequential();
        ids.reserve("abc");
        ids.reserve("call_000000000000000000000001");
        assert_eq!(ids.call(Surface::Chat, "abc", false), "call_000000000000000000000002");
    }

    #[test]
    fn a_source_that_repeats_itself_does_not_hang() {
        let mut ids = Ids::from_source(Box::new(|_| "x".to_owned()));
        assert_eq!((ids.mint(IdKind::Call), ids.mint(IdKind::Call)), ("call_x".to_owned(), "call_x".to_owned()));
    }
}
