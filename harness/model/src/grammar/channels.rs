//! Messages with headers: a header says to whom or on which channel a message goes (G14, G15, G16).

use super::{GrammarId, TagCalls};
use crate::markers::Markers;
use crate::spelling::Spelling;

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageRole {
    /// Reasoning.
    Reasoning,
    /// Content.
    Content,
    /// A call.
    Call,
}

/// How a message that is a call is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageBody {
    /// The arguments, one JSON object; the recipient names the tool.
    Json,
    /// A JSON call object, which names the tool.
    Object,
    /// Parameters in tags; the recipient names the tool. The tags' unit is the message: its closer and those of the blocks end it.
    Parameters(TagCalls),
    /// Whole units in tags, which name the tool.
    Units(TagCalls),
}

/// What the prompt has left open: the first header lacks its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptHeader {
    /// The role is written; a recipient may follow in one of these spellings.
    Recipient(&'static [&'static str]),
    /// The opener is written; a name may follow.
    Name,
}

/// Messages: `OPEN words END body CLOSE`. Words are a role, a channel behind its token, a recipient, a content type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChannelCalls {
    /// Which grammar the messages make.
    pub id: GrammarId,
    /// Tokens that begin a header, the template's first.
    pub open: &'static [&'static str],
    /// What of the first header may stand at the start of the reply.
    pub prompt: PromptHeader,
    /// The token before a channel's name, which may stand anywhere in a header; empty if there is none.
    pub channel: &'static str,
    /// Other tokens of a header.
    pub inner: &'static [&'static str],
    /// Tokens that end a header. With a role they decide alone and need no opener.
    pub ends: &'static [(&'static str, Option<MessageRole>)],
    /// Channels.
    pub channels: &'static [(&'static str, MessageRole)],
    /// What stands before a recipient; empty where a bare word is one.
    pub to: &'static str,
    /// Recipients that are no tools. Without a role they say nothing.
    pub recipients: &'static [(&'static str, Option<MessageRole>)],
    /// Stands before the tool's name in a recipient, or is left out.
    pub prefix: &'static str,
    /// Other words of a header.
    pub words: &'static [&'static str],
    /// Tokens that end a message.
    pub close: &'static [&'static str],
    /// True if the tokenizer writes one space after a header, which is no part of the body.
    pub space: bool,
    /// How a call is written.
    pub body: MessageBody,
    /// Tools whose body is no JSON but the text of one argument: tool and argument.
    pub raw: &'static [(&'static str, &'static str)],
    /// How the template writes what stands before and behind the tool's name, up to the body.
    pub template: [&'static str; 2],
}

impl ChannelCalls {
    /// Tokens that end a header, without white space that does.
    fn end_tokens(&self) -> impl Iterator<Item = &'static str> {
        self.ends.iter().map(|(end, _)| *end).filter(|end| !end.trim().is_empty())
    }

    pub(super) fn markers(&self, to: &mut Markers) {
        to.openers.extend(self.open);
        to.closers.extend(self.close);
        to.inner.extend(self.end_tokens());
        to.inner.extend(self.inner);
        match &self.body {
            MessageBody::Json | MessageBody::Object => {}
            MessageBody::Parameters(tags) => to.inner.extend(tags.parameter),
            MessageBody::Units(tags) => tags.markers(to),
        }
        to.words.extend(self.channels.iter().map(|(word, _)| *word));
        to.words.extend(self.recipients.iter().map(|(word, _)| *word));
        to.words.extend(self.words);
        to.words.extend([self.to.trim_end_matches('='), self.prefix.trim_end_matches('.')].into_iter().filter(|w| !w.is_empty()));
    }

    pub(super) fn spelling(&self) -> Spelling {
        let first = |list: &[&'static str]| list.first().copied().unwrap_or("");
        let (open, close) = (first(self.open), first(self.close));
        let [before, behind] = self.template;
        let base = match &self.body {
            MessageBody::Json | MessageBody::Object => Spelling::json(open, close),
            MessageBody::Parameters(tags) | MessageBody::Units(tags) => {
                let line = if tags.newlines { "\n" } else { "" };
                let key = [format!("{}name=\"", tags.parameter[0]), format!("\">{line}")];
                Spelling::tags([open, close], tags.unit[1], tags.parameter, [key.clone(), key], [line, "\n"])
            }
        };
        let (brace, body_end) = match &self.body {
            MessageBody::Json => ("{", "}".to_owned()),
            MessageBody::Object => ("{", "}}".to_owned()),
            MessageBody::Parameters(_) => ("", String::new()),
            MessageBody::Units(tags) => ("", format!("{}\n{}", tags.unit[1], tags.blocks.first().map_or("", |block| block[1]))),
        };
        Spelling {
            unit: before.to_owned(),
            named: format!("{behind}{brace}"),
            call_end: body_end + close,
            separator: String::new(),
            ..base
        }
    }
}
