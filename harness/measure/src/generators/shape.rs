//! The skeleton of a dialect's call, put together from its row: what generators repeat, cut and nest.

use streakstone_model::{Dialect, Grammar, IdPlacement};

/// The body grammar of a row, without its markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One JSON object per tag pair.
    JsonObject,
    /// Mistral's list and its `name[ARGS]{}`.
    Mistral,
    /// A bare JSON list.
    BareJsonList,
    /// A Python list of calls.
    PythonList,
    /// `<function=...><parameter=...>`.
    TagEquals,
    /// `<...invoke name="..."><...parameter name="...">`.
    InvokeTyped,
}

impl Kind {
    /// The kind of a grammar.
    #[must_use]
    pub const fn of(grammar: &Grammar) -> Self {
        match grammar {
            Grammar::JsonObject(_) => Self::JsonObject,
            Grammar::Mistral { .. } => Self::Mistral,
            Grammar::BareJsonList => Self::BareJsonList,
            Grammar::PythonList { .. } => Self::PythonList,
            Grammar::TagEquals { .. } => Self::TagEquals,
            Grammar::InvokeTyped(_) => Self::InvokeTyped,
        }
    }
}

/// A call of the dialect in pieces: `first (unit NAME named PARAMETERS call_end) (separator unit ...)* last`.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The row's grammar.
    pub kind: Kind,
    /// The marker that opens a block; `[` where the list stands bare.
    pub open: String,
    /// The marker that closes a block; may be empty.
    pub close: String,
    /// The marker that opens a parameter, without its name; empty where a parameter has none.
    pub parameter: String,
    /// The marker that closes a parameter; empty where it has none.
    pub parameter_close: String,
    /// Begins a block.
    pub first: String,
    /// From there to the name.
    pub unit: String,
    /// From the name to the first parameter.
    pub named: String,
    /// Ends a call.
    pub call_end: String,
    /// Between calls of one block.
    pub separator: String,
    /// Ends a block.
    pub last: String,
    /// Around a parameter's name, before a string's text.
    pub string: [String; 2],
    /// After a string's text.
    pub string_end: String,
    /// Around a parameter's name, before a value that is no string.
    pub value: [String; 2],
    /// After that value.
    pub value_end: String,
    /// Between parameters.
    pub comma: String,
}

impl Shape {
    /// The skeleton of a row.
    #[must_use]
    pub fn of(dialect: &Dialect) -> Self {
        match &dialect.grammar {
            Grammar::JsonObject(tags) => Self {
                open: tags.open.to_owned(),
                close: tags.close.to_owned(),
                unit: format!("{}\n{{\"name\": \"", tags.open),
                call_end: format!("}}}}\n{}", tags.close),
                separator: "\n".to_owned(),
                ..Self::json(Kind::JsonObject)
            },
            Grammar::Mistral { open, close, .. } if dialect.ids == IdPlacement::After => Self {
                open: (*open).to_owned(),
                close: (*close).to_owned(),
                first: format!("{open} ["),
                last: "]".to_owned(),
                ..Self::json(Kind::Mistral)
            },
            Grammar::Mistral { open, close, args, .. } => Self {
                open: (*open).to_owned(),
                close: (*close).to_owned(),
                unit: (*open).to_owned(),
                named: format!("{args}{{"),
                call_end: "}".to_owned(),
                separator: String::new(),
                ..Self::json(Kind::Mistral)
            },
            Grammar::BareJsonList => {
                Self { open: "[".to_owned(), first: "[".to_owned(), last: "]".to_owned(), ..Self::json(Kind::BareJsonList) }
            }
            Grammar::PythonList { open, close, bare } => {
                let open = open.first().filter(|_| !bare).map_or("", |marker| *marker);
                let close = close.first().filter(|_| !bare).map_or("", |marker| *marker);
                Self {
                    open: if open.is_empty() { "[" } else { open }.to_owned(),
                    close: close.to_owned(),
                    first: format!("{open}["),
                    unit: String::new(),
                    named: "(".to_owned(),
                    call_end: ")".to_owned(),
                    last: format!("]{close}"),
                    string: [String::new(), "=\"".to_owned()],
                    value: [String::new(), "=".to_owned()],
                    ..Self::json(Kind::PythonList)
                }
            }
            Grammar::TagEquals { wrapper, newlines, .. } => {
                let line = if *newlines { "\n" } else { "" };
                let key = ["<parameter=".to_owned(), format!(">{line}")];
                Self {
                    open: wrapper.open.to_owned(),
                    close: wrapper.close.to_owned(),
                    unit: format!("{}{line}<function=", wrapper.open),
                    named: format!(">{line}"),
                    call_end: format!("</function>{line}{}", wrapper.close),
                    separator: line.to_owned(),
                    last: String::new(),
                    ..Self::tags(Kind::TagEquals, ["<parameter=", "</parameter>"], key.clone(), key, line)
                }
            }
            Grammar::InvokeTyped(spelling) => {
                let (prefix, block) = (spelling.prefix, spelling.blocks[0]);
                let parameter = format!("<{prefix}parameter");
                let parameter_close = format!("</{prefix}parameter>");
                let key = |string: bool| [format!("{parameter} name=\""), format!("\" string=\"{string}\">")];
                Self {
                    open: format!("<{prefix}{block}>"),
                    close: format!("</{prefix}{block}>"),
                    first: format!("<{prefix}{block}>\n"),
                    unit: format!("<{prefix}invoke name=\""),
                    named: "\">\n".to_owned(),
                    call_end: format!("</{prefix}invoke>\n"),
                    separator: String::new(),
                    last: format!("</{prefix}{block}>"),
                    ..Self::tags(Kind::InvokeTyped, [&parameter, &parameter_close], key(true), key(false), "")
                }
            }
        }
    }

