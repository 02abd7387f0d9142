//! Case files.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use streakstone_model::{End, Tool, ToolChoice, lookup, nearest};

use crate::case::{Case, Source};
use crate::corpus::Strictness;
use crate::load::node::{Fields, Node, Value};
use crate::load::raw::RawFiles;
use crate::load::report::FileReport;
use crate::load::{expect, raw, tools};

/// Keys of a case file.
const FILE_KEYS: &[&str] = &["dialect", "cases"];
/// Keys of a case.
const CASE_KEYS: &[&str] = &[
    "id",
    "why",
    "tags",
    "source",
    "tools",
    "request",
    "prompt",
    "end",
    "raw",
    "raw_base64",
    "raw_file",
    "pieces",
    "generate",
    "expect",
    "chunks",
    "under",
    "one_of",
    "soft",
];
/// Keys of a recording's receipt.
const RECORDED_KEYS: &[&str] = &["model", "revision", "engine", "sampling", "template_sha256"];
/// What an id must not hold: it is a file's name, a pattern's target and a word of messages.
const NOT_IN_IDS: &[char] = &['/', '\\', ':', '*', '?', '[', ']', '{', '}', '"', '\'', '<', '>', '|', '#', ',', '`', '!'];

/// What a case file is read against.
pub(crate) struct Context<'a> {
    pub strictness: Strictness,
    /// The closed list of tags; without one, any tag will do.
    pub taxonomy: Option<&'a BTreeMap<String, String>>,
    /// Toolsets; `None` for one that was refused, so that its users are not blamed.
    pub toolsets: &'a BTreeMap<String, Option<Arc<Vec<Tool>>>>,
}

/// The cases of a file. `prefix` is `folder/topic`; `shown` is the file as cases name it.
pub(crate) fn read(
    tree: &Node,
    prefix: &str,
    shown: &Path,
    context: &Context<'_>,
    files: &mut RawFiles<'_>,
    report: &mut FileReport<'_>,
) -> Vec<Case> {
    if tree.is_null() {
        report.at((1, 1), "the file is empty; a case file has `dialect` and `cases`");
        return Vec::new();
    }
    let Some(fields) = Fields::of(tree, "a case file", FILE_KEYS, report) else { return Vec::new() };
    let dialect = fields.string("dialect", report).filter(|word| !word.trim().is_empty());
    if dialect.is_none() && fields.get("dialect").is_none_or(|n| n.string().is_some()) {
        report.at(fields.place, "a case file needs `dialect`, such as `dialect: hermes`");
    }
    let items = fields.list("cases", report);
    if items.is_some_and(<[_]>::is_empty) || fields.get("cases").is_none() {
        report.at(fields.place, "a case file needs `cases`, a list of at least one case");
    }
    let mut ids: HashMap<String, usize> = HashMap::new();
    let mut cases = Vec::new();
    for node in items.into_iter().flatten() {
        let Some(case) = case(node, dialect.unwrap_or_default(), prefix, shown, context, files, report) else { continue };
        if let Some(line) = ids.insert(case.name.clone(), node.place.0) {
            let id = case.name.rsplit('/').next().unwrap_or_default();
            report.at(node.place, format!("duplicate id `{id}`, first on line {line}; ids are permanent, so rename the newer one"));
        } else {
            cases.push(case);
        }
    }
    cases
}

