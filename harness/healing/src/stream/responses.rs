//! Responses (U61). A promoted call closes the open message and is an item of its own; later text opens a new message behind it.
//! Output indexes stay dense: 0, 1, 2 ... in the order in which items go out.

mod message;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;
use streakstone_model::{Call, End, Parallel};
use streakstone_surfaces::{DONE, Frame, IdKind};

use self::message::{Message, Place};
use super::Own;
use crate::body::responses;
use crate::gate::Promotable;
use crate::ids::CallIds;
use crate::json::{self, Object};
use crate::record::Raw;
use crate::track::{Piece, Share, Start, Track};

pub(super) struct Responses<'a> {
    track: Track<'a>,
    parallel: Parallel,
    /// The text part that upstream has open, as records come in: output index and content index.
    current: Option<(u64, u64)>,
    out: Outgoing,
    /// Upstream's message as records go out.
    message: Option<Message>,
    /// Upstream's items that are left out.
    left_out: HashSet<u64>,
    dropped: usize,
}

/// What has gone out.
struct Outgoing {
    ids: CallIds,
    /// Calls promoted.
    healed: usize,
    /// The next event's number.
    sequence: u64,
    /// The next item's index.
    next: u64,
    /// Where upstream's items went.
    places: HashMap<u64, u64>,
    /// The items that are done, by index.
    done: BTreeMap<u64, String>,
}

/// What a record is.
pub(super) enum Kind {
    /// Nothing that a healer asks about.
    Other,
    ItemAdded {
        index: u64,
        item: ItemKind,
        start: Start,
    },
    PartAdded {
        index: u64,
        text: bool,
        start: Start,
    },
    TextDelta {
        index: u64,
        share: Share,
    },
    TextDone {
        index: u64,
        share: Share,
    },
    PartDone {
        index: u64,
        share: Share,
    },
    ItemDone {
        index: u64,
        item: ItemKind,
    },
    /// Another event of an item.
    OfItem {
        index: u64,
    },
    /// The response as a whole, at its end.
    Terminal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemKind {
    Message,
    Call,
    Other,
}

#[derive(Deserialize)]
struct EventView {
    r#type: String,
    #[serde(default)]
    output_index: Option<u64>,
    #[serde(default)]
    content_index: Option<u64>,
    #[serde(default)]
    item: Option<ItemView>,
    #[serde(default)]
    part: Option<PartView>,
}

#[derive(Deserialize)]
struct ItemView {
    #[serde(default)]
    r#type: Option<String>,
    #[serde(default)]
    status: Option<String>,
}

#[derive(Deserialize)]
struct PartView {
    #[serde(default)]
    r#type: Option<String>,
}

#[derive(Deserialize)]
struct DeltaView {
    delta: String,
}

impl ItemView {
    fn kind(&self) -> ItemKind {
        match self.r#type.as_deref() {
            Some("message") => ItemKind::Message,
            Some("function_call") => ItemKind::Call,
            _ => ItemKind::Other,
        }
    }
}

impl<'a> Responses<'a> {
    pub fn new(promotable: &'a Promotable, ids: CallIds) -> Self {
        Self {
            track: Track::new(promotable),
            parallel: promotable.parallel(),
            current: None,
            out: Outgoing { ids, healed: 0, sequence: 0, next: 0, places: HashMap::new(), done: BTreeMap::new() },
            message: None,
            left_out: HashSet::new(),
            dropped: 0,
        }
    }

    /// An event of the whole response.
    fn of_response(&mut self, kind: &str) -> Kind {
        match kind {
            "response.completed" => self.track.end(End::Stop),
            "response.incomplete" => self.track.end(End::Length),
            "response.failed" | "error" => self.track.sleep(),
            _ => return Kind::Other,
        }
        if kind == "error" { Kind::Other } else { Kind::Terminal }
    }

    fn part_added(&mut self, raw: &Raw, index: u64, text: bool, out: &mut Vec<u8>) {
        let begins_with_a_call = text && self.track.cut_is_next();
        let Some(message) = self.message.as_mut().filter(|message| message.upstream == index) else {
            return self.out.pass_of(raw, index, out);
        };
        let part = Object::parse(&raw.data).and_then(|event| event.object("part")).unwrap_or_default();
        message.next_part(part);
        if begins_with_a_call {
            return raw.replace(&[], out);
        }
        if let Some(place) = message.place().filter(|_| !message.is_changed()) {
            message.part_opened();
            return self.out.pass(raw, Some((index, place.output)), out);
        }
        let mut frames = Vec::new();
        message.open_part(&mut self.out, &mut frames);
        raw.replace(&frames, out);
    }

