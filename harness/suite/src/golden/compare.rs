//! Compares a reply with a golden.

use streakstone_model::json::Json;
use streakstone_model::{CallOutcome, Delivery, Reply};

use crate::golden::{Golden, GoldenPart, GoldenReply, escape};

/// One place where a reply differs from its golden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The place, such as `parts[1].arguments`, `parts` or `finish`.
    pub at: String,
    /// What the golden has, escaped as in the file.
    pub golden: String,
    /// What the reply has, escaped as in the file.
    pub got: String,
}

impl Golden {
    /// All places where `reply`, read in `delivery`, differs from this golden. Arguments of complete calls compare as JSON
    /// values with exact numbers, of incomplete ones by bytes. Spans and minted ids are not compared.
    #[must_use]
    pub fn differences(&self, delivery: Delivery, reply: &Reply) -> Vec<Difference> {
        let want = match delivery {
            Delivery::Validated => &self.validated,
            Delivery::Eager => self.eager(),
        };
        want.differences(&GoldenReply::from(reply))
    }
}

impl GoldenReply {
    /// All places where `got` differs; see [`Golden::differences`].
    #[must_use]
    pub fn differences(&self, got: &Self) -> Vec<Difference> {
        let mut all = Vec::new();
        for place in 0..self.parts.len().max(got.parts.len()) {
            let at = format!("parts[{place}]");
            match (self.parts.get(place), got.parts.get(place)) {
                (Some(want), Some(got)) => parts(&at, want, got, &mut all),
                (want, got) => all.push(Difference { at, golden: shown(want), got: shown(got) }),
            }
        }
        if self.finish != got.finish {
            let word = |r: &Self| r.finish.as_str().to_owned();
            all.push(Difference { at: "finish".to_owned(), golden: word(self), got: word(got) });
        }
        all
    }
}

fn parts(at: &str, want: &GoldenPart, got: &GoldenPart, all: &mut Vec<Difference>) {
    use GoldenPart::{Call, Reasoning, Text};
    match (want, got) {
        (Text(a), Text(b)) | (Reasoning(a), Reasoning(b)) if a == b => {}
        (Call { name, id, arguments, outcome }, Call { name: got_name, id: got_id, arguments: got_arguments, outcome: got_outcome }) => {
            let mut note = |key: &str, same: bool, golden: String, got: String| {
                if !same {
                    all.push(Difference { at: format!("{at}.{key}"), golden, got });
                }
            };
            note("call", name == got_name, escape(name), escape(got_name));
            let id_text = |id: &Option<String>| id.as_deref().map_or_else(|| "null (minted)".to_owned(), escape);
            note("id", id == got_id, id_text(id), id_text(got_id));
            let complete = *outcome == CallOutcome::Complete && *got_outcome == CallOutcome::Complete;
            note("arguments", same_arguments(arguments, got_arguments, complete), escape(arguments), escape(got_arguments));
            note("outcome", outcome == got_outcome, outcome_word(*outcome), outcome_word(*got_outcome));
        }
        _ => all.push(Difference { at: at.to_owned(), golden: shown(Some(want)), got: shown(Some(got)) }),
    }
}

fn same_arguments(a: &str, b: &str, complete: bool) -> bool {
    a == b || (complete && matches!((Json::parse(a), Json::parse(b)), (Ok(a), Ok(b)) if a == b))
}

fn outcome_word(outcome: CallOutcome) -> String {
    match outcome {
        CallOutcome::Complete => "complete".to_owned(),
        CallOutcome::Incomplete { reason } => format!("incomplete ({})", super::read::incomplete_word(reason)),
    }
}

fn shown(part: Option<&GoldenPart>) -> String {
    match part {
        None => "nothing".to_owned(),
        Some(GoldenPart::Text(text)) => format!("text \"{}\"", escape(text)),
        Some(GoldenPart::Reasoning(text)) => format!("reasoning \"{}\"", escape(text)),
        Some(GoldenPart::Call { name, arguments, .. }) => format!("call {} {}", escape(name), escape(arguments)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use streakstone_model::{Call, CallId, Finish, Incomplete, Part};

    fn reply(parts: Vec<Part>, finish: Finish) -> Reply {
        Reply { parts, finish, spans: Vec::new() }
    }

    fn call(arguments: &str, minted: bool, outcome: CallOutcome) -> Part {
        let id = CallId { value: "id1".to_owned(), minted };
        Part::Call(Call { name: "f".to_owned(), id, arguments: arguments.to_owned(), outcome })
    }

    fn compare(golden: Vec<Part>, got: Vec<Part>) -> Vec<String> {
        let golden = GoldenReply::from(&reply(golden, Finish::Stop));
        golden.differences(&GoldenReply::from(&reply(got, Finish::Stop))).into_iter().map(|d| d.at).collect()
    }

    #[test]
    fn complete_arguments_compare_as_exact_json() {
        let complete = |a| vec![call(a, true, CallOutcome::Complete)];
        assert!(compare(complete(r#"{"a":5,"b":1}"#), complete(r#"{ "b":1, "a":5.0 }"#)).is_empty());
        assert_eq!(compare(complete(r#"{"a":9007199254740993}"#), complete(r#"{"a":9007199254740992}"#)), ["parts[0].arguments"]);
    }

    #[test]
    fn incomplete_arguments_compare_by_bytes() {
        let cut = |a| vec![call(a, true, CallOutcome::Incomplete { reason: Incomplete::Truncated })];
        assert_eq!(compare(cut(r#"{"a":5}"#), cut(r#"{"a": 5}"#)), ["parts[0].arguments"]);
        assert_eq!(compare(cut("{}"), vec![call("{}", true, CallOutcome::Complete)]), ["parts[0].outcome"]);
    }

    #[test]
    fn the_models_ids_are_compared_and_minted_ones_are_not() {
        let mut other = call("{}", true, CallOutcome::Complete);
        if let Part::Call(call) = &mut other {
            call.id.value = "id2".to_owned();
        }
        assert!(compare(vec![call("{}", true, CallOutcome::Complete)], vec![other]).is_empty());
        let kept = call("{}", false, CallOutcome::Complete);
        assert_eq!(compare(vec![kept], vec![call("{}", true, CallOutcome::Complete)]), ["parts[0].id"]);
    }

    #[test]
    fn order_kind_number_and_finish_count() {
        let (text, thought) = (Part::Text("a".to_owned()), Part::Reasoning("a".to_owned()));
        assert_eq!(compare(vec![text.clone()], vec![thought.clone()]), ["parts[0]"]);
        assert_eq!(compare(vec![text.clone()], vec![text.clone(), thought]), ["parts[1]"]);
        let golden = GoldenReply::from(&reply(vec![text.clone()], Finish::Stop));
        assert_eq!(golden.differences(&GoldenReply::from(&reply(vec![text], Finish::Length)))[0].at, "finish");
    }
}
