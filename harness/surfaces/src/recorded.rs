//! A recorded response, and what its body is: a stream, a whole body, or what came with the status of an error.

use serde_json::Value;

use crate::Surface;
use crate::law::{lost_words, quote, quote_value};
use crate::stream::{Stream, Unreadable, compression};
use crate::strict;
use crate::transcript::Transcript;

/// A recorded response.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// The recording.
    pub transcript: Transcript,
    /// What its body is.
    pub content: Content,
}

/// What the body of a recorded response is.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A stream of events.
    Stream(Stream),
    /// A whole body; JSON text, if it is what it should be.
    Body(String),
    /// What came with the HTTP status of an error: an error object, if it is what it should be. No client reads a reply from it.
    Error {
        /// From 400.
        status: u16,
        /// The body's text.
        body: String,
    },
}

impl Recorded {
    /// Finds out what the body is. The status of an error decides first, then the content type, then what the request asked for, then the
    /// body itself. A body that is no JSON object and holds events is a stream whatever its content type says: CC23 then says so.
    ///
    /// # Errors
    /// The body is compressed.
    pub fn of(transcript: Transcript) -> Result<Self, Unreadable> {
        let bytes = transcript.body();
        if let Some(name) = compression(&bytes) {
            return Err(Unreadable::Compressed(name));
        }
        let text = || String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').trim().to_owned();
        if let Some(status) = transcript.error_status() {
            return Ok(Self { content: Content::Error { status, body: text() }, transcript });
        }
        let kind = transcript.header_value("content-type").unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let whole = match kind.as_str() {
            "text/event-stream" => false,
            json if json == "application/json" || json.ends_with("+json") => true,
            _ => transcript.header.request["stream"].as_bool().map_or_else(|| text().starts_with('{'), |stream| !stream),
        };
        let stream = Stream::of_transcript(&transcript);
        let content =
            if whole && (stream.records.is_empty() || object(&text()).is_ok()) { Content::Body(text()) } else { Content::Stream(stream) };
        Ok(Self { transcript, content })
    }

    /// What nobody should overlook who reads the verdict: that there was an error instead of a reply, that the transfer broke off, that a
    /// whole body came where a stream was asked for. One sentence each.
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        let mut told = Vec::new();
        if let Content::Error { status, body } = &self.content {
            let message = object(body).ok().and_then(|body| Some(quote(body["error"]["message"].as_str()?)));
            let message = message.map_or_else(String::new, |message| format!(": {message}"));
            told.push(format!("HTTP status {status}, an error instead of a reply{message}; only the law of errors is judged"));
        }
        if let Some(word) = self.transcript.broken_off() {
            told.push(format!("the transfer was recorded as {}, not as complete", quote(word)));
        }
        if matches!(self.content, Content::Body(_)) && self.transcript.header.request["stream"] == Value::Bool(true) {
            told.push("the request asks for a stream, and a whole body came".to_owned());
        }
        told
    }
}

/// The JSON object of a body.
fn object(text: &str) -> Result<Value, String> {
    match strict::value(text) {
        Ok(value) if value.is_object() => Ok(value),
        Ok(_) => Err("it is JSON, but no object".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The law that says that what comes is JSON.
pub(crate) const fn json_law(surface: Surface) -> &'static str {
    match surface {
        Surface::Chat => "CC01",
        Surface::Responses => "RS01",
        Surface::Anthropic => "AN01",
    }
}

/// What is wrong with a whole body that is no JSON object; `None` if it is one.
pub(crate) fn no_object(text: &str, broken_off: Option<&str>) -> Option<String> {
    object(text).err().map(|why| format!("the body is no JSON object: {why}{}", lost_words(broken_off)))
}

/// The law that speaks of errors.
pub(crate) const fn error_law(surface: Surface) -> &'static str {
    match surface {
        Surface::Chat => "CC01",
        Surface::Responses => "RS05",
        Surface::Anthropic => "AN24",
    }
}

/// What is wrong with the body of an error: it should be the error object that the surface's clients show to their caller.
pub(crate) fn no_error(surface: Surface, status: u16, body: &str, broken_off: Option<&str>) -> Option<String> {
    let why = match object(body) {
        Err(why) => why,
        Ok(body) => {
            let type_field = surface == Surface::Anthropic && body["type"] != "error";
            let keys: &[&str] = if surface == Surface::Anthropic { &["type", "message"] } else { &["message"] };
            match keys.iter().find(|key| !body["error"][**key].is_string()) {
                _ if type_field => format!("`type` is {}", quote_value(body.get("type"))),
                Some(key) => format!("`error.{key}` is {}", quote_value(body["error"].get(*key))),
                None => return None,
            }
        }
    };
    Some(format!("the HTTP status is {status}, and the body is no error object: {why}{}", lost_words(broken_off)))
}
