//! Typed text to JSON, by declared schema (semantics 7): the compiled schema here, one file a profile beside it.
//!
//! A profile reproduces what a peer makes of a value, not how the peer finds it: where a value begins and ends is the
//! grammar's. A text that a peer would print as no JSON (`NaN`, `Infinity`) stays text in all profiles.

mod exo;
#[cfg(test)]
mod grid;
mod mlxcel;
mod numbers;
mod schema;
mod sglang;
mod tensorfold;
mod types;
mod unsloth;
mod vllm;

use std::collections::BTreeMap;

use serde_json::Value;
use streakstone_model::Coercion;

use crate::python;
use crate::scan::is_json;
use crate::text::string;

/// How deep schemas are followed; deeper, circular and larger ones are read as "no schema".
const SCHEMA_DEPTH: usize = 32;
/// How many schemas one parameter may be made of, references followed: they multiply where alternatives refer to themselves.
const SCHEMA_NODES: usize = 1024;

/// The declared type of a parameter, compiled.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// No schema.
    Any,
    /// The plain types.
    String,
    Integer,
    Number,
    Boolean,
    Null,
    /// With the kind of its items, which the profiles `mlxcel` and `exo` ask for.
    Array(Box<Kind>),
    /// With the kinds of its properties, which the profile `exo` asks for.
    Object(BTreeMap<String, Kind>),
    /// One of these values, and what `type` says beside them.
    Enum(Vec<Value>, Box<Kind>),
    /// `anyOf` or `oneOf`: one of several kinds, in declared order.
    Union(Vec<Kind>),
    /// The same as a list of words under `type`; `nullable` is one more word.
    Words(Vec<Kind>),
    /// What a `$ref` leads to, which some peers do not follow. It is neither a reference itself nor "no schema".
    Ref(Box<Kind>),
}

/// How a grammar writes a parameter. Some peers type each family in a way of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    /// G7: `<parameter=K>V</parameter>`.
    TagEquals,
    /// G10: `<arg_key>K</arg_key><arg_value>V</arg_value>`.
    KeyValue,
    /// G8, G9: `<parameter name="K">V</parameter>`.
    Invoke,
}

/// How many schemas may still be compiled for one parameter: those that say what its text may be, and those inside its
/// properties, which have a count of their own so that a large object does not hide the alternative behind it.
struct Budget {
    outer: usize,
    inner: usize,
}

impl Budget {
    fn take(&mut self, inside: bool) -> bool {
        let left = if inside { &mut self.inner } else { &mut self.outer };
        let any = *left > 0;
        *left = left.saturating_sub(1);
        any
    }
}

/// Where in a schema the compiler stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    root: &'a Value,
    depth: usize,
    /// True within an object's properties.
    inside: bool,
}

impl Place<'_> {
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

impl Kind {
    /// Compiles `schema`; `$ref` is looked up in `root`.
    pub fn of(schema: &Value, root: &Value) -> Self {
        let mut budget = Budget { outer: SCHEMA_NODES, inner: SCHEMA_NODES };
        Self::at(schema, Place { root, depth: 0, inside: false }, &mut budget)
    }

    /// The kind itself, references followed.
    fn target(&self) -> &Self {
        if let Self::Ref(target) = self { target } else { self }
    }

    fn at(schema: &Value, place: Place<'_>, budget: &mut Budget) -> Self {
        let Some(object) = schema.as_object().filter(|_| place.depth < SCHEMA_DEPTH && budget.take(place.inside)) else {
            return Self::Any;
        };
        if let Some(target) = object.get("$ref").and_then(Value::as_str) {
            let found = target.strip_prefix('#').and_then(|pointer| place.root.pointer(pointer));
            return match found.map_or(Self::Any, |schema| Self::at(schema, place.deeper(), budget)) {
                kind @ (Self::Any | Self::Ref(_)) => kind,
                kind => Self::Ref(Box::new(kind)),
            };
        }
        let mut all = |list: &Value| -> Vec<Self> {
            list.as_array().map(|l| l.iter().map(|s| Self::at(s, place.deeper(), budget)).collect()).unwrap_or_default()
        };
        let members = object.get("enum").and_then(Value::as_array).cloned();
        let base = if let Some(members) = members.or_else(|| object.get("const").map(|only| vec![only.clone()])) {
            Self::Enum(members, Box::new(Self::typed(object, place, budget)))
        } else if let Some(list) = object.get("anyOf").or_else(|| object.get("oneOf")) {
            Self::Union(all(list))
        } else if let Some(list) = object.get("allOf").filter(|_| !object.contains_key("type")) {
            // What all of them say; the first that says something is enough to type a text.
            all(list).into_iter().find(|k| *k != Self::Any).unwrap_or(Self::Any)
        } else {
            Self::typed(object, place, budget)
        };
        if object.get("nullable") == Some(&Value::Bool(true)) && base != Self::Any {
            return Self::Words(vec![base, Self::Null]);
        }
        base
    }

