//! What is asked of an adapter: the readings of a case as one list, the message that asks for some of them, and the check of its answer.

use serde_json::{Value, json};
use streakstone_adapter::message::{self, PlanAsk, Run, RunResult, text_or_base64};
use streakstone_model::{End, Markers, Parallel, ToolChoice};
use streakstone_suite::markers::special_spans;
use streakstone_suite::plan::Plan;
use streakstone_suite::subject::{Answers, Ask, Batch, Chunking, Declared, Outcome};

use super::reading::outcome;

/// One reading.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item<'a> {
    /// Its plan's place in the batch; the prefixes come after all plans.
    pub plan: usize,
    /// Its place in the plan.
    pub place: usize,
    pub name: &'static str,
    pub what: What<'a>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum What<'a> {
    Cuts(&'a Chunking),
    Prefix(usize),
}

impl Item<'_> {
    /// Chunks of the reading.
    fn chunks(&self) -> usize {
        match self.what {
            What::Cuts(chunking) => chunking.cuts.len() + 1,
            What::Prefix(_) => 1,
        }
    }

    /// Why it cannot be asked for.
    pub(crate) fn refusal(&self, declared: &Declared, raw: &[u8]) -> Option<&'static str> {
        let whole = match self.what {
            What::Prefix(_) if !declared.whole => return Some("it has no entry point for finished texts"),
            What::Prefix(_) => true,
            What::Cuts(chunking) => chunking.whole,
        };
        if !whole && !declared.stream {
            return Some("it takes no stream");
        }
        if declared.bytewise {
            return None;
        }
        let Ok(text) = std::str::from_utf8(raw) else { return Some("it takes text, and this is no UTF-8") };
        let inside = match self.what {
            What::Prefix(length) => !text.is_char_boundary(length),
            What::Cuts(chunking) => chunking.cuts.iter().any(|&cut| !text.is_char_boundary(cut)),
        };
        inside.then_some("it takes whole characters only")
    }

    /// Readings with one key stand in one list of the message.
    fn key(&self) -> (usize, bool, bool) {
        match self.what {
            What::Cuts(chunking) => (self.plan, chunking.last_with_finish, chunking.reuse),
            What::Prefix(_) => (self.plan, false, false),
        }
    }
}

/// All readings of a batch, those of one list together.
pub(crate) fn items<'a>(batch: &Batch<'a>) -> Vec<Item<'a>> {
    let mut all = Vec::new();
    for (plan, (name, chunkings)) in batch.plans.iter().enumerate() {
        let item = |(place, chunking)| Item { plan, place, name: name.as_str(), what: What::Cuts(chunking) };
        all.extend(chunkings.iter().enumerate().map(item));
    }
    let prefix = |(place, &length)| Item { plan: batch.plans.len(), place, name: "prefixes", what: What::Prefix(length) };
    all.extend(batch.prefixes.iter().enumerate().map(prefix));
    all.sort_by_key(Item::key);
    all
}

/// Fills in a batch: what cannot be asked for is unsupported, `settle` has the outcome of each of the rest, their cost and notes.
pub(crate) fn answers<'a>(
    batch: &Batch<'a>,
    declared: &Declared,
    raw: &[u8],
    settle: impl FnOnce(&[Item<'a>]) -> (Vec<Option<Outcome>>, u64, Vec<String>),
) -> Answers {
    let mut answers = Answers {
        plans: batch.plans.iter().map(|(_, chunkings)| vec![None; chunkings.len()]).collect(),
        prefixes: vec![None; batch.prefixes.len()],
        ..Answers::default()
    };
    let mut put = |item: &Item<'_>, outcome| match answers.plans.get_mut(item.plan) {
        Some(plan) => plan[item.place] = outcome,
        None => answers.prefixes[item.place] = outcome,
    };
    let mut asked = Vec::new();
    for item in items(batch) {
        match item.refusal(declared, raw) {
            None => asked.push(item),
            Some(why) => put(&item, Some(Outcome::Unsupported(why.to_owned()))),
        }
    }
    if asked.is_empty() {
        return answers;
    }
    let (outcomes, cpu_ns, notes) = settle(&asked);
    for (item, outcome) in asked.iter().zip(outcomes) {
        put(item, outcome);
    }
    (answers.cpu_ns, answers.notes) = (cpu_ns, notes);
    answers
}

/// `batch` for a text that ends at `length`: what was to be cut behind it is cut there.
pub(crate) fn within(batch: &Batch<'_>, length: usize) -> (Vec<(Plan, Vec<Chunking>)>, Vec<usize>) {
    let clamp = |offsets: &[usize]| offsets.iter().map(|&at| at.min(length)).collect::<Vec<_>>();
    let shorter = |chunking: &Chunking| Chunking { cuts: clamp(&chunking.cuts), ..chunking.clone() };
    let plans = batch.plans.iter().map(|(plan, all)| (*plan, all.iter().map(shorter).collect())).collect();
    (plans, clamp(batch.prefixes))
}

