//! Strings of a file made markers of a row: checked, then leaked.

use streakstone_model::{Dialect, Grammar, HeaderPart, Lookup, Markers, NamedCalls, lookup};

use crate::error::Fault;

/// Longest marker, in bytes: the longest of the table has 40.
const MAX_MARKER: usize = 256;
/// Longest word for a dialect: it names folders and stands in tables.
const MAX_WORD: usize = 64;

/// Characters that end a name in a header.
const NAME_ENDS: &str = "[]{}<>\"'(),";

/// Reads strings and keeps what is wrong with them.
#[derive(Default)]
pub(crate) struct Check {
    pub faults: Vec<Fault>,
}

impl Check {
    pub fn fault(&mut self, at: &str, message: impl Into<String>) {
        self.faults.push(Fault::new(at, message));
    }

    /// A text of any kind, leaked: rows live as long as the program.
    pub fn text(text: impl Into<String>) -> &'static str {
        Box::leak(text.into().into_boxed_str())
    }

    /// A list, leaked.
    pub fn list<T>(items: impl IntoIterator<Item = T>) -> &'static [T] {
        Box::leak(items.into_iter().collect::<Vec<_>>().into_boxed_slice())
    }

    /// A marker that must be there.
    pub fn marker(&mut self, at: &str, text: impl Into<String>) -> &'static str {
        let text = text.into();
        if text.is_empty() {
            self.fault(at, "an empty marker; write the text that the model writes, or leave the key out");
        } else if text.trim().is_empty() {
            self.fault(at, "a marker of white space only, which every text has; write the text that the model writes");
        } else if text.len() > MAX_MARKER {
            self.fault(at, format!("a marker of {} bytes; {MAX_MARKER} at most", text.len()));
        }
        Self::text(text)
    }

    /// A marker that may be empty: there is none.
    pub fn optional(&mut self, at: &str, text: String) -> &'static str {
        if text.is_empty() { "" } else { self.marker(at, text) }
    }

    /// White space that a template writes, or nothing.
    pub fn space(&mut self, at: &str, text: String) -> &'static str {
        if !text.trim().is_empty() {
            self.fault(at, format!("`{text}` is no white space; markers have keys of their own"));
        }
        Self::text(text)
    }

    /// Markers for one place, each once.
    pub fn markers(&mut self, at: &str, texts: impl IntoIterator<Item = String>) -> &'static [&'static str] {
        let mut list: Vec<&'static str> = Vec::new();
        for (index, text) in texts.into_iter().enumerate() {
            let at = format!("{at}[{index}]");
            let marker = self.marker(&at, text);
            if list.contains(&marker) {
                self.fault(&at, format!("`{marker}` stands here twice; keep one"));
            }
            list.push(marker);
        }
        Self::list(list)
    }

    /// Opener and closer, which differ.
    pub fn pair(&mut self, at: &str, [open, close]: [String; 2]) -> [&'static str; 2] {
        let pair = [self.marker(at, open), self.marker(at, close)];
        if pair[0] == pair[1] {
            self.fault(at, format!("opener and closer are both `{}`; a text could not tell them apart", pair[0]));
        }
        pair
    }

    /// Opener and closer of an element of a tag grammar, whose machine looks for `<`.
    pub fn tags(&mut self, at: &str, pair: [String; 2]) -> [&'static str; 2] {
        let pair = self.pair(at, pair);
        self.begin(at, &pair, '<');
        pair
    }

    /// What stands on both sides of a string in braces, whose machine looks for `<`.
    pub fn quote(&mut self, at: &str, text: impl Into<String>) -> &'static str {
        let quote = self.marker(at, text);
        self.begin(at, &[quote], '<');
        quote
    }

    /// The machine that reads these looks for one character. Empty ones are not there.
    pub fn begin(&mut self, at: &str, texts: &[&str], first: char) {
        for text in texts.iter().filter(|text| !text.is_empty() && !text.starts_with(first)) {
            self.fault(
                at,
                format!("`{text}` does not begin with `{first}`, and no parser here finds it there; use a section that has no such rule"),
            );
        }
    }

    /// A word for the dialect that no other row has.
    pub fn word(&mut self, at: &str, word: String) -> &'static str {
        let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if word.is_empty() || word.len() > MAX_WORD || !word.chars().all(fits) || word.starts_with('.') {
            self.fault(
                at,
                format!("`{word}` is no word for a dialect; use 1 to {MAX_WORD} letters, digits, `_`, `-` and `.`, no `.` first"),
            );
        } else if let Lookup::Known(row) = lookup(&word) {
            self.fault(at, format!("`{word}` is a word of the dialect `{}`; choose another", row.name));
        }
        Self::text(word)
    }

    /// What ends a name in a header: no parser here takes it for a part of the name.
    fn header(&mut self, calls: &NamedCalls, grammar: &str) {
        let name = calls.header.iter().position(|part| matches!(part, HeaderPart::Name | HeaderPart::NameInId));
        let behind = name.map_or(&[][..], |name| &calls.header[name + 1..]);
        let texts = behind.iter().map_while(|part| match part {
            HeaderPart::Text(texts) | HeaderPart::Maybe(texts) => Some(*texts),
            _ => None,
        });
        for text in texts.flatten().filter(|text| !text.starts_with(|c: char| c.is_whitespace() || NAME_ENDS.contains(c))) {
            self.fault(
                grammar,
                format!(
                    "`{text}` behind the name would be read as a part of it; it must begin with one of {NAME_ENDS}, or stand behind `space`"
                ),
            );
        }
    }

    /// What can only be seen on the whole row: a marker that means two things. `grammar` is the key of its grammar.
    pub fn row(&mut self, dialect: &Dialect, grammar: &str) {
        if let Grammar::Named(calls) = &dialect.grammar {
            self.header(calls, grammar);
        }
        let markers = Markers::of(dialect);
        let reasoning = || dialect.reasoning.iter();
        for opener in markers.openers.iter().filter(|opener| !opener.is_empty()) {
            if markers.closers.contains(opener) {
                self.fault(grammar, format!("`{opener}` opens and closes; a text could not tell the two apart"));
            }
            if reasoning().any(|r| r.open == *opener) {
                self.fault("reasoning", format!("`{opener}` opens calls too; keep one meaning"));
            }
        }
        for (key, list) in [("control", dialect.control), ("stop", dialect.stop)] {
            for token in list {
                if markers.openers.contains(token) || markers.closers.contains(token) || markers.inner.contains(token) {
                    self.fault(key, format!("`{token}` is a marker of the calls too; keep one meaning"));
                }
                // A token may close reasoning and be framing elsewhere.
                if reasoning().any(|r| r.open == *token) {
                    self.fault(key, format!("`{token}` opens reasoning too; keep one meaning"));
                }
            }
        }
        if let Some(token) = dialect.stop.iter().find(|token| dialect.control.contains(token)) {
            self.fault("stop", format!("`{token}` is a control token too; keep it there if it is never ordinary text"));
        }
        if markers.openers.is_empty() && !dialect.grammar.is_bare() {
            self.fault(grammar, "nothing opens a call; give an opener");
        }
    }
}
