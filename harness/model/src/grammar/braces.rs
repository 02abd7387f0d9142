//! A name, then bare keys and values in braces (G13).

use crate::markers::Markers;
use crate::spelling::Spelling;

/// `OPEN call:NAME{key:value,...} CLOSE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BraceCalls {
    /// Block openers.
    pub open: &'static [&'static str],
    /// Optional block closers.
    pub close: &'static [&'static str],
    /// What stands before the name: the template's first, then spellings seen from models. Models leave it out.
    pub heads: &'static [&'static str],
    /// On both sides of a string. Between them everything is text.
    pub quote: &'static str,
    /// True if a value that is neither delimited nor JSON is a string.
    pub words: bool,
}

impl BraceCalls {
    pub(super) fn markers(&self, to: &mut Markers) {
        to.openers.extend(self.open);
        to.closers.extend(self.close);
        to.inner.push(self.quote);
    }

    pub(super) fn spelling(&self) -> Spelling {
        let first = |list: &[&'static str]| list.first().copied().unwrap_or("");
        let (open, close, quote) = (first(self.open), first(self.close), self.quote);
        Spelling {
            quoted: false,
            unit: format!("{open}{}", first(self.heads)),
            named: "{".to_owned(),
            call_end: format!("}}{close}"),
            separator: String::new(),
            string: [String::new(), format!(":{quote}")],
            string_end: quote.to_owned(),
            value: [String::new(), ":".to_owned()],
            comma: ",".to_owned(),
            ..Spelling::json(open, close)
        }
    }
}
