//! `channels`: messages with headers. What a file does not say here (how a call is written, what the prompt leaves open) comes from
//! the row that `like` names, which must be of this family.

use std::collections::BTreeMap;

use serde::Deserialize;
use streakstone_model::{ChannelCalls, MessageRole};

use crate::check::Check;

/// [`ChannelCalls`] as a file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChannelSection {
    open: Option<Vec<String>>,
    close: Option<Vec<String>>,
    channel: Option<String>,
    inner: Option<Vec<String>>,
    channels: Option<BTreeMap<String, Role>>,
    to: Option<String>,
    prefix: Option<String>,
    words: Option<Vec<String>>,
    space: Option<bool>,
    raw: Option<BTreeMap<String, String>>,
    template: Option<[String; 2]>,
}

/// [`MessageRole`] as a file writes it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Role {
    Reasoning,
    Content,
    Call,
}

impl From<Role> for MessageRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Reasoning => Self::Reasoning,
            Role::Content => Self::Content,
            Role::Call => Self::Call,
        }
    }
}

impl ChannelSection {
    /// The messages, or nothing if there is no row to start from.
    pub fn over(self, base: Option<&ChannelCalls>, check: &mut Check) -> Option<ChannelCalls> {
        let Some(mut calls) = base.copied() else {
            check.fault("channels", "messages with headers are written over a row: add `like:` and one of them, such as harmony");
            return None;
        };
        for (at, from, to) in [
            ("channels.open", self.open, &mut calls.open),
            ("channels.close", self.close, &mut calls.close),
            ("channels.inner", self.inner, &mut calls.inner),
            ("channels.words", self.words, &mut calls.words),
        ] {
            if let Some(texts) = from {
                *to = check.markers(at, texts);
            }
        }
        for (at, from, to) in [
            ("channels.channel", self.channel, &mut calls.channel),
            ("channels.to", self.to, &mut calls.to),
            ("channels.prefix", self.prefix, &mut calls.prefix),
        ] {
            if let Some(text) = from {
                *to = check.optional(at, text);
            }
        }
        if let Some(channels) = self.channels {
            let named: Vec<_> = channels.into_iter().map(|(name, role)| (check.marker("channels.channels", name), role.into())).collect();
            calls.channels = Check::list(named);
        }
        if let Some(raw) = self.raw {
            let tools: Vec<_> = raw
                .into_iter()
                .map(|(tool, argument)| (check.marker("channels.raw", tool), check.marker("channels.raw", argument)))
                .collect();
            calls.raw = Check::list(tools);
        }
        if let Some(template) = self.template {
            calls.template = template.map(|text| check.marker("channels.template", text));
        }
        calls.space = self.space.unwrap_or(calls.space);
        Some(calls)
    }
}
