//! The tree of a call's elements, and the JSON that it means. Text stays in the window: the call is held there anyway, in case it fails.

use std::borrow::Cow;
use std::collections::HashMap;

use streakstone_model::{Coercion, Duplicate, ElementStyle};

use crate::coerce::{Kind, Wire, coerce, stays_text};
use crate::text::{make_room, push_compact, push_long_string, push_string};
use crate::window::Window;

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
    /// Where its own text stands in the window, piece by piece between its children.
    text: Vec<(usize, usize)>,
    children: Vec<usize>,
}

impl Node {
    const fn new(name: String, says: Says) -> Self {
        Self { name, says, text: Vec::new(), children: Vec::new() }
    }
}

/// Elements, the call itself first, and those that are open.
#[derive(Debug)]
pub(super) struct Tree {
    style: ElementStyle,
    nodes: Vec<Node>,
    open: Vec<usize>,
    /// What a repair adds to the JSON of the element opened last.
    closers: String,
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
        Self { style, nodes: vec![Node::new(String::new(), Says::Dict)], open: vec![0], closers: String::new() }
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

    /// JSON at `from..to` in place of the elements of the innermost open element.
    pub fn written(&mut self, from: usize, to: usize) {
        let current = self.current();
        self.nodes[current].says = Says::Written;
        self.text(from, to);
    }

    /// The same where the JSON lacks `closers` only.
    pub fn repaired(&mut self, from: usize, to: usize, closers: String) {
        self.written(from, to);
        self.closers = closers;
    }

    pub fn open(&mut self, name: String, says: Says) {
        let (parent, node) = (self.current(), self.nodes.len());
        self.nodes.push(Node::new(name, says));
        self.nodes[parent].children.push(node);
        self.open.push(node);
    }

    /// More text of the innermost open element.
    pub fn text(&mut self, from: usize, to: usize) {
        let current = self.current();
        let pieces = &mut self.nodes[current].text;
        match pieces.last_mut() {
            Some(last) if last.1 == from => last.1 = to,
            _ if from == to => {}
            _ => pieces.push((from, to)),
        }
    }

    /// The text of `node`.
    fn text_of<'w>(&self, window: &'w Window, node: usize) -> Cow<'w, str> {
        match self.nodes[node].text.as_slice() {
            [] => Cow::Borrowed(""),
            &[(from, to)] if node + 1 < self.nodes.len() || self.closers.is_empty() => Cow::Borrowed(window.slice(from, to)),
            pieces => {
                let mut text: String = pieces.iter().map(|&(from, to)| window.slice(from, to)).collect();
                if node + 1 == self.nodes.len() {
                    text.push_str(&self.closers);
                }
                Cow::Owned(text)
            }
        }
    }

    pub fn close(&mut self) {
        self.open.pop();
    }

    /// Closes what is open, if all of it holds closed elements and nothing else.
    pub fn close_all(&mut self, window: &Window) -> bool {
        let holds = |&place: &usize| {
            let node = &self.nodes[place];
            node.says == Says::Written || (!node.children.is_empty() && self.text_of(window, place).trim().is_empty())
        };
        let closable = self.open[1..].iter().all(holds);
        if closable {
            self.open.truncate(1);
        }
        closable
    }

    /// The arguments. `kind` is what the tool declares of a parameter.
    pub fn json<'k>(&self, window: &Window, kind: impl Fn(&str) -> Option<&'k Kind>, typing: Typing) -> String {
        let mut writer = Writer { tree: self, window, typing, out: String::new() };
        writer.members(0, &|name| kind(name).unwrap_or(&Kind::Any));
        writer.out
    }
}

/// Writes the JSON of a tree.
struct Writer<'t> {
    tree: &'t Tree,
    window: &'t Window,
    typing: Typing,
    out: String,
}

impl Writer<'_> {
    /// The children of `node` as an object, with the text beside them. A name that comes again makes a list.
    fn members<'k>(&mut self, node: usize, kind: &dyn Fn(&str) -> &'k Kind) {
        let tree = self.tree;
        let (style, text) = (tree.style, tree.text_of(self.window, node));
        // By name, in the order of first places.
        let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for &child in &tree.nodes[node].children {
            let name = tree.nodes[child].name.as_str();
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
        let text = text.trim();
        self.out.push('{');
        if let (ElementStyle::Named { text: key, .. }, false) = (style, text.is_empty()) {
            push_string(&mut self.out, key);
            self.out.push(':');
            push_string(&mut self.out, text);
        }
        for (name, children) in groups {
            if !self.out.ends_with('{') {
                self.out.push(',');
            }
            push_string(&mut self.out, name);
            self.out.push(':');
            let kind = kind(name);
            match children.as_slice() {
                [child] => self.value(*child, kind),
                // Typed elements write their lists as such; there a name that comes again is a repeated one.
                [first, .., last] if tree.style == ElementStyle::Typed => {
                    let child = if self.typing.duplicate == Duplicate::First { first } else { last };
                    self.value(*child, kind);
                }
                children => self.list(children, kind.items().unwrap_or(kind)),
            }
        }
        self.out.push('}');
    }

    fn list(&mut self, children: &[usize], kind: &Kind) {
        self.out.push('[');
        for (place, &child) in children.iter().enumerate() {
            if place > 0 {
                self.out.push(',');
            }
            self.value(child, kind);
        }
        self.out.push(']');
    }

    fn value(&mut self, node: usize, kind: &Kind) {
        let (tree, typing) = (self.tree, self.typing);
        let (inner, text) = (&tree.nodes[node], tree.text_of(self.window, node));
        let items = || kind.items().unwrap_or(&Kind::Any);
        match (inner.says, tree.style) {
            (Says::Text, _) => push_long_string(&mut self.out, &text),
            (Says::Json | Says::Written, _) => {
                if !push_compact(&mut self.out, &text, typing.depth) {
                    push_long_string(&mut self.out, &text);
                }
            }
            (Says::List, _) => self.list(&inner.children, items()),
            (Says::Dict, _) => self.members(node, &|name| kind.property(name)),
            (Says::Nothing, ElementStyle::Named { item, .. }) if !inner.children.is_empty() => {
                let all_items = inner.children.iter().all(|&child| tree.nodes[child].name == item);
                if all_items && text.trim().is_empty() && !kind.declares(item) {
                    self.list(&inner.children, items());
                } else {
                    self.members(node, &|name| kind.property(name));
                }
            }
            (Says::Nothing, _) if !inner.children.is_empty() => self.members(node, &|name| kind.property(name)),
            // The template writes an empty list or object as an empty element.
            (Says::Nothing, _) if text.trim().is_empty() && kind.is_list() => self.out.push_str("[]"),
            (Says::Nothing, _) if text.trim().is_empty() && kind.is_object() => self.out.push_str("{}"),
            (Says::Nothing, _) if stays_text(kind, typing.profile) => push_long_string(&mut self.out, &text),
            (Says::Nothing, _) => {
                let json = coerce(&text, kind, typing.profile, Wire::Invoke, typing.depth);
                make_room(&mut self.out, json.len());
                self.out.push_str(&json);
            }
        }
    }
}
