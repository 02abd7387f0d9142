//! Bytes in, what the surface delivered out.

use crate::delivered::{Delivered, Folding, Step};
use crate::sse::{Decoder, Record};
use crate::{Surface, chat, messages, responses};

/// A text that is no whole body of the surface.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no body of this surface: {0}")]
pub struct NoBody(pub String);

/// Reads one streamed response. It reads on where a law is broken, as a client does, and never fails; the laws say what is wrong.
#[derive(Debug)]
pub struct Reader {
    decoder: Decoder,
    records: Vec<Record>,
    surface: SurfaceReader,
}

#[derive(Debug)]
enum SurfaceReader {
    Chat(chat::Reader),
    Responses(responses::Reader),
    Anthropic(messages::Reader),
}

impl Reader {
    /// A reader for one response.
    #[must_use]
    pub fn new(surface: Surface) -> Self {
        let own = match surface {
            Surface::Chat => SurfaceReader::Chat(chat::Reader::default()),
            Surface::Responses => SurfaceReader::Responses(responses::Reader::default()),
            Surface::Anthropic => SurfaceReader::Anthropic(messages::Reader::default()),
        };
        Self { decoder: Decoder::default(), records: Vec::new(), surface: own }
    }

    /// Takes bytes, cut anywhere, and appends the steps they complete.
    pub fn push(&mut self, bytes: &[u8], steps: &mut Vec<Step>) {
        let mut records = std::mem::take(&mut self.records);
        self.decoder.push(bytes, &mut records);
        records.drain(..).for_each(|record| self.record(&record, steps));
        self.records = records;
    }

    /// Takes one event that is already framed.
    pub fn record(&mut self, record: &Record, steps: &mut Vec<Step>) {
        match &mut self.surface {
            SurfaceReader::Chat(own) => own.record(record, steps),
            SurfaceReader::Responses(own) => own.record(record, steps),
            SurfaceReader::Anthropic(own) => own.record(record, steps),
        }
    }

    /// The stream is over.
    pub fn finish(&mut self, steps: &mut Vec<Step>) {
        let mut records = Vec::new();
        self.decoder.finish(&mut records);
        for record in &records {
            self.record(record, steps);
        }
        match &mut self.surface {
            SurfaceReader::Chat(own) => own.finish(steps),
            SurfaceReader::Responses(own) => own.finish(steps),
            SurfaceReader::Anthropic(own) => own.finish(steps),
        }
    }
}

/// The reply that a stream's bytes deliver.
#[must_use]
pub fn read_stream(surface: Surface, bytes: &[u8]) -> Delivered {
    let (mut reader, mut steps) = (Reader::new(surface), Vec::new());
    reader.push(bytes, &mut steps);
    reader.finish(&mut steps);
    Delivered::from_steps(&steps)
}

/// The reply that the events of a stream deliver.
pub(crate) fn read_records(surface: Surface, records: &[Record]) -> Delivered {
    let (mut reader, mut steps, mut folding) = (Reader::new(surface), Vec::new(), Folding::default());
    for record in records {
        reader.record(record, &mut steps);
        steps.drain(..).for_each(|step| folding.step(&step));
    }
    reader.finish(&mut steps);
    steps.drain(..).for_each(|step| folding.step(&step));
    folding.finish()
}

/// The reply that a whole body delivers.
///
/// # Errors
/// The text is no JSON, or no body of the surface.
pub fn read_whole(surface: Surface, text: &str) -> Result<Delivered, NoBody> {
    let mut steps = Vec::new();
    match surface {
        Surface::Chat => chat::whole(text, &mut steps),
        Surface::Responses => responses::whole(text, &mut steps),
        Surface::Anthropic => messages::whole(text, &mut steps),
    }?;
    Ok(Delivered::from_steps(&steps))
}
