//! Arguments as a tree of elements (G11, and the typed form of B35).

use super::{GrammarId, TagAttributes};
use crate::markers::Markers;
use crate::spelling::Spelling;

/// A call that an opener with attributes names; its parameters are elements, which nest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementCalls {
    /// Which grammar the elements make.
    pub id: GrammarId,
    /// Opener and closer of the wrapper. Models leave it out.
    pub blocks: &'static [[&'static str; 2]],
    /// Opener of a call up to its attributes, and closer.
    pub unit: [&'static str; 2],
    /// Attributes of the openers.
    pub attributes: TagAttributes,
    /// Opener of an element up to its name or attributes, and closer up to its name.
    pub element: [&'static str; 2],
    /// How an element says what it is.
    pub style: ElementStyle,
    /// True if the template writes a newline behind the tags of wrapper and call.
    pub lines: bool,
}

/// How an element says what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementStyle {
    /// By the tag's name; children called `item` make a list, text beside children stands under `text`.
    Named {
        /// The name of a list's children.
        item: &'static str,
        /// The key of text beside children.
        text: &'static str,
    },
    /// By attributes: a name, and the type `raw`, `json`, `dict` or `list`. All closers are alike.
    Typed,
}

impl ElementCalls {
    pub(super) fn markers(&self, to: &mut Markers) {
        to.openers.extend(self.blocks.iter().map(|block| block[0]));
        to.closers.extend(self.blocks.iter().map(|block| block[1]));
        to.openers.push(self.unit[0]);
        to.closers.push(self.unit[1]);
        to.units.extend(self.unit);
        to.inner.extend(self.element);
    }

    pub(super) fn spelling(&self) -> Spelling {
        let [open, close] = self.blocks.first().copied().unwrap_or(["", ""]);
        let line = if self.lines { "\n" } else { "" };
        let a = self.attributes;
        let [opener, closer] = self.element;
        let (string, value, parameter_close) = match self.style {
            // The closer names the element; generators call theirs so.
            ElementStyle::Named { .. } => ([opener.to_owned(), ">".to_owned()], [opener.to_owned(), ">".to_owned()], format!("{closer}k>")),
            ElementStyle::Typed => {
                let key = |kind: &str| [format!("{opener} {}=\"", a.key), format!("\" {}=\"{kind}\"{}", a.kind, a.end)];
                (key(a.kinds[0]), key(a.kinds[1]), closer.to_owned())
            }
        };
        Spelling {
            first: format!("{open}{line}"),
            unit: format!("{}{}=\"", self.unit[0], a.name),
            named: format!("\"{}", a.end),
            call_end: format!("{}{line}", self.unit[1]),
            separator: String::new(),
            last: close.to_owned(),
            ..Spelling::tags([open, close], self.unit[1], [opener, &parameter_close], [string, value], ["", ""])
        }
    }
}
