//! Laws of one finished reply, or of two.

use std::collections::HashSet;

use streakstone_model::json::Json;
use streakstone_model::{Call, CallId, CallOutcome, End, Finish, Incomplete, Part, Policies, Reply, Truncated};

use crate::difference::{between, found, same_json};
use crate::law::{Judgement, Sides};

/// `id-valid-unique`: every id, the model's or minted, matches `^[A-Za-z0-9_-]{1,64}$`, or is the model's and holds the name as
/// Kimi's does, and no two calls share one (semantics 5).
#[must_use]
pub fn id_valid_unique(reply: &Reply) -> Judgement {
    let mut seen = HashSet::new();
    for (i, call) in reply.calls().enumerate() {
        let id = call.id.value.as_str();
        if !valid_id(id, call.id.minted) {
            return Judgement::broken(format!("calls[{i}].id is {id:?}, not 1 to 64 letters, digits, `_` or `-`"));
        }
        if !seen.insert(id) {
            return Judgement::broken(format!("calls[{i}].id is {id:?}, as that of an earlier call"));
        }
    }
    Judgement::Holds
}

/// The pattern `^[A-Za-z0-9_-]{1,64}$`, or an id that holds the name if the model wrote it.
#[must_use]
pub fn valid_id(id: &str, minted: bool) -> bool {
    let kept = !minted && CallId::holds_name(id);
    kept || (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// `arguments-json`: a complete call's arguments are one strict JSON object.
#[must_use]
pub fn arguments_json(reply: &Reply) -> Judgement {
    for (i, call) in reply.calls().enumerate().filter(|(_, c)| c.is_complete()) {
        match Json::parse(&call.arguments) {
            Ok(json) if json.is_object() => {}
            Ok(_) => {
                return Judgement::broken(format!("calls[{i}].arguments are JSON, but no object: {}", found("", &call.arguments, "").left));
            }
            Err(error) => {
                let shown = found("", &call.arguments, "").left;
                return Judgement::broken(format!("calls[{i}].arguments are not strict JSON ({error}): {shown}"));
            }
        }
    }
    Judgement::Holds
}

/// `finish-honest`: `length` if the end cause is length; else `tool_calls` iff at least one call is complete; else `stop`. Where
/// `forced`, the request named one function and the subject follows `OpenAI`'s API, whose function-calling guide gives `stop` for it.
#[must_use]
pub fn finish_honest(reply: &Reply, end: End, forced: bool) -> Judgement {
    let complete = reply.calls().any(Call::is_complete);
    if forced && complete && end != End::Length && reply.finish == Finish::Stop {
        return Judgement::Holds;
    }
    let want = match end {
        End::Length => Finish::Length,
        End::Stop | End::StopString if complete => Finish::ToolCalls,
        End::Stop | End::StopString => Finish::Stop,
    };
    if reply.finish == want {
        return Judgement::Holds;
    }
    let why = match (end, complete) {
        (End::Length, _) => "the length limit ended the text",
        (_, true) => "a call is complete",
        (_, false) => "no call is complete",
    };
    Judgement::differs(
        format!("the finish reason is {} although {why}", reply.finish.as_str()),
        found("finish", want.as_str(), reply.finish.as_str()),
        Sides::ExpectedGot,
    )
}

/// `deliveries-agree`: the replies are equal, or the eager one has an incomplete call: then they are equal up to its first byte
/// and have the same complete calls.
///
/// Where the pages are silent: complete arguments compare as JSON values, because `duplicate=last` lets eager repeat a key that
/// validated writes once; and `truncated=repair` may complete, in validated only, the last call, which eager has as truncated,
/// because eager never invents a closer.
#[must_use]
pub fn deliveries_agree(validated: &Reply, eager: &Reply, policies: &Policies) -> Judgement {
    let agree = |l: &Call, r: &Call| l.name == r.name && same_id(l, r) && same_json(&l.arguments, &r.arguments);
    let differs = |difference| Judgement::differs("the two deliveries disagree", difference, Sides::ValidatedEager);
    let Some(first) = eager.parts.iter().position(|p| matches!(p, Part::Call(c) if !c.is_complete())) else {
        let same_parts = validated.parts.len() == eager.parts.len()
            && validated.parts.iter().zip(&eager.parts).all(|pair| match pair {
                (Part::Call(l), Part::Call(r)) => l.outcome == r.outcome && agree(l, r),
                (l, r) => l == r,
            });
        return match between(validated, eager, false) {
            Some(difference) if !same_parts || validated.finish != eager.finish => differs(difference),
            _ => Judgement::Holds,
        };
    };
    // Up to the incomplete call: the text just before it may go on in validated, where the call's bytes are text; or, in a span
    // that the prompt opened, reasoning.
    for (i, part) in eager.parts[..first].iter().enumerate() {
        let same = match (validated.parts.get(i), part) {
            (Some(Part::Call(l)), Part::Call(r)) => agree(l, r),
            (Some(Part::Text(l)), Part::Text(r)) | (Some(Part::Reasoning(l)), Part::Reasoning(r)) if i + 1 == first => {
                l.starts_with(r.as_str())
            }
            (Some(l), r) => l == r,
            (None, _) => false,
        };
        if !same {
            let (left, right) = (validated.parts.get(i).map_or_else(|| "none".to_owned(), show), show(part));
            return differs(found(format!("parts[{i}]"), &left, &right));
        }
    }
    let complete = |r: &Reply| r.calls().filter(|c| c.is_complete()).cloned().collect::<Vec<_>>();
    let (lefts, rights) = (complete(validated), complete(eager));
    let repaired = policies.truncated == Truncated::Repair
        && lefts.len() == rights.len() + 1
        && matches!((lefts.last(), eager.calls().last()), (Some(l), Some(r))
            if r.outcome == (CallOutcome::Incomplete { reason: Incomplete::Truncated })
                && l.name == r.name
                // A repeated key is written once by validated, and again by eager.
                && (l.arguments.starts_with(&r.arguments) || same_json(&l.arguments, &format!("{}}}", r.arguments))));
    for i in 0..lefts.len().max(rights.len()) {
        // An incomplete call has taken its id from a later one that repeats it (semantics 5).
        let taken = |l: &Call, r: &Call| r.id.minted && eager.calls().any(|c| !c.is_complete() && c.id.value == l.id.value);
        let same = match (lefts.get(i), rights.get(i)) {
            (Some(l), Some(r)) => agree(l, r) || (taken(l, r) && l.name == r.name && same_json(&l.arguments, &r.arguments)),
            (Some(_), None) => repaired && i == rights.len(),
            _ => false,
        };
        if !same {
            let show = |c: Option<&Call>| c.map_or_else(|| "none".to_owned(), |c| format!("{}({})", c.name, c.arguments));
            return differs(found(format!("complete calls[{i}]"), &show(lefts.get(i)), &show(rights.get(i))));
        }
    }
    Judgement::Holds
}

/// `prefix-honest`: the complete calls of a prefix that the length limit ended are a prefix of those of the full reply, by name,
/// arguments and the model's id.
#[must_use]
pub fn prefix_honest(full: &Reply, prefix: &Reply, length: usize) -> Judgement {
    let mut wanted = full.calls().filter(|c| c.is_complete());
    for (i, call) in prefix.calls().filter(|c| c.is_complete()).enumerate() {
        let want = wanted.next();
        if !want.is_some_and(|w| w.name == call.name && w.arguments == call.arguments && same_id(w, call)) {
            let show = |c: &Call| format!("{}({})", c.name, c.arguments);
            return Judgement::Broken(super::Finding {
                message: format!("the first {length} bytes give a complete call that the full text does not have"),
                at: Some(length),
                difference: Some((
                    found(format!("calls[{i}]"), &want.map_or_else(|| "none".to_owned(), show), &show(call)),
                    Sides::FullPrefix,
                )),
            });
        }
    }
    Judgement::Holds
}

fn same_id(left: &Call, right: &Call) -> bool {
    left.id.minted == right.id.minted && (left.id.minted || left.id.value == right.id.value)
}

fn show(part: &Part) -> String {
    match part {
        Part::Text(text) => format!("text {text:?}"),
        Part::Reasoning(text) => format!("reasoning {text:?}"),
        Part::Call(call) => format!("{}({})", call.name, call.arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use streakstone_model::CallId;

    fn call(name: &str, arguments: &str, outcome: CallOutcome) -> Part {
        let id = CallId { value: format!("{name}-id"), minted: true };
        Part::Call(Call { name: name.to_owned(), id, arguments: arguments.to_owned(), outcome })
    }

    fn complete(name: &str, arguments: &str) -> Part {
        call(name, arguments, CallOutcome::Complete)
    }

    fn cut(name: &str, arguments: &str, reason: Incomplete) -> Part {
        call(name, arguments, CallOutcome::Incomplete { reason })
    }

    fn text(text: &str) -> Part {
        Part::Text(text.to_owned())
    }

    fn agree(validated: Vec<Part>, eager: Vec<Part>) -> bool {
        let reply = |parts: Vec<Part>| {
            let complete = parts.iter().any(|p| matches!(p, Part::Call(c) if c.is_complete()));
            Reply { parts, finish: if complete { Finish::ToolCalls } else { Finish::Stop }, spans: Vec::new() }
        };
        deliveries_agree(&reply(validated), &reply(eager), &Policies::default()) == Judgement::Holds
    }

    #[test]
    fn deliveries_agree_up_to_the_first_incomplete_call() {
        let malformed = Incomplete::Malformed;
        assert!(agree(vec![text("a <call>{,}")], vec![text("a "), cut("f", "{", malformed), text("}")]));
        assert!(!agree(vec![text("b <call>{,}")], vec![text("a "), cut("f", "{", malformed), text("}")]));
        assert!(agree(
            vec![complete("f", "{}"), text("x"), complete("g", "{}")],
            vec![complete("f", "{}"), cut("x", "", malformed), complete("g", "{}")]
        ));
        assert!(!agree(vec![complete("f", "{}"), text("x")], vec![complete("f", "{}"), cut("x", "", malformed), complete("g", "{}")]));
        assert!(!agree(vec![text("x"), complete("g", "{}")], vec![cut("x", "", malformed)]));
        assert!(!agree(vec![text("a")], vec![text("b")]));
    }

    #[test]
    fn an_id_that_an_incomplete_call_has_taken_is_minted_anew() {
        let with = |part: Part, id: &str, minted: bool| match part {
            Part::Call(call) => Part::Call(Call { id: CallId { value: id.to_owned(), minted }, ..call }),
            other => other,
        };
        let open = || with(cut("f", "{", Incomplete::Malformed), "0", false);
        let validated = || vec![text("<call>{"), with(complete("g", "{}"), "0", false)];
        assert!(agree(validated(), vec![open(), with(complete("g", "{}"), "call_2", true)]));
        assert!(!agree(validated(), vec![open(), with(complete("g", "{}"), "1", false)]));
        assert!(!agree(
            vec![text("<call>{"), with(complete("g", "{}"), "2", false)],
            vec![open(), with(complete("g", "{}"), "call_2", true)]
        ));
    }

    #[test]
    fn deliveries_agree_where_the_failed_unit_stays_reasoning() {
        let think = |text: &str| Part::Reasoning(text.to_owned());
        let malformed = Incomplete::Malformed;
        assert!(agree(vec![think("a <call>{,}")], vec![think("a "), cut("f", "{", malformed), think("}")]));
        assert!(!agree(vec![think("b <call>{,}")], vec![think("a "), cut("f", "{", malformed), think("}")]));
        assert!(!agree(vec![text("a <call>{,}")], vec![think("a "), cut("f", "{", malformed), think("}")]));
        assert!(!agree(vec![think("ab"), complete("g", "{}")], vec![think("a"), complete("g", "{}"), cut("f", "{", malformed)]));
    }

    #[test]
    fn deliveries_agree_on_a_repeated_key_and_a_repaired_call() {
        assert!(agree(vec![complete("f", r#"{"a":2}"#)], vec![complete("f", r#"{"a":1,"a":2}"#)]));
        assert!(!agree(vec![complete("f", r#"{"a":1}"#)], vec![complete("f", r#"{"a":1,"a":2}"#)]));
        assert!(agree(vec![complete("f", r#"{"a":1}"#)], vec![cut("f", r#"{"a":1"#, Incomplete::Truncated)]));
        assert!(agree(vec![complete("f", r#"{"a":2}"#)], vec![cut("f", r#"{"a":1,"a":2"#, Incomplete::Truncated)]));
        assert!(!agree(vec![complete("f", r#"{"a":1}"#)], vec![cut("f", r#"{"a":1,"a":2"#, Incomplete::Truncated)]));
        assert!(!agree(vec![complete("g", r#"{"a":1}"#)], vec![cut("f", r#"{"a":1"#, Incomplete::Truncated)]));
        assert!(!agree(vec![complete("f", r#"{"a":1}"#)], vec![cut("f", r#"{"a":1"#, Incomplete::Malformed)]));
    }

    #[test]
    fn an_id_is_1_to_64_letters_digits_underscores_or_hyphens() {
        assert!(valid_id("call_9-Z", true) && valid_id(&"a".repeat(64), true));
        for id in ["", "a b", "functions.f:0", "é", &"a".repeat(65)] {
            assert!(!valid_id(id, true), "{id}");
        }
    }

    #[test]
    fn an_id_of_the_model_may_hold_the_name() {
        assert!(valid_id("functions.get_weather:0", false) && valid_id("f:12", false));
        for id in ["functions.f", "functions.:0", "f:", "f:x", "f g:0", &format!("{}:0", "a".repeat(65))] {
            assert!(!valid_id(id, false), "{id}");
        }
    }
}
