//! A name between markers, then one JSON object (G4).

use super::GrammarId;
use crate::markers::Markers;
use crate::spelling::Spelling;

/// `OPEN name ([CALL_ID] id)? ([ARGS])? {...}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedCalls {
    /// Unit opener.
    pub open: &'static str,
    /// Optional closer.
    pub close: &'static str,
    /// Between name and id.
    pub call_id: &'static str,
    /// Between name or id and the arguments.
    pub args: &'static str,
    /// True if the template writes a JSON list of call objects after the opener; it is read in any case.
    pub list: bool,
}

impl NamedCalls {
    pub(super) const fn id(&self) -> GrammarId {
        if self.list { GrammarId::JsonArray } else { GrammarId::NameSepJson }
    }

    pub(super) fn markers(&self, to: &mut Markers) {
        to.openers.push(self.open);
        to.closers.push(self.close);
        to.inner.extend([self.call_id, self.args]);
    }

    pub(super) fn spelling(&self) -> Spelling {
        if self.list {
            return Spelling { first: format!("{} [", self.open), last: "]".to_owned(), ..Spelling::json(self.open, self.close) };
        }
        Spelling {
            unit: self.open.to_owned(),
            named: format!("{}{{", self.args),
            call_end: "}".to_owned(),
            separator: String::new(),
            ..Spelling::json(self.open, self.close)
        }
    }
}
