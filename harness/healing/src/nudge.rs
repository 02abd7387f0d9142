//! One more try for a reply whose call could not be read (U70 to U72). Whole replies only: a stream has already gone out.
//!
//! Nothing here panics on a body of the wrong shape; such a body is never retried and never better.

use std::sync::LazyLock;

use streakstone_model::{Lookup, Markers, lookup};
use streakstone_surfaces::{Ids, Surface};

use crate::body::{call_names, heal_body, texts};
use crate::gate::Promotable;
use crate::json::{self, Object};

/// Openers of calls of every family.
static SIGNALS: LazyLock<Vec<&'static str>> = LazyLock::new(|| match lookup("auto") {
    Lookup::Known(row) => Markers::of(row).openers,
    Lookup::Unknown { .. } => Vec::new(),
});

/// True if `text` holds an opener of a call.
fn has_signal(text: &str) -> bool {
    SIGNALS.iter().any(|opener| text.contains(opener))
}

/// True if something in the body would be promoted.
fn is_promotable(surface: Surface, body: &str, promotable: &Promotable) -> bool {
    heal_body(surface, body, promotable, Ids::sequential()).report.calls > 0
}

/// True if the reply should be asked for again: nudging is on, it has no structured call, its text holds the opener of a call, and
/// nothing of it can be promoted (U70).
#[must_use]
pub fn should_retry(surface: Surface, body: &str, promotable: &Promotable) -> bool {
    let Some((texts, structured)) = texts(surface, body).filter(|_| promotable.nudges()) else { return false };
    !structured && texts.iter().any(|text| has_signal(text)) && !is_promotable(surface, body, promotable)
}

/// The request again, with the reply's text and a word on what may be called behind its messages (U71). `None` if the request or the body
/// has another shape.
#[must_use]
pub fn retry_request(surface: Surface, request: &str, body: &str, promotable: &Promotable) -> Option<String> {
    let mut request = Object::parse(request)?;
    let (texts, _) = texts(surface, body)?;
    let key = if surface == Surface::Responses { "input" } else { "messages" };
    let mut messages = match request.string(key).filter(|_| surface == Surface::Responses) {
        // A bare string is the user's only message.
        Some(text) => vec![message("user", &text)],
        None => request.array(key)?,
    };
    messages.push(message("assistant", &texts.concat()));
    messages.push(message("user", &advice(promotable.names())));
    request.set(key, json::array(&messages));
    Some(request.to_string())
}

fn message(role: &str, text: &str) -> String {
    let mut message = Object::default();
    message.set_string("role", role);
    message.set_string("content", text);
    message.to_string()
}

/// What the model is told.
fn advice(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!(
        "The tool call in your last message could not be read. Call {} now, with complete JSON arguments, and write nothing else.",
        names.join(" or ")
    )
}

/// True if the reply to the retry is to be sent instead of the first one: it has structured calls and all are declared, or it has none and
/// its text is promotable (U72).
#[must_use]
pub fn is_better(surface: Surface, retry: &str, promotable: &Promotable) -> bool {
    let names = call_names(surface, retry);
    if names.is_empty() {
        return is_promotable(surface, retry, promotable);
    }
    names.iter().all(|name| promotable.names().contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u70_no_signal_is_a_word_of_prose() {
        assert!(SIGNALS.len() > 40);
        for opener in SIGNALS.iter() {
            assert!(opener.len() > 3 && opener.contains(['<', '[', '｜', '|']), "{opener:?}");
        }
    }
}
