//! What a check is given: a stream of events or a whole body, found out from the bytes.

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
        stream
    }
}

/// What bytes turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A stream of events.
    Stream(Stream),
    /// A recorded transcript of a stream.
    Recorded(Box<Transcript>, Stream),
    /// A whole body: JSON text.
    Body(String),
}

/// Why bytes are nothing to check.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// No event at all.
    #[error("no server-sent event is in it, and it is neither a recorded transcript nor a JSON body")]
    NoEvent,
    /// It begins as a transcript does.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

impl Input {
    /// Finds out what `bytes` are. Text that begins with `{` is a whole body if it is one JSON object, else a transcript.
    ///
    /// # Errors
    /// They are none of the three.
    pub fn read(bytes: &[u8]) -> Result<Self, Unreadable> {
        let text =
            std::str::from_utf8(bytes).ok().map(|text| text.trim_start_matches('\u{feff}').trim()).filter(|text| text.starts_with('{'));
        if let Some(text) = text {
            if let Ok(serde_json::Value::Object(object)) = strict::value(text)
                && !object.contains_key("surface")
            {
                return Ok(Self::Body(text.to_owned()));
            }
            let transcript = Transcript::read(text)?;
            let stream = Stream::of_transcript(&transcript);
            return Ok(Self::Recorded(Box::new(transcript), stream));
        }
        let stream = Stream::read(bytes);
        if stream.records.is_empty() { Err(Unreadable::NoEvent) } else { Ok(Self::Stream(stream)) }
    }
}
