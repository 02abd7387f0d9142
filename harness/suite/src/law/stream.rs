//! Laws of one streamed reading, and the fast comparison with the whole reply that the judge runs a million times.

use streakstone_model::{Event, EventFault, Part, Reply, Span, SpanUse};

use crate::difference::found;
use crate::law::reply::valid_id;
use crate::law::{Finding, Judgement, Law, Sides};
use crate::subject::Reading;

/// The law that an impossible order of events breaks: `name-once-first`, `index-dense`, `never-retracted` for a call that goes
/// on after its end, `finish-honest` for a reply that does not end once.
#[must_use]
pub const fn fault_law(fault: &EventFault) -> Law {
    match fault {
        EventFault::BeforeName(_) | EventFault::BeginsTwice(_) => Law::NameOnceFirst,
        EventFault::IndexNotDense { .. } => Law::IndexDense,
        EventFault::AfterEnd(_) => Law::NeverRetracted,
        EventFault::NeverEnds(_) | EventFault::AfterFinish | EventFault::NoFinish => Law::FinishHonest,
    }
}

/// `name-once-first`, beyond the order of events: no name is empty.
#[must_use]
pub fn names_not_empty(reply: &Reply) -> Judgement {
    match reply.calls().position(|c| c.name.is_empty()) {
        Some(i) => Judgement::broken(format!("calls[{i}].name is empty")),
        None => Judgement::Holds,
    }
}

/// `never-retracted`: after each chunk, what was sent so far is a prefix of the whole reply: content, reasoning and each call's
/// arguments as text, each name and id as a value; a call once begun is a call of the whole reply.
///
/// Events only append, so a reading equal to the whole reply keeps this law; it need be asked only of one that differs.
#[must_use]
pub fn never_retracted(whole: &Reply, reading: &Reading) -> Judgement {
    let (content, reasoning) = (whole.content(), whole.reasoning());
    let calls: Vec<_> = whole.calls().collect();
    let (mut content_at, mut reasoning_at) = (0, 0);
    let mut sent: Vec<usize> = Vec::new();
    for (at, event) in reading.events.iter().enumerate() {
        let difference = match event {
            Event::Text { text, .. } => advance("content", &content, &mut content_at, text),
            Event::Reasoning { text, .. } => advance("reasoning", &reasoning, &mut reasoning_at, text),
            Event::CallBegin { index, name, id, minted } => {
                sent.resize(sent.len().max(index.saturating_add(1).min(calls.len())), 0);
                match calls.get(*index) {
                    None => Some(found(format!("calls[{index}]"), "none", name)),
                    Some(call) if call.name != *name => Some(found(format!("calls[{index}].name"), &call.name, name)),
                    Some(call) if call.id.minted != *minted || (!minted && call.id.value != *id) => {
                        Some(found(format!("calls[{index}].id"), &call.id.value, id))
                    }
                    Some(_) => None,
                }
            }
            Event::Arguments { index, fragment } => match (calls.get(*index), sent.get_mut(*index)) {
                (Some(call), Some(at)) => advance(&format!("calls[{index}].arguments"), &call.arguments, at, fragment),
                // Of a call without a name: `name-once-first` speaks of it.
                _ => None,
            },
            Event::CallEnd { .. } | Event::Bytes { .. } | Event::Finish { .. } => None,
        };
        if let Some(difference) = difference {
            let chunk = reading.marks.partition_point(|&mark| mark <= at);
            let when = if chunk < reading.marks.len() { format!("with chunk {}", chunk + 1) } else { "with the finish".to_owned() };
            let message = format!("what was sent {when} is not what the whole reply begins with");
            return Judgement::differs(message, difference, Sides::WholeSplit);
        }
    }
    Judgement::Holds
}

/// Moves `at` over `text` in `whole`; a difference if it does not stand there.
fn advance(path: &str, whole: &str, at: &mut usize, text: &str) -> Option<crate::difference::Difference> {
    if whole.as_bytes()[*at..].starts_with(text.as_bytes()) {
        *at += text.len();
        return None;
    }
    Some(found(path, whole, &format!("{}{text}", &whole[..*at])))
}

/// `arguments-join`: of each call that both readings have, the fragments join to the arguments of the whole reading.
#[must_use]
pub fn arguments_join(whole: &Reply, stream: &Reply) -> Judgement {
    for (i, (left, right)) in whole.calls().zip(stream.calls()).enumerate() {
        if left.arguments != right.arguments {
            let difference = found(format!("calls[{i}].arguments"), &left.arguments, &right.arguments);
            return Judgement::differs("the fragments do not join to the whole arguments", difference, Sides::WholeSplit);
        }
    }
    Judgement::Holds
}

/// `prose-not-held`: after each push, outside an open unit, at most `limit` bytes are held. The chunk's number comes with it.
#[must_use]
pub fn prose_not_held(reading: &Reading, limit: usize) -> Option<(usize, Finding)> {
    let chunk = reading.held.iter().position(|held| !held.unit_open && held.bytes > limit)?;
    let held = reading.held[chunk].bytes;
    let message = format!("{held} bytes are held after chunk {} outside a call; at most {limit} could matter", chunk + 1);
    Some((chunk, Finding { message, at: None, difference: None }))
}

