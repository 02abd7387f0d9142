//! Messages with headers.

use streakstone_model::{ChannelCalls, MessageBody};

use super::{Entry, List, Place};
use crate::row::Token;
use crate::unit::{Machine, TagUnit};

pub(super) fn tokens(calls: &'static ChannelCalls, add: &mut dyn FnMut(&'static str, Token)) {
    for text in calls.open {
        add(text, Token::MessageOpen);
    }
    for (text, role) in calls.ends {
        // A line's end ends a header, and means nothing elsewhere.
        if !text.trim().is_empty() {
            add(text, Token::MessageEnd(role.is_some()));
        }
    }
    for text in calls.close {
        add(text, Token::MessageClose);
    }
    if let MessageBody::Units(tags) = &calls.body {
        super::tags::tokens(tags, add);
    }
}

/// Behind the opener of a block in a message.
pub(super) fn entry(calls: &'static ChannelCalls, place: Place) -> Entry {
    match unit(calls) {
        Some(machine) if place.first => Entry::Unit(machine, List::None),
        _ => Entry::No,
    }
}

/// What a unit's own opener begins.
pub(super) fn unit(calls: &'static ChannelCalls) -> Option<Machine> {
    match &calls.body {
        MessageBody::Units(tags) => Some(Machine::Tags(TagUnit::new(tags))),
        MessageBody::Json | MessageBody::Object | MessageBody::Parameters(_) => None,
    }
}
