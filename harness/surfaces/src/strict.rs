//! What a call's arguments must be: one strict JSON object without a repeated key (CC13, RS12, AN10).

use streakstone_model::json::Json;

/// What is wrong with a text that should be one strict JSON object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing there.
    Empty,
    /// No strict JSON, or text after it.
    NotJson(String),
    /// JSON, but no object.
    NotObject,
    /// A key twice in one object.
    RepeatedKey,
}

impl Fault {
    /// The end of a sentence that begins with the arguments.
    pub fn words(&self) -> String {
        match self {
            Self::Empty => "are empty, not `{}`".to_owned(),
            Self::NotJson(what) => format!("are no strict JSON: {what}"),
            Self::NotObject => "are JSON but no object".to_owned(),
            Self::RepeatedKey => "repeat a key in one object".to_owned(),
        }
    }
}

/// What is wrong with `text`, if anything is.
pub(crate) fn fault(text: &str) -> Option<Fault> {
    if text.trim().is_empty() {
        return Some(Fault::Empty);
    }
    match Json::parse_noting(text) {
        Err(error) => Some(Fault::NotJson(error.to_string())),
        Ok((Json::Object(_), None)) => None,
        Ok((Json::Object(_), Some(_))) => Some(Fault::RepeatedKey),
        Ok(_) => Some(Fault::NotObject),
    }
}

/// True if a client can read `text` as a call's arguments; a repeated key does not keep it from that.
pub(crate) fn is_object(text: &str) -> bool {
    matches!(fault(text), None | Some(Fault::RepeatedKey))
}
