//! How to read, apart from the grammar: the request's options and the policies. Defaults are those of the semantics.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A policy or value that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// No policy of that name.
    #[error("unknown policy `{0}`; the policies are {names}", names = Policies::NAMES.join(", "))]
    UnknownPolicy(String),
    /// The policy has no such value.
    #[error("policy `{policy}` has no value `{value}`; its values are {values}")]
    UnknownValue {
        /// Which policy.
        policy: &'static str,
        /// What was asked.
        value: String,
        /// What there is.
        values: String,
    },
    /// Not of the form `policy=value`.
    #[error("`{0}` is not of the form policy=value")]
    NotAPair(String),
}

macro_rules! policy {
    ($(#[$doc:meta])* $name:ident, $word:literal { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $text)] $variant),+ }

        impl $name {
            /// The policy's name.
            pub const NAME: &'static str = $word;
            /// All values, the default first.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word used in cases, logs and on the command line.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl FromStr for $name {
            type Err = PolicyError;
            fn from_str(s: &str) -> Result<Self, PolicyError> {
                Self::ALL.iter().copied().find(|v| v.as_str() == s).ok_or_else(|| PolicyError::UnknownValue {
                    policy: Self::NAME,
                    value: s.to_owned(),
                    values: Self::ALL.iter().map(|v| v.as_str()).collect::<Vec<_>>().join(", "),
                })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.as_str()) }
        }
    };
}

policy! {
    /// When a call's steps go out (semantics 1).
    Delivery, "delivery" {
        /// One call at a time, when it is complete; an incomplete one stays text.
        #[default] Validated = "validated",
        /// Head and argument fragments as they come.
        Eager = "eager",
    }
}
policy! {
    /// What one refused unit does to its block (semantics 2).
    Block, "block" {
        /// Each call stands alone.
        #[default] PerCall = "per_call",
        /// A block with anything refused in it is text as a whole; implies validated delivery (TensorFold T5, T10, T32).
        AllOrNothing = "all_or_nothing",
    }
}
policy! {
    /// A call to a name outside the tools (semantics 4).
    Undeclared, "undeclared" {
        /// Its unit stays text.
        #[default] Text = "text",
        /// It goes out under the model's name.
        Forward = "forward",
        /// It is left out, announced.
        Drop = "drop",
    }
}
policy! {
    /// How a written name is matched to a declared one (semantics 4).
    Names, "names" {
        /// Exact, else the part after the first `.` or `:` if that is declared.
        #[default] Namespaced = "namespaced",
        /// Exact only.
        Exact = "exact",
        /// As `namespaced`, then without regard to ASCII case.
        Folded = "folded",
    }
}
policy! {
    /// A unit that the end of the text cut (semantics 8).
    Truncated, "truncated" {
        /// Completed if only closers lack and the end cause is `stop`; else text.
        #[default] Repair = "repair",
        /// Text.
        Text = "text",
        /// Left out, announced.
        Drop = "drop",
    }
}
policy! {
    /// A parameter written twice (semantics 6).
    Duplicate, "duplicate" {
        /// The last value, at the first one's place.
        #[default] Last = "last",
        /// The first value.
        First = "first",
    }
}
policy! {
    /// How typed text becomes JSON (semantics 7).
    Coercion, "coercion" {
        /// By the declared schema, text where it does not fit.
        #[default] Schema = "schema",
        /// Statements M30 to M42 of the reference systems.
        Mlxcel = "mlxcel",
        /// Statement X30: strings become what `type` says, in JSON bodies too.
        Exo = "exo",
        /// Statements U30 to U32: tag values are strings; a bare string as arguments finds its parameter.
        Unsloth = "unsloth",
        /// Statements T20, T21, T31: JSON or a Python literal of the declared type.
        Tensorfold = "tensorfold",
        /// vLLM 0.33 (`spec/dialects.md` B0).
        Vllm = "vllm",
        /// SGLang 0.5.23 (`spec/dialects.md` B0): a rule for each family of tags.
        Sglang = "sglang",
    }
}
policy! {
    /// How many calls a reply may carry (`parallel_tool_calls`).
    Parallel, "parallel" {
        /// All.
        #[default] All = "all",
        /// The first admissible one; the rest are left out, announced.
        First = "first",
    }
}

/// All policies together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Policies {
    /// When a call's steps go out.
    pub delivery: Delivery,
    /// What one refused unit does to its block.
    pub block: Block,
    /// Names outside the tools.
    pub undeclared: Undeclared,
    /// How names match.
    pub names: Names,
    /// Units cut by the end.
    pub truncated: Truncated,
    /// Repeated parameters.
    pub duplicate: Duplicate,
    /// Typing of text.
    pub coercion: Coercion,
    /// How many calls.
    pub parallel: Parallel,
}