    /// What `type` says.
    fn typed(object: &serde_json::Map<String, Value>, place: Place<'_>, budget: &mut Budget) -> Self {
        match object.get("type") {
            Some(Value::String(word)) => Self::word(word, object, place, budget),
            Some(Value::Array(words)) => {
                Self::Words(words.iter().filter_map(Value::as_str).map(|word| Self::word(word, object, place, budget)).collect())
            }
            _ => Self::Any,
        }
    }

    fn word(word: &str, object: &serde_json::Map<String, Value>, place: Place<'_>, budget: &mut Budget) -> Self {
        match word {
            "string" | "str" => Self::String,
            // The aliases are those of M39.
            "integer" | "int" | "uint" | "long" | "int32" | "int64" => Self::Integer,
            "number" | "num" | "float" | "double" => Self::Number,
            "boolean" | "bool" => Self::Boolean,
            "null" => Self::Null,
            "array" | "list" => {
                Self::Array(Box::new(object.get("items").map_or(Self::Any, |items| Self::at(items, place.deeper(), budget))))
            }
            "object" | "dict" => {
                let inside = Place { inside: true, ..place.deeper() };
                let properties = object.get("properties").and_then(Value::as_object).into_iter().flatten();
                Self::Object(properties.map(|(name, schema)| (name.clone(), Self::at(schema, inside, budget))).collect())
            }
            _ => Self::Any,
        }
    }
}

/// The JSON of a parameter's `text` under `profile`, as `wire` wrote it.
pub(crate) fn coerce(text: &str, kind: &Kind, profile: Coercion, wire: Wire, depth: usize) -> String {
    match profile {
        Coercion::Schema => schema::value(text, kind, depth).unwrap_or_else(|| string(text)),
        Coercion::Mlxcel => mlxcel::value(text, kind, wire, depth),
        Coercion::Exo => exo::value(text, kind, depth),
        Coercion::Unsloth => string(text),
        Coercion::Tensorfold => tensorfold::value(text, kind, depth),
        Coercion::Vllm => vllm::value(text, kind, depth),
        Coercion::Sglang => sglang::value(text, kind, wire, depth),
    }
}

/// True if `profile` changes the values of a JSON body: then its arguments are known when they have closed, not before.
pub(crate) fn rewrites_bodies(profile: Coercion) -> bool {
    profile == Coercion::Exo
}

pub(crate) use exo::arguments as rewrite_body;
pub(crate) use unsloth::bare_string;

/// True if `profile` reads a Python list's value as text up to its end, and not as the literal decides while it comes.
pub(crate) fn reads_python_text(profile: Coercion) -> bool {
    match profile {
        Coercion::Mlxcel | Coercion::Exo | Coercion::Tensorfold => true,
        Coercion::Schema | Coercion::Unsloth | Coercion::Vllm | Coercion::Sglang => false,
    }
}

/// The JSON of a Python list's value under a profile that [`reads_python_text`]; `None` if the unit is none with it.
pub(crate) fn python_value(text: &str, kind: &Kind, profile: Coercion, depth: usize) -> Option<String> {
    match profile {
        Coercion::Mlxcel => Some(mlxcel::python_value(text, depth)),
        Coercion::Tensorfold => tensorfold::python_value(text, depth),
        Coercion::Exo => python::literal(text, depth).map(|json| exo::json(&json, kind, depth)),
        Coercion::Schema | Coercion::Unsloth | Coercion::Vllm | Coercion::Sglang => python::literal(text, depth),
    }
}

/// True if every text of this kind is a string as it stands, so that it may be sent as it comes.
pub(crate) fn stays_text(kind: &Kind, profile: Coercion) -> bool {
    profile == Coercion::Schema && matches!(kind, Kind::String | Kind::Any)
}

/// The JSON of an integer's text: decimal digits, optional `-`, optional zero fraction; any size.
fn integer(text: &str) -> Option<String> {
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (digits, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !all_digits || !fraction.bytes().all(|b| b == b'0') {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    Some(if digits.is_empty() { "0".to_owned() } else { format!("{sign}{digits}") })
}

/// True if `text` is one JSON number.
fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && is_json(text, 1)
}

/// `true` or `false` in any case.
fn boolean(text: &str) -> Option<&'static str> {
    if text.eq_ignore_ascii_case("true") {
        Some("true")
    } else if text.eq_ignore_ascii_case("false") {
        Some("false")
    } else {
        None
    }
}
