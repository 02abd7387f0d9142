//! The only module that knows the YAML crate.
//!
//! `serde_yaml` itself is deprecated. Of the successors, `serde-saphyr` 2.2 was taken: it gives the line, column and byte span of
//! every value ([`serde_yaml::Spanned`]), which the exact text of a number and `file:line:column` need; it has budgets for
//! nodes, depth and alias replay, so that an alias bomb is an error and not a hang; it reads YAML 1.2 (`yes` and `no` stay strings)
//! and is written in safe Rust with releases this year. `serde_norway` 0.9 and `serde_yaml_ng` 0.10 keep the original's design:
//! places only on errors, `unsafe-libyaml` beneath, and no release for two years.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_yaml::options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};

use crate::load::node::{Key, Node, Place, Value};
use crate::load::{MAX_FILE, Syntax};

/// Deepest nesting: the arguments' own cap of 128 and the levels of a case around them.
pub(crate) const MAX_DEPTH: usize = 160;
/// Stack of the thread that reads: the crate recurses, with some 30 KB a level in a debug build, which the 2 MiB of an ordinary
/// thread do not hold.
const STACK: usize = 32 << 20;
/// Most values of a file: a million, some 30,000 cases.
const MAX_NODES: usize = 1_000_000;
/// Most values that aliases may stand for in a file: a thousand cases that share a tool list of a hundred values.
const MAX_REPLAYED: usize = 100_000;

/// Reads one YAML document.
pub(crate) fn parse(text: &str) -> Result<Node, Syntax> {
    let fault = |message: String| Syntax { line: 1, column: 1, message };
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || read(text));
        let reader = reader.map_err(|e| fault(format!("cannot be read: no thread: {e}")))?;
        reader.join().unwrap_or_else(|_| Err(fault("the YAML reader panicked on this file; please report it".to_owned())))
    })
}

fn read(text: &str) -> Result<Node, Syntax> {
    let options = serde_yaml::options! {
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        strict_booleans: true,
        reject_unsupported_tags: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
        alias_limits: serde_yaml::alias_limits! { max_total_replayed_events: MAX_REPLAYED, max_replay_stack_depth: 16 },
        budget: serde_yaml::budget! {
            max_depth: MAX_DEPTH,
            max_nodes: MAX_NODES,
            max_events: MAX_NODES * 2,
            // The ratio of aliases to anchors says nothing here: many cases may share one tool list.
            enforce_alias_anchor_ratio: false,
            max_total_scalar_bytes: usize::try_from(MAX_FILE).unwrap_or(usize::MAX),
        },
    };
    match serde_yaml::from_str_with_options::<Placed>(text, options) {
        Ok(tree) => tree.node(text),
        Err(error) => Err(syntax(text, &error)),
    }
}

fn syntax(text: &str, error: &serde_yaml::Error) -> Syntax {
    let place = error.location().map_or((1, 1), |at| (narrow(at.line()), narrow(at.column())));
    if let Some(at) = indenting_tab(text, place.0) {
        let message = "a tab in the indentation; YAML indents with spaces only: replace the tab by spaces".to_owned();
        return Syntax { line: at.0, column: at.1, message };
    }
    let said = error.to_string();
    // The crate appends the place, and at aliases two; ours stands before the message.
    let said = said.split(" at line ").next().unwrap_or(&said);
    let what = if said.starts_with("budget breached") || said.contains("limit exceeded") {
        format!(
            "too large or too deep, or an alias bomb ({said}); write the values out, deep arguments as `arguments_json`, or split the file"
        )
    } else if said.contains("multiple YAML documents") {
        "a second YAML document begins here; a file holds one, remove the `---`".to_owned()
    } else {
        format!("not YAML: {said}; mend the line, and put text with special characters in quotes or a `|-` block")
    };
    Syntax { line: place.0, column: place.1, message: what }
}

/// The first tab among the leading white space of the line of an error or the one after it, where the scanner often stops one
/// line early.
fn indenting_tab(text: &str, line: usize) -> Option<Place> {
    let near = text.lines().enumerate().skip(line.saturating_sub(1)).take(2);
    for (index, content) in near {
        let lead = content.len() - content.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = content[..lead].find('\t') {
            return Some((index + 1, tab + 1));
        }
    }
    None
}

