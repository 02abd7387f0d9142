//! Sets of JSON types, for peers that reduce a schema to the types it names.

use serde_json::Value;

use super::Kind;

/// A set of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub const NONE: Self = Self(0);
    pub const NULL: Self = Self(1);
    pub const INTEGER: Self = Self(2);
    pub const NUMBER: Self = Self(4);
    pub const BOOLEAN: Self = Self(8);
    pub const OBJECT: Self = Self(16);
    pub const ARRAY: Self = Self(32);
    pub const STRING: Self = Self(64);

    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// True if all of `other` is in it.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// True if it is exactly one type.
    pub const fn is_one(self) -> bool {
        self.0.is_power_of_two()
    }

    /// The type that a plain kind names.
    pub const fn plain(kind: &Kind) -> Option<Self> {
        Some(match kind {
            Kind::String => Self::STRING,
            Kind::Integer => Self::INTEGER,
            Kind::Number => Self::NUMBER,
            Kind::Boolean => Self::BOOLEAN,
            Kind::Null => Self::NULL,
            Kind::Array(_) => Self::ARRAY,
            Kind::Object(_) => Self::OBJECT,
            Kind::Any | Kind::Enum(..) | Kind::Union(_) | Kind::Words(_) | Kind::Ref(_) => return None,
        })
    }

    /// The types of an enum's members.
    pub fn of_members(members: &[Value]) -> Self {
        members.iter().fold(Self::NONE, |types, member| types.or(Self::of_value(member)))
    }

    fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number.is_f64() => Self::NUMBER,
            Value::Number(_) => Self::INTEGER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The type of a JSON text; a whole number is an integer, however it is written.
    pub fn of_json(json: &str) -> Self {
        match json.as_bytes().first() {
            Some(b'n') => Self::NULL,
            Some(b't' | b'f') => Self::BOOLEAN,
            Some(b'"') => Self::STRING,
            Some(b'[') => Self::ARRAY,
            Some(b'{') => Self::OBJECT,
            _ if json.parse().is_ok_and(|value: f64| value.fract() == 0.0) => Self::INTEGER,
            _ => Self::NUMBER,
        }
    }

    /// All types that a schema names at any place of `type`, `enum`, `anyOf` and their like; string if it names none. References
    /// are not followed. This is vLLM's reduction, and SGLang's for the invoke tags.
    pub fn named(kind: &Kind) -> Self {
        let found = match kind {
            Kind::Any | Kind::Ref(_) => Self::NONE,
            Kind::Enum(members, declared) => {
                let beside = if **declared == Kind::Any { Self::NONE } else { Self::named(declared) };
                beside.or(Self::of_members(members))
            }
            Kind::Union(kinds) | Kind::Words(kinds) => kinds.iter().fold(Self::NONE, |types, kind| types.or(Self::named(kind))),
            plain => Self::plain(plain).unwrap_or(Self::NONE),
        };
        if found == Self::NONE { Self::STRING } else { found }
    }
}
