//! Whole bodies (U40 to U43, U63). One that has nothing to heal keeps its exact bytes; in one that is healed only what has to change does.

pub(crate) mod anthropic;
pub(crate) mod chat;
pub(crate) mod responses;

use std::borrow::Cow;

use streakstone_model::End;
use streakstone_surfaces::{Ids, Surface};

use crate::Report;
use crate::gate::Promotable;
use crate::ids::CallIds;
use crate::json::Object;
use crate::track::{Piece, Track};

/// A body after healing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealedBody<'b> {
    /// JSON text; the input itself if nothing was healed.
    pub body: Cow<'b, str>,
    /// What became of the calls in it.
    pub report: Report,
}

/// Heals a whole body. What is no body of the surface passes as it is.
#[must_use]
pub fn heal_body<'b>(surface: Surface, body: &'b str, promotable: &Promotable, ids: Ids) -> HealedBody<'b> {
    let mut ids = CallIds::new(surface, ids, promotable);
    let healed = Object::parse(body).and_then(|object| match surface {
        Surface::Chat => chat::heal(object, promotable, &mut ids),
        Surface::Responses => responses::heal(object, promotable, &mut ids),
        Surface::Anthropic => anthropic::heal(object, promotable, &mut ids),
    });
    match healed {
        Some((object, report)) => HealedBody { body: Cow::Owned(object.to_string()), report },
        None => HealedBody { body: Cow::Borrowed(body), report: Report::default() },
    }
}

/// What a text becomes: text and calls in order. `None` if it stays as it is.
fn heal_text(track: &mut Track<'_>, text: String, end: End) -> Option<Vec<Piece>> {
    let share = track.feed(text);
    track.end(end);
    track.take(&share)
}

/// The texts that the model wrote in a body, and whether it has a structured call. `None` if it is no body of the surface.
pub(crate) fn texts(surface: Surface, body: &str) -> Option<(Vec<String>, bool)> {
    let object = Object::parse(body)?;
    match surface {
        Surface::Chat => chat::texts(&object),
        Surface::Responses => responses::texts(&object),
        Surface::Anthropic => anthropic::texts(&object),
    }
}

/// The names of a body's structured calls.
pub(crate) fn call_names(surface: Surface, body: &str) -> Vec<String> {
    let Some(object) = Object::parse(body) else { return Vec::new() };
    match surface {
        Surface::Chat => chat::call_names(&object),
        Surface::Responses => responses::call_names(&object),
        Surface::Anthropic => anthropic::call_names(&object),
    }
}