fn narrow(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX).max(1)
}

/// A value as the crate reads it; numbers are looked up in the source.
enum Read {
    Null,
    Bool(bool),
    Number,
    String(String),
    List(Vec<Placed>),
    Map(Vec<(Placed, Placed)>),
}

/// A value with its place and the bytes of the source that it was read from.
struct Placed {
    read: Read,
    place: Place,
    source: Option<(usize, usize)>,
}

impl<'de> Deserialize<'de> for Placed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = serde_yaml::Spanned::<Read>::deserialize(deserializer)?;
        let span = spanned.defined.span();
        let bytes = |offset: Option<u64>| offset.and_then(|n| usize::try_from(n).ok());
        Ok(Self {
            read: spanned.value,
            place: (narrow(spanned.referenced.line()), narrow(spanned.referenced.column())),
            source: bytes(span.byte_offset()).zip(bytes(span.byte_len())),
        })
    }
}

impl Placed {
    fn source<'t>(&self, text: &'t str) -> &'t str {
        self.source.and_then(|(start, len)| text.get(start..start.checked_add(len)?)).unwrap_or("")
    }

    fn node(self, text: &str) -> Result<Node, Syntax> {
        let source = self.source(text);
        let value = match self.read {
            Read::Null => Value::Null,
            Read::Bool(value) => Value::Bool(value),
            Read::Number if is_json_number(source) => Value::Number(source.to_owned()),
            Read::Number => Value::OddNumber(source.to_owned()),
            Read::String(text) => Value::String(text),
            Read::List(items) => Value::List(items.into_iter().map(|item| item.node(text)).collect::<Result<_, _>>()?),
            Read::Map(members) => {
                let members = members.into_iter().map(|(key, value)| Ok((key.key(text)?, value.node(text)?)));
                Value::Map(members.collect::<Result<_, _>>()?)
            }
        };
        Ok(Node { place: self.place, value })
    }

    /// A key is its text, whatever YAML makes of it: JSON has no other keys.
    fn key(self, text: &str) -> Result<Key, Syntax> {
        let source = self.source(text);
        let place = self.place;
        match self.read {
            Read::String(key) => Ok(Key { merge: key == "<<" && source == "<<", text: key, place }),
            Read::Null | Read::Bool(_) | Read::Number => Ok(Key { text: source.to_owned(), place, merge: false }),
            Read::List(_) | Read::Map(_) => {
                let message = "a key must be a word, not a list or mapping; quote it".to_owned();
                Err(Syntax { line: place.0, column: place.1, message })
            }
        }
    }
}

impl<'de> Deserialize<'de> for Read {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Read;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Read, E> {
        Ok(Read::Null)
    }