    fn text(&mut self, raw: &Raw, index: u64, share: &Share, out: &mut Vec<u8>) {
        let pieces = self.track.take(share);
        let Some(message) = self.message.as_mut().filter(|message| message.upstream == index) else {
            return self.out.pass_of(raw, index, out);
        };
        if pieces.is_none() && !message.is_changed() {
            message.add(&share.text);
            return self.out.pass_of(raw, index, out);
        }
        let changed = pieces.is_some();
        let pieces = pieces.unwrap_or_else(|| vec![Piece::Text(share.text.clone())]);
        let mut frames = Vec::new();
        let event = Object::parse(&raw.data).unwrap_or_default();
        for piece in pieces {
            match piece {
                Piece::Text(text) if text.is_empty() => {}
                Piece::Text(text) => {
                    message.open_part(&mut self.out, &mut frames);
                    message.add(&text);
                    let Some(place) = message.place() else { continue };
                    let mut event = place.set(event.clone());
                    event.set_string("delta", &text);
                    if changed && event.has("logprobs") {
                        // They speak of tokens that went into the call.
                        event.set("logprobs", "[]");
                    }
                    frames.push(self.out.number(event));
                }
                Piece::Call(call) => {
                    message.close(&mut self.out, &mut frames);
                    self.out.call(&call, &mut frames);
                }
            }
        }
        message.change();
        raw.replace(&frames, out);
    }

    /// The end of a part, which a promoted call may have closed already.
    fn part_event(&mut self, raw: &Raw, index: u64, edit: impl FnOnce(&Message, Object) -> Object, out: &mut Vec<u8>) {
        let Some(message) = self.message.as_ref().filter(|message| message.upstream == index && message.is_changed()) else {
            return self.out.pass_of(raw, index, out);
        };
        let event = Object::parse(&raw.data).zip(message.open_place());
        let frame = event.map(|(event, place)| place.set(edit(message, event))).map(|event| self.out.number(event));
        raw.replace(frame.as_slice(), out);
    }

    fn item_done(&mut self, raw: &Raw, index: u64, item: ItemKind, out: &mut Vec<u8>) {
        if self.left_out.contains(&index) {
            return raw.replace(&[], out);
        }
        let message = self.message.take_if(|message| message.upstream == index && item == ItemKind::Message);
        let event = Object::parse(&raw.data);
        match message.filter(Message::is_changed) {
            None => {
                let place = self.out.places.get(&index).copied().unwrap_or(index);
                if let Some(item) = event.as_ref().and_then(|event| event.get("item")) {
                    self.out.done.insert(place, item.to_owned());
                }
                self.out.pass_of(raw, index, out);
            }
            Some(message) => {
                let frame = event.zip(message.place()).map(|(mut event, place)| {
                    let item = message.item(event.object("item").unwrap_or_default());
                    self.out.done.insert(place.output, item.to_string());
                    event.set("item", item.to_string());
                    event.set("output_index", place.output.to_string());
                    self.out.number(event)
                });
                raw.replace(frame.as_slice(), out);
            }
        }
    }

    /// The response at its end: its output is what went out.
    fn terminal(&mut self, raw: &Raw, out: &mut Vec<u8>) {
        let healed = self.out.healed > 0 || !self.left_out.is_empty() || self.track.report().dropped > 0;
        let event = Object::parse(&raw.data).filter(|_| healed);
        let Some((mut event, mut response)) = event.and_then(|event| event.object("response").map(|response| (event, response))) else {
            return self.out.pass(raw, None, out);
        };
        let items: Vec<&String> = self.out.done.values().collect();
        response.set("output", json::array(&items));
        event.set("response", response.to_string());
        let frame = self.out.number(event);
        raw.replace(&[frame], out);
    }
}

