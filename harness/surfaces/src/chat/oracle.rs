//! The laws that ask more than the form: CC17 to CC21, CC24, CC25.

use super::view::View;
use crate::context::Context;
use crate::delivered::DeliveredPart;
use crate::law::Findings;
use crate::rules::{self, CallSeen};
use crate::sse::Place;

/// The calls of the first choice, for the rules all surfaces share.
fn calls(view: &View) -> Vec<CallSeen<'_>> {
    view.calls.of(0).map(|call| CallSeen { place: call.begun, name: &call.name, arguments: &call.arguments }).collect()
}

fn cut(view: &View) -> bool {
    matches!(view.finish_of(0), Some("length" | "content_filter")) || view.broke_off()
}

pub(super) fn cc17(view: &View, context: &Context, found: &mut Findings) {
    rules::cut_call_open(&calls(view), view.finish_of(0) == Some("length"), context, found);
}

pub(super) fn cc18(view: &View, context: &Context, found: &mut Findings) {
    rules::names_offered(&calls(view), context, found);
    rules::choice_kept(&calls(view), cut(view), view.end, context, found);
}

pub(super) fn cc19(view: &View, context: &Context, found: &mut Findings) {
    for choice in view.choices.values() {
        let pieces = |all: &'_ [(Place, String)]| all.iter().map(|(p, t)| (*p, t.clone())).collect::<Vec<_>>();
        rules::no_marker(&pieces(&choice.content), "content", context, found);
        rules::no_marker(&pieces(&choice.reasoning), "reasoning", context, found);
    }
}

pub(super) fn cc20(view: &View, context: &Context, found: &mut Findings) {
    rules::same_reply(&view.delivered, view.end, context, found);
}

pub(super) fn cc21(view: &View, context: &Context, found: &mut Findings) {
    rules::order_kept(&view.delivered, &|part| !matches!(part, DeliveredPart::Reasoning(_)), view.end, context, found);
}

/// Bytes of text and arguments above which a reply must come at more than one time: about 50 tokens.
const LONG_REPLY: usize = 200;
/// Bytes of arguments that must come in more than one delta.
const LONG_ARGUMENTS: usize = 200;

pub(super) fn cc24(view: &View, _: &Context, found: &mut Findings) {
    let Some(times) = &view.times else { return };
    let text = view.delivered.content().len() + view.delivered.reasoning().len();
    let length = text + view.delivered.calls().map(|call| call.arguments.len()).sum::<usize>();
    let spread = times.iter().any(|time| Some(time) != times.first());
    if length > LONG_REPLY && !spread {
        found.at(view.end, format!("{length} bytes of reply came at one time"));
    }
    let mut deltas = vec![0_usize; view.calls.all.len()];
    for call in view.entries.iter().filter(|entry| !entry.arguments.is_empty()).filter_map(|entry| entry.call) {
        deltas[call] += 1;
    }
    for (call, deltas) in view.calls.all.iter().zip(deltas).filter(|(call, _)| call.arguments.len() > LONG_ARGUMENTS) {
        if deltas < 2 {
            found.at(call.begun, format!("{} bytes of arguments came in one delta", call.arguments.len()));
        }
    }
}

pub(super) fn cc25(view: &View, context: &Context, found: &mut Findings) {
    rules::same_calls(&view.delivered, context.witness.as_ref(), view.end, found);
}
