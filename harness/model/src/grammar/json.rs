//! JSON call objects: `{"name": N, "arguments": OBJ}` one by one or in a list (G1, G2, G3).

use super::{GrammarId, TagCalls};
use crate::markers::Markers;
use crate::spelling::Spelling;

/// How the objects stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonShape {
    /// One object per opener (several in one block are read too).
    Object,
    /// A list of objects.
    List,
}

/// JSON call objects between markers, or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonCalls {
    /// Block openers, the template's first.
    pub open: &'static [&'static str],
    /// Openers that say little, such as a code fence: what they open counts as if it stood bare.
    pub weak: &'static [&'static str],
    /// Block closers, optional framing, the template's first.
    pub close: &'static [&'static str],
    /// How the template writes the objects.
    pub shape: JsonShape,
    /// True if the other shape is read too.
    pub either: bool,
    /// True if the objects also stand without an opener; then the template writes them so.
    pub bare: bool,
    /// White space that the template writes inside the markers.
    pub inside: [&'static str; 2],
    /// What stands between two objects that are in no list, white space apart.
    pub separator: Option<u8>,
    /// What the keys are called.
    pub keys: &'static JsonKeys,
    /// True if the openers also stand before `name.call(key=literal, ...)` (B6).
    pub builtin: bool,
    /// A name with keys and values that may stand in an object's place; its closer is the block's.
    pub pairs: Option<&'static TagCalls>,
}

impl JsonCalls {
    /// Objects between markers, as most rows have them.
    pub const OBJECTS: Self = Self {
        open: &[],
        weak: &[],
        close: &[],
        shape: JsonShape::Object,
        either: false,
        bare: false,
        inside: ["", ""],
        separator: None,
        keys: &JsonKeys::USUAL,
        builtin: false,
        pairs: None,
    };
    /// A list between markers.
    pub(crate) const LIST: Self = Self { shape: JsonShape::List, ..Self::OBJECTS };
}

/// What the keys of a call object are called. The template's word comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonKeys {
    /// Hold the name. Empty: the name is the object's one key, and its value the arguments (B39).
    pub name: &'static [&'static str],
    /// Hold the arguments: the template's, then what fine-tunes write (B1; U2).
    pub arguments: &'static [&'static str],
    /// Hold the id.
    pub id: &'static [&'static str],
    /// Hold an object that is the call, in place of the keys above (B45).
    pub call: &'static [&'static str],
    /// Hold a list of call objects (B37, B45).
    pub list: &'static [&'static str],
    /// Names that say "no call" unless a tool is called so (B34).
    pub no_call: &'static [&'static str],
}

impl JsonKeys {
    /// What most templates write.
    pub const USUAL: Self =
        Self { name: &["name"], arguments: &["arguments", "parameters", "args"], id: &["id"], call: &[], list: &[], no_call: &[] };
    /// The same with `parameters` in the template.
    pub(crate) const PARAMETERS: Self = Self { arguments: &["parameters", "arguments", "args"], ..Self::USUAL };
}

impl JsonCalls {
    pub(super) const fn id(&self) -> GrammarId {
        match self.shape {
            JsonShape::Object if self.bare => GrammarId::BareJson,
            JsonShape::Object => GrammarId::JsonObject,
            JsonShape::List => GrammarId::JsonArray,
        }
    }

    /// True if the objects may stand in this shape.
    #[must_use]
    pub fn reads(&self, shape: JsonShape) -> bool {
        self.either || self.shape == shape
    }

    pub(super) const fn bare(&self) -> &'static [u8] {
        match self.shape {
            _ if !self.bare => b"",
            _ if self.either => b"{[",
            JsonShape::Object => b"{",
            JsonShape::List => b"[",
        }
    }

    pub(super) fn markers(&self, to: &mut Markers) {
        to.openers.extend(self.open.iter().chain(self.weak));
        to.closers.extend(self.close);
        // The key of an object that holds the list is framing.
        to.words.extend(self.keys.list);
        if let Some(pairs) = self.pairs {
            let mut of = Markers::default();
            pairs.markers(&mut of);
            to.inner.extend(of.inner);
        }
    }

    pub(super) fn spelling(&self) -> Spelling {
        let first = |list: &[&'static str]| list.first().filter(|_| !self.bare).copied().unwrap_or("");
        let (open, close) = (first(self.open), first(self.close));
        let [before, after] = self.inside;
        let arguments = self.keys.arguments[0];
        let (unit, named, end) = match self.keys.name.first() {
            Some(name) => (format!("{{\"{name}\": \""), format!("\", \"{arguments}\": {{"), "}}"),
            None => ("{\"".to_owned(), "\": {".to_owned(), "}}"),
        };
        let begin = match (open, self.shape) {
            ("", JsonShape::Object) => "{",
            ("", JsonShape::List) => "[",
            (open, _) => open,
        };
        let call = Spelling { named, ..Spelling::json(begin, close) };
        match self.shape {
            JsonShape::Object => Spelling {
                unit: format!("{open}{before}{unit}"),
                call_end: format!("{end}{after}{close}"),
                separator: match self.separator {
                    Some(b) => format!("{} ", char::from(b)),
                    None => "\n".to_owned(),
                },
                ..call
            },
            JsonShape::List => {
                Spelling { first: format!("{open}{before}["), unit, call_end: end.to_owned(), last: format!("]{after}{close}"), ..call }
            }
        }
    }
}
