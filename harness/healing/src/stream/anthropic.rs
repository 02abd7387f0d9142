//! Anthropic Messages (U62). A promoted call closes the open text block and is a block of its own; later blocks move behind it.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use streakstone_model::{Call, End, Parallel};
use streakstone_surfaces::Frame;

use super::{Own, named};
use crate::body::anthropic;
use crate::gate::Promotable;
use crate::ids::CallIds;
use crate::json::Object;
use crate::record::Raw;
use crate::track::{Piece, Share, Start, Track};

/// What text blocks begin as where upstream's own is not known.
const TEXT_BLOCK: &str = r#"{"type":"text","text":""}"#;

pub(super) struct Anthropic<'a> {
    track: Track<'a>,
    ids: CallIds,
    parallel: Parallel,
    /// The text block that upstream has open, as records come in.
    current: Option<u64>,
    /// The next block's index on the way out.
    next: u64,
    /// Where upstream's blocks went.
    places: HashMap<u64, u64>,
    /// Upstream's blocks that are left out.
    left_out: HashSet<u64>,
    /// Upstream's text block as records go out.
    block: Option<Block>,
    healed: usize,
    dropped: usize,
}

/// A text block of upstream on the way out.
struct Block {
    upstream: u64,
    /// Its `content_block`, for the blocks that its text is split into.
    template: Object,
    /// Index of the block that is open for it.
    open: Option<u64>,
}

/// What a record is.
pub(super) enum Kind {
    Other,
    TextStart {
        index: u64,
        share: Share,
        start: Start,
    },
    TextDelta {
        index: u64,
        share: Share,
    },
    Start {
        index: u64,
        native: bool,
    },
    /// Another event of a block.
    OfBlock {
        index: u64,
    },
    Stop {
        index: u64,
        share: Share,
    },
    MessageDelta {
        reason: Option<String>,
    },
}

#[derive(Deserialize)]
struct EventView {
    r#type: String,
    #[serde(default)]
    index: Option<u64>,
    #[serde(default)]
    content_block: Option<BlockView>,
    #[serde(default)]
    delta: Option<DeltaView>,
}

#[derive(Deserialize)]
struct BlockView {
    r#type: String,
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
struct DeltaView {
    #[serde(default)]
    r#type: Option<String>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    stop_reason: Option<String>,
}

impl<'a> Anthropic<'a> {
    pub fn new(promotable: &'a Promotable, ids: CallIds) -> Self {
        Self {
            track: Track::new(promotable),
            ids,
            parallel: promotable.parallel(),
            current: None,
            next: 0,
            places: HashMap::new(),
            left_out: HashSet::new(),
            block: None,
            healed: 0,
            dropped: 0,
        }
    }

    /// The next index goes to upstream's block.
    fn place(&mut self, upstream: u64) -> u64 {
        let place = self.next;
        self.next += 1;
        self.places.insert(upstream, place);
        place
    }

    fn of_block(&self, raw: &Raw, index: u64, out: &mut Vec<u8>) {
        if self.left_out.contains(&index) {
            return raw.replace(&[], out);
        }
        // Other events of a text block that is not open speak of text that was promoted.
        match self.block.as_ref().filter(|block| block.upstream == index) {
            Some(Block { open: None, .. }) => raw.replace(&[], out),
            Some(Block { open: Some(place), .. }) => pass(raw, index, *place, out),
            None => pass(raw, index, self.places.get(&index).copied().unwrap_or(index), out),
        }
    }

    fn text_start(&mut self, raw: &Raw, index: u64, share: &Share, out: &mut Vec<u8>) {
        self.left_out.remove(&index);
        let pieces = if self.track.cut_is_next() && share.text.is_empty() { Some(Vec::new()) } else { self.track.take(share) };
        let template = Object::parse(&raw.data).and_then(|event| event.object("content_block"));
        let mut template = template.or_else(|| Object::parse(TEXT_BLOCK)).unwrap_or_default();
        template.set_string("text", "");
        self.block = Some(Block { upstream: index, template, open: None });
        let Some(pieces) = pieces else {
            let place = self.place(index);
            if let Some(block) = &mut self.block {
                block.open = Some(place);
            }
            return pass(raw, index, place, out);
        };
        // The block begins with a call: it opens once there is text.
        let mut frames = Vec::new();
        self.pieces(None, pieces, &mut frames);
        raw.replace(&frames, out);
    }

