//! How a template spells a call, in pieces put together from a row: what generators repeat, cut and nest.

/// A call of the dialect in pieces: `first (unit NAME named PARAMETERS call_end) (separator unit ...)* last`.
#[derive(Debug, Clone)]
pub struct Spelling {
    /// True if strings are quoted and escaped; else they are plain text up to a closing tag.
    pub quoted: bool,
    /// The marker that opens a block; `[` where the list stands bare.
    pub open: String,
    /// The marker that closes a block; may be empty.
    pub close: String,
    /// The marker that opens a parameter, without its name; empty where a parameter has none.
    pub parameter: String,
    /// The marker that closes a parameter; empty where it has none.
    pub parameter_close: String,
    /// The marker that closes a call inside its wrapper; empty where a call has none.
    pub unit_close: String,
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

impl Spelling {
    /// A list of JSON call objects, before markers.
    pub(crate) fn json(open: &str, close: &str) -> Self {
        Self {
            quoted: true,
            open: if open.is_empty() { "[" } else { open }.to_owned(),
            close: close.to_owned(),
            parameter: String::new(),
            parameter_close: String::new(),
            unit_close: String::new(),
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

    /// A grammar of tagged parameters; `value` is what stands around a name, for a string and for another value, `lines` what
    /// stands around a value and behind a tag.
    pub(crate) fn tags(block: [&str; 2], unit: &str, parameter: [&str; 2], value: [[String; 2]; 2], lines: [&str; 2]) -> Self {
        let end = format!("{}{}{}", lines[0], parameter[1], lines[1]);
        let [string, other] = value;
        Self {
            quoted: false,
            parameter: parameter[0].to_owned(),
            parameter_close: parameter[1].to_owned(),
            unit_close: unit.to_owned(),
            string,
            string_end: end.clone(),
            value: other,
            value_end: end,
            comma: String::new(),
            ..Self::json(block[0], block[1])
        }
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
