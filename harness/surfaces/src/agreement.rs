//! The law over all surfaces: one raw text means the same wherever it leaves. CC20, RS24 and AN21 hold one stream against one reply; this law
//! holds all deliveries against each other.

use std::fmt;

use crate::Surface;
use crate::delivered::Delivered;

/// The law's name in reports.
pub const SURFACES_AGREE: &str = "surfaces-agree";

/// One way in which a raw text left.
#[derive(Debug, Clone, Copy)]
pub struct Leaving<'a> {
    /// By which surface.
    pub surface: Surface,
    /// As a stream, not whole.
    pub streamed: bool,
    /// For a request that allows one call.
    pub single: bool,
    /// What a reader found in it.
    pub reply: &'a Delivered,
}

impl fmt::Display for Leaving<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = if self.streamed { "streamed" } else { "whole" };
        write!(f, "{} {mode}{}", self.surface, if self.single { ", one call" } else { "" })
    }
}

/// Where the deliveries of one raw text differ, a sentence each: names, arguments and order of the calls that are complete, content, reasoning
/// and ending. A delivery for one call has the first call of the others, and all else as they have it. Ids are each surface's own.
#[must_use]
pub fn disagreements(all: &[Leaving<'_>]) -> Vec<String> {
    let Some(first) = all.iter().find(|one| !one.single).or_else(|| all.first()) else { return Vec::new() };
    let only =
        Delivered { parts: first.reply.parts.iter().filter(|part| part.is_call()).take(1).cloned().collect(), ..Delivered::default() };
    let mut found = Vec::new();
    for one in all {
        let calls = if one.single { &only } else { first.reply };
        if let Some(difference) = one.reply.calls_differ(calls) {
            found.push(format!("{SURFACES_AGREE}: {one} and {first}: {difference}"));
        }
        let same = |what: &str, own: &dyn fmt::Debug, other: &dyn fmt::Debug| {
            let (own, other) = (format!("{own:?}"), format!("{other:?}"));
            (own != other).then(|| format!("{SURFACES_AGREE}: {one} and {first}: the {what} is {own}, {other} expected"))
        };
        found.extend(same("content", &one.reply.content(), &first.reply.content()));
        found.extend(same("reasoning", &one.reply.reasoning(), &first.reply.reasoning()));
        found.extend(same("ending", &one.reply.ending, &first.reply.ending));
    }
    found
}

#[cfg(test)]
mod tests {
    use streakstone_model::Finish;

    use super::*;
    use crate::delivered::{DeliveredCall, DeliveredPart, Ending};

    fn call(name: &str, arguments: &str) -> DeliveredPart {
        DeliveredPart::Call(DeliveredCall { id: name.to_owned(), name: name.to_owned(), arguments: arguments.to_owned(), complete: true })
    }

    fn reply(parts: Vec<DeliveredPart>) -> Delivered {
        Delivered { parts, ending: Some(Ending::Known(Finish::ToolCalls)), error: None }
    }

    fn good() -> Delivered {
        reply(vec![DeliveredPart::Text("a".to_owned()), call("f", "{\"k\":1}"), call("g", "{}")])
    }

    /// What the law says when the second delivery is `other`.
    fn against(other: &Delivered, single: bool) -> Vec<String> {
        let first = good();
        let all = [
            Leaving { surface: Surface::Chat, streamed: false, single: false, reply: &first },
            Leaving { surface: Surface::Anthropic, streamed: true, single, reply: other },
        ];
        disagreements(&all)
    }

    #[test]
    fn equal_calls_agree_whatever_their_white_space_and_ids() {
        let mut other = good();
        other.parts[1] = call("f", "{ \"k\": 1.0 }");
        assert_eq!(against(&other, false), Vec::<String>::new());
        assert_eq!(against(&reply(good().parts[..2].to_vec()), true), Vec::<String>::new());
    }

    #[test]
    fn every_difference_breaks_the_law() {
        type Edit = fn(&mut Delivered);
        let change = |edit: Edit| {
            let mut other = good();
            edit(&mut other);
            against(&other, false)
        };
        let broken: [(Edit, &str); 7] = [
            (|r| r.parts[1] = call("h", "{\"k\":1}"), "call 0 is \"h\""),
            (|r| r.parts[1] = call("f", "{\"k\":2}"), "call 0 is \"f\""),
            (|r| r.parts.swap(1, 2), "call 0 is \"g\""),
            (|r| drop(r.parts.pop()), "is missing"),
            (|r| r.parts.push(call("g", "{}")), "none expected"),
            (|r| r.parts[0] = DeliveredPart::Text("b".to_owned()), "the content is"),
            (|r| r.ending = None, "the ending is"),
        ];
        for (edit, want) in broken {
            let found = change(edit);
            assert!(
                found.len() == 1 && found[0].starts_with("surfaces-agree: anthropic streamed and chat whole: ") && found[0].contains(want),
                "{want}: {found:?}"
            );
        }
    }

    #[test]
    fn a_second_call_where_one_is_allowed_breaks_the_law_and_so_does_none() {
        assert!(against(&good(), true)[0].contains("call 1 is \"g\" \"{}\", none expected"));
        assert!(against(&reply(vec![good().parts[0].clone()]), true)[0].contains("is missing"));
    }
}
