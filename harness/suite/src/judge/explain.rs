//! Whether a subject's documented choices explain a reply that is not what the case expects.

use streakstone_model::{Delivery, Policies, Reply};

use crate::case::{Case, Expect, ExpectCall};
use crate::difference::{alike, from_expected};
use crate::judge::Judge;
use crate::judge::typing::alike_but_for_types;
use crate::limits::SUBSET_POLICIES;
use crate::subject::{Declared, Tells};

/// The choices that explain a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Explanation {
    /// As `name=value`, with commas.
    pub pairs: String,
    /// True if white space still differs.
    pub but_for_space: bool,
}

/// The documented choices of a subject, the delivery among them.
pub(super) fn choices(declared: &Declared) -> Policies {
    Policies { delivery: if declared.eager { Delivery::Eager } else { declared.policies.delivery }, ..declared.policies }
}

/// The sets of `declared` to try, the smallest first: each choice alone, sets of several where they are few, all together.
fn subsets(declared: Policies) -> Vec<Policies> {
    let changed = declared.changed();
    let of = |mask: usize| {
        let mut some = Policies::default();
        for (_, pair) in changed.iter().enumerate().filter(|(i, _)| mask & (1 << i) != 0) {
            // The words come from `Policies::changed`.
            let _ = some.set_pairs(pair);
        }
        some
    };
    let all = (1_usize << changed.len()) - 1;
    let mut masks: Vec<usize> =
        if changed.len() <= SUBSET_POLICIES { (1..=all).collect() } else { (0..changed.len()).map(|i| 1 << i).chain([all]).collect() };
    masks.sort_by_key(|mask| mask.count_ones());
    masks.into_iter().map(of).collect()
}

/// The smallest set of the declared choices under which `reply` is right: as the case's `under` says, else as the oracle says. Only
/// what `first` compares is compared.
pub(super) fn of_expectation(judge: &Judge<'_>, case: &Case, declared: &Declared, first: &Expect, reply: &Reply) -> Option<Explanation> {
    for policies in subsets(choices(declared)) {
        let under = case.under.iter().filter(|(_, p, _)| *p == policies).map(|(.., expect)| told(expect, declared.tells));
        let mut wanted: Vec<Expect> = under.collect();
        if wanted.is_empty()
            && let Some(oracle) = judge.oracle.and_then(|oracle| oracle(case, policies))
        {
            wanted.push(like(first, &oracle, false));
            if policies.delivery == Delivery::Eager {
                // A subject may not tell that a call never closed.
                wanted.push(like(first, &oracle, true));
            }
        }
        for collapse in [case.soft, true] {
            if wanted.iter().any(|expect| from_expected(expect, reply, collapse).is_none()) {
                return Some(Explanation { pairs: policies.changed().join(","), but_for_space: collapse && !case.soft });
            }
        }
        if declared.types_by_own_rules && wanted.iter().any(|expect| but_for_types(expect, reply)) {
            let pairs = policies.changed().into_iter().chain(["coercion=own".to_owned()]).collect::<Vec<_>>().join(",");
            return Some(Explanation { pairs, but_for_space: false });
        }
    }
    None
}

/// True if `reply` is `expect` but for white space and for the types of the values in its calls.
pub(super) fn but_for_types(expect: &Expect, reply: &Reply) -> bool {
    let mut typed = expect.clone();
    let complete = reply.calls().filter(|call| call.is_complete());
    for (wanted, got) in typed.calls.iter_mut().flatten().zip(complete) {
        if alike_but_for_types(&wanted.arguments, &got.arguments) {
            wanted.arguments.clone_from(&got.arguments);
        }
    }
    from_expected(&typed, reply, true).is_none()
}

/// The smallest set of the declared choices, none of them first, under which the oracle's whole reply is `reply`: parts, order and ids.
/// Without choices (`pairs` is empty) only white space may differ.
pub(super) fn of_golden(judge: &Judge<'_>, case: &Case, declared: Policies, reply: &Reply) -> Option<Explanation> {
    let oracle = judge.oracle?;
    let all = std::iter::once(Policies::default()).chain(subsets(declared));
    all.filter_map(|policies| Some((policies, oracle(case, policies)?)))
        .find(|(_, wanted)| alike(wanted, reply))
        .map(|(policies, wanted)| Explanation { pairs: policies.changed().join(","), but_for_space: wanted.parts != reply.parts })
}

/// What `reply` is, as an expectation with the keys of `first`; `all` calls, or the complete ones.
fn like(first: &Expect, reply: &Reply, all: bool) -> Expect {
    let ids = first.calls.iter().flatten().any(|call| call.id.is_some());
    let calls = reply.calls().filter(|call| all || call.is_complete()).map(|call| ExpectCall {
        name: call.name.clone(),
        arguments: call.arguments.clone(),
        id: (ids && !call.id.minted).then(|| call.id.value.clone()),
    });
    Expect {
        content: first.content.as_ref().map(|_| reply.content()),
        reasoning: first.reasoning.as_ref().map(|_| reply.reasoning()),
        calls: first.calls.as_ref().map(|_| calls.collect()),
        finish: first.finish.map(|_| reply.finish),
    }
}

/// `expect` without what the subject does not tell.
pub(super) fn told(expect: &Expect, tells: Tells) -> Expect {
    let mut told = expect.clone();
    if !tells.ids {
        told.calls.iter_mut().flatten().for_each(|call| call.id = None);
    }
    if !tells.reasoning {
        told.reasoning = None;
    }
    if !tells.finish {
        told.finish = None;
    }
    told
}

/// True if the right reply has reasoning, as the case says or, where it is silent, the oracle.
pub(super) fn has_reasoning(judge: &Judge<'_>, case: &Case) -> bool {
    match case.outcomes().next().and_then(|expect| expect.reasoning.as_deref()) {
        Some(reasoning) => !reasoning.is_empty(),
        None => judge.oracle.and_then(|oracle| oracle(case, Policies::default())).is_some_and(|reply| !reply.reasoning().is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_choices_are_tried_before_sets_and_the_whole_set_is_last() {
        let mut declared = Policies::default();
        declared.set_pairs("coercion=vllm,undeclared=forward").unwrap();
        let tried: Vec<String> = subsets(declared).iter().map(|p| p.changed().join(",")).collect();
        assert_eq!(tried, ["undeclared=forward", "coercion=vllm", "undeclared=forward,coercion=vllm"]);
        assert!(subsets(Policies::default()).is_empty());
        declared.set_pairs("delivery=eager,names=exact,truncated=text,duplicate=first").unwrap();
        let tried = subsets(declared);
        assert_eq!(tried.len(), 6 + 1, "of many choices only the single ones and all");
        assert_eq!(tried.last(), Some(&declared));
    }
}
