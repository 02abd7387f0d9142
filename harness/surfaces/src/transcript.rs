//! Recorded transcripts: a response as it came over the wire, with the times and cuts of its transfer chunks (NDJSON).
//!
//! The first line is the header, an object with `surface`. Each line after it is a transfer chunk `{"t_us": 17, "b64": "..."}`, in the
//! order of arrival, `t_us` in microseconds since the request. The last line is the trailer `{"outcome": "complete", "hash": "..."}`; the hash is
//! the SHA-256 of the body in hexadecimal. Any other outcome (`cut`, `reset`, `timed-out`) says that the transfer broke off. What the body is,
//! [`crate::Recorded`] finds out: from the status, the content type, the request's `stream`, and last from the bytes.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::Surface;

/// A recorded response.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    /// The first line.
    pub header: Header,
    /// The transfer chunks.
    pub chunks: Vec<Chunk>,
    /// How the transfer ended: `complete`, or the recorder's word for how it did not: `cut`, `reset`, `timed-out`.
    pub outcome: String,
}

/// The outcome of a transfer that came to its end.
pub const COMPLETE: &str = "complete";

/// The lowest HTTP status of an error. A client raises it, and reads no reply from the body.
pub const FIRST_ERROR: u16 = 400;

/// The header line. Only the surface must be there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Which surface's grammar the body has: `chat`, `responses`, `anthropic`.
    pub surface: Surface,
    /// The HTTP status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The response's headers, redacted.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub headers: Map<String, Value>,
    /// The request's body, redacted.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub request: Value,
    /// Url path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Whatever else the recorder knows: server, version, build, checkpoint, revision, sampling, prompt hash, witness rung.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub about: Map<String, Value>,
}

/// Bytes that came at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Microseconds since the request.
    pub t_us: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunkLine {
    t_us: u64,
    b64: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trailer {
    outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
}

/// Why a text is no transcript.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranscriptError {
    /// A line that is not what stands there in a transcript.
    #[error("line {line} of the transcript is no {what}: {why}")]
    Line {
        /// From 1.
        line: usize,
        /// Header, chunk or trailer.
        what: &'static str,
        /// What the JSON reader says.
        why: String,
    },
    /// It stops before its trailer.
    #[error("the transcript has no trailer: its recording was cut off")]
    NoTrailer,
    /// The bytes are not those that were recorded.
    #[error("the body's SHA-256 is {got}, the trailer says {want}")]
    Hash {
        /// Of the chunks.
        got: String,
        /// In the trailer.
        want: String,
    },
}

