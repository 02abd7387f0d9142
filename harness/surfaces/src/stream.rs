//! What a check is given: a stream of events or a whole body, found out from the bytes.

use crate::Surface;
use crate::delivered::Delivered;
use crate::law::quote;
use crate::reader::{read_records, read_whole};
use crate::recorded::{Content, Recorded};
use crate::sse::{Decoder, Record};
use crate::strict;
use crate::transcript::{Transcript, TranscriptError};

/// A stream, taken apart into its events.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stream {
    /// The events.
    pub records: Vec<Record>,
    /// True if the bytes end inside an event.
    pub cut: bool,
    /// When the last byte of each event came, in microseconds; known of transcripts only.
    pub times: Option<Vec<u64>>,
    /// The response's content type, where a transcript has it.
    pub content_type: Option<String>,
    /// The recorder's word for how the transfer ended, if it did not come to its end.
    pub broken_off: Option<String>,
}

impl Stream {
    /// Takes bytes apart.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Self {
        let (mut decoder, mut stream) = (Decoder::default(), Self::default());
        decoder.push(bytes, &mut stream.records);
        stream.cut = decoder.finish(&mut stream.records);
        stream
    }

    /// Takes a transcript apart.
    #[must_use]
    pub fn of_transcript(transcript: &Transcript) -> Self {
        let (mut decoder, mut stream, mut times) = (Decoder::default(), Self::default(), Vec::new());
        let mut last = 0;
        for chunk in &transcript.chunks {
            decoder.push(&chunk.bytes, &mut stream.records);
            times.resize(stream.records.len(), chunk.t_us);
            last = chunk.t_us;
        }
        stream.cut = decoder.finish(&mut stream.records);
        times.resize(stream.records.len(), last);
        stream.times = Some(times);
        stream.content_type = transcript.header_value("content-type").map(str::to_owned);
        stream.broken_off = transcript.broken_off().map(str::to_owned);
        stream
    }

    /// True if the transfer ended before the reply did: a server that never closes the connection behind it has lost nothing.
    pub(crate) fn lost(&self, delivered: &Delivered) -> bool {
        self.broken_off.is_some() && delivered.ending.is_none() && delivered.error.is_none()
    }
}

/// What bytes turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A stream of events.
    Stream(Stream),
    /// A recorded response.
    Recorded(Box<Recorded>),
    /// A whole body: JSON text.
    Body(String),
}