impl Own for Responses<'_> {
    type Kind = Kind;

    fn take_in(&mut self, raw: &Raw) -> Kind {
        if raw.data.is_empty() {
            return Kind::Other;
        }
        if raw.data == DONE {
            self.track.end_open(End::Stop);
            return Kind::Other;
        }
        let Ok(event) = serde_json::from_str::<EventView>(&raw.data) else {
            // What cannot be read may hold text, so no later text can be told from the middle of a call.
            self.track.sleep();
            return Kind::Other;
        };
        let Some(index) = event.output_index else { return self.of_response(&event.r#type) };
        let here = (index, event.content_index.unwrap_or(0));
        let item = event.item.as_ref().map_or(ItemKind::Other, ItemView::kind);
        match event.r#type.as_str() {
            "response.output_item.added" => {
                self.track.end_open(End::Stop);
                self.current = None;
                if item == ItemKind::Call {
                    self.track.sleep();
                }
                Kind::ItemAdded { index, item, start: self.track.start() }
            }
            "response.content_part.added" => {
                self.track.end_open(End::Stop);
                let text = event.part.is_some_and(|part| part.r#type.as_deref() == Some("output_text"));
                self.current = text.then_some(here);
                if !text {
                    // The message begins with what is no text.
                    self.track.end(End::Stop);
                }
                Kind::PartAdded { index, text, start: self.track.start() }
            }
            "response.output_text.delta" if self.current == Some(here) => {
                if let Ok(DeltaView { delta }) = serde_json::from_str(&raw.data) {
                    Kind::TextDelta { index, share: self.track.feed(delta) }
                } else {
                    self.track.sleep();
                    Kind::OfItem { index }
                }
            }
            // Why the text ended is known later: with the item's status.
            "response.output_text.done" if self.current == Some(here) => Kind::TextDone { index, share: self.track.here() },
            "response.content_part.done" => {
                self.current = None;
                Kind::PartDone { index, share: self.track.here() }
            }
            "response.output_item.done" => {
                self.current = None;
                if item == ItemKind::Message {
                    let status = event.item.and_then(|item| item.status);
                    self.track.end(responses::end_of(status.as_deref()));
                }
                Kind::ItemDone { index, item }
            }
            _ => Kind::OfItem { index },
        }
    }

    fn is_ready(&self, kind: &Kind) -> bool {
        match kind {
            Kind::ItemAdded { item: ItemKind::Message, start, .. } | Kind::PartAdded { text: true, start, .. } => {
                self.track.has_begun(*start)
            }
            Kind::TextDelta { share, .. } | Kind::TextDone { share, .. } | Kind::PartDone { share, .. } => self.track.is_decided(share),
            Kind::Other
            | Kind::ItemAdded { .. }
            | Kind::PartAdded { .. }
            | Kind::ItemDone { .. }
            | Kind::OfItem { .. }
            | Kind::Terminal => true,
        }
    }

    fn send(&mut self, raw: &Raw, kind: Kind, out: &mut Vec<u8>) {
        match kind {
            Kind::Other => self.out.pass(raw, None, out),
            Kind::ItemAdded { index, item: ItemKind::Message, .. } => {
                let item = Object::parse(&raw.data).and_then(|event| event.object("item")).unwrap_or_default();
                self.message = Some(Message::new(index, item));
                if self.track.cut_is_next() {
                    // It begins with a call: the message is added once there is text.
                    return raw.replace(&[], out);
                }
                let place = self.out.place(index);
                if let Some(message) = &mut self.message {
                    message.opened(place);
                }
                self.out.pass(raw, Some((index, place)), out);
            }
            Kind::ItemAdded { index, item, .. } => {
                if item == ItemKind::Call && self.parallel == Parallel::First && self.out.healed > 0 {
                    self.left_out.insert(index);
                    self.dropped += 1;
                    return raw.replace(&[], out);
                }
                let place = self.out.place(index);
                self.out.pass(raw, Some((index, place)), out);
            }
            Kind::PartAdded { index, text, .. } => self.part_added(raw, index, text, out),
            Kind::TextDelta { index, share } => self.text(raw, index, &share, out),
            Kind::TextDone { index, .. } => self.part_event(raw, index, Message::text_done, out),
            Kind::PartDone { index, .. } => {
                self.part_event(raw, index, Message::part_done, out);
                if let Some(message) = self.message.as_mut().filter(|message| message.upstream == index) {
                    message.end_part(Object::parse(&raw.data).and_then(|event| event.object("part")));
                }
            }
            Kind::ItemDone { index, item } => self.item_done(raw, index, item, out),
            Kind::OfItem { index } => {
                if self.left_out.contains(&index) {
                    return raw.replace(&[], out);
                }
                match self.message.as_ref().filter(|message| message.upstream == index && message.is_changed()) {
                    Some(message) => {
                        let frame = message.place().and_then(|place| self.out.event_of(raw, &place));
                        raw.replace(frame.as_slice(), out);
                    }
                    None => self.out.pass_of(raw, index, out),
                }
            }
            Kind::Terminal => self.terminal(raw, out),
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

impl Outgoing {
    /// The next index goes to upstream's item.
    fn place(&mut self, upstream: u64) -> u64 {
        let place = self.next;
        self.next += 1;
        self.places.insert(upstream, place);
        place
    }

    /// An event that is sent, with the next number.
    fn number(&mut self, mut event: Object) -> Frame {
        event.set("sequence_number", self.sequence.to_string());
        self.sequence += 1;
        super::named(&event)
    }

    /// An event of upstream's item at `index`.
    fn pass_of(&mut self, raw: &Raw, index: u64, out: &mut Vec<u8>) {
        let place = self.places.get(&index).copied().unwrap_or(index);
        self.pass(raw, Some((index, place)), out);
    }

    /// An event as it came, unless its number or its item's index has moved.
    fn pass(&mut self, raw: &Raw, index: Option<(u64, u64)>, out: &mut Vec<u8>) {
        let Some(mut event) = Object::parse(&raw.data) else { return out.extend_from_slice(&raw.bytes) };
        let number = event.get("sequence_number").and_then(|number| number.parse::<u64>().ok());
        let moved = index.filter(|(upstream, place)| upstream != place);
        let renumbered = number.filter(|number| *number != self.sequence && self.healed > 0);
        if let Some(number) = number {
            self.sequence = if renumbered.is_some() { self.sequence + 1 } else { number + 1 };
        }
        if moved.is_none() && renumbered.is_none() {
            return out.extend_from_slice(&raw.bytes);
        }
        if let Some((_, place)) = moved {
            event.set("output_index", place.to_string());
        }
        if renumbered.is_some() {
            event.set("sequence_number", (self.sequence - 1).to_string());
        }
        raw.replace(&[Frame { event: raw.event.clone(), data: event.to_string() }], out);
    }

    /// Another event of a message that was changed, in the place of the message that is open for it.
    fn event_of(&mut self, raw: &Raw, place: &Place) -> Option<Frame> {
        let event = Object::parse(&raw.data)?;
        Some(self.number(place.set(event)))
    }

    /// A promoted call: an item of its own.
    fn call(&mut self, call: &Call, frames: &mut Vec<Frame>) {
        let (item_id, call_id) = (self.ids.mint(IdKind::FunctionCall), self.ids.call(call));
        let place = self.next;
        self.next += 1;
        self.healed += 1;
        let item = |arguments: &str, status: &str| responses::item(call, &item_id, &call_id, arguments, status);
        frames.push(self.item_event("response.output_item.added", place, &item("", "in_progress")));
        for (kind, key) in [("response.function_call_arguments.delta", "delta"), ("response.function_call_arguments.done", "arguments")] {
            let mut event = Object::default();
            event.set_string("type", kind);
            event.set("sequence_number", "0");
            event.set_string("item_id", &item_id);
            event.set("output_index", place.to_string());
            if key == "arguments" {
                event.set_string("name", &call.name);
            }
            event.set_string(key, &call.arguments);
            frames.push(self.number(event));
        }
        let done = item(&call.arguments, "completed");
        frames.push(self.item_event("response.output_item.done", place, &done));
        self.done.insert(place, done.to_string());
    }

    /// `output_item.added` or `output_item.done`.
    fn item_event(&mut self, kind: &str, place: u64, item: &Object) -> Frame {
        let mut event = Object::default();
        event.set_string("type", kind);
        event.set("sequence_number", "0");
        event.set("output_index", place.to_string());
        event.set("item", item.to_string());
        self.number(event)
    }
}
