//! Body grammars as data: how a call is written inside its envelope. One file a family; no code that reads model text.

mod braces;
mod channels;
mod elements;
mod json;
mod named;
mod python;
mod tags;

pub use braces::BraceCalls;
pub use channels::{ChannelCalls, MessageBody, MessageRole, PromptHeader};
pub use elements::{ElementCalls, ElementStyle};
pub use json::{JsonCalls, JsonKeys, JsonShape};
pub use named::{NamedCalls, Part as HeaderPart};
pub use python::{PythonCalls, PythonShape};
pub use tags::{TagAttributes, TagCalls, TagJson, TagPairs, TagStyle};

use crate::dialect::Dialect;
use crate::markers::Markers;
use crate::spelling::Spelling;

/// A body grammar with its markers: one variant a family, and a family may serve several grammars of `spec/dialects.md` D.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grammar {
    /// JSON call objects.
    Json(JsonCalls),
    /// A name between markers, then one JSON object.
    Named(NamedCalls),
    /// A tag opens and names the call, tags hold its parameters.
    Tags(&'static TagCalls),
    /// A tag opens and names the call, elements hold its parameters.
    Elements(&'static ElementCalls),
    /// Calls in Python's syntax.
    Python(PythonCalls),
    /// A name, then bare keys in braces.
    Braces(BraceCalls),
    /// Messages with headers.
    Channels(&'static ChannelCalls),
    /// Any of these rows, as its opener says (design page, `auto`). Where rows share an opener, the first that can read what
    /// follows it.
    Auto(&'static [&'static str]),
}

/// The rows that [`Grammar::Auto`] names, in order.
pub fn auto_rows(names: &'static [&'static str]) -> impl Iterator<Item = &'static Dialect> {
    names.iter().filter_map(|name| crate::table::dialects().find(|row| row.name == *name))
}

/// The grammars of `spec/dialects.md` D, and [`GrammarId::Any`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GrammarId {
    /// One JSON object per tag pair.
    JsonObject,
    /// A JSON array of call objects.
    JsonArray,
    /// JSON objects without a marker.
    BareJson,
    /// Header tokens around a name, then one JSON object.
    NameSepJson,
    /// `[f(k=literal), ...]`.
    PythonList,
    /// One `f(k=literal)` per line.
    PythonLines,
    /// `<function=N><parameter=K>V</parameter></function>`.
    TagEquals,
    /// `<invoke name="N"><parameter name="K">V</parameter></invoke>`, typed by schema.
    InvokeAttr,
    /// The same with a type on the wire.
    InvokeTyped,
    /// A name, then key and value elements.
    KeyValuePairs,
    /// An element tree.
    NestedElements,
    /// `open TAG attributes sep ... close TAG sep`.
    Xtml,
    /// `call:N{k:literal,...}`.
    CallBraces,
    /// Messages with channel and recipient headers.
    Channels,
    /// A message per recipient.
    RecipientMessages,
    /// A block token decides the type.
    TypedBlocks,
    /// `Action:` and `Action Input:`.
    TextReact,
    /// Whichever grammar the text's markers say.
    Any,
}

impl GrammarId {
    /// All of them, in their order.
    pub const ALL: [Self; 17] = [
        Self::JsonObject,
        Self::JsonArray,
        Self::BareJson,
        Self::NameSepJson,
        Self::PythonList,
        Self::PythonLines,
        Self::TagEquals,
        Self::InvokeAttr,
        Self::InvokeTyped,
        Self::KeyValuePairs,
        Self::NestedElements,
        Self::Xtml,
        Self::CallBraces,
        Self::Channels,
        Self::RecipientMessages,
        Self::TypedBlocks,
        Self::TextReact,
    ];

    /// Number and kebab-case name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::JsonObject => "G1 json-object",
            Self::JsonArray => "G2 json-array",
            Self::BareJson => "G3 bare-json",
            Self::NameSepJson => "G4 name-sep-json",
            Self::PythonList => "G5 python-list",
            Self::PythonLines => "G6 python-lines",
            Self::TagEquals => "G7 tag-equals",
            Self::InvokeAttr => "G8 invoke-attr",
            Self::InvokeTyped => "G9 invoke-typed",
            Self::KeyValuePairs => "G10 key-value-pairs",
            Self::NestedElements => "G11 nested-elements",
            Self::Xtml => "G12 xtml",
            Self::CallBraces => "G13 call-braces",
            Self::Channels => "G14 channels",
            Self::RecipientMessages => "G15 recipient-messages",
            Self::TypedBlocks => "G16 typed-blocks",
            Self::TextReact => "G17 text-react",
            Self::Any => "any",
        }
    }
}

impl Grammar {
    /// Which grammar it is.
    #[must_use]
    pub const fn id(&self) -> GrammarId {
        match self {
            Self::Json(calls) => calls.id(),
            Self::Named(calls) => calls.id(),
            Self::Tags(calls) => calls.id,
            Self::Elements(calls) => calls.id,
            Self::Python(calls) => calls.id(),
            Self::Braces(_) => GrammarId::CallBraces,
            Self::Channels(calls) => calls.id,
            Self::Auto(_) => GrammarId::Any,
        }
    }

    /// Bytes that can open a unit or list without a marker. Such a block is promoted only when it has closed.
    #[must_use]
    pub const fn bare(&self) -> &'static [u8] {
        match self {
            Self::Json(calls) => calls.bare(),
            Self::Python(calls) => calls.bare(),
            Self::Named(_) | Self::Tags(_) | Self::Elements(_) | Self::Braces(_) | Self::Channels(_) | Self::Auto(_) => b"",
        }
    }

    /// True if units can stand without an opening marker.
    #[must_use]
    pub const fn is_bare(&self) -> bool {
        !self.bare().is_empty()
    }

    /// Its markers, by what they do.
    pub(crate) fn markers(&self, to: &mut Markers) {
        match self {
            Self::Json(calls) => calls.markers(to),
            Self::Named(calls) => calls.markers(to),
            Self::Tags(calls) => calls.markers(to),
            Self::Elements(calls) => calls.markers(to),
            Self::Python(calls) => calls.markers(to),
            Self::Braces(calls) => calls.markers(to),
            Self::Channels(calls) => calls.markers(to),
            Self::Auto(rows) => auto_rows(rows).for_each(|row| row.grammar.markers(to)),
        }
    }

    /// How its template spells a call.
    #[must_use]
    pub fn spelling(&self) -> Spelling {
        match self {
            Self::Json(calls) => calls.spelling(),
            Self::Named(calls) => calls.spelling(),
            Self::Tags(calls) => calls.spelling(),
            Self::Elements(calls) => calls.spelling(),
            Self::Python(calls) => calls.spelling(),
            Self::Braces(calls) => calls.spelling(),
            Self::Channels(calls) => calls.spelling(),
            Self::Auto(rows) => auto_rows(rows).next().map_or_else(|| Spelling::json("", ""), |row| row.grammar.spelling()),
        }
    }
}