    fn visit_none<E>(self) -> Result<Read, E> {
        Ok(Read::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Read, E> {
        Ok(Read::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Read, E> {
        Ok(Read::Number)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Read, E> {
        Ok(Read::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Read, E> {
        Ok(Read::Number)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Read, E> {
        Ok(Read::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Read, E> {
        Ok(Read::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Read, E> {
        Ok(Read::String(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Read, E> {
        Ok(Read::String(text))
    }

    fn visit_bytes<E: serde::de::Error>(self, _: &[u8]) -> Result<Read, E> {
        Err(E::custom("binary data; write it with `raw_base64`"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Read, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Read::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Read, A::Error> {
        let mut map = Vec::new();
        while let Some(member) = members.next_entry()? {
            map.push(member);
            if map.len() > MAX_NODES {
                return Err(A::Error::custom("limit exceeded"));
            }
        }
        Ok(Read::Map(map))
    }
}

/// True for the grammar of a JSON number.
fn is_json_number(text: &str) -> bool {
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && !text.ends_with(char::is_whitespace)
        && streakstone_model::json::Json::parse(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        parse(text).unwrap().json().unwrap()
    }

    fn refusal(text: &str) -> (usize, usize, String) {
        let error = parse(text).unwrap_err();
        (error.line, error.column, error.message)
    }

    #[test]
    fn words_of_yaml_1_1_stay_strings() {
        assert_eq!(json("[yes, no, on, off, y, n, 2001-01-01, 1:30, ~x]"), r#"["yes","no","on","off","y","n","2001-01-01","1:30","~x"]"#);
        assert_eq!(
            json("{a: true, b: null, c: ~, d: False, yes: 1, null: 2, 5: 3}"),
            r#"{"a":true,"b":null,"c":null,"d":false,"yes":1,"null":2,"5":3}"#
        );
    }

    #[test]
    fn numbers_keep_their_digits() {
        assert_eq!(
            json("[9007199254740993, 123456789012345678901234567890123456789012345, 0.10000000000000000001, 1e999, -5, 1E5, 5.0]"),
            "[9007199254740993,123456789012345678901234567890123456789012345,0.10000000000000000001,1e999,-5,1E5,5.0]"
        );
    }

    #[test]
    fn what_only_yaml_calls_a_number_is_refused_as_json() {
        for text in ["0x1F", "007", "+5", ".5", "5.", ".nan", ".inf"] {
            let (place, message) = parse(&format!("- {text}")).unwrap().json().unwrap_err();
            assert_eq!(place, (1, 3), "{text}");
            assert!(message.contains("arguments_json"), "{message}");
        }
        assert_eq!(json("['007', !!str 5]"), r#"["007","5"]"#);
    }

    #[test]
    fn every_value_has_its_place() {
        let Value::Map(members) = parse("# c\na: 1\nb:\n  - id: x\n    é: ü\n").unwrap().value else { panic!("no map") };
        assert_eq!(members[1].0.place, (3, 1));
        let Value::List(items) = &members[1].1.value else { panic!("no list") };
        assert_eq!(items[0].place, (4, 5));
    }

    #[test]
    fn a_tab_in_the_indentation_is_named_with_its_place() {
        for (text, place) in [
            ("a:\n\tb: 1\n", (2, 1)),
            ("a: 1\n\tb: 1\n", (2, 1)),
            ("cases:\n  - id: x\n  \twhy: y\n", (3, 3)),
            ("a: |\n  x\n\ty\n", (3, 1)),
        ] {
            let (line, column, message) = refusal(text);
            assert_eq!((line, column), place, "{text:?} {message}");
            assert!(message.contains("a tab in the indentation"), "{message}");
        }
        assert_eq!(json("a: \t1\nb: \"x\ty\"\n"), "{\"a\":1,\"b\":\"x\\u0009y\"}");
    }

    #[test]
    fn an_alias_bomb_is_refused_at_once() {
        let mut text = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
        for (before, name) in ('a'..'i').zip('b'..='i') {
            let aliases = vec![format!("*{before}"); 9].join(",");
            text.push_str(&[&name.to_string(), ": &", &name.to_string(), " [", &aliases, "]\n"].concat());
        }
        let (_, _, message) = refusal(&text);
        assert!(message.contains("alias bomb"), "{message}");
        assert_eq!(json("a: &x {k: 5}\nb: *x\n"), r#"{"a":{"k":5},"b":{"k":5}}"#);
    }

    #[test]
    fn one_anchor_may_serve_a_thousand_cases() {
        let text = format!("a: &x {{k: [1, 2, 3]}}\nb: [{}]\n", ["*x"; 1000].join(", "));
        assert!(parse(&text).is_ok());
    }

    #[test]
    fn deep_nesting_is_refused() {
        let flow = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(refusal(&format!("a: {flow}")).2.contains("too deep"));
        let flow = |n: usize| format!("a: {}{}", "[".repeat(n), "]".repeat(n));
        assert!(parse(&flow(MAX_DEPTH - 1)).is_ok());
        assert!(refusal(&flow(MAX_DEPTH)).2.contains("too deep"));
    }

    #[test]
    fn second_documents_unknown_tags_and_odd_keys_are_refused() {
        assert!(refusal("a: 1\n---\nb: 2\n").2.contains("a second YAML document"));
        assert!(refusal("a: !py/object 1\n").2.contains("unsupported tag"));
        assert!(refusal("? [a, b]\n: 1\n").2.contains("a key must be a word"));
        assert!(refusal("a: \"x\n").2.starts_with("not YAML: unclosed quote"));
    }
}
