//! A tag opens and names the call, tags hold its parameters (G7, G9).

use super::GrammarId;
use crate::markers::Markers;
use crate::spelling::Spelling;

/// Tags of a call and its parameters, in an optional wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagCalls {
    /// Which grammar the tags make.
    pub id: GrammarId,
    /// Opener and closer of the wrapper: the template's first, then spellings seen from models. Models leave it out.
    pub blocks: &'static [[&'static str; 2]],
    /// Opener of a call up to its name, and closer.
    pub unit: [&'static str; 2],
    /// Opener of a parameter up to its name, and closer.
    pub parameter: [&'static str; 2],
    /// Other spellings of the parameter's closer.
    pub parameter_closes: &'static [&'static str],
    /// True if names stand in attributes and not after `=`.
    pub attributes: bool,
    /// True if the template writes one newline on each side of a value.
    pub newlines: bool,
}

impl TagCalls {
    pub(super) fn markers(&self, to: &mut Markers) {
        to.openers.extend(self.blocks.iter().map(|block| block[0]));
        to.openers.push(self.unit[0]);
        to.closers.push(self.unit[1]);
        to.closers.extend(self.blocks.iter().map(|block| block[1]));
        to.units.extend(self.unit);
        to.inner.extend(self.parameter);
    }

    pub(super) fn spelling(&self) -> Spelling {
        let [open, close] = self.blocks.first().copied().unwrap_or(["", ""]);
        if self.attributes {
            let key = |string: bool| [format!("{}name=\"", self.parameter[0]), format!("\" string=\"{string}\">")];
            return Spelling {
                first: format!("{open}\n"),
                unit: format!("{}name=\"", self.unit[0]),
                named: "\">\n".to_owned(),
                call_end: format!("{}\n", self.unit[1]),
                separator: String::new(),
                last: close.to_owned(),
                ..Spelling::tags([open, close], self.parameter, key(true), key(false), "")
            };
        }
        let line = if self.newlines { "\n" } else { "" };
        let key = [self.parameter[0].to_owned(), format!(">{line}")];
        Spelling {
            unit: format!("{open}{line}{}", self.unit[0]),
            named: format!(">{line}"),
            call_end: format!("{}{line}{close}", self.unit[1]),
            separator: line.to_owned(),
            last: String::new(),
            ..Spelling::tags([open, close], self.parameter, key.clone(), key, line)
        }
    }
}
