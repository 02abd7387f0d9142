//! Calls in Python's syntax (G5).

use crate::markers::Markers;
use crate::spelling::Spelling;

/// `[f(k=literal, ...), ...]` between markers, or bare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PythonCalls {
    /// Block openers.
    pub open: &'static [&'static str],
    /// Optional block closers.
    pub close: &'static [&'static str],
    /// True if a list without the opener counts too (then it must close).
    pub bare: bool,
}

impl PythonCalls {
    pub(super) const fn bare(&self) -> &'static [u8] {
        if self.bare { b"[" } else { b"" }
    }

    pub(super) fn markers(&self, to: &mut Markers) {
        to.openers.extend(self.open);
        to.closers.extend(self.close);
    }

    pub(super) fn spelling(&self) -> Spelling {
        let first = |list: &[&'static str]| if self.bare { "" } else { list.first().copied().unwrap_or("") };
        let (open, close) = (first(self.open), first(self.close));
        Spelling {
            first: format!("{open}["),
            unit: String::new(),
            named: "(".to_owned(),
            call_end: ")".to_owned(),
            last: format!("]{close}"),
            string: [String::new(), "=\"".to_owned()],
            value: [String::new(), "=".to_owned()],
            ..Spelling::json(open, close)
        }
    }
}
