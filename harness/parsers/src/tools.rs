//! The declared tools, compiled once a request: names, parameter order, schemas.

use std::collections::HashMap;

use streakstone_model::{Names, ReadOptions, Tool, ToolChoice, Undeclared};

use crate::coerce::Kind;

/// So many names are searched one by one.
const FEW: usize = 8;

/// The declared tools of a request, ready for reading. Compile once, use for every parser of the request.
#[derive(Debug, Clone, Default)]
pub struct ToolSet {
    /// False if the request has no `tools` key: then every well-formed name is admissible.
    declared: bool,
    tools: Vec<Compiled>,
    by_name: HashMap<String, usize>,
}

/// One tool, compiled.
#[derive(Debug, Clone)]
pub(crate) struct Compiled {
    pub name: String,
    /// Property names in declared order.
    pub order: Vec<String>,
    /// Their types, in the same order.
    kinds: Vec<Kind>,
    /// The places of the properties, if they are many.
    places: HashMap<String, usize>,
    /// The names under `required`.
    required: Vec<String>,
}

impl Compiled {
    /// The only required parameter, if it is a string.
    pub fn only_required_string(&self) -> Option<&str> {
        match self.required.as_slice() {
            [name] if *self.kind(name) == Kind::String => Some(name),
            _ => None,
        }
    }

    /// The declared type of a parameter.
    pub fn kind(&self, parameter: &str) -> &Kind {
        let place = if self.order.len() <= FEW {
            self.order.iter().position(|name| name == parameter)
        } else {
            self.places.get(parameter).copied()
        };
        place.map_or(&Kind::Any, |place| &self.kinds[place])
    }
}

/// The name that a call goes out under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Name {
    /// That of the declared tool at this place.
    Tool(usize),
    /// The model's own: no tools are declared, or undeclared ones are forwarded.
    Written(String),
}

/// What becomes of a unit with this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Admission {
    /// A call.
    Call(Name),
    /// Text.
    Text,
    /// Left out: `undeclared=drop`.
    Drop,
}

/// Names are 1 to `cap` bytes without white space, control characters and the punctuation of the grammars.
fn well_formed(name: &str, cap: usize) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-.:/".contains(&b);
    let odd = |c: char| c.is_whitespace() || c.is_control() || "<>\"'(){}[]".contains(c);
    (1..=cap).contains(&name.len()) && (name.bytes().all(plain) || !name.chars().any(odd))
}

