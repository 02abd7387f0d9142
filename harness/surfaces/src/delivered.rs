//! What a surface delivered: steps in order, and the reply they fold to. The same words are used on the way out.

use streakstone_model::json::Json;
use streakstone_model::{Finish, Reply};

use crate::strict;

/// One step of what a client sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Content.
    Text(String),
    /// Reasoning.
    Reasoning(String),
    /// A call begins.
    CallBegin {
        /// 0, 1, 2 ... in order of appearance.
        index: usize,
        /// The id by which the client answers the call; empty if there was none.
        id: String,
        /// The name; empty if there was none.
        name: String,
    },
    /// A fragment of a call's arguments.
    Arguments {
        /// Index of the call.
        index: usize,
        /// The fragment.
        fragment: String,
    },
    /// A call ends.
    CallEnd {
        /// Index of the call.
        index: usize,
        /// True if its arguments are one JSON object.
        complete: bool,
    },
    /// The reply is over.
    Finish(Ending),
    /// The stream broke off with an error of the server.
    Error(String),
}

/// How a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// A word that all surfaces have.
    Known(Finish),
    /// Any other word of the surface: `content_filter`, `refusal`, `failed`.
    Other(String),
}

/// One call as delivered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeliveredCall {
    /// The id by which the client answers it.
    pub id: String,
    /// The name.
    pub name: String,
    /// The arguments' JSON text, exactly as sent.
    pub arguments: String,
    /// True if they are one JSON object and nothing says that the call was cut.
    pub complete: bool,
}

impl DeliveredCall {
    /// True if a client can read the arguments: they are one JSON object. So may be those of a call that is not complete, if its unit was cut
    /// behind them.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        strict::is_object(&self.arguments)
    }
}

/// One part of a delivered reply. Adjacent text is merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveredPart {
    /// Content.
    Text(String),
    /// Reasoning.
    Reasoning(String),
    /// A call.
    Call(DeliveredCall),
}

impl DeliveredPart {
    /// True for a call.
    #[must_use]
    pub const fn is_call(&self) -> bool {
        matches!(self, Self::Call(_))
    }
}

/// A reply as a surface delivered it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Delivered {
    /// The parts, in the order the surface showed.
    pub parts: Vec<DeliveredPart>,
    /// How it ended; `None` if it did not say.
    pub ending: Option<Ending>,
    /// The error it broke off with.
    pub error: Option<String>,
}

impl Delivered {
    /// Folds steps. A fragment or end of a call that never began is left out.
    #[must_use]
    pub fn from_steps<'a>(steps: impl IntoIterator<Item = &'a Step>) -> Self {
        let mut folding = Folding::default();
        steps.into_iter().for_each(|step| folding.step(step));
        folding.finish()
    }

    /// What a parsed reply should be delivered as, before any surface's own rules.
    #[must_use]
    pub fn of_reply(reply: &Reply) -> Self {
        use streakstone_model::Part;
        let part = |part: &Part| match part {
            Part::Text(text) => DeliveredPart::Text(text.clone()),
            Part::Reasoning(text) => DeliveredPart::Reasoning(text.clone()),
            Part::Call(call) => DeliveredPart::Call(DeliveredCall {
                id: call.id.value.clone(),
                name: call.name.clone(),
                arguments: call.arguments.clone(),
                complete: call.is_complete(),
            }),
        };
        Self { parts: reply.parts.iter().map(part).collect(), ending: Some(Ending::Known(reply.finish)), error: None }
    }

    /// All text joined.
    #[must_use]
    pub fn content(&self) -> String {
        self.parts.iter().filter_map(|p| if let DeliveredPart::Text(t) = p { Some(t.as_str()) } else { None }).collect()
    }

    /// All reasoning joined.
    #[must_use]
    pub fn reasoning(&self) -> String {
        self.parts.iter().filter_map(|p| if let DeliveredPart::Reasoning(t) = p { Some(t.as_str()) } else { None }).collect()
    }

    /// The calls in order.
    pub fn calls(&self) -> impl Iterator<Item = &DeliveredCall> {
        self.parts.iter().filter_map(|p| if let DeliveredPart::Call(c) = p { Some(c) } else { None })
    }

    /// The first difference between the complete calls of two replies, ids apart: names, order, and arguments as JSON (CC20, RS24, AN21).
    /// A call that `other` knows to be cut is the same here, complete or not, if it has the same arguments: a surface shows no more.
    #[must_use]
    pub fn calls_differ(&self, other: &Self) -> Option<String> {
        let same = |a: &DeliveredCall, b: &DeliveredCall| a.name == b.name && Json::parse(&a.arguments) == Json::parse(&b.arguments);
        let mut others = other.calls().peekable();
        for (at, own) in self.calls().filter(|call| call.complete).enumerate() {
            while others.next_if(|call| !call.complete && !same(own, call)).is_some() {}
            match others.next() {
                Some(call) if same(own, call) => {}
                Some(call) => return Some(format!("call {at} is {}, {} expected", shown_call(own), shown_call(call))),
                None => return Some(format!("call {at} is {}, none expected", shown_call(own))),
            }
        }
        others.find(|call| call.complete).map(|call| format!("the call {} is missing", shown_call(call)))
    }
}

fn shown_call(call: &DeliveredCall) -> String {
    format!("{} {}", crate::law::quote(&call.name), crate::law::quote(&call.arguments))
}

/// A reply that grows step by step.
#[derive(Debug, Default)]
pub(crate) struct Folding {
    reply: Delivered,
    /// Place of each call in the parts, and whether its end was seen.
    calls: Vec<(usize, bool)>,
}

impl Folding {
    pub fn step(&mut self, step: &Step) {
        let parts = &mut self.reply.parts;
        match step {
            Step::Text(text) => match parts.last_mut() {
                Some(DeliveredPart::Text(last)) => last.push_str(text),
                _ if text.is_empty() => {}
                _ => parts.push(DeliveredPart::Text(text.clone())),
            },
            Step::Reasoning(text) => match parts.last_mut() {
                Some(DeliveredPart::Reasoning(last)) => last.push_str(text),
                _ if text.is_empty() => {}
                _ => parts.push(DeliveredPart::Reasoning(text.clone())),
            },
            Step::CallBegin { id, name, .. } => {
                self.calls.push((parts.len(), false));
                parts.push(DeliveredPart::Call(DeliveredCall { id: id.clone(), name: name.clone(), ..DeliveredCall::default() }));
            }
            Step::Arguments { index, fragment } => {
                if let Some(call) = self.call(*index) {
                    call.arguments.push_str(fragment);
                }
            }
            Step::CallEnd { index, complete } => {
                if let Some(call) = self.calls.get_mut(*index) {
                    call.1 = *complete;
                }
            }
            Step::Finish(ending) => self.reply.ending = Some(ending.clone()),
            Step::Error(message) => self.reply.error = Some(message.clone()),
        }
    }

    /// The reply. Arguments are judged here, once: some streams go on after a call's end.
    pub fn finish(mut self) -> Delivered {
        for index in 0..self.calls.len() {
            let ended = self.calls[index].1;
            if let Some(call) = self.call(index) {
                call.complete = ended && strict::is_object(&call.arguments);
            }
        }
        self.reply
    }

    fn call(&mut self, index: usize) -> Option<&mut DeliveredCall> {
        let (place, _) = *self.calls.get(index)?;
        match &mut self.reply.parts[place] {
            DeliveredPart::Call(call) => Some(call),
            DeliveredPart::Text(_) | DeliveredPart::Reasoning(_) => None,
        }
    }
}