/// One case; `None` if it has no name or text, with the errors in the report. Other errors leave defaults: they are in the report,
/// and no case of a corpus with errors is used.
fn case(
    node: &Node,
    dialect_word: &str,
    prefix: &str,
    shown: &Path,
    context: &Context<'_>,
    files: &mut RawFiles<'_>,
    report: &mut FileReport<'_>,
) -> Option<Case> {
    let fields = Fields::of(node, "a case", CASE_KEYS, report)?;
    let own = context.strictness == Strictness::Own;
    let id = id(&fields, report);
    let why = fields.string("why", report).map(str::trim).unwrap_or_default();
    if own && why.is_empty() {
        report.at(node.place, "the case needs `why`: one sentence on what would go wrong");
    }
    let tags = tags(&fields, context, own, report);
    let source = source(&fields, own, report);
    let tools = tools(&fields, context, report);
    let (tool_choice, parallel_tool_calls) = request(&fields, report);
    let reasoning_open = prompt(&fields, report);
    let ends = [("stop", End::Stop), ("length", End::Length), ("stop_string", End::StopString)];
    let end = fields.word("end", &ends, End::Stop, report);
    let soft = fields.boolean("soft", false, report);
    let raw = raw::read(&fields, files, report);
    let chunks = raw::chunks(&fields, raw.as_ref().map(|r| r.bytes.as_slice()), report);
    let wanted = expect::read(&fields, context.strictness, report);
    let raw = raw?;
    Some(Case {
        name: format!("{prefix}/{}", id?),
        dialect_word: dialect_word.to_owned(),
        dialect: lookup(dialect_word),
        file: shown.to_owned(),
        line: node.place.0,
        why: why.to_owned(),
        tags,
        source,
        tools,
        tool_choice,
        parallel_tool_calls,
        reasoning_open,
        end,
        raw: raw.bytes,
        pieces: raw.pieces,
        chunks,
        soft,
        expect: wanted.expect,
        under: wanted.under,
        one_of: wanted.one_of,
        generate: raw.generate,
    })
}

/// True for a word that can be an id, a topic or a folder of a case's name.
pub(crate) fn is_name(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with(['.', '-'])
        && word.chars().all(|c| !c.is_whitespace() && !c.is_control() && !NOT_IN_IDS.contains(&c))
}

fn id<'n>(fields: &Fields<'n>, report: &mut FileReport<'_>) -> Option<&'n str> {
    let Some(node) = fields.get("id") else {
        report.at(fields.place, "the case needs an `id`, such as `id: escaped-quote`");
        return None;
    };
    let id = fields.string("id", report)?;
    if is_name(id) {
        return Some(id);
    }
    report.at(node.place, format!("`{id}` is no id; use letters, digits, `-`, `_` and `.`, such as `escaped-quote`"));
    None
}

fn tags(fields: &Fields<'_>, context: &Context<'_>, own: bool, report: &mut FileReport<'_>) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for node in fields.list("tags", report).into_iter().flatten() {
        let Some(tag) = node.string() else {
            report.at(node.place, format!("a tag must be a word, not {}", node.value.kind()));
            continue;
        };
        if tags.iter().any(|t| t == tag) {
            report.at(node.place, format!("tag `{tag}` stands twice; remove one"));
        }
        match context.taxonomy {
            Some(taxonomy) if !taxonomy.contains_key(tag) => {
                let hint = nearest(tag, taxonomy.keys().map(String::as_str));
                let hint = hint.map(|h| format!("did you mean `{h}`? ")).unwrap_or_default();
                report.at(node.place, format!("unknown tag `{tag}`; {hint}The tags are listed in taxonomy.yaml"));
            }
            _ => tags.push(tag.to_owned()),
        }
    }
    if own && fields.get("tags").is_none_or(|n| n.value == Value::List(Vec::new())) {
        report.at(fields.place, "the case needs at least one tag; the tags are listed in taxonomy.yaml");
    }
    tags
}

fn source(fields: &Fields<'_>, own: bool, report: &mut FileReport<'_>) -> Source {
    let Some(node) = fields.get("source") else {
        if own {
            report.at(
                fields.place,
                "the case needs a `source`: `composed`, a public report such as `vllm-project/vllm#12345`, or `{recorded: {...}}`",
            );
        }
        return Source::Unstated;
    };
    match &node.value {
        Value::String(text) if text == "composed" => Source::Composed,
        Value::String(text) if !text.trim().is_empty() => Source::Public(text.clone()),
        Value::Map(_) => recorded(node, report).unwrap_or(Source::Unstated),
        other => {
            let kind = other.kind();
            report.at(
                node.place,
                format!("`source` must be `composed`, a public report, or `{{recorded: {{...}}}}`, not {kind} or an empty string"),
            );
            Source::Unstated
        }
    }
}

