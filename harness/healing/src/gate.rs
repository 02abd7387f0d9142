//! Whether a reply may be healed at all, and which calls (U3, U10, U11). A request is read leniently: what is malformed is left out.

use std::collections::HashSet;

use serde_json::Value;
use streakstone_model::{Block, Caps, Delivery, Parallel, Policies, ReadOptions, Tool};
use streakstone_parsers::ToolSet;
use streakstone_surfaces::{Request, Surface};

use crate::text::HOLD;

/// The switches of the server, apart from the request (U3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    /// False turns healing off, whatever a request says.
    pub healing: bool,
    /// True turns the nudge on for requests that do not say.
    pub nudge: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self { healing: true, nudge: false }
    }
}

impl Switches {
    /// The variable that turns healing off.
    pub const DISABLE: &'static str = "STREAKSTONE_DISABLE_HEALING";
    /// The variable that turns the nudge on.
    pub const NUDGE: &'static str = "STREAKSTONE_NUDGE";

    /// The switches of an environment, which the caller looks up. `1`, `true`, `yes` and `on` in any case set one.
    #[must_use]
    pub fn read(lookup: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name| {
            let value = lookup(name).unwrap_or_default();
            ["1", "true", "yes", "on"].iter().any(|word| value.trim().eq_ignore_ascii_case(word))
        };
        Self { healing: !set(Self::DISABLE), nudge: set(Self::NUDGE) }
    }
}

/// Why nothing of a reply is healed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Off {
    /// The server's switch.
    Disabled,
    /// The request is no JSON object.
    NotARequest,
    /// The request says `auto_heal_tool_calls: false`.
    OptedOut,
    /// The tool choice is `none`.
    ChoiceIsNone,
    /// The request declares no well-formed tool.
    NoTools,
    /// The tool choice names only tools that are not declared.
    ChoiceNotDeclared,
}

impl Off {
    /// A stable word for logs and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::NotARequest => "not-a-request",
            Self::OptedOut => "opted-out",
            Self::ChoiceIsNone => "choice-none",
            Self::NoTools => "no-tools",
            Self::ChoiceNotDeclared => "choice-not-declared",
        }
    }
}

/// What the gate says of a request.
#[derive(Debug, Clone)]
pub enum Gate {
    /// The reply passes as it is.
    Off(Off),
    /// Calls of these tools are promoted.
    On(Box<Promotable>),
}

/// What may be promoted, and how a text is read. One a request; every healer of its reply borrows it.
#[derive(Debug, Clone)]
pub struct Promotable {
    names: Vec<String>,
    set: ToolSet,
    options: ReadOptions,
    parallel: Parallel,
    nudge: bool,
    history: HashSet<String>,
}

impl Promotable {
    /// All of `tools`, several calls, no nudge, no earlier calls.
    #[must_use]
    pub fn new(tools: &[Tool]) -> Self {
        let mut names: Vec<String> = tools.iter().map(|tool| tool.name.clone()).collect();
        names.sort();
        names.dedup();
        let options = ReadOptions { caps: Caps { hold: HOLD, ..Caps::default() }, ..ReadOptions::default() };
        Self { names, set: ToolSet::new(Some(tools)), options, parallel: Parallel::All, nudge: false, history: HashSet::new() }
    }

    /// The same under other policies. Two are fixed: delivery is validated, since a call goes out whole (U56), and refused units do not
    /// refuse their block, since a block would be held without a bound. `parallel=first` is taken as the request's word.
    #[must_use]
    pub fn with_policies(mut self, policies: Policies) -> Self {
        if policies.parallel == Parallel::First {
            self.parallel = Parallel::First;
        }
        // One budget for all texts of a reply is kept by the healer, not by a reading.
        self.options.policies = Policies { delivery: Delivery::Validated, block: Block::PerCall, parallel: Parallel::All, ..policies };
        self
    }

