//! Calls in Python's syntax (G5, G6).

use super::GrammarId;
use crate::markers::Markers;
use crate::spelling::Spelling;

/// How the calls stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PythonShape {
    /// `[f(k=literal, ...), ...]`.
    List,
    /// `f(k=literal, ...)`, one a line.
    Lines,
    /// `[{'name': f, 'arguments': {...}}, ...]`.
    Dicts,
}

/// Calls between markers, or bare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PythonCalls {
    /// Block openers.
    pub open: &'static [&'static str],
    /// Optional block closers.
    pub close: &'static [&'static str],
    /// How the calls stand.
    pub shape: PythonShape,
    /// True if calls without the opener count too: a list that closes, or a call that begins a line.
    pub bare: bool,
}

impl PythonCalls {
    pub(super) const fn id(&self) -> GrammarId {
        match self.shape {
            PythonShape::List | PythonShape::Dicts => GrammarId::PythonList,
            PythonShape::Lines => GrammarId::PythonLines,
        }
    }

    pub(super) const fn bare(&self) -> &'static [u8] {
        match (self.bare, self.shape) {
            (false, _) => b"",
            (true, PythonShape::List | PythonShape::Dicts) => b"[",
            // What begins behind a newline is a line.
            (true, PythonShape::Lines) => b"\n",
        }
    }

    pub(super) fn markers(&self, to: &mut Markers) {
        to.openers.extend(self.open);
        to.closers.extend(self.close);
    }

    pub(super) fn spelling(&self) -> Spelling {
        let first = |list: &[&'static str]| if self.bare { "" } else { list.first().copied().unwrap_or("") };
        let (open, close) = (first(self.open), first(self.close));
        let call = Spelling {
            unit: String::new(),
            named: "(".to_owned(),
            call_end: ")".to_owned(),
            string: [String::new(), "=\"".to_owned()],
            value: [String::new(), "=".to_owned()],
            ..Spelling::json(open, close)
        };
        let list = |call| Spelling { first: format!("{open}["), last: format!("]{close}"), ..call };
        match self.shape {
            PythonShape::List => list(call),
            PythonShape::Dicts => list(Spelling {
                unit: "{'name': '".to_owned(),
                named: "', 'arguments': {".to_owned(),
                call_end: "}}".to_owned(),
                string: ["'".to_owned(), "': '".to_owned()],
                string_end: "'".to_owned(),
                value: ["'".to_owned(), "': ".to_owned()],
                ..call
            }),
            // A bare line begins behind a newline.
            PythonShape::Lines if self.bare => {
                Spelling { open: "\n".to_owned(), first: "\n".to_owned(), separator: "\n".to_owned(), ..call }
            }
            PythonShape::Lines => Spelling { first: format!("{open}\n"), last: format!("\n{close}"), separator: "\n".to_owned(), ..call },
        }
    }
}