fn recorded(node: &Node, report: &mut FileReport<'_>) -> Option<Source> {
    let outer = Fields::of(node, "source", &["recorded"], report)?;
    let Some(inner) = outer.get("recorded") else {
        report.at(node.place, "a `source` that is a mapping must have the key `recorded`");
        return None;
    };
    let receipt = Fields::of(inner, "recorded", RECORDED_KEYS, report)?;
    let mut text = |key: &'static str| match receipt.get(key) {
        // Sampling is often a mapping of settings, and revisions are often digits.
        Some(Node { value: Value::String(text) | Value::Number(text) | Value::OddNumber(text), .. }) => text.clone(),
        Some(node) if key == "sampling" => node.json().unwrap_or_default(),
        Some(node) => {
            report.at(node.place, format!("`{key}` must be a string, not {}", node.value.kind()));
            String::new()
        }
        None => {
            report.at(inner.place, format!("`recorded` needs `{key}`; its keys are {}", RECORDED_KEYS.join(", ")));
            String::new()
        }
    };
    Some(Source::Recorded {
        model: text("model"),
        revision: text("revision"),
        engine: text("engine"),
        sampling: text("sampling"),
        template_sha256: text("template_sha256"),
    })
}

fn tools(fields: &Fields<'_>, context: &Context<'_>, report: &mut FileReport<'_>) -> Option<Arc<Vec<Tool>>> {
    let node = fields.get("tools")?;
    let Some(name) = node.string() else { return tools::list(node, report) };
    if let Some(toolset) = context.toolsets.get(name) {
        return toolset.clone();
    }
    let hint = nearest(name, context.toolsets.keys().map(String::as_str));
    let hint = hint.map(|h| format!("did you mean `{h}`? ")).unwrap_or_default();
    report.at(node.place, format!("unknown tools `{name}`; {hint}Add toolsets/{name}.yaml, or list the tools in the case"));
    None
}

fn request(fields: &Fields<'_>, report: &mut FileReport<'_>) -> (ToolChoice, bool) {
    let request = fields.get("request").and_then(|node| Fields::of(node, "request", &["tool_choice", "parallel_tool_calls"], report));
    let Some(request) = request else { return (ToolChoice::Auto, true) };
    let parallel = request.boolean("parallel_tool_calls", true, report);
    let choice = match request.get("tool_choice") {
        None => ToolChoice::Auto,
        Some(node) => match &node.value {
            Value::String(word) => match word.as_str() {
                "auto" => ToolChoice::Auto,
                "none" => ToolChoice::None,
                "required" => ToolChoice::Required,
                other => {
                    report.at(node.place, format!("`tool_choice` must be auto, none, required or `{{function: name}}`, not `{other}`"));
                    ToolChoice::Auto
                }
            },
            _ => function(node, report).map_or(ToolChoice::Auto, ToolChoice::Function),
        },
    };
    (choice, parallel)
}

/// `{function: name}` or the API's `{type: function, function: {name: name}}`.
fn function(node: &Node, report: &mut FileReport<'_>) -> Option<String> {
    let fields = Fields::of(node, "tool_choice", &["type", "function"], report)?;
    if fields.string("type", report).is_some_and(|word| word != "function") {
        report.at(node.place, "the `type` of a tool_choice must be `function`");
    }
    let Some(inner) = fields.get("function") else {
        report.at(node.place, "`tool_choice` must name a function: `{function: name}`");
        return None;
    };
    let name = match inner.string() {
        Some(name) => Some(name),
        None => Fields::of(inner, "function", &["name"], report)?.string("name", report),
    };
    if name.is_none_or(str::is_empty) {
        report.at(inner.place, "the function of `tool_choice` needs a name");
    }
    name.map(str::to_owned)
}

fn prompt(fields: &Fields<'_>, report: &mut FileReport<'_>) -> bool {
    let prompt = fields.get("prompt").and_then(|node| Fields::of(node, "prompt", &["reasoning"], report));
    prompt.is_some_and(|p| p.word("reasoning", &[("closed", false), ("open", true)], false, report))
}
