//! Argument values and the ways a template spells them.

use std::fmt::Write as _;

/// A value of an argument. Numbers are texts, so that nothing rounds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A JSON number as written.
    Number(String),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Literal>),
    /// An object, in the order written.
    Map(Vec<(String, Literal)>),
}

/// How JSON is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JsonStyle {
    /// No space after `:` and `,`.
    pub compact: bool,
    /// Escapes in place of characters outside ASCII, as Python's `json.dumps` writes by default.
    pub ascii: bool,
}

impl Literal {
    /// A string.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A number.
    #[must_use]
    pub fn number(text: impl Into<String>) -> Self {
        Self::Number(text.into())
    }

    /// As JSON.
    #[must_use]
    pub fn json(&self, style: JsonStyle) -> String {
        let mut out = String::new();
        self.write_json(style, &mut out);
        out
    }

    fn write_json(&self, style: JsonStyle, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(text) => out.push_str(text),
            Self::Text(text) => json_string(text, style, out),
            Self::List(items) => list(items, ('[', ']'), style.comma(), out, |item, out| item.write_json(style, out)),
            Self::Map(members) => json_object(members, style, out),
        }
    }

    /// As a Python literal with strings in `quote`.
    pub fn write_python(&self, quote: char, out: &mut String) {
        match self {
            Self::Null => out.push_str("None"),
            Self::Bool(value) => out.push_str(if *value { "True" } else { "False" }),
            Self::Number(text) => out.push_str(text),
            Self::Text(text) => python_string(text, quote, out),
            Self::List(items) => list(items, ('[', ']'), ", ", out, |item, out| item.write_python(quote, out)),
            Self::Map(members) => list(members, ('{', '}'), ", ", out, |(key, value), out| {
                python_string(key, quote, out);
                out.push_str(": ");
                value.write_python(quote, out);
            }),
        }
    }

    /// As the raw text of a parameter: a string stands as it is, all else is JSON.
    #[must_use]
    pub fn typed_text(&self, style: JsonStyle) -> String {
        match self {
            Self::Text(text) => text.clone(),
            other => other.json(style),
        }
    }

    /// With bare keys, and strings between two `quote`s (`spec/dialects.md` B27, B28).
    pub fn write_braces(&self, quote: &str, out: &mut String) {
        match self {
            Self::Null | Self::Bool(_) | Self::Number(_) => self.write_json(JsonStyle::default(), out),
            Self::Text(text) => out.extend([quote, text, quote]),
            Self::List(items) => list(items, ('[', ']'), ",", out, |item, out| item.write_braces(quote, out)),
            Self::Map(members) => list(members, ('{', '}'), ",", out, |(key, value), out| {
                out.push_str(key);
                out.push(':');
                value.write_braces(quote, out);
            }),
        }
    }
}

impl JsonStyle {
    /// Between items.
    #[must_use]
    pub const fn comma(self) -> &'static str {
        if self.compact { "," } else { ", " }
    }

    /// Between key and value.
    #[must_use]
    pub const fn colon(self) -> &'static str {
        if self.compact { ":" } else { ": " }
    }
}

/// An object as JSON.
pub fn json_object(members: &[(String, Literal)], style: JsonStyle, out: &mut String) {
    list(members, ('{', '}'), style.comma(), out, |(key, value), out| {
        json_string(key, style, out);
        out.push_str(style.colon());
        value.write_json(style, out);
    });
}

fn list<T>(items: &[T], brackets: (char, char), comma: &str, out: &mut String, mut each: impl FnMut(&T, &mut String)) {
    out.push(brackets.0);
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            out.push_str(comma);
        }
        each(item, out);
    }
    out.push(brackets.1);
}

/// A JSON string.
pub fn json_string(text: &str, style: JsonStyle, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c < ' ' || (style.ascii && !c.is_ascii()) => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A Python string literal.
pub fn python_string(text: &str, quote: char, out: &mut String) {
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Literal {
        let list = Literal::List(vec![Literal::Null, Literal::Bool(true), Literal::number("1.50")]);
        Literal::Map(vec![("a".to_owned(), Literal::text("é\"'\n\\👩")), ("b".to_owned(), list)])
    }

    #[test]
    fn json_has_both_spacings_and_both_alphabets() {
        assert_eq!(sample().json(JsonStyle::default()), r#"{"a": "é\"'\n\\👩", "b": [null, true, 1.50]}"#);
        let style = JsonStyle { compact: true, ascii: true };
        assert_eq!(sample().json(style), r#"{"a":"\u00e9\"'\n\\\ud83d\udc69","b":[null,true,1.50]}"#);
    }

    #[test]
    fn python_escapes_its_own_quote_only() {
        let mut out = String::new();
        sample().write_python('\'', &mut out);
        assert_eq!(out, r#"{'a': 'é"\'\n\\👩', 'b': [None, True, 1.50]}"#);
    }

    #[test]
    fn braces_have_bare_keys_and_verbatim_strings() {
        let mut out = String::new();
        sample().write_braces("<q>", &mut out);
        assert_eq!(out, "{a:<q>é\"'\n\\👩<q>,b:[null,true,1.50]}");
        assert_eq!(
            sample().typed_text(JsonStyle { compact: true, ascii: false }),
            sample().json(JsonStyle { compact: true, ascii: false })
        );
        assert_eq!(Literal::text("a\nb").typed_text(JsonStyle::default()), "a\nb");
    }
}
