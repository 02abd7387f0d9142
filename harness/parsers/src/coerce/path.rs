//! Schemas along a path: what a tree of elements asks for.

use super::Kind;

impl Kind {
    /// The first of the kind itself and its alternatives that `pick` finds something in.
    fn find<'k, T>(&'k self, pick: &impl Fn(&'k Self) -> Option<T>) -> Option<T> {
        let kind = self.target();
        pick(kind).or_else(|| match kind {
            Self::Union(kinds) | Self::Words(kinds) => kinds.iter().find_map(|k| k.find(pick)),
            _ => None,
        })
    }

    /// The declared kind of a property; no schema if there is none.
    pub fn property(&self, name: &str) -> &Self {
        self.find(&|kind| if let Self::Object(properties) = kind { properties.get(name) } else { None }).unwrap_or(&Self::Any)
    }

    /// True if an object is declared, and this property of it.
    pub fn declares(&self, name: &str) -> bool {
        self.find(&|kind| matches!(kind, Self::Object(properties) if properties.contains_key(name)).then_some(())).is_some()
    }

    /// The declared kind of a list's items, if a list is declared.
    pub fn items(&self) -> Option<&Self> {
        self.find(&|kind| if let Self::Array(items) = kind { Some(&**items) } else { None })
    }

    /// True if it is a list, and nothing else.
    pub fn is_list(&self) -> bool {
        matches!(self.target(), Self::Array(_))
    }

    /// True if it is an object, and nothing else.
    pub fn is_object(&self) -> bool {
        matches!(self.target(), Self::Object(_))
    }
}
