//! Events in, a whole body or a stream out.

use streakstone_model::Event;

use crate::delivered::{Delivered, Folding, Step};
use crate::ids::Ids;
use crate::options::{Usage, WriteOptions};
use crate::outgoing::Outgoing;
use crate::sse::Frame;
use crate::{Surface, chat, messages, responses};

/// Writes one response as a stream, event by event.
#[derive(Debug)]
pub struct Writer {
    outgoing: Outgoing,
    ids: Ids,
    usage: Usage,
    state: State,
    surface: SurfaceWriter,
    steps: Vec<Step>,
}

/// How far a response has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Ended,
}

#[derive(Debug)]
enum SurfaceWriter {
    Chat(chat::Writer),
    Responses(Box<responses::Writer>),
    Anthropic(messages::Writer),
}

impl Writer {
    /// A writer for one response.
    #[must_use]
    pub fn new(surface: Surface, options: &WriteOptions, mut ids: Ids) -> Self {
        let own = match surface {
            Surface::Chat => SurfaceWriter::Chat(chat::Writer::new(options, &mut ids)),
            Surface::Responses => SurfaceWriter::Responses(Box::new(responses::Writer::new(options, &mut ids))),
            Surface::Anthropic => SurfaceWriter::Anthropic(messages::Writer::new(options, &mut ids)),
        };
        let outgoing = Outgoing::new(surface, options.parallel);
        Self { outgoing, ids, usage: options.usage, state: State::New, surface: own, steps: Vec::new() }
    }

    /// What stands before any content. [`Self::step`] sends it by itself; a server that wants to answer before the model does calls this.
    pub fn start(&mut self) -> Vec<Frame> {
        let mut frames = Vec::new();
        if self.state == State::New {
            self.state = State::Open;
            match &mut self.surface {
                SurfaceWriter::Chat(own) => own.start(&mut frames),
                SurfaceWriter::Responses(own) => own.start(&mut frames),
                SurfaceWriter::Anthropic(own) => own.start(&mut frames),
            }
        }
        frames
    }

    /// What one event becomes; nothing after the finish.
    pub fn step(&mut self, event: &Event) -> Vec<Frame> {
        let mut frames = self.start();
        let mut steps = std::mem::take(&mut self.steps);
        self.outgoing.step(event, &mut self.ids, &mut steps);
        for step in steps.drain(..) {
            self.send(&step, &mut frames);
        }
        self.steps = steps;
        frames
    }

    /// Breaks the response off with an error, as the surface says it.
    pub fn fail(&mut self, message: &str) -> Vec<Frame> {
        let mut frames = self.start();
        self.send(&Step::Error(message.to_owned()), &mut frames);
        frames
    }

    /// Token counts that were not known at the start.
    pub const fn usage(&mut self, usage: Usage) {
        self.usage = usage;
    }

    fn send(&mut self, step: &Step, frames: &mut Vec<Frame>) {
        if self.state == State::Ended {
            return;
        }
        if matches!(step, Step::Finish(_) | Step::Error(_)) {
            self.state = State::Ended;
        }
        match &mut self.surface {
            SurfaceWriter::Chat(own) => own.step(step, self.usage, frames),
            SurfaceWriter::Responses(own) => own.step(step, self.usage, &mut self.ids, frames),
            SurfaceWriter::Anthropic(own) => own.step(step, self.usage, frames),
        }
    }
}

/// The whole stream of `events`.
#[must_use]
pub fn write_stream<'a>(surface: Surface, events: impl IntoIterator<Item = &'a Event>, options: &WriteOptions, ids: Ids) -> Vec<Frame> {
    let mut writer = Writer::new(surface, options, ids);
    let mut frames = writer.start();
    frames.extend(events.into_iter().flat_map(|event| writer.step(event)));
    frames
}

/// The whole body of `events`: JSON text. Text and not a value, because Anthropic's `input` is JSON inside JSON, whose numbers a value would
/// round.
#[must_use]
pub fn write_whole<'a>(surface: Surface, events: impl IntoIterator<Item = &'a Event>, options: &WriteOptions, mut ids: Ids) -> String {
    match surface {
        Surface::Chat => {
            let id = chat::Writer::new(options, &mut ids);
            id.whole(&deliver(surface, events, options, &mut ids), options.usage)
        }
        Surface::Responses => {
            let mut writer = responses::Writer::new(options, &mut ids);
            writer.start(&mut Vec::new());
            let mut outgoing = Outgoing::new(surface, options.parallel);
            let mut steps = Vec::new();
            events.into_iter().for_each(|event| outgoing.step(event, &mut ids, &mut steps));
            // The output of the terminal event is the output of the body: one code decides both.
            for step in &steps {
                writer.step(step, options.usage, &mut ids, &mut Vec::new());
            }
            writer.whole()
        }
        Surface::Anthropic => {
            let writer = messages::Writer::new(options, &mut ids);
            writer.whole(&deliver(surface, events, options, &mut ids), options.usage)
        }
    }
}

/// The reply that leaves by `surface`.
fn deliver<'a>(surface: Surface, events: impl IntoIterator<Item = &'a Event>, options: &WriteOptions, ids: &mut Ids) -> Delivered {
    let mut outgoing = Outgoing::new(surface, options.parallel);
    let (mut folding, mut steps) = (Folding::default(), Vec::new());
    for event in events {
        outgoing.step(event, ids, &mut steps);
        steps.drain(..).for_each(|step| folding.step(&step));
    }
    folding.finish()
}
