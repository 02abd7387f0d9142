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
    /// Block openers, the template's first. Empty: the objects stand bare.
    pub open: &'static [&'static str],
    /// Block closers, optional framing.
    pub close: &'static [&'static str],
    /// How the objects stand.
    pub shape: JsonShape,
    /// A name with keys and values that may stand in an object's place; its closer is the block's.
    pub pairs: Option<&'static TagCalls>,
}

impl JsonCalls {
    pub(super) const fn id(&self) -> GrammarId {
        match self.shape {
            JsonShape::Object => GrammarId::JsonObject,
            JsonShape::List => GrammarId::JsonArray,
        }
    }

    pub(super) const fn bare(&self) -> &'static [u8] {
        if self.open.is_empty() { b"[" } else { b"" }
    }

    pub(super) fn markers(&self, to: &mut Markers) {
        to.openers.extend(self.open);
        to.closers.extend(self.close);
        if let Some(pairs) = self.pairs {
            let mut of = Markers::default();
            pairs.markers(&mut of);
            to.inner.extend(of.inner);
        }
    }

    pub(super) fn spelling(&self) -> Spelling {
        let first = |list: &[&'static str]| list.first().copied().unwrap_or("");
        let (open, close) = (first(self.open), first(self.close));
        match self.shape {
            JsonShape::Object => Spelling {
                unit: format!("{open}\n{{\"name\": \""),
                call_end: format!("}}}}\n{close}"),
                separator: "\n".to_owned(),
                ..Spelling::json(open, close)
            },
            JsonShape::List => Spelling { first: format!("{open}["), last: format!("]{close}"), ..Spelling::json(open, close) },
        }
    }
}
