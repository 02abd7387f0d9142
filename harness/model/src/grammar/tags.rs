//! A tag opens and names the call, tags hold its parameters (G7, G8, G9, G10, G12).

use super::GrammarId;
use crate::markers::Markers;
use crate::spelling::Spelling;

/// Tags of a call and its parameters, in an optional wrapper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of one template, all combinations occur")]
pub struct TagCalls {
    /// Which grammar the tags make.
    pub id: GrammarId,
    /// Opener and closer of the wrapper: the template's first, then spellings seen from models. Models leave it out.
    pub blocks: &'static [[&'static str; 2]],
    /// What the template writes before a call's opener and behind its closer; empty where there is nothing. Models leave it out.
    pub frame: [&'static str; 2],
    /// Opener of a call up to its name or attributes, and closer.
    pub unit: [&'static str; 2],
    /// Opener of a parameter up to its name or attributes, and closer.
    pub parameter: [&'static str; 2],
    /// Other spellings of the parameter's closer.
    pub parameter_closes: &'static [&'static str],
    /// How names stand in the openers.
    pub style: TagStyle,
    /// Where a JSON object may stand for tags.
    pub json: TagJson,
    /// True if the template writes one newline on each side of a value.
    pub newlines: bool,
    /// True if the template writes a newline behind each tag.
    pub lines: bool,
    /// True if a value may be a CDATA section.
    pub cdata: bool,
    /// True if every tag may have a suffix: `<tag:6124c78e>`.
    pub suffix: bool,
}

/// How names stand in the openers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagStyle {
    /// `<function=N>`, `<parameter=K>`.
    Equals,
    /// `<invoke name="N">`, `<parameter name="K">`.
    Attributes(TagAttributes),
    /// `<tool_call>N<arg_key>K</arg_key><arg_value>`.
    Pairs(TagPairs),
}

/// Attributes of the openers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagAttributes {
    /// The attribute with the call's name.
    pub name: &'static str,
    /// The attribute with the parameter's name.
    pub key: &'static str,
    /// The attribute of a parameter that types its value on the wire (`true`, `string` and `raw` say text, all else JSON); empty if
    /// the schema alone types it.
    pub kind: &'static str,
    /// What the template writes there before a string, and before any other value.
    pub kinds: [&'static str; 2],
    /// What ends an opener.
    pub end: &'static str,
    /// True if values of attributes have `&amp;` and `&quot;`.
    pub entities: bool,
}

/// Keys and values as elements behind the call's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TagPairs {
    /// What may stand behind the call's name; empty where nothing does.
    pub separator: &'static str,
    /// Ends a key.
    pub key_end: &'static str,
    /// Around the type that may stand behind a key; empty where there is none.
    pub kind: [&'static str; 2],
    /// Opens a value; empty where the key's end does.
    pub value: &'static str,
}

/// Where a JSON object may stand for tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagJson {
    /// Nowhere.
    No,
    /// The arguments, between the call's tags.
    Arguments,
    /// The same in an element of its own; its opener up to attributes, and its closer.
    Element([&'static str; 2]),
    /// As `Arguments`, and call objects in the wrapper.
    Block,
    /// A call object between the call's tags.
    Unit,
}

impl TagJson {
    /// The element that holds the arguments as JSON, if the row has one.
    #[must_use]
    pub const fn element(self) -> Option<[&'static str; 2]> {
        if let Self::Element(tags) = self { Some(tags) } else { None }
    }
}

impl TagCalls {
    pub(super) fn markers(&self, to: &mut Markers) {
        to.openers.extend(self.blocks.iter().map(|block| block[0]));
        to.closers.extend(self.blocks.iter().map(|block| block[1]));
        for unit in [self.unit, self.frame] {
            to.openers.push(unit[0]);
            to.closers.push(unit[1]);
            to.units.extend(unit);
        }
        to.inner.extend(self.parameter);
        to.inner.extend(self.json.element().into_iter().flatten());
        if let TagStyle::Pairs(pairs) = self.style {
            to.inner.extend([pairs.separator, pairs.key_end, pairs.kind[0], pairs.kind[1], pairs.value]);
        }
        for list in [&mut to.openers, &mut to.closers, &mut to.inner, &mut to.units] {
            list.retain(|marker| !marker.is_empty());
        }
        to.suffixed |= self.suffix;
    }

    pub(super) fn spelling(&self) -> Spelling {
        let [open, close] = self.blocks.first().copied().unwrap_or(["", ""]);
        let around = if self.newlines { "\n" } else { "" };
        let line = if self.lines { "\n" } else { "" };
        let unit = format!("{}{}", self.frame[0], self.unit[0]);
        let call_end = format!("{}{}", self.unit[1], self.frame[1]);
        // Around a name, for a string and for another value.
        let key = |string: bool| match self.style {
            TagStyle::Equals => [self.parameter[0].to_owned(), format!(">{around}")],
            TagStyle::Attributes(a) => {
                let kind = a.kinds[usize::from(!string)];
                let kind = if a.kind.is_empty() { String::new() } else { format!(" {}=\"{kind}\"", a.kind) };
                [format!("{}{}=\"", self.parameter[0], a.key), format!("\"{kind}{}{around}", a.end)]
            }
            TagStyle::Pairs(p) => {
                let gap = if p.value.is_empty() { "" } else { line };
                [self.parameter[0].to_owned(), format!("{}{gap}{}{around}", p.key_end, p.value)]
            }
        };
        let marker = if open.is_empty() { self.unit[0] } else { open };
        let base = Spelling::tags([marker, close], self.unit[1], self.parameter, [key(true), key(false)], [around, line]);
        match self.style {
            // Each call has a wrapper of its own.
            TagStyle::Equals => Spelling {
                unit: format!("{open}{line}{unit}"),
                named: format!(">{line}"),
                call_end: format!("{call_end}{line}{close}"),
                separator: line.to_owned(),
                ..base
            },
            TagStyle::Attributes(_) | TagStyle::Pairs(_) => {
                let wrapped = !open.is_empty();
                let end = if wrapped { line } else { "" };
                let (unit, named) = match self.style {
                    TagStyle::Attributes(a) => (format!("{unit}{}=\"", a.name), format!("\"{}{line}", a.end)),
                    TagStyle::Pairs(p) => (unit, format!("{}{line}", p.separator)),
                    TagStyle::Equals => (unit, String::new()),
                };
                Spelling {
                    first: format!("{open}{end}"),
                    unit,
                    named,
                    call_end: format!("{call_end}{end}"),
                    separator: if wrapped { String::new() } else { line.to_owned() },
                    last: close.to_owned(),
                    ..base
                }
            }
        }
    }
}