    /// The same for a prompt that already opened the reasoning span.
    #[must_use]
    pub const fn with_open_reasoning(mut self) -> Self {
        self.options.reasoning_open = true;
        self
    }

    /// The names that are promoted, sorted.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// One call or all.
    #[must_use]
    pub const fn parallel(&self) -> Parallel {
        self.parallel
    }

    /// True if a whole reply may be asked for again.
    #[must_use]
    pub const fn nudges(&self) -> bool {
        self.nudge
    }

    /// Ids of the conversation's earlier calls, which no new call gets.
    #[must_use]
    pub const fn history(&self) -> &HashSet<String> {
        &self.history
    }

    pub(crate) const fn set(&self) -> &ToolSet {
        &self.set
    }

    pub(crate) const fn options(&self) -> &ReadOptions {
        &self.options
    }
}

/// Whether the reply to `request` may be healed.
#[must_use]
pub fn gate(surface: Surface, request: &Value, switches: Switches) -> Gate {
    if !switches.healing {
        return Gate::Off(Off::Disabled);
    }
    if !request.is_object() {
        return Gate::Off(Off::NotARequest);
    }
    if request["auto_heal_tool_calls"] == Value::Bool(false) {
        return Gate::Off(Off::OptedOut);
    }
    let choice = &request["tool_choice"];
    if choice == "none" || choice["type"] == "none" {
        return Gate::Off(Off::ChoiceIsNone);
    }
    let listed = request["tools"].as_array().into_iter().flatten();
    let mut tools: Vec<Tool> = listed.filter_map(|tool| declared(surface, tool)).collect();
    if tools.is_empty() {
        return Gate::Off(Off::NoTools);
    }
    if let Some(chosen) = chosen(choice) {
        tools.retain(|tool| chosen.contains(&tool.name.as_str()));
        if tools.is_empty() {
            return Gate::Off(Off::ChoiceNotDeclared);
        }
    }
    let read = Request::read(surface, request);
    let nudge = request["nudge_tool_calls"].as_bool().unwrap_or(switches.nudge);
    let parallel = if read.parallel { Parallel::All } else { Parallel::First };
    Gate::On(Box::new(Promotable { parallel, nudge, history: read.history, ..Promotable::new(&tools) }))
}

/// The function that an entry of `tools` declares, if it is a well-formed one. Tools that the server itself runs are none.
fn declared(surface: Surface, entry: &Value) -> Option<Tool> {
    let kind = entry.get("type").map(|kind| kind.as_str().unwrap_or_default());
    let (function, parameters) = match surface {
        Surface::Chat => (entry.get("function")?, "parameters"),
        Surface::Responses => (entry, "parameters"),
        Surface::Anthropic => (entry, "input_schema"),
    };
    let own = match surface {
        Surface::Chat | Surface::Responses => kind.is_none_or(|kind| kind == "function"),
        Surface::Anthropic => kind.is_none_or(|kind| kind == "custom"),
    };
    let name = function.get("name")?.as_str()?;
    if !own || name.is_empty() {
        return None;
    }
    let schema = function.get(parameters).filter(|schema| schema.is_object() || schema.is_boolean());
    Some(Tool { name: name.to_owned(), parameters: schema.cloned().unwrap_or(Value::Null) })
}

/// The names that a tool choice is narrowed to; `None` if it narrows nothing. A shape that is not known narrows nothing (U11).
fn chosen(choice: &Value) -> Option<Vec<&str>> {
    if let Some(name) = name_in(choice) {
        return Some(vec![name]);
    }
    let allowed = choice["allowed_tools"]["tools"].as_array().or_else(|| choice["tools"].as_array())?;
    (choice["type"] == "allowed_tools").then(|| allowed.iter().filter_map(name_in).collect())
}

/// The name that a choice gives, in the words of any surface.
fn name_in(value: &Value) -> Option<&str> {
    value["function"]["name"].as_str().or_else(|| value["name"].as_str())
}
