//! The tree of a call's elements, and the JSON that it means.

use std::collections::HashMap;

use streakstone_model::{Coercion, Duplicate, ElementStyle};

use crate::coerce::{Kind, Wire, coerce, stays_text};
use crate::text::{compact, push_string, string};

/// What an element's tag says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// Nothing: the schema types it, or its children do.
    Nothing,
    Text,
    Json,
    Dict,
    List,
    /// One of these two, but JSON stands where its elements would.
    Written,
}

impl Says {
    /// By the word of the wire.
    pub fn of(word: Option<&str>) -> Self {
        match word {
            Some("raw" | "string") => Self::Text,
            Some("json") => Self::Json,
            Some("dict") => Self::Dict,
            Some("list") => Self::List,
            _ => Self::Nothing,
        }
    }
}

#[derive(Debug)]
struct Node {
    name: String,
    says: Says,
    text: String,
    children: Vec<usize>,
}

/// Elements, the call itself first, and those that are open.
#[derive(Debug)]
pub(super) struct Tree {
    style: ElementStyle,
    nodes: Vec<Node>,
    open: Vec<usize>,
}

/// By which rules values are typed.
#[derive(Clone, Copy)]
pub(super) struct Typing {
    pub profile: Coercion,
    pub duplicate: Duplicate,
    pub depth: usize,
}

impl Tree {
    pub fn new(style: ElementStyle) -> Self {
        let root = Node { name: String::new(), says: Says::Dict, text: String::new(), children: Vec::new() };
        Self { style, nodes: vec![root], open: vec![0] }
    }

    /// How many elements are open.
    pub fn depth(&self) -> usize {
        self.open.len() - 1
    }

    fn current(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    /// The name of the innermost open element.
    pub fn name(&self) -> &str {
        &self.nodes[self.current()].name
    }

    /// True if the wire says that the innermost open element holds elements only.
    pub fn is_container(&self) -> bool {
        matches!(self.nodes[self.current()].says, Says::Dict | Says::List | Says::Written)
    }

    /// True if it holds none: the wire says so, or JSON stands in their place.
    pub fn is_data(&self) -> bool {
        matches!(self.nodes[self.current()].says, Says::Text | Says::Json | Says::Written)
    }

    /// True if JSON that begins with `b` may stand where the wire says that the innermost open element holds elements: B35
    /// does not say which of the two the template writes.
    pub fn admits_json(&self, b: u8) -> bool {
        let node = &self.nodes[self.current()];
        let kind = matches!((node.says, b), (Says::Dict, b'{') | (Says::List, b'['));
        kind && self.depth() > 0 && node.children.is_empty()
    }

    /// JSON in place of the elements of the innermost open element.
    pub fn written(&mut self, json: &str) {
        let current = self.current();
        self.nodes[current].says = Says::Written;
        self.nodes[current].text.push_str(json);
    }

    pub fn open(&mut self, name: String, says: Says) {
        let (parent, node) = (self.current(), self.nodes.len());
        self.nodes.push(Node { name, says, text: String::new(), children: Vec::new() });
        self.nodes[parent].children.push(node);
        self.open.push(node);
    }

    /// More text of the innermost open element.
    pub fn text(&mut self, text: &str) {
        let current = self.current();
        self.nodes[current].text.push_str(text);
    }

    pub fn close(&mut self) {
        self.open.pop();
    }

    /// Closes what is open, if all of it holds closed elements and nothing else.
    pub fn close_all(&mut self) -> bool {
        let holds = |&node: &usize| {
            let node = &self.nodes[node];
            node.says == Says::Written || (!node.children.is_empty() && node.text.trim().is_empty())
        };
        let closable = self.open[1..].iter().all(holds);
        if closable {
            self.open.truncate(1);
        }
        closable
    }

    /// The arguments. `kind` is what the tool declares of a parameter.
    pub fn json<'k>(&self, kind: impl Fn(&str) -> Option<&'k Kind>, typing: Typing) -> String {
        // A buffer that grows would hold the text twice over.
        let mut out = String::with_capacity(self.nodes.iter().map(|node| node.text.len() + node.name.len() + 8).sum());
        self.members(&mut out, 0, &|name| kind(name).unwrap_or(&Kind::Any), typing);
        out
    }

    /// The children of `node` as an object, with the text beside them. A name that comes again makes a list.
    fn members<'k>(&self, out: &mut String, node: usize, kind: &dyn Fn(&str) -> &'k Kind, typing: Typing) {
        let node = &self.nodes[node];
        // By name, in the order of first places.
        let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for &child in &node.children {
            let name = self.nodes[child].name.as_str();
            // M21: a parameter without a name is skipped.
            if name.is_empty() {
                continue;
            }
            let place = *places.entry(name).or_insert(groups.len());
            if place == groups.len() {
                groups.push((name, Vec::new()));
            }
            groups[place].1.push(child);
        }
        let text = node.text.trim();
        out.push('{');
        if let (ElementStyle::Named { text: key, .. }, false) = (self.style, text.is_empty()) {
            push_string(out, key);
            out.push(':');
            push_string(out, text);
        }
        for (name, children) in groups {
            if !out.ends_with('{') {
                out.push(',');
            }
            push_string(out, name);
            out.push(':');
            let kind = kind(name);
            match children.as_slice() {
                [child] => self.value(out, *child, kind, typing),
                // Typed elements write their lists as such; there a name that comes again is a repeated one.
                [first, .., last] if self.style == ElementStyle::Typed => {
                    let child = if typing.duplicate == Duplicate::First { first } else { last };
                    self.value(out, *child, kind, typing);
                }
                children => self.list(out, children, kind.items().unwrap_or(kind), typing),
            }
        }
        out.push('}');
    }

    fn list(&self, out: &mut String, children: &[usize], kind: &Kind, typing: Typing) {
        out.push('[');
        for (place, &child) in children.iter().enumerate() {
            if place > 0 {
                out.push(',');
            }
            self.value(out, child, kind, typing);
        }
        out.push(']');
    }

    fn value(&self, out: &mut String, node: usize, kind: &Kind, typing: Typing) {
        let inner = &self.nodes[node];
        let items = || kind.items().unwrap_or(&Kind::Any);
        match (inner.says, self.style) {
            (Says::Text, _) => push_string(out, &inner.text),
            (Says::Json | Says::Written, _) => out.push_str(&compact(&inner.text, typing.depth).unwrap_or_else(|| string(&inner.text))),
            (Says::List, _) => self.list(out, &inner.children, items(), typing),
            (Says::Dict, _) => self.members(out, node, &|name| kind.property(name), typing),
            (Says::Nothing, ElementStyle::Named { item, .. }) if !inner.children.is_empty() => {
                let all_items = inner.children.iter().all(|&child| self.nodes[child].name == item);
                if all_items && inner.text.trim().is_empty() && !kind.declares(item) {
                    self.list(out, &inner.children, items(), typing);
                } else {
                    self.members(out, node, &|name| kind.property(name), typing);
                }
            }
            (Says::Nothing, _) if !inner.children.is_empty() => self.members(out, node, &|name| kind.property(name), typing),
            // The template writes an empty list or object as an empty element.
            (Says::Nothing, _) if inner.text.trim().is_empty() && kind.is_list() => out.push_str("[]"),
            (Says::Nothing, _) if inner.text.trim().is_empty() && kind.is_object() => out.push_str("{}"),
            (Says::Nothing, _) if stays_text(kind, typing.profile) => push_string(out, &inner.text),
            (Says::Nothing, _) => out.push_str(&coerce(&inner.text, kind, typing.profile, Wire::Invoke, typing.depth)),
        }
    }
}
