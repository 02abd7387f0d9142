//! A message item of upstream on the way out: one message, or several with calls between them.

use streakstone_surfaces::{Frame, IdKind};

use super::Outgoing;
use crate::json::{self, Object};

/// Where an event of a message belongs.
pub(super) struct Place {
    pub output: u64,
    id: String,
    content: usize,
}

impl Place {
    /// The event, moved there.
    pub fn set(&self, mut event: Object) -> Object {
        event.set_string("item_id", &self.id);
        event.set("output_index", self.output.to_string());
        if event.has("content_index") {
            event.set("content_index", self.content.to_string());
        }
        event
    }
}

pub(super) struct Message {
    /// Upstream's output index.
    pub upstream: u64,
    /// The item as upstream added it.
    template: Object,
    /// The open part as upstream added it.
    part: Object,
    /// Index and id of the message that is open.
    open: Option<(u64, String)>,
    /// True once a message went out with upstream's own id.
    id_used: bool,
    /// True while a part is open.
    part_open: bool,
    /// Text of the open part.
    text: String,
    /// Parts of the open message that are done.
    parts: Vec<String>,
    /// True once something of it went into a call.
    changed: bool,
}

impl Message {
    pub fn new(upstream: u64, template: Object) -> Self {
        Self {
            upstream,
            template,
            part: Object::default(),
            open: None,
            id_used: false,
            part_open: false,
            text: String::new(),
            parts: Vec::new(),
            changed: false,
        }
    }

    /// Upstream's own `output_item.added` went out.
    pub fn opened(&mut self, place: u64) {
        self.open = Some((place, self.template.string("id").unwrap_or_default()));
        self.id_used = true;
    }

    /// The next part begins as upstream says.
    pub fn next_part(&mut self, part: Object) {
        self.part = part;
        self.part_open = false;
        self.text = self.part.string("text").unwrap_or_default();
    }

    /// Upstream's own `content_part.added` went out.
    pub const fn part_opened(&mut self) {
        self.part_open = true;
    }

    pub fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub const fn change(&mut self) {
        self.changed = true;
    }

    /// True if its events are no longer upstream's own.
    pub const fn is_changed(&self) -> bool {
        self.changed || self.open.is_none()
    }

    /// Where events of the open message go.
    pub fn place(&self) -> Option<Place> {
        self.open.as_ref().map(|(output, id)| Place { output: *output, id: id.clone(), content: self.parts.len() })
    }

    /// The same while a part is open.
    pub fn open_place(&self) -> Option<Place> {
        self.place().filter(|_| self.part_open)
    }

    /// `output_text.done` as it is to be.
    pub fn text_done(&self, mut event: Object) -> Object {
        event.set_string("text", &self.text);
        if event.has("logprobs") {
            event.set("logprobs", "[]");
        }
        event
    }

    /// `content_part.done` as it is to be.
    pub fn part_done(&self, mut event: Object) -> Object {
        event.set("part", self.whole_part(event.object("part")).to_string());
        event
    }

    /// The part with its text; what it has besides comes from `done`.
    fn whole_part(&self, done: Option<Object>) -> Object {
        let mut part = done.unwrap_or_else(|| self.part.clone());
        if part.string("type").as_deref() == Some("output_text") {
            part.set_string("text", &self.text);
            if self.changed && part.has("logprobs") {
                part.set("logprobs", "[]");
            }
        }
        part
    }

    /// The open part is over; `done` is upstream's last word on it.
    pub fn end_part(&mut self, done: Option<Object>) {
        if std::mem::take(&mut self.part_open) {
            self.parts.push(self.whole_part(done).to_string());
        }
        self.text.clear();
    }

    /// The message item as it is to be.
    pub fn item(&self, mut item: Object) -> Object {
        if let Some((_, id)) = &self.open {
            item.set_string("id", id);
        }
        item.set("content", json::array(&self.parts));
        item
    }

    /// Sees to it that a message and a part of it are open.
    pub fn open_part(&mut self, out: &mut Outgoing, frames: &mut Vec<Frame>) {
        self.changed = true;
        if self.open.is_none() {
            let own = self.template.string("id").filter(|_| !self.id_used);
            let id = own.unwrap_or_else(|| out.ids.mint(IdKind::Message));
            self.id_used = true;
            let place = out.place(self.upstream);
            let mut item = self.template.clone();
            item.set_string("id", &id);
            frames.push(out.item_event("response.output_item.added", place, &item));
            self.open = Some((place, id));
        }
        if let Some(place) = self.place().filter(|_| !self.part_open) {
            let mut event = part_event("response.content_part.added", &place);
            event.set("part", self.part.to_string());
            frames.push(out.number(event));
            self.part_open = true;
        }
    }

    /// Closes the open message, because a call comes.
    pub fn close(&mut self, out: &mut Outgoing, frames: &mut Vec<Frame>) {
        self.changed = true;
        if let Some(place) = self.open_place() {
            let mut done = part_event("response.output_text.done", &place);
            done.set_string("text", &self.text);
            done.set("logprobs", "[]");
            frames.push(out.number(done));
            let mut done = part_event("response.content_part.done", &place);
            done.set("part", self.whole_part(None).to_string());
            frames.push(out.number(done));
            self.end_part(None);
        }
        if let Some(place) = self.place() {
            let mut item = self.item(self.template.clone());
            item.set_string("status", "completed");
            frames.push(out.item_event("response.output_item.done", place.output, &item));
            out.done.insert(place.output, item.to_string());
            self.open = None;
            self.parts.clear();
        }
        self.text.clear();
    }
}

/// An event of a message's part.
fn part_event(kind: &str, place: &Place) -> Object {
    let mut event = Object::default();
    event.set_string("type", kind);
    event.set("sequence_number", "0");
    event.set("content_index", "0");
    place.set(event)
}
