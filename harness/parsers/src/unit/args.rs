//! The arguments of a unit while it is read.

use std::collections::HashMap;

use streakstone_model::Duplicate;

use crate::text::push_string;
use crate::window::Window;

/// Names of members, each with the places of its first and last member. A few are searched one by one; hostile many are hashed.
#[derive(Debug, Default)]
struct Names {
    /// The few names, one behind the other.
    text: String,
    /// Where each of them ends in it.
    few: Vec<(usize, (usize, usize))>,
    many: HashMap<String, (usize, usize)>,
}

impl Names {
    const FEW: usize = 8;

    /// Notes a member; true if the name was there already.
    fn note(&mut self, name: &str, place: usize) -> bool {
        /// Bytes that the names of most calls stay within.
        const USUAL: usize = 64;
        if self.text.capacity() == 0 {
            self.text = String::with_capacity(USUAL);
        }
        let mut from = 0;
        for (end, places) in &mut self.few {
            if self.text[from..*end] == *name {
                places.1 = place;
                return true;
            }
            from = *end;
        }
        if self.few.len() < Self::FEW {
            self.text.push_str(name);
            self.few.push((self.text.len(), (place, place)));
            return false;
        }
        if let Some(places) = self.many.get_mut(name) {
            places.1 = place;
            return true;
        }
        self.many.insert(name.to_owned(), (place, place));
        false
    }

    fn clear(&mut self) {
        self.text.clear();
        self.few.clear();
        if !self.many.is_empty() {
            self.many.clear();
        }
    }

    fn len(&self) -> usize {
        self.few.len() + self.many.len()
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        self.few.iter().map(|(_, places)| *places).chain(self.many.values().copied())
    }
}

/// Bytes that the arguments of most calls stay within.
const USUAL: usize = 128;

/// Members of an object that is put together from parameters.
#[derive(Debug, Default)]
pub(crate) struct Members {
    /// The JSON so far.
    pub json: String,
    /// Each member as written: where it, without its comma, begins and where it ends.
    spans: Vec<(usize, usize)>,
    /// For each name its first and last member.
    names: Names,
    /// Set while a value that `duplicate=first` will take back is read.
    refused: Option<usize>,
}

impl Members {
    /// Becomes an empty object, still open.
    pub fn open(&mut self) {
        self.json.clear();
        self.json.reserve(USUAL);
        self.json.push('{');
        self.spans.clear();
        self.names.clear();
        self.refused = None;
    }

    /// Members begun so far.
    pub fn count(&self) -> usize {
        self.spans.len()
    }

    /// Begins a member; its value's JSON is to be appended to `json`.
    pub fn begin(&mut self, name: &str, duplicate: Duplicate) {
        let place = self.spans.len();
        let before = self.json.len();
        let again = self.names.note(name, place);
        if again && duplicate == Duplicate::First {
            self.refused = Some(before);
        }
        if before > 1 {
            self.json.push(',');
        }
        let start = self.json.len();
        push_string(&mut self.json, name);
        self.json.push(':');
        self.spans.push((start, start));
    }

    /// Ends the member begun last.
    pub fn end(&mut self) {
        if let Some(before) = self.refused.take() {
            self.json.truncate(before);
            // The place stays, so that the count of members still bounds a hostile call.
            if let Some(span) = self.spans.last_mut() {
                *span = (before, before);
            }
        } else if let Some(span) = self.spans.last_mut() {
            span.1 = self.json.len();
        }
    }

    /// How much of the JSON is sure to stay.
    pub fn settled(&self) -> usize {
        self.refused.unwrap_or(self.json.len())
    }

    /// Closes the object. Under `last`, a repeated name keeps its first place and takes its last value, if nothing was sent.
    pub fn close(&mut self, duplicate: Duplicate, sent: bool) {
        let repeated = self.names.len() < self.spans.len();
        if repeated && duplicate == Duplicate::Last && !sent {
            let mut last_of: HashMap<usize, usize> = self.names.places().collect();
            let mut json = String::with_capacity(self.json.len());
            json.push('{');
            for place in 0..self.spans.len() {
                let Some(last) = last_of.remove(&place) else { continue };
                if json.len() > 1 {
                    json.push(',');
                }
                let (start, end) = self.spans[last];
                json.push_str(&self.json[start..end]);
            }
            self.json = json;
        }
        self.json.push('}');
    }
}

/// Where a unit's arguments are.
#[derive(Debug, Default)]
pub(crate) enum ArgText {
    /// Not written: `{}`.
    #[default]
    Absent,
    /// The model's own bytes from `from`; to `to` once they are closed.
    Raw { from: usize, to: Option<usize> },
    /// Their own text, whole.
    Text(String),
    /// A string that is no object and may be the value of a parameter, once the tool is known for sure (`coercion=unsloth`).
    Bare(String),
    /// Put together from parameters.
    Members(Box<Members>),
}

/// The arguments of a complete call: not copied while its block is held.
#[derive(Debug)]
pub(crate) enum Arguments {
    /// `{}`.
    None,
    /// The model's own bytes, in the window.
    At(usize, usize),
    Text(String),
}

impl Arguments {
    pub fn text<'a>(&'a self, window: &'a Window) -> &'a str {
        match self {
            Self::None => "{}",
            Self::At(from, to) => window.slice(*from, *to),
            Self::Text(json) => json,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(pairs: &[(&str, &str)], duplicate: Duplicate, sent: bool) -> String {
        let mut members = Members::default();
        members.open();
        for (name, value) in pairs {
            members.begin(name, duplicate);
            members.json.push_str(value);
            members.end();
        }
        members.close(duplicate, sent);
        members.json
    }

    #[test]
    fn the_last_value_stands_at_the_first_place() {
        let pairs = [("a", "1"), ("b", "2"), ("a", "3")];
        assert_eq!(object(&pairs, Duplicate::Last, false), r#"{"a":3,"b":2}"#);
        assert_eq!(object(&pairs, Duplicate::First, false), r#"{"a":1,"b":2}"#);
        assert_eq!(object(&pairs, Duplicate::Last, true), r#"{"a":1,"b":2,"a":3}"#);
        assert_eq!(object(&[], Duplicate::Last, false), "{}");
    }
}