/// The strings of a JSON list.
fn names(list: &serde_json::Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

impl ToolSet {
    /// Compiles `tools`; `None` = the request has no `tools` key. If two tools share a name the first counts.
    #[must_use]
    pub fn new(tools: Option<&[Tool]>) -> Self {
        let mut set = Self { declared: tools.is_some(), ..Self::default() };
        for tool in tools.unwrap_or_default() {
            let place = set.tools.len();
            set.by_name.entry(tool.name.clone()).or_insert(place);
            let properties = || tool.properties().into_iter().flatten();
            let order: Vec<String> = properties().map(|(name, _)| name.clone()).collect();
            let many = order.iter().enumerate().filter(|_| order.len() > FEW);
            set.tools.push(Compiled {
                name: tool.name.clone(),
                places: many.map(|(place, name)| (name.clone(), place)).collect(),
                order,
                kinds: properties().map(|(_, schema)| Kind::of(schema, &tool.parameters)).collect(),
                required: names(&tool.parameters["required"]),
            });
        }
        set
    }

    /// The compiled tool at `place`.
    pub(crate) fn tool(&self, place: usize) -> &Compiled {
        &self.tools[place]
    }

    /// A name as it is sent.
    pub(crate) fn name<'a>(&'a self, name: &'a Name) -> &'a str {
        match name {
            Name::Tool(place) => &self.tools[*place].name,
            Name::Written(name) => name,
        }
    }

    /// True if some name could be admitted.
    pub(crate) fn admits_any(&self, options: &ReadOptions) -> bool {
        match &options.tool_choice {
            ToolChoice::None => false,
            ToolChoice::Function(name) => !self.declared || self.by_name.contains_key(name),
            ToolChoice::Auto | ToolChoice::Required => {
                // `tools: []` admits nothing, whatever is said of undeclared names (semantics 4).
                !self.declared || !self.tools.is_empty()
            }
        }
    }

    /// The tool of this name. A few are searched one by one, which is cheaper than a hash.
    fn place(&self, name: &str) -> Option<usize> {
        if self.tools.len() <= FEW {
            return self.tools.iter().position(|tool| tool.name == name);
        }
        self.by_name.get(name).copied()
    }

    /// The declared tool that `written` names under the policy.
    fn resolve(&self, written: &str, names: Names) -> Option<usize> {
        if let Some(place) = self.place(written) {
            return Some(place);
        }
        let tail = written.split_once(['.', ':']).map(|(_, tail)| tail);
        match names {
            Names::Exact => None,
            Names::Namespaced => tail.and_then(|tail| self.place(tail)),
            Names::Folded => tail.and_then(|tail| self.place(tail)).or_else(|| {
                let folded = |name: &str| self.tools.iter().position(|t| t.name.eq_ignore_ascii_case(name));
                folded(written).or_else(|| tail.and_then(folded))
            }),
        }
    }

    /// True if `written` names a declared tool under the policy.
    pub(crate) fn declares(&self, written: &str, options: &ReadOptions) -> bool {
        self.resolve(written, options.policies.names).is_some()
    }

    /// What becomes of a unit that the model named `written` (semantics 4).
    pub(crate) fn admit(&self, written: &str, options: &ReadOptions) -> Admission {
        let tool = self.resolve(written, options.policies.names);
        let name = tool.map_or(written, |place| self.tools[place].name.as_str());
        // A message is read as a unit even where nothing can be a call: its body is one piece in any case.
        let chosen = self.admits_any(options)
            && match &options.tool_choice {
                ToolChoice::None => false,
                ToolChoice::Function(only) => only == name,
                ToolChoice::Auto | ToolChoice::Required => true,
            };
        if !chosen {
            return Admission::Text;
        }
        if let Some(place) = tool {
            return Admission::Call(Name::Tool(place));
        }
        if !well_formed(written, options.caps.name) {
            return Admission::Text;
        }
        if !self.declared {
            return Admission::Call(Name::Written(written.to_owned()));
        }
        match options.policies.undeclared {
            Undeclared::Text => Admission::Text,
            Undeclared::Forward => Admission::Call(Name::Written(written.to_owned())),
            Undeclared::Drop => Admission::Drop,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> ToolSet {
        let tools: Vec<Tool> = names.iter().map(|n| Tool { name: (*n).to_owned(), parameters: serde_json::Value::Null }).collect();
        ToolSet::new(Some(&tools))
    }

    fn tool(place: usize) -> Admission {
        Admission::Call(Name::Tool(place))
    }

    #[test]
    fn a_namespace_is_cut_at_the_first_dot_or_colon_only() {
        let set = set(&["f", "b.c"]);
        let options = ReadOptions::default();
        assert_eq!(set.admit("functions.f", &options), tool(0));
        assert_eq!(set.admit("ns:f", &options), tool(0));
        assert_eq!(set.admit("a.b.c", &options), tool(1));
        assert_eq!(set.admit("x.y.f", &options), Admission::Text);
        assert_eq!(set.admit("F", &options), Admission::Text);
    }

    #[test]
    fn a_named_choice_is_not_overridden_by_forward() {
        let set = set(&["f", "g"]);
        let mut options = ReadOptions { tool_choice: ToolChoice::Function("f".to_owned()), ..ReadOptions::default() };
        options.policies.undeclared = Undeclared::Forward;
        assert_eq!(set.admit("g", &options), Admission::Text);
        assert_eq!(set.admit("zz", &options), Admission::Text);
        assert_eq!(set.admit("f", &options), tool(0));
    }

    #[test]
    fn without_a_tools_key_every_well_formed_name_counts() {
        let set = ToolSet::new(None);
        let options = ReadOptions::default();
        assert_eq!(set.admit("anything", &options), Admission::Call(Name::Written("anything".to_owned())));
        assert_eq!(set.admit("a b", &options), Admission::Text);
        assert_eq!(set.admit("", &options), Admission::Text);
        assert_eq!(set.admit(&"n".repeat(257), &options), Admission::Text);
    }
}