/// Compares readings with one whole reply without building a reply of each.
#[derive(Debug)]
pub(crate) struct Matcher<'a> {
    whole: &'a Reply,
    /// Place of each call in the parts.
    places: Vec<usize>,
    spans: bool,
    /// Bytes of arguments sent, and whether the call has ended; kept to save the allocation.
    sent: Vec<(usize, bool)>,
}

impl<'a> Matcher<'a> {
    pub(crate) fn new(whole: &'a Reply, spans: bool) -> Self {
        let places = whole.parts.iter().enumerate().filter(|(_, p)| matches!(p, Part::Call(_))).map(|(i, _)| i).collect();
        Self { whole, places, spans, sent: Vec::new() }
    }

    /// True only if the events are in an order that a reply has, their reply equals the whole one (minted ids by being minted,
    /// spans if the subject has them), and their minted ids are valid and unlike each other.
    pub(crate) fn same(&mut self, events: &[Event]) -> bool {
        self.sent.clear();
        let parts = &self.whole.parts;
        // The next part, and how much of the text part before it has come.
        let (mut next, mut offset) = (0_usize, 0_usize);
        let (mut run, mut position) = (0_usize, 0_usize);
        let mut minted = false;
        let closed = |next: usize, offset: usize| match next.checked_sub(1).map(|i| &parts[i]) {
            Some(Part::Text(t) | Part::Reasoning(t)) => offset == t.len(),
            Some(Part::Call(_)) | None => true,
        };
        let mut finished = false;
        for event in events {
            if finished {
                return false;
            }
            match event {
                Event::Text { text, span } | Event::Reasoning { text, span } => {
                    let reasoning = matches!(event, Event::Reasoning { .. });
                    let what = if reasoning { SpanUse::Reasoning } else { SpanUse::Content };
                    if !self.span(what, *span, &mut run, &mut position) {
                        return false;
                    }
                    if text.is_empty() {
                        continue;
                    }
                    let open = next.checked_sub(1).and_then(|i| text_of(&parts[i], reasoning));
                    let rest = if let Some(open) = open {
                        &open.as_bytes()[offset..]
                    } else {
                        if !closed(next, offset) {
                            return false;
                        }
                        let Some(text) = parts.get(next).and_then(|p| text_of(p, reasoning)) else { return false };
                        next += 1;
                        offset = 0;
                        text.as_bytes()
                    };
                    if !rest.starts_with(text.as_bytes()) {
                        return false;
                    }
                    offset += text.len();
                }
                Event::CallBegin { index, name, id, minted: is_minted } => {
                    let Some(Part::Call(call)) = parts.get(next) else { return false };
                    let same_id = call.id.minted == *is_minted && (*is_minted || call.id.value == *id);
                    if *index != self.sent.len() || call.name != *name || !same_id || !closed(next, offset) {
                        return false;
                    }
                    minted |= is_minted;
                    next += 1;
                    self.sent.push((0, false));
                }
                Event::Arguments { index, fragment } => {
                    let Some(Part::Call(call)) = self.places.get(*index).map(|&i| &parts[i]) else { return false };
                    match self.sent.get_mut(*index) {
                        Some((at, false)) if call.arguments.as_bytes()[*at..].starts_with(fragment.as_bytes()) => *at += fragment.len(),
                        _ => return false,
                    }
                }
                Event::CallEnd { index, outcome } => {
                    let Some(Part::Call(call)) = self.places.get(*index).map(|&i| &parts[i]) else { return false };
                    match self.sent.get_mut(*index) {
                        Some((at, ended @ false)) if *at == call.arguments.len() && call.outcome == *outcome => *ended = true,
                        _ => return false,
                    }
                }
                Event::Bytes { what, span } => {
                    if !self.span(SpanUse::Bytes(*what), *span, &mut run, &mut position) {
                        return false;
                    }
                }
                Event::Finish { reason } => {
                    if *reason != self.whole.finish {
                        return false;
                    }
                    finished = true;
                }
            }
        }
        finished
            && next == parts.len()
            && closed(next, offset)
            && self.sent.iter().all(|(_, ended)| *ended)
            && self.spans_done(run, position)
            && (!minted || minted_ids_hold(events))
    }

    /// Moves over the whole reply's spans; false if `span` is not what comes next there.
    fn span(&self, what: SpanUse, span: Span, run: &mut usize, position: &mut usize) -> bool {
        if !self.spans || span.is_empty() {
            return true;
        }
        let spans = &self.whole.spans;
        // `position` 0 at run 0 is the start; else the end of what has come of this run.
        if *run < spans.len() && *position >= spans[*run].1.end {
            *run += 1;
            *position = 0;
        }
        let Some((want, whole)) = spans.get(*run) else { return false };
        let from = (*position).max(whole.start);
        if *want != what || span.start != from || span.end > whole.end {
            return false;
        }
        *position = span.end;
        true
    }