/// The lists that ask for `items`.
fn lists(items: &[Item<'_>], declared: &Declared) -> Vec<PlanAsk> {
    items
        .chunk_by(|a, b| a.key() == b.key())
        .map(|group| {
            let mut list = PlanAsk { plan: group[0].name.to_owned(), ..PlanAsk::default() };
            (_, list.last_with_finish, list.reuse) = group[0].key();
            for item in group {
                match item.what {
                    What::Prefix(length) => list.prefixes.get_or_insert_default().push(length),
                    What::Cuts(chunking) if chunking.whole && declared.whole => list.cuts.get_or_insert_default().push(None),
                    What::Cuts(chunking) => list.cuts.get_or_insert_default().push(Some(chunking.cuts.clone())),
                }
            }
            list
        })
        .collect()
}

/// The message that asks for `items`.
pub(crate) fn run(ask: &Ask<'_>, word: &str, raw: &[u8], items: &[Item<'_>], declared: &Declared, tokens: bool, events: bool) -> Run {
    let (text, base64) = text_or_base64(raw);
    Run {
        id: 0,
        dialect: word.to_owned(),
        text,
        base64,
        tools: tools(ask),
        tool_choice: tool_choice(&ask.options.tool_choice),
        parallel_tool_calls: ask.options.policies.parallel == Parallel::All,
        reasoning: reasoning(ask),
        end: end(ask.end),
        special: if tokens {
            special_spans(&Markers::of(ask.dialect), raw).iter().map(|span| [span.start, span.end]).collect()
        } else {
            Vec::new()
        },
        plans: lists(items, declared),
        events,
        deadline_ms: 0,
    }
}

pub(crate) fn tools(ask: &Ask<'_>) -> Option<Vec<Value>> {
    let tool = |tool: &streakstone_model::Tool| {
        let mut function = json!({"name": tool.name});
        if !tool.parameters.is_null() {
            function["parameters"] = tool.parameters.clone();
        }
        json!({"type": "function", "function": function})
    };
    ask.tools.map(|tools| tools.iter().map(tool).collect())
}

pub(crate) fn tool_choice(choice: &ToolChoice) -> message::ToolChoice {
    match choice {
        ToolChoice::Auto => message::ToolChoice::Auto,
        ToolChoice::Required => message::ToolChoice::Required,
        ToolChoice::None => message::ToolChoice::None,
        ToolChoice::Function(name) => message::ToolChoice::Function(name.clone()),
    }
}

pub(crate) const fn reasoning(ask: &Ask<'_>) -> message::Reasoning {
    if ask.options.reasoning_open { message::Reasoning::Open } else { message::Reasoning::Closed }
}

pub(crate) const fn end(end: End) -> message::End {
    match end {
        End::Stop => message::End::Stop,
        End::Length => message::End::Length,
        End::StopString => message::End::StopString,
    }
}

/// The outcome of each of `items`, in their order. `same` is a copy of the whole reading.
///
/// # Errors
/// One sentence on what the protocol does not allow.
pub(crate) fn outcomes(
    result: &RunResult,
    asked: &Run,
    items: &[Item<'_>],
    declared: &Declared,
    raw_end: End,
) -> Result<Vec<Outcome>, String> {
    if result.plans.len() != asked.plans.len() {
        return Err(format!("readings are missing: it answered {} plans of {}", result.plans.len(), asked.plans.len()));
    }
    let first = items.first().ok_or("nothing was asked")?;
    let whole = outcome(&result.whole, declared, end_of(first, raw_end), first.chunks())?;
    let mut all = Vec::with_capacity(items.len());
    for (answer, list) in result.plans.iter().zip(&asked.plans) {
        let (name, wanted) = (&list.plan, list.len());
        if answer.plan != *name || answer.read != wanted {
            return Err(format!("readings are missing: plan `{name}` has {wanted}, it answered {} of `{}`", answer.read, answer.plan));
        }
        if answer.same != answer.differ.is_empty() {
            return Err(format!("plan `{name}` must say either `same` or which readings differ"));
        }
        if let Some((place, _)) = answer.differ.last_key_value().filter(|(place, _)| place.0 >= wanted) {
            return Err(format!("plan `{name}` has {wanted} readings, and none of number {}", place.0));
        }
        for place in 0..wanted {
            let item = &items[all.len()];
            let read = match answer.differ.get(&message::Place(place)) {
                Some(reading) => outcome(reading, declared, end_of(item, raw_end), item.chunks())?,
                None => whole.clone(),
            };
            all.push(read);
        }
    }
    Ok(all)
}

fn end_of(item: &Item<'_>, raw_end: End) -> End {
    if matches!(item.what, What::Prefix(_)) { End::Length } else { raw_end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_to_be_cut_behind_the_end_is_cut_there() {
        let all = [Chunking::whole(), Chunking { cuts: vec![1, 5, 9], reuse: true, ..Chunking::default() }];
        let (plans, prefixes) = within(&Batch { plans: vec![(Plan::Given, &all)], prefixes: &[2, 8] }, 4);
        assert_eq!(prefixes, [2, 4]);
        let [(Plan::Given, chunkings)] = plans.as_slice() else { panic!("{plans:?}") };
        assert_eq!(chunkings[0], Chunking::whole());
        assert_eq!(chunkings[1], Chunking { cuts: vec![1, 4, 4], reuse: true, ..Chunking::default() }, "three cuts stay three");
    }
}
