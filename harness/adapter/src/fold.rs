//! The reply that events fold to, and whether two readings are the same. Both sides of the protocol must agree on it: what an adapter
//! calls `same` the harness never sees.

use crate::message::{Event, Finish, Reading};

/// A reply without its cuts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    /// What stands in order where the subject tells it; else one text and one reasoning part at most, and no call.
    parts: Vec<Part>,
    calls: Vec<Call>,
    finished: bool,
    finish: Option<Finish>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Reasoning(String),
    Call,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Call {
    name: String,
    id: Option<String>,
    arguments: String,
    ended: bool,
    incomplete: bool,
}

/// The reply that the events mean; with `ordered`, the order of text, reasoning and calls counts. `None` if no reply has them in this
/// order: a fragment before its call or after its end, an index that skips or begins twice, an event after the finish.
#[must_use]
pub fn fold(events: &[Event], ordered: bool) -> Option<Folded> {
    let mut folded = Folded { parts: Vec::new(), calls: Vec::new(), finished: false, finish: None };
    for event in events {
        if folded.finished {
            return None;
        }
        match event {
            Event::Text(text) => add(&mut folded.parts, text, false, ordered),
            Event::Reasoning(text) => add(&mut folded.parts, text, true, ordered),
            Event::Call { index, name, id } => {
                if *index != folded.calls.len() {
                    return None;
                }
                folded.calls.push(Call { name: name.clone(), id: id.clone(), ..Call::default() });
                if ordered {
                    folded.parts.push(Part::Call);
                }
            }
            Event::Arguments { index, fragment } => {
                folded.calls.get_mut(*index).filter(|call| !call.ended)?.arguments.push_str(fragment);
            }
            Event::End { index, incomplete } => {
                let call = folded.calls.get_mut(*index).filter(|call| !call.ended)?;
                (call.ended, call.incomplete) = (true, *incomplete);
            }
            Event::Finish(reason) => (folded.finished, folded.finish) = (true, *reason),
        }
    }
    // An end may be left out, and means complete.
    folded.calls.iter_mut().for_each(|call| call.ended = true);
    Some(folded)
}

fn add(parts: &mut Vec<Part>, text: &str, reasoning: bool, ordered: bool) {
    if text.is_empty() {
        return;
    }
    let like = |part: &&mut Part| matches!((part, reasoning), (Part::Text(_), false) | (Part::Reasoning(_), true));
    let known = if ordered { parts.last_mut().filter(|part| like(part)) } else { parts.iter_mut().find(like) };
    match known {
        Some(Part::Text(old) | Part::Reasoning(old)) => old.push_str(text),
        _ if reasoning => parts.push(Part::Reasoning(text.to_owned())),
        // Without an order the text stands first, so that which came first does not count.
        _ if !ordered => parts.insert(0, Part::Text(text.to_owned())),
        _ => parts.push(Part::Text(text.to_owned())),
    }
}

/// True if an adapter may call `reading` the same as `whole`: both fold to one reply, or both say no, throw or are unsupported in the
/// same words. Events in no possible order are never the same.
#[must_use]
pub fn same(reading: &Reading, whole: &Reading, ordered: bool) -> bool {
    match (reading, whole) {
        (Reading::Events { events, .. }, Reading::Events { events: of_whole, .. }) => {
            fold(events, ordered).is_some_and(|folded| Some(folded) == fold(of_whole, ordered))
        }
        (Reading::Events { .. }, _) | (_, Reading::Events { .. }) => false,
        (reading, whole) => reading == whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<Event> {
        serde_json::from_str(text).unwrap()
    }

    fn equal(left: &str, right: &str, ordered: bool) -> bool {
        let reading = |text| Reading::Events { events: events(text), at: None };
        same(&reading(left), &reading(right), ordered)
    }

    #[test]
    fn fragments_and_empty_texts_fold_away() {
        let whole = r#"[["text","ab"],["call",0,"f",null],["arguments",0,"{}"],["end",0],["finish","tool_calls"]]"#;
        let split = r#"[["text","a"],["text",""],["text","b"],["call",0,"f",null],["arguments",0,"{"],["arguments",0,"}"],["finish","tool_calls"]]"#;
        assert!(equal(whole, split, true) && equal(whole, split, false));
        assert!(!equal(whole, &split.replace("\"{\"", "\"{ \""), true));
        assert!(!equal(whole, &split.replace("tool_calls", "stop"), true));
        assert!(!equal(whole, &split.replace("null", "\"x\""), true));
        assert!(!equal(whole, &whole.replace("[\"end\",0]", "[\"end\",0,\"incomplete\"]"), true));
    }

    #[test]
    fn the_order_counts_only_where_it_is_told() {
        let before = r#"[["text","a"],["reasoning","r"],["call",0,"f",null],["finish",null]]"#;
        let after = r#"[["reasoning","r"],["call",0,"f",null],["text","a"],["finish",null]]"#;
        assert!(equal(before, after, false) && !equal(before, after, true));
        let around = r#"[["text","a"],["call",0,"f",null],["text","b"],["finish",null]]"#;
        let joined = r#"[["text","ab"],["call",0,"f",null],["finish",null]]"#;
        assert!(equal(around, joined, false) && !equal(around, joined, true));
    }

    #[test]
    fn impossible_orders_are_never_the_same() {
        for text in [
            r#"[["arguments",0,"{}"],["call",0,"f",null]]"#,
            r#"[["call",1,"f",null]]"#,
            r#"[["call",0,"f",null],["call",0,"f",null]]"#,
            r#"[["call",0,"f",null],["end",0],["arguments",0,"{}"]]"#,
            r#"[["call",0,"f",null],["end",0],["end",0]]"#,
            r#"[["finish","stop"],["text",""]]"#,
        ] {
            assert_eq!(fold(&events(text), true), None, "{text}");
            assert!(!equal(text, text, false), "{text}");
        }
    }

    #[test]
    fn what_is_no_reply_is_the_same_in_the_same_words() {
        let no = |why: &str| Reading::Rejected(why.to_owned());
        assert!(same(&no("a"), &no("a"), true) && !same(&no("a"), &no("b"), true));
        assert!(!same(&no("a"), &Reading::Raised("a".to_owned()), true));
    }
}
