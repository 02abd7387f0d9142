//! A reply: the ordered parts a raw text means, and how it is put together from events.

use crate::event::{ByteUse, CallOutcome, Event, Finish, Span};

/// Where a call's id comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CallId {
    /// As sent to the client.
    pub value: String,
    /// True if it was minted and is not the model's.
    pub minted: bool,
}

impl CallId {
    /// True for what Kimi writes, `functions.NAME:INDEX` or `NAME:INDEX`, which is kept as written although it is no `[A-Za-z0-9_-]{1,64}`
    /// (semantics 5).
    #[must_use]
    pub fn holds_name(id: &str) -> bool {
        let Some((name, index)) = id.strip_prefix("functions.").unwrap_or(id).rsplit_once(':') else { return false };
        let digits = (1..=9).contains(&index.len()) && index.bytes().all(|b| b.is_ascii_digit());
        digits && (1..=64).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.:/".contains(&b))
    }
}

/// One call of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The name as sent.
    pub name: String,
    /// The id as sent.
    pub id: CallId,
    /// The arguments' JSON text, all fragments joined. Strict JSON if the call is complete.
    pub arguments: String,
    /// Complete, or why not.
    pub outcome: CallOutcome,
}

impl Call {
    /// True if the call closed.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.outcome == CallOutcome::Complete
    }
}

/// One part of a reply, in the order of the text. Adjacent text is merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Content.
    Text(String),
    /// Reasoning.
    Reasoning(String),
    /// A call.
    Call(Call),
}

/// What a span of raw bytes became.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanUse {
    /// Content.
    Content,
    /// Reasoning.
    Reasoning,
    /// Framing, a call's body, or dropped.
    Bytes(ByteUse),
}

/// What a raw text means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The parts in order.
    pub parts: Vec<Part>,
    /// The finish reason.
    pub finish: Finish,
    /// What each run of raw bytes became; adjacent runs of one use are merged. Empty if the subject gives no spans.
    pub spans: Vec<(SpanUse, Span)>,
}

/// An order of events that no reply has. Each is a breach of a stream law.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EventFault {
    /// A call's index is not the number of calls before it.
    #[error("call begins with index {got}, {want} was next")]
    IndexNotDense {
        /// What was next.
        want: usize,
        /// What came.
        got: usize,
    },
    /// A fragment or end for a call that never began.
    #[error("call {0} has a fragment or an end before its name")]
    BeforeName(usize),
    /// A second name for one call.
    #[error("call {0} begins twice")]
    BeginsTwice(usize),
    /// A fragment or end after the end.
    #[error("call {0} goes on after its end")]
    AfterEnd(usize),
    /// A call that never ended.
    #[error("call {0} never ends")]
    NeverEnds(usize),
    /// An event after the finish.
    #[error("an event came after the finish")]
    AfterFinish,
    /// No finish.
    #[error("the reading has no finish")]
    NoFinish,
}

impl Reply {
    /// Puts a reply together from the events of one reading.
    ///
    /// # Errors
    /// The events are in an order that no reply has.
    pub fn from_events<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, EventFault> {
        let mut reply = Self { parts: Vec::new(), finish: Finish::Stop, spans: Vec::new() };
        // Place of each call in `parts`, and whether it has ended.
        let mut calls: Vec<(usize, bool)> = Vec::new();
        let mut finished = false;
        for event in events {
            if finished {
                return Err(EventFault::AfterFinish);
            }
            match event {
                Event::Text { text, span } => {
                    match reply.parts.last_mut() {
                        Some(Part::Text(last)) => last.push_str(text),
                        _ if text.is_empty() => {}
                        _ => reply.parts.push(Part::Text(text.clone())),
                    }
                    reply.span(SpanUse::Content, *span);
                }
                Event::Reasoning { text, span } => {
                    match reply.parts.last_mut() {
                        Some(Part::Reasoning(last)) => last.push_str(text),
                        _ if text.is_empty() => {}
                        _ => reply.parts.push(Part::Reasoning(text.clone())),
                    }
                    reply.span(SpanUse::Reasoning, *span);
                }
                Event::CallBegin { index, name, id, minted } => {
                    if *index < calls.len() {
                        return Err(EventFault::BeginsTwice(*index));
                    }
                    if *index != calls.len() {
                        return Err(EventFault::IndexNotDense { want: calls.len(), got: *index });
                    }
                    calls.push((reply.parts.len(), false));
                    reply.parts.push(Part::Call(Call {
                        name: name.clone(),
                        id: CallId { value: id.clone(), minted: *minted },
                        arguments: String::new(),
                        outcome: CallOutcome::Complete,
                    }));
                }
                Event::Arguments { index, fragment } => reply.call_mut(&calls, *index)?.arguments.push_str(fragment),
                Event::CallEnd { index, outcome } => {
                    reply.call_mut(&calls, *index)?.outcome = *outcome;
                    calls[*index].1 = true;
                }
                Event::Bytes { what, span } => reply.span(SpanUse::Bytes(*what), *span),
                Event::Finish { reason } => {
                    reply.finish = *reason;
                    finished = true;
                }
            }
        }
        if !finished {
            return Err(EventFault::NoFinish);
        }
        match calls.iter().position(|(_, ended)| !ended) {
            Some(open) => Err(EventFault::NeverEnds(open)),
            None => Ok(reply),
        }
    }

    fn call_mut(&mut self, calls: &[(usize, bool)], index: usize) -> Result<&mut Call, EventFault> {
        let &(place, ended) = calls.get(index).ok_or(EventFault::BeforeName(index))?;
        if ended {
            return Err(EventFault::AfterEnd(index));
        }
        match &mut self.parts[place] {
            Part::Call(call) => Ok(call),
            Part::Text(_) | Part::Reasoning(_) => Err(EventFault::BeforeName(index)),
        }
    }

    fn span(&mut self, what: SpanUse, span: Span) {
        if span.is_empty() {
            return;
        }
        match self.spans.last_mut() {
            Some((last, run)) if *last == what && run.end == span.start => run.end = span.end,
            _ => self.spans.push((what, span)),
        }
    }

    /// All text parts joined; `""` if there is none.
    #[must_use]
    pub fn content(&self) -> String {
        self.parts.iter().filter_map(|p| if let Part::Text(t) = p { Some(t.as_str()) } else { None }).collect()
    }

    /// All reasoning parts joined; `""` if there is none.
    #[must_use]
    pub fn reasoning(&self) -> String {
        self.parts.iter().filter_map(|p| if let Part::Reasoning(t) = p { Some(t.as_str()) } else { None }).collect()
    }

    /// The calls in order.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.parts.iter().filter_map(|p| if let Part::Call(c) = p { Some(c) } else { None })
    }
}