    fn spans_done(&self, run: usize, position: usize) -> bool {
        !self.spans || self.whole.spans.is_empty() || (run + 1 == self.whole.spans.len() && position == self.whole.spans[run].1.end)
    }
}

fn text_of(part: &Part, reasoning: bool) -> Option<&str> {
    match part {
        Part::Text(t) if !reasoning => Some(t),
        Part::Reasoning(t) if reasoning => Some(t),
        Part::Text(_) | Part::Reasoning(_) | Part::Call(_) => None,
    }
}

/// The ids of a reading whose minted ones may differ from the whole reading's: all valid, no two alike.
fn minted_ids_hold(events: &[Event]) -> bool {
    let ids = events.iter().filter_map(|e| if let Event::CallBegin { id, minted, .. } = e { Some((id.as_str(), *minted)) } else { None });
    let mut ids: Vec<(&str, bool)> = ids.collect();
    ids.sort_unstable();
    ids.iter().all(|(id, minted)| valid_id(id, *minted)) && ids.windows(2).all(|pair| pair[0].0 != pair[1].0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difference::between;
    use crate::seeded::SplitMix64;
    use streakstone_model::{ByteUse, CallOutcome, Finish};

    /// A random list of events, mostly in a possible order.
    fn events(rng: &mut SplitMix64) -> Vec<Event> {
        let (mut events, mut at, mut calls) = (Vec::new(), 0, 0);
        for _ in 0..rng.below(8) {
            let span = Span::new(at, at + rng.below(3));
            at = span.end;
            let text = ["", "a", "ab", "é"][rng.below(4)].to_owned();
            match rng.below(4) {
                0 => events.push(Event::Text { text, span }),
                1 => events.push(Event::Reasoning { text, span }),
                2 => events.push(Event::Bytes { what: ByteUse::Framing, span }),
                _ => {
                    let minted = rng.below(2) == 0;
                    events.push(Event::CallBegin { index: calls, name: text, id: format!("c{calls}"), minted });
                    for _ in 0..rng.below(3) {
                        events.push(Event::Arguments { index: calls, fragment: "{}".to_owned() });
                    }
                    events.push(Event::CallEnd { index: calls, outcome: CallOutcome::Complete });
                    events.push(Event::Bytes { what: ByteUse::Call { index: calls }, span });
                    calls += 1;
                }
            }
        }
        events.push(Event::Finish { reason: Finish::Stop });
        events
    }

    /// The same events with a few changed, left out, doubled, swapped or cut in two.
    fn changed(mut events: Vec<Event>, rng: &mut SplitMix64) -> Vec<Event> {
        for _ in 0..rng.below(3) {
            let at = rng.below(events.len());
            match rng.below(5) {
                0 => drop(events.remove(at)),
                1 => events.insert(at, events[at].clone()),
                2 => {
                    let other = rng.below(events.len());
                    events.swap(at, other);
                }
                3 => {
                    if let Event::Text { text, span } | Event::Reasoning { text, span } = &mut events[at] {
                        text.push('b');
                        span.end += 1;
                    }
                }
                _ => {
                    if let Event::Text { text, span } = &events[at]
                        && text.len() == 2
                        && text.is_ascii()
                        && span.len() == 2
                    {
                        let middle = span.start + 1;
                        let (left, right) = (text[..1].to_owned(), text[1..].to_owned());
                        let (from, to) = (Span::new(span.start, middle), Span::new(middle, span.end));
                        events[at] = Event::Text { text: left, span: from };
                        events.insert(at + 1, Event::Text { text: right, span: to });
                    }
                }
            }
            if events.is_empty() {
                break;
            }
        }
        events
    }

    #[test]
    fn the_fast_comparison_says_what_the_slow_one_says() {
        let mut rng = SplitMix64::new(7);
        let (mut equal, mut unequal) = (0, 0);
        for _ in 0..60_000 {
            let first = events(&mut rng);
            let Ok(whole) = Reply::from_events(&first) else { continue };
            let second = changed(first, &mut rng);
            let spans = rng.below(2) == 0;
            let slow = Reply::from_events(&second).is_ok_and(|reply| between(&whole, &reply, spans).is_none());
            assert_eq!(Matcher::new(&whole, spans).same(&second), slow, "{spans} {whole:?}\n{second:?}");
            if slow { equal += 1 } else { unequal += 1 }
        }
        assert!(equal > 10_000 && unequal > 10_000, "{equal} {unequal}");
    }

    #[test]
    fn minted_ids_compare_by_being_minted_but_must_hold() {
        let call = |id: &str, minted| {
            vec![
                Event::CallBegin { index: 0, name: "f".to_owned(), id: id.to_owned(), minted },
                Event::CallEnd { index: 0, outcome: CallOutcome::Complete },
                Event::Finish { reason: Finish::ToolCalls },
            ]
        };
        let whole = Reply::from_events(&call("a", true)).unwrap();
        let mut matcher = Matcher::new(&whole, true);
        assert!(matcher.same(&call("b", true)));
        assert!(!matcher.same(&call("b c", true)));
        assert!(!matcher.same(&call("a", false)));
    }
}