    /// A list of JSON call objects, before markers.
    fn json(kind: Kind) -> Self {
        Self {
            kind,
            open: String::new(),
            close: String::new(),
            parameter: String::new(),
            parameter_close: String::new(),
            first: String::new(),
            unit: "{\"name\": \"".to_owned(),
            named: "\", \"arguments\": {".to_owned(),
            call_end: "}}".to_owned(),
            separator: ", ".to_owned(),
            last: String::new(),
            string: ["\"".to_owned(), "\": \"".to_owned()],
            string_end: "\"".to_owned(),
            value: ["\"".to_owned(), "\": ".to_owned()],
            value_end: String::new(),
            comma: ", ".to_owned(),
        }
    }

    /// A grammar of tagged parameters.
    fn tags(kind: Kind, markers: [&str; 2], string: [String; 2], value: [String; 2], line: &str) -> Self {
        let end = format!("{line}{}\n", markers[1]);
        Self {
            parameter: markers[0].to_owned(),
            parameter_close: markers[1].to_owned(),
            string,
            string_end: end.clone(),
            value,
            value_end: end,
            comma: String::new(),
            ..Self::json(kind)
        }
    }

    /// True if strings are quoted and escaped; else they are plain text up to a closing tag.
    #[must_use]
    pub const fn is_quoted(&self) -> bool {
        !matches!(self.kind, Kind::TagEquals | Kind::InvokeTyped)
    }

    /// From the start of a block to the first parameter of a call of `f`.
    #[must_use]
    pub fn head(&self) -> String {
        format!("{}{}f{}", self.first, self.unit, self.named)
    }

    /// From the start of a block into the text of a string argument.
    #[must_use]
    pub fn in_string(&self) -> String {
        self.head() + &self.string.join("k")
    }

    /// From the text of a string argument to the end of the block.
    #[must_use]
    pub fn string_to_end(&self) -> String {
        format!("{}{}{}", self.string_end, self.call_end, self.last)
    }

    /// From the start of a block to where a value of parameter `name` begins.
    #[must_use]
    pub fn in_value(&self, name: &str) -> String {
        self.head() + &self.value.join(name)
    }

    /// From the end of such a value to the end of the block.
    #[must_use]
    pub fn value_to_end(&self) -> String {
        format!("{}{}{}", self.value_end, self.call_end, self.last)
    }

    /// One call without the block's ends.
    #[must_use]
    pub fn bare_call(&self, name: &str, text: &str) -> String {
        let argument = if text.is_empty() { String::new() } else { format!("{}{text}{}", self.string.join("k"), self.string_end) };
        format!("{}{name}{}{argument}{}", self.unit, self.named, self.call_end)
    }

    /// A block of one call.
    #[must_use]
    pub fn call(&self, name: &str, text: &str) -> String {
        format!("{}{}{}", self.first, self.bare_call(name, text), self.last)
    }

    /// A block of calls of `f`, `count` of them.
    #[must_use]
    pub fn calls(&self, count: usize, text: &str) -> String {
        let calls = vec![self.bare_call("f", text); count];
        format!("{}{}{}", self.first, calls.join(&self.separator), self.last)
    }
}