    fn text(&mut self, raw: &Raw, index: u64, share: &Share, out: &mut Vec<u8>) {
        let pieces = self.track.take(share);
        let open = self.block.as_ref().filter(|block| block.upstream == index).and_then(|block| block.open);
        match (pieces, open) {
            (None, Some(place)) => pass(raw, index, place, out),
            (pieces, _) => {
                let pieces = pieces.unwrap_or_else(|| vec![Piece::Text(share.text.clone())]);
                let mut frames = Vec::new();
                self.pieces(Object::parse(&raw.data).as_ref(), pieces, &mut frames);
                raw.replace(&frames, out);
            }
        }
    }

    /// Text and calls in order, as blocks.
    fn pieces(&mut self, event: Option<&Object>, pieces: Vec<Piece>, frames: &mut Vec<Frame>) {
        for piece in pieces {
            match piece {
                Piece::Text(text) if text.is_empty() => {}
                Piece::Text(text) => self.add_text(event, &text, frames),
                Piece::Call(call) => self.add_call(&call, frames),
            }
        }
    }

    /// Text in upstream's text block, which is opened again if it is closed.
    fn add_text(&mut self, event: Option<&Object>, text: &str, frames: &mut Vec<Frame>) {
        let Some(block) = &mut self.block else { return };
        let place = block.open.unwrap_or_else(|| {
            let place = self.next;
            self.next += 1;
            frames.push(started(place, &block.template));
            block.open = Some(place);
            place
        });
        let mut delta = event.and_then(|event| event.object("delta")).unwrap_or_default();
        delta.set_string("type", "text_delta");
        delta.set_string("text", text);
        let mut event = event.cloned().unwrap_or_else(|| of_type("content_block_delta"));
        event.set("index", place.to_string());
        event.set("delta", delta.to_string());
        frames.push(named(&event));
    }

    /// A promoted call: the open text block is closed before it.
    fn add_call(&mut self, call: &Call, frames: &mut Vec<Frame>) {
        if let Some(place) = self.block.as_mut().and_then(|block| block.open.take()) {
            frames.push(indexed("content_block_stop", place));
        }
        let place = self.next;
        self.next += 1;
        self.healed += 1;
        let id = self.ids.call(call);
        frames.push(started(place, &anthropic::block(call, &id, "{}")));
        let mut delta = of_type("input_json_delta");
        delta.set_string("partial_json", &call.arguments);
        let mut event = of_type("content_block_delta");
        event.set("index", place.to_string());
        event.set("delta", delta.to_string());
        frames.push(named(&event));
        frames.push(indexed("content_block_stop", place));
    }
}

impl Own for Anthropic<'_> {
    type Kind = Kind;