impl Policies {
    /// The policies' names.
    pub const NAMES: &'static [&'static str] =
        &["delivery", "block", "undeclared", "names", "truncated", "duplicate", "coercion", "parallel"];

    /// Sets one policy by name.
    ///
    /// # Errors
    /// No such policy or value.
    pub fn set(&mut self, policy: &str, value: &str) -> Result<(), PolicyError> {
        match policy {
            "delivery" => self.delivery = value.parse()?,
            "block" => self.block = value.parse()?,
            "undeclared" => self.undeclared = value.parse()?,
            "names" => self.names = value.parse()?,
            "truncated" => self.truncated = value.parse()?,
            "duplicate" => self.duplicate = value.parse()?,
            "coercion" => self.coercion = value.parse()?,
            "parallel" => self.parallel = value.parse()?,
            other => return Err(PolicyError::UnknownPolicy(other.to_owned())),
        }
        Ok(())
    }

    /// Sets policies from `name=value`, several separated by commas (the keys of a case's `under`).
    ///
    /// # Errors
    /// Not a pair, or no such policy or value.
    pub fn set_pairs(&mut self, pairs: &str) -> Result<(), PolicyError> {
        for pair in pairs.split(',') {
            let (name, value) = pair.trim().split_once('=').ok_or_else(|| PolicyError::NotAPair(pair.trim().to_owned()))?;
            self.set(name.trim(), value.trim())?;
        }
        Ok(())
    }

    /// The policies that differ from the defaults, as `name=value`, in the order of [`Self::NAMES`].
    #[must_use]
    pub fn changed(&self) -> Vec<String> {
        let default = Self::default();
        let all = |p: &Self| {
            [
                p.delivery.as_str(),
                p.block.as_str(),
                p.undeclared.as_str(),
                p.names.as_str(),
                p.truncated.as_str(),
                p.duplicate.as_str(),
                p.coercion.as_str(),
                p.parallel.as_str(),
            ]
        };
        let (own, base) = (all(self), all(&default));
        (0..own.len()).filter(|&i| own[i] != base[i]).map(|i| format!("{}={}", Self::NAMES[i], own[i])).collect()
    }

    /// Every single change from the defaults, one at a time, delivery left alone (semantics 9: laws run on the defaults
    /// and on each single change).
    #[must_use]
    pub fn single_changes() -> Vec<Self> {
        let d = Self::default();
        let mut all = Vec::new();
        all.extend(Block::ALL[1..].iter().map(|&block| Self { block, ..d }));
        all.extend(Undeclared::ALL[1..].iter().map(|&undeclared| Self { undeclared, ..d }));
        all.extend(Names::ALL[1..].iter().map(|&names| Self { names, ..d }));
        all.extend(Truncated::ALL[1..].iter().map(|&truncated| Self { truncated, ..d }));
        all.extend(Duplicate::ALL[1..].iter().map(|&duplicate| Self { duplicate, ..d }));
        all.extend(Coercion::ALL[1..].iter().map(|&coercion| Self { coercion, ..d }));
        all.extend(Parallel::ALL[1..].iter().map(|&parallel| Self { parallel, ..d }));
        all
    }
}

/// The request's `tool_choice`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// A call must come; read as `auto`.
    Required,
    /// Nothing is admissible.
    None,
    /// Only this function is admissible.
    Function(String),
}

impl fmt::Display for ToolChoice {
    /// The word of the request; a named function as its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Required => f.write_str("required"),
            Self::None => f.write_str("none"),
            Self::Function(name) => write!(f, "function {name}"),
        }
    }
}

/// Why the text ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The model stopped.
    #[default]
    Stop,
    /// The length limit.
    Length,
    /// A stop string of the request; counts as stop, without repair.
    StopString,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::StopString => "stop_string",
        })
    }
}

/// Limits. Reaching one is an announced outcome, never silent loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Calls in a reply; later ones are dropped, announced. 1,024 as mlxcel (M10).
    pub calls: usize,
    /// Parameters of one call in tag and Python grammars; more make the unit incomplete. 1,024 as mlxcel (M10).
    pub parameters: usize,
    /// Nesting of an argument's value. 128, what `serde_json` accepts by default.
    pub depth: usize,
    /// Bytes of a function's name, an id or a parameter's name. 256 as ATEM (M12).
    pub name: usize,
    /// Bytes of one call's arguments as they are sent; longer ones make the unit incomplete where it ends. No limit by default; ATEM
    /// has 64 KiB (M12).
    pub arguments: usize,
    /// Bytes of one open unit, or of white space behind an opener. No limit by default; the healer uses 64 KiB (U1).
    pub hold: usize,
}

impl Default for Caps {
    fn default() -> Self {
        Self { calls: 1024, parameters: 1024, depth: 128, name: 256, arguments: usize::MAX, hold: usize::MAX }
    }
}

/// All that a reading depends on besides the text, the tools and the end cause.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The request's `tool_choice`.
    pub tool_choice: ToolChoice,
    /// True if the prompt already opened the reasoning span.
    pub reasoning_open: bool,
    /// The policies.
    pub policies: Policies,
    /// The caps.
    pub caps: Caps,
}
