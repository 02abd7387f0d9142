//! Typed text to JSON, by declared schema (semantics 7). Profile `schema` here, `mlxcel` beside it.

pub(crate) mod mlxcel;
mod schema;

use serde_json::Value;
use streakstone_model::Coercion;

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
    /// With the kind of its items, which only the profile `mlxcel` asks for.
    Array(Box<Kind>),
    Object,
    /// One of these values.
    Enum(Vec<Value>),
    /// One of several kinds, in declared order.
    Union(Vec<Kind>),
}

impl Kind {
    /// Compiles `schema`; `$ref` is looked up in `root`.
    pub fn of(schema: &Value, root: &Value) -> Self {
        Self::at(schema, root, 0, &mut { SCHEMA_NODES })
    }

    fn at(schema: &Value, root: &Value, depth: usize, left: &mut usize) -> Self {
        let Some(object) = schema.as_object().filter(|_| depth < SCHEMA_DEPTH && *left > 0) else { return Self::Any };
        *left -= 1;
        let all = |list: &Value, left: &mut usize| -> Vec<Self> {
            list.as_array().map(|l| l.iter().map(|s| Self::at(s, root, depth + 1, left)).collect()).unwrap_or_default()
        };
        if let Some(target) = object.get("$ref").and_then(Value::as_str) {
            let pointer = target.strip_prefix('#').unwrap_or("/-");
            return root.pointer(pointer).map_or(Self::Any, |s| Self::at(s, root, depth + 1, left));
        }
        let base = if let Some(members) = object.get("enum").and_then(Value::as_array) {
            Self::Enum(members.clone())
        } else if let Some(only) = object.get("const") {
            Self::Enum(vec![only.clone()])
        } else if let Some(list) = object.get("anyOf").or_else(|| object.get("oneOf")) {
            Self::Union(all(list, left))
        } else if let Some(list) = object.get("allOf").filter(|_| !object.contains_key("type")) {
            // What all of them say; the first that says something is enough to type a text.
            all(list, left).into_iter().find(|k| *k != Self::Any).unwrap_or(Self::Any)
        } else {
            match object.get("type") {
                Some(Value::String(word)) => Self::word(word, object, root, depth, left),
                Some(Value::Array(words)) => {
                    Self::Union(words.iter().filter_map(Value::as_str).map(|word| Self::word(word, object, root, depth, left)).collect())
                }
                _ => Self::Any,
            }
        };
        if object.get("nullable") == Some(&Value::Bool(true)) && base != Self::Any {
            return Self::Union(vec![base, Self::Null]);
        }
        base
    }

    fn word(word: &str, object: &serde_json::Map<String, Value>, root: &Value, depth: usize, left: &mut usize) -> Self {
        match word {
            "string" | "str" => Self::String,
            // The aliases are those of M39.
            "integer" | "int" | "uint" | "long" | "int32" | "int64" => Self::Integer,
            "number" | "num" | "float" | "double" => Self::Number,
            "boolean" | "bool" => Self::Boolean,
            "null" => Self::Null,
            "array" | "list" => {
                Self::Array(Box::new(object.get("items").map_or(Self::Any, |items| Self::at(items, root, depth + 1, left))))
            }
            "object" | "dict" => Self::Object,
            _ => Self::Any,
        }
    }
}

/// The JSON of a parameter's `text` under `profile`.
pub(crate) fn coerce(text: &str, kind: &Kind, profile: Coercion, depth: usize) -> String {
    match profile {
        Coercion::Schema => schema::value(text, kind, depth).unwrap_or_else(|| string(text)),
        Coercion::Mlxcel => mlxcel::value(text, kind, depth),
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
