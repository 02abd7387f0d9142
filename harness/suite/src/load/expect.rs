//! What a case expects.

use streakstone_model::json::Json;
use streakstone_model::{Finish, Policies};

use crate::case::{Expect, ExpectCall};
use crate::corpus::Strictness;
use crate::load::node::{Fields, Node, Place, Value};
use crate::load::report::FileReport;

/// Keys of an expectation.
const KEYS: &[&str] = &["content", "reasoning", "calls", "finish"];
/// Keys of an entry of `one_of`.
const OUTCOME_KEYS: &[&str] = &["content", "reasoning", "calls", "finish", "reason"];
/// Keys of an expected call.
const CALL_KEYS: &[&str] = &["name", "arguments", "arguments_json", "id"];

const FINISH: &[(&str, Finish)] = &[("stop", Finish::Stop), ("tool_calls", Finish::ToolCalls), ("length", Finish::Length)];

/// Everything a case expects.
#[derive(Default)]
pub(crate) struct Expectations {
    pub expect: Expect,
    pub under: Vec<(String, Policies, Expect)>,
    pub one_of: Vec<(Expect, String)>,
}

/// Reads `expect`, `one_of` and `under`. If both `expect` and `one_of` are given and differ, `expect` is the default and becomes the
/// first of the outcomes; so `expect` always equals the first outcome where there are several, and each outcome stands alone: a
/// reply need not meet `expect` and another outcome.
pub(crate) fn read(fields: &Fields<'_>, strictness: Strictness, report: &mut FileReport<'_>) -> Expectations {
    let mut found = Expectations::default();
    let own = strictness == Strictness::Own;
    let given = fields.get("expect").and_then(|node| Fields::of(node, "expect", KEYS, report)).map(|f| expect(&f, "expect", own, report));
    for node in fields.list("one_of", report).into_iter().flatten() {
        let Some(entry) = Fields::of(node, "one_of", OUTCOME_KEYS, report) else { continue };
        let expect = expect(&entry, "each entry of one_of", own, report);
        let reason = entry.string("reason", report).map(str::trim).unwrap_or_default();
        if reason.is_empty() {
            report.at(node.place, "an entry of `one_of` needs a `reason`: say who reads it so, and why that is legitimate");
        }
        found.one_of.push((expect, reason.to_owned()));
    }
    if let Some(node) = fields.get("one_of")
        && found.one_of.is_empty()
    {
        report.at(node.place, "`one_of` is empty; list the outcomes, the default first");
    }
    match given {
        Some(expect) => {
            if found.one_of.first().is_some_and(|(first, _)| *first != expect) {
                found.one_of.insert(0, (expect.clone(), "The default.".to_owned()));
            }
            found.expect = expect;
        }
        None => match found.one_of.first() {
            Some((first, _)) => found.expect = first.clone(),
            None if own && fields.get("expect").is_none() => {
                report.at(fields.place, "the case expects nothing; give `expect` with content, calls and finish, or `one_of`");
            }
            None => {}
        },
    }
    found.under = under(fields, report);
    found
}

/// The expectations under policies.
fn under(fields: &Fields<'_>, report: &mut FileReport<'_>) -> Vec<(String, Policies, Expect)> {
    let Some(node) = fields.get("under") else { return Vec::new() };
    let Value::Map(members) = &node.value else {
        report.at(node.place, format!("`under` must map `policy=value` to an expectation, not be {}", node.value.kind()));
        return Vec::new();
    };
    let mut all: Vec<(String, Policies, Expect)> = Vec::new();
    for (key, node) in members {
        let mut policies = Policies::default();
        match policies.set_pairs(&key.text) {
            Err(error) => report.at(key.place, format!("{error}; write `policy=value` or `p=v,q=w`")),
            Ok(()) if policies == Policies::default() => {
                report.at(key.place, format!("`{}` is the default; say it in `expect`", key.text));
            }
            Ok(()) => {
                if let Some((other, ..)) = all.iter().find(|(_, p, _)| *p == policies) {
                    report.at(key.place, format!("`{}` means the same as `{other}`; keep one", key.text));
                }
            }
        }
        if let Some(entry) = Fields::of(node, "an expectation of under", KEYS, report) {
            let expect = expect(&entry, "under", false, report);
            if expect == Expect::default() {
                report.at(node.place, "an expectation of `under` expects nothing; give at least one key");
            }
            all.push((key.text.clone(), policies, expect));
        }
    }
    all
}

fn expect(fields: &Fields<'_>, what: &str, complete: bool, report: &mut FileReport<'_>) -> Expect {
    if complete {
        let missing: Vec<&str> = ["content", "calls", "finish"].into_iter().filter(|key| fields.raw(key).is_none()).collect();
        if !missing.is_empty() {
            report.at(fields.place, format!("{what} must give content, calls and finish; {} is missing", missing.join(", ")));
        }
    }
    // null equals "" and no calls; an absent key is not compared.
    let mut text = |key: &'static str| fields.raw(key).map(|_| fields.string(key, report).unwrap_or_default().to_owned());
    let (content, reasoning) = (text("content"), text("reasoning"));
    let calls =
        fields.raw("calls").map(|_| fields.list("calls", report).into_iter().flatten().filter_map(|node| call(node, report)).collect());
    let finish = fields.raw("finish").and_then(|node| {
        let found = FINISH.iter().find(|(word, _)| node.string() == Some(*word)).map(|(_, finish)| *finish);
        if found.is_none() {
            report.at(node.place, "`finish` must be stop, tool_calls or length");
        }
        found
    });
    Expect { content, reasoning, calls, finish }
}

fn call(node: &Node, report: &mut FileReport<'_>) -> Option<ExpectCall> {
    let fields = Fields::of(node, "an expected call", CALL_KEYS, report)?;
    let name = fields.string("name", report);
    if fields.get("name").is_none() {
        report.at(node.place, "an expected call needs a `name`");
    }
    let id = fields.string("id", report).map(str::to_owned);
    let arguments = arguments(&fields, node.place, report)?;
    Some(ExpectCall { name: name?.to_owned(), arguments, id })
}

fn arguments(fields: &Fields<'_>, place: Place, report: &mut FileReport<'_>) -> Option<String> {
    match (fields.raw("arguments"), fields.raw("arguments_json")) {
        (Some(node), None) => {
            if !matches!(node.value, Value::Map(_)) {
                report.at(
                    node.place,
                    format!("`arguments` must be a mapping, not {}; write JSON text as `arguments_json: '...'`", node.value.kind()),
                );
                return None;
            }
            node.json().map_err(|(place, message)| report.at(place, message)).ok()
        }
        (None, Some(node)) => {
            let text = fields.string("arguments_json", report)?;
            match Json::parse(text) {
                Ok(value) if value.is_object() => Some(text.to_owned()),
                Ok(_) => {
                    report.at(node.place, "`arguments_json` must be a JSON object");
                    None
                }
                Err(error) => {
                    report.at(node.place, format!("`arguments_json` is no strict JSON: {error} of the text"));
                    None
                }
            }
        }
        (None, None) => {
            report.at(place, "an expected call needs `arguments` (a mapping; `{}` if empty) or `arguments_json`");
            None
        }
        (Some(_), Some(node)) => {
            report.at(node.place, "an expected call has both `arguments` and `arguments_json`; keep one");
            None
        }
    }
}
