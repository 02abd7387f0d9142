//! The field `tool_calls`: which family of grammars its content is.

mod braces;
mod json;
mod tags;

use serde_json::Value;
use streakstone_model::{Grammar, PythonCalls, PythonShape};

use super::field::{Content, Field};
use crate::check::Check;
use crate::error::Fault;

/// The grammar of the calls.
pub(super) fn grammar(field: &Field, check: &mut Check) -> Result<Grammar, Fault> {
    if field.open.is_none() {
        return Err(
            field.fault("open", "is missing: calls without an opener cannot be told from text here; give it, or write a dialect file")
        );
    }
    match field.content {
        Content::Json => json::grammar(field, check),
        Content::XmlInline => tags::grammar(field, check),
        Content::PythonCallList => python(field, check),
        Content::KvLines => Err(field.fault(
            "content",
            "`kv-lines` cannot be expressed: no grammar of the table reads `key: value` lines; a new grammar needs Rust, see CONTRIBUTING.md",
        )),
        Content::Text | Content::Int | Content::Float | Content::Bool => {
            Err(field.fault("content", "a call has a name and arguments; use json, xml-inline or python-call-list"))
        }
    }
}

/// `[f(k=literal, ...), ...]` between markers.
fn python(field: &Field, check: &mut Check) -> Result<Grammar, Fault> {
    field.only_args(&[])?;
    match Shape::of(field)? {
        Shape::Keys { call: None, name, arguments } if [&name, &arguments] == FUNCTION[1..] && field.each => {}
        _ => {
            return Err(field.fault(
                "transform",
                "a python-call-list gives `name` and `arguments` of each call: use `transform_each` with {name} and {arguments}",
            ));
        }
    }
    let (open, close) = markers(field, check)?;
    Ok(Grammar::Python(PythonCalls { open, close, bare: false, shape: PythonShape::List }))
}

/// Literal openers and closers; closers are optional framing, so there may be none.
fn markers(field: &Field, check: &mut Check) -> Result<(&'static [&'static str], &'static [&'static str]), Fault> {
    let mut list = |key: &str, anchor: &Option<super::field::Anchor>| {
        let texts = anchor.as_ref().map_or_else(|| Ok(Vec::new()), |anchor| anchor.literals(field))?;
        Ok(check.markers(&format!("{}.{key}", field.at), texts))
    };
    Ok((list("open", &field.open)?, list("close", &field.close)?))
}

/// What the transform says of a call.
#[derive(Debug, PartialEq, Eq)]
enum Shape {
    /// The content, or each of its items, is a call object, or has one under the key `call`. It has the name and the arguments under
    /// these keys.
    Keys { call: Option<String>, name: String, arguments: String },
    /// A group of a pattern is the name, the content is the arguments.
    Captured { group: String },
}

/// The keys of a call in a message.
const FUNCTION: [&str; 3] = ["function", "name", "arguments"];

impl Shape {
    fn of(field: &Field) -> Result<Self, Fault> {
        let refuse = |message: &str| Err(field.fault("transform", message));
        let usual = |call: Option<&str>| {
            let [_, name, arguments] = FUNCTION.map(str::to_owned);
            Ok(Self::Keys { call: call.map(str::to_owned), name, arguments })
        };
        // Without a transform the content is a call as messages have it.
        let Some(transform) = &field.transform else { return usual(Some(FUNCTION[0])) };
        let Value::Object(outer) = transform else { return refuse("must be an object with the key `function`") };
        if let Some(odd) = outer.keys().find(|key| !["type", "function"].contains(&key.as_str())) {
            return Err(field.fault(
                &format!("transform.{odd}"),
                "only `type` and `function` are read; an id is found where the row's family has one, remove the key",
            ));
        }
        let item = |text| match placeholder(text)? {
            path if field.each => Some(path),
            path => path.strip_prefix("content."),
        };
        match outer.get(FUNCTION[0]) {
            Some(Value::String(whole)) if whole == "{content}" && !field.each => usual(None),
            Some(Value::String(whole)) => match item(whole) {
                Some(key) if !key.contains('.') => usual(Some(key)),
                _ => refuse("`function` must be {content}, one key of it, or an object with `name` and `arguments`"),
            },
            Some(Value::Object(inner)) => {
                let of = |key: &str| inner.get(key).and_then(Value::as_str);
                let (Some(name), Some(arguments), 2) = (of(FUNCTION[1]), of(FUNCTION[2]), inner.len()) else {
                    return refuse("`function` must have `name` and `arguments`, each a placeholder, and nothing else");
                };
                match (item(name), item(arguments), placeholder(name), arguments) {
                    (Some(name), Some(arguments), ..) => match (name.split_once('.'), arguments.split_once('.')) {
                        (None, None) => Ok(Self::Keys { call: None, name: name.to_owned(), arguments: arguments.to_owned() }),
                        (Some((call, name)), Some((other, arguments)))
                            if call == other && !name.contains('.') && !arguments.contains('.') =>
                        {
                            Ok(Self::Keys { call: Some(call.to_owned()), name: name.to_owned(), arguments: arguments.to_owned() })
                        }
                        _ => {
                            refuse("name and arguments must be keys of one object, of the content or one level below; write a dialect file")
                        }
                    },
                    (_, _, Some(group), "{content}") if !field.each && !group.contains('.') => {
                        Ok(Self::Captured { group: group.to_owned() })
                    }
                    _ => refuse("`name` and `arguments` must be two keys of the content, or a named group and {content}"),
                }
            }
            _ => refuse("`function` must be {content}, one key of it, or an object with `name` and `arguments`"),
        }
    }
}

/// The path in `{path}`.
fn placeholder(text: &str) -> Option<&str> {
    let path = text.strip_prefix('{')?.strip_suffix('}')?;
    let word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    path.split('.').all(word).then_some(path)
}