/// Why bytes are nothing to check.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Not one byte, or white space alone.
    #[error("it is empty")]
    Empty,
    /// Comments, and nothing else.
    #[error("all of its lines are comments: no event came")]
    Comments,
    /// Fields that no blank line ends.
    #[error("it has lines of events, and no blank line that ends one: an event without it is never dispatched")]
    NoBlankLine,
    /// A response with its head.
    #[error("it begins with HTTP headers; save the body alone (curl without -i)")]
    Headers,
    /// Bytes of a compression.
    #[error("it is compressed ({0}); decompress it first, or ask for `accept-encoding: identity`")]
    Compressed(&'static str),
    /// As some shells write what is redirected to a file.
    #[error("it is UTF-16 text; the APIs send UTF-8")]
    Utf16,
    /// No event at all.
    #[error("no server-sent event is in it, and it is neither a recorded transcript nor a JSON body")]
    NoEvent,
    /// It begins as a body and as a transcript do, and is neither.
    #[error("it is neither a whole JSON body ({body}) nor a recorded transcript ({transcript})")]
    Neither {
        /// Why it is no body.
        body: String,
        /// Why it is no transcript.
        transcript: TranscriptError,
    },
    /// It begins as a transcript does.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

impl Input {
    /// Finds out what `bytes` are. Text that begins with `{` is a whole body if it is one JSON object without `surface`, else a transcript.
    ///
    /// # Errors
    /// They are none of the three.
    pub fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        if let Some(name) = compression(bytes) {
            return Err(Unreadable::Compressed(name));
        }
        let text =
            std::str::from_utf8(bytes).ok().map(|text| text.trim_start_matches('\u{feff}').trim()).filter(|text| text.starts_with('{'));
        let Some(text) = text else {
            let stream = Stream::read(bytes);
            return if stream.records.is_empty() { Err(without_events(bytes)) } else { Ok(Self::Stream(stream)) };
        };
        let body = match strict::value(text) {
            Ok(serde_json::Value::Object(object)) if !object.contains_key("surface") => return Ok(Self::Body(text.to_owned())),
            other => other.err(),
        };
        match Transcript::read(text) {
            Ok(transcript) => Ok(Self::Recorded(Box::new(Recorded::of(transcript)?))),
            // A first line that is no header tells nothing of which of the two it was meant to be.
            Err(transcript @ TranscriptError::Line { line: 1, .. }) if body.is_some() => {
                Err(Unreadable::Neither { body: body.map(|error| error.to_string()).unwrap_or_default(), transcript })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The surface it is of: as a transcript says, or as all events say that have the form of one surface.
    #[must_use]
    pub fn surface(&self) -> Option<Surface> {
        match self {
            Self::Recorded(recorded) => Some(recorded.transcript.header.surface),
            Self::Body(body) => form(&strict::value(body).ok()?, None),
            Self::Stream(stream) => {
                let value = |record: &Record| strict::value(&record.data).unwrap_or_default();
                let mut forms = stream.records.iter().take(FORM_EVENTS).filter_map(|record| form(&value(record), record.event.as_deref()));
                let first = forms.next()?;
                forms.all(|form| form == first).then_some(first)
            }
        }
    }

    /// What nobody should overlook who reads the verdict, a sentence each: an error of the server, a lost transfer, a whole body where a
    /// stream was asked for.
    #[must_use]
    pub fn told(&self, surface: Surface) -> Vec<String> {
        let (mut told, error) = match self {
            Self::Stream(stream) => (Vec::new(), read_records(surface, &stream.records).error),
            Self::Body(body) => (Vec::new(), read_whole(surface, body).ok().and_then(|reply| reply.error)),
            Self::Recorded(recorded) => {
                let error = match &recorded.content {
                    Content::Stream(stream) => read_records(surface, &stream.records).error,
                    Content::Body(body) => read_whole(surface, body).ok().and_then(|reply| reply.error),
                    Content::Error { .. } => None,
                };
                (recorded.told(), error)
            }
        };
        told.extend(error.map(|message| format!("it ends with an error of the server: {}", quote(&message))));
        told
    }
}

/// Events that are looked at to find the surface.
const FORM_EVENTS: usize = 64;

/// The surface that has data of this form.
fn form(value: &serde_json::Value, event: Option<&str>) -> Option<Surface> {
    const MESSAGES: &[&str] =
        &["message", "message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop"];
    // `message` is what an event is called that has no name.
    match value["type"].as_str().or(event.filter(|name| *name != "message")) {
        Some(kind) if kind.starts_with("response.") => Some(Surface::Responses),
        Some(kind) if MESSAGES.contains(&kind) => Some(Surface::Anthropic),
        _ if value["choices"].is_array() => Some(Surface::Chat),
        _ if value["object"] == "response" => Some(Surface::Responses),
        _ => None,
    }
}

/// The compression that bytes begin as.
pub(crate) fn compression(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: &[(&[u8], &str)] = &[(b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"PK\x03\x04", "zip")];
    MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, name)| *name)
}

/// Why there is no event in bytes.
fn without_events(bytes: &[u8]) -> Unreadable {
    let lines = || bytes.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    // With its mark, or with the zero in every second byte that ASCII has there.
    if bytes.starts_with(b"\xff\xfe")
        || bytes.starts_with(b"\xfe\xff")
        || matches!(bytes, [1..=0x7f, 0, 1..=0x7f, 0, ..] | [0, 1..=0x7f, 0, 1..=0x7f, ..])
    {
        Unreadable::Utf16
    } else if lines().next().is_none() {
        Unreadable::Empty
    } else if bytes.starts_with(b"HTTP/") {
        Unreadable::Headers
    } else if lines().all(|line| line.starts_with(b":")) {
        Unreadable::Comments
    } else if lines().any(|line| line.starts_with(b"data:")) {
        Unreadable::NoBlankLine
    } else {
        Unreadable::NoEvent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_name_of_an_event_says_nothing_of_the_surface() {
        let surface = |data: &str| Input::read(format!("event: message\ndata: {data}\n\ndata: [DONE]\n\n").as_bytes()).unwrap().surface();
        assert_eq!(surface("{\"choices\":[]}"), Some(Surface::Chat));
        assert_eq!(surface("{\"error\":{\"message\":\"no\"}}"), None);
    }

    #[test]
    fn what_is_nothing_to_check_is_told_apart() {
        let why: [(&[u8], &str); 15] = [
            (b"", "it is empty"),
            (b" \r\n\n", "it is empty"),
            (b": ping\n\n:\n", "all of its lines are comments"),
            (b"data: {}\ndata: [DONE]\n", "no blank line that ends one"),
            (b"HTTP/1.1 200 OK\r\n\r\n", "HTTP headers"),
            (b"\x1f\x8b\x08\x00", "compressed (gzip)"),
            (b"\x28\xb5\x2f\xfd\x00", "compressed (zstd)"),
            (b"\xff\xfed\x00a\x00", "UTF-16"),
            (b"d\x00a\x00t\x00", "UTF-16"),
            (b"\x00d\x00a\x00t", "UTF-16"),
            (b"\x00\x01\x02", "no server-sent event"),
            (b"<html></html>\n\n", "no server-sent event"),
            (b"{\"id\":", "neither a whole JSON body (EOF"),
            (b"{\"id\":1}\n{\"id\":2}\n", "nor a recorded transcript (line 1 of the transcript is no header"),
            (b"{\"surface\":\"chat\"}", "no trailer"),
        ];
        for (bytes, want) in why {
            let error = Input::read(bytes).unwrap_err().to_string();
            assert!(error.contains(want), "{want}: {error}");
        }
    }
}