    fn take_in(&mut self, raw: &Raw) -> Kind {
        if raw.data.is_empty() {
            return Kind::Other;
        }
        let Ok(event) = serde_json::from_str::<EventView>(&raw.data) else {
            // What cannot be read may hold text, so no later text can be told from the middle of a call.
            self.track.sleep();
            return Kind::Other;
        };
        let index = event.index.unwrap_or(0);
        match (event.r#type.as_str(), event.content_block, event.delta) {
            ("content_block_start", Some(block), _) if block.r#type == "text" => {
                self.track.end_open(End::Stop);
                self.current = Some(index);
                let start = self.track.start();
                let share = self.track.feed(block.text.unwrap_or_default());
                Kind::TextStart { index, share, start }
            }
            ("content_block_start", block, _) => {
                self.track.end_open(End::Stop);
                let native = block.is_some_and(|block| block.r#type == "tool_use");
                if native {
                    self.track.sleep();
                }
                Kind::Start { index, native }
            }
            ("content_block_delta", _, Some(delta)) if delta.r#type.as_deref() == Some("text_delta") && self.current == Some(index) => {
                Kind::TextDelta { index, share: self.track.feed(delta.text.unwrap_or_default()) }
            }
            ("content_block_stop", ..) if self.current == Some(index) => {
                // Why the text ended is known later: with the next block, or the stop reason.
                self.current = None;
                Kind::Stop { index, share: self.track.here() }
            }
            ("message_delta", _, delta) => {
                let reason = delta.and_then(|delta| delta.stop_reason);
                self.track.end(anthropic::end_of(reason.as_deref()));
                Kind::MessageDelta { reason }
            }
            ("message_stop", ..) => {
                self.track.end(End::Stop);
                Kind::Other
            }
            ("error", ..) => {
                self.track.sleep();
                Kind::Other
            }
            (kind, ..) if kind.starts_with("content_block") => Kind::OfBlock { index },
            _ => Kind::Other,
        }
    }

    fn is_ready(&self, kind: &Kind) -> bool {
        match kind {
            Kind::TextStart { share, start, .. } => self.track.is_decided(share) && self.track.has_begun(*start),
            Kind::TextDelta { share, .. } | Kind::Stop { share, .. } => self.track.is_decided(share),
            Kind::Other | Kind::Start { .. } | Kind::OfBlock { .. } | Kind::MessageDelta { .. } => true,
        }
    }

    fn send(&mut self, raw: &Raw, kind: Kind, out: &mut Vec<u8>) {
        match kind {
            Kind::Other => out.extend_from_slice(&raw.bytes),
            Kind::TextStart { index, share, .. } => self.text_start(raw, index, &share, out),
            Kind::TextDelta { index, share } => self.text(raw, index, &share, out),
            Kind::Start { index, native } => {
                if native && self.parallel == Parallel::First && self.healed > 0 {
                    self.left_out.insert(index);
                    self.dropped += 1;
                    return raw.replace(&[], out);
                }
                self.left_out.remove(&index);
                let place = self.place(index);
                pass(raw, index, place, out);
            }
            Kind::OfBlock { index } => self.of_block(raw, index, out),
            Kind::Stop { index, .. } => match self.block.take_if(|block| block.upstream == index) {
                None => self.of_block(raw, index, out),
                Some(Block { open: Some(place), .. }) => pass(raw, index, place, out),
                // Its last text went into a call, and the block was closed before that.
                Some(Block { open: None, .. }) => raw.replace(&[], out),
            },
            Kind::MessageDelta { reason } => {
                let frame = (self.healed > 0 && anthropic::yields(reason.as_deref())).then(|| yielding(raw)).flatten();
                match frame {
                    Some(frame) => raw.replace(&[frame], out),
                    None => out.extend_from_slice(&raw.bytes),
                }
            }
        }
    }

    fn tracks(&self) -> impl Iterator<Item = &Track<'_>> {
        std::iter::once(&self.track)
    }

    fn sleep(&mut self) {
        self.track.sleep();
    }

    fn dropped(&self) -> usize {
        self.dropped
    }
}

fn of_type(kind: &str) -> Object {
    let mut object = Object::default();
    object.set_string("type", kind);
    object
}

fn indexed(kind: &str, index: u64) -> Frame {
    let mut event = of_type(kind);
    event.set("index", index.to_string());
    named(&event)
}

fn started(index: u64, block: &Object) -> Frame {
    let mut event = of_type("content_block_start");
    event.set("index", index.to_string());
    event.set("content_block", block.to_string());
    named(&event)
}

/// A record of a block: as it came if the block has its own index still.
fn pass(raw: &Raw, upstream: u64, place: u64, out: &mut Vec<u8>) {
    match (upstream != place).then(|| Object::parse(&raw.data)).flatten() {
        None => out.extend_from_slice(&raw.bytes),
        Some(mut event) => {
            event.set("index", place.to_string());
            raw.replace(&[Frame { event: raw.event.clone(), data: event.to_string() }], out);
        }
    }
}

/// The `message_delta` of a reply that has a call.
fn yielding(raw: &Raw) -> Option<Frame> {
    let mut event = Object::parse(&raw.data)?;
    let mut delta = event.object("delta")?;
    delta.set_string("stop_reason", "tool_use");
    if delta.has("stop_sequence") {
        delta.set("stop_sequence", "null");
    }
    event.set("delta", delta.to_string());
    Some(Frame { event: raw.event.clone(), data: event.to_string() })
}