impl Transcript {
    /// Reads a transcript.
    ///
    /// # Errors
    /// A line is not what stands there in a transcript, the trailer lacks, or the hash is another.
    pub fn read(text: &str) -> Result<Self, TranscriptError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(|(at, line)| (at + 1, line)).peekable();
        let (line, first) = lines.next().unwrap_or((1, ""));
        let header = parse(line, "header", first)?;
        let mut chunks = Vec::new();
        while let Some((line, text)) = lines.next() {
            if lines.peek().is_none() {
                // A chunk in the last place is one whose trailer lacks.
                if serde_json::from_str::<ChunkLine>(text).is_ok() {
                    return Err(TranscriptError::NoTrailer);
                }
                let trailer: Trailer = parse(line, "trailer", text)?;
                let transcript = Self { header, chunks, outcome: trailer.outcome };
                let got = transcript.hash();
                return match trailer.hash {
                    Some(want) if !want.eq_ignore_ascii_case(&got) => Err(TranscriptError::Hash { got, want }),
                    _ => Ok(transcript),
                };
            }
            let ChunkLine { t_us, b64 } = parse(line, "chunk", text)?;
            let bytes = STANDARD.decode(&b64).map_err(|e| TranscriptError::Line { line, what: "chunk", why: e.to_string() })?;
            chunks.push(Chunk { t_us, bytes });
        }
        Err(TranscriptError::NoTrailer)
    }

    /// Writes it, one object a line.
    ///
    /// # Panics
    /// Never: no value of a transcript is without JSON.
    #[must_use]
    pub fn write(&self) -> String {
        let chunk = |chunk: &Chunk| line(&ChunkLine { t_us: chunk.t_us, b64: STANDARD.encode(&chunk.bytes) });
        let trailer = line(&Trailer { outcome: self.outcome.clone(), hash: Some(self.hash()) });
        [line(&self.header)].into_iter().chain(self.chunks.iter().map(chunk)).chain([trailer]).collect()
    }

    /// All bytes.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        self.chunks.iter().flat_map(|chunk| &chunk.bytes).copied().collect()
    }

    /// The value of a response header, in any case.
    #[must_use]
    pub fn header_value(&self, name: &str) -> Option<&str> {
        self.header.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).and_then(|(_, value)| value.as_str())
    }

    /// The recorder's word for how the transfer ended, if it did not come to its end.
    #[must_use]
    pub fn broken_off(&self) -> Option<&str> {
        Some(self.outcome.as_str()).filter(|word| !word.eq_ignore_ascii_case(COMPLETE))
    }

    /// The HTTP status, if it is that of an error.
    #[must_use]
    pub fn error_status(&self) -> Option<u16> {
        self.header.status.filter(|status| *status >= FIRST_ERROR)
    }

    fn hash(&self) -> String {
        let mut hash = Sha256::new();
        self.chunks.iter().for_each(|chunk| hash.update(&chunk.bytes));
        let mut hex = String::new();
        for byte in hash.finalize() {
            let _ = write!(hex, "{byte:02x}");
        }
        hex
    }
}

fn parse<T: for<'a> Deserialize<'a>>(line: usize, what: &'static str, text: &str) -> Result<T, TranscriptError> {
    serde_json::from_str(text).map_err(|error| TranscriptError::Line { line, what, why: error.to_string() })
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("a transcript is JSON") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transcript() -> Transcript {
        let header = Header {
            surface: Surface::Chat,
            status: Some(200),
            headers: Map::from_iter([("Content-Type".to_owned(), Value::from("text/event-stream"))]),
            request: Value::Null,
            path: None,
            about: Map::new(),
        };
        let chunk = |t_us, bytes: &[u8]| Chunk { t_us, bytes: bytes.to_vec() };
        Transcript { header, chunks: vec![chunk(10, b"data: \xf0\x9f"), chunk(20, b"\x91\xa9\n\n")], outcome: "complete".to_owned() }
    }

    #[test]
    fn what_is_written_is_read_with_its_cuts() {
        let own = transcript();
        assert_eq!(Transcript::read(&own.write()), Ok(own.clone()));
        assert_eq!(own.body(), "data: 👩\n\n".as_bytes());
        assert_eq!(own.header_value("content-type"), Some("text/event-stream"));
    }

    #[test]
    fn what_is_damaged_is_refused_with_its_line() {
        let text = transcript().write();
        let without_last = text.trim_end().rsplit_once('\n').expect("lines").0.to_owned();
        assert_eq!(Transcript::read(&without_last), Err(TranscriptError::NoTrailer));
        let other = text.replacen("\"t_us\":10,\"b64\":\"Z", "\"t_us\":10,\"b64\":\"Y", 1);
        assert!(matches!(Transcript::read(&other), Err(TranscriptError::Hash { .. })));
        let unknown = text.replacen("t_us", "at", 1);
        assert!(matches!(Transcript::read(&unknown), Err(TranscriptError::Line { line: 2, what: "chunk", .. })));
        assert!(matches!(Transcript::read(""), Err(TranscriptError::Line { line: 1, what: "header", .. })));
        assert!(matches!(Transcript::read("{\"surface\":\"chat\"}\n"), Err(TranscriptError::NoTrailer)));
    }
}
