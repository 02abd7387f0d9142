//! Chat Completions (U60). Each choice is a reply of its own, with a healer of its own.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use streakstone_model::{End, Parallel};
use streakstone_surfaces::{DONE, Frame};

use super::Own;
use crate::body::chat;
use crate::gate::Promotable;
use crate::ids::CallIds;
use crate::json::{self, Object};
use crate::record::Raw;
use crate::track::{Piece, Share, Track};

/// Choices of one response that are healed; more than any server gives. Those of a higher index pass as they are.
const MAX_CHOICES: usize = 256;

pub(super) struct Chat<'a> {
    promotable: &'a Promotable,
    ids: CallIds,
    choices: BTreeMap<u64, Choice<'a>>,
    /// The last chunk that was rewritten, without its choices: what an added chunk looks like.
    envelope: Option<Object>,
    /// Structured calls that were left out.
    dropped: usize,
}

/// One choice.
struct Choice<'a> {
    track: Track<'a>,
    /// Calls promoted and sent.
    healed: usize,
    /// True once a delta said the role.
    role: bool,
    /// True once a finish reason went out.
    finished: bool,
}

/// What a record is.
pub(super) enum Kind {
    /// Nothing that a healer asks about: a comment, an error, usage.
    Other,
    Done,
    Chunk(Vec<Part>),
}

/// What a chunk says of one choice.
pub(super) struct Part {
    choice: u64,
    share: Share,
    role: bool,
    native: bool,
    finish: Option<String>,
}

#[derive(Deserialize)]
struct ChunkView {
    #[serde(default)]
    choices: Option<Vec<ChoiceView>>,
}

#[derive(Deserialize)]
struct ChoiceView {
    #[serde(default)]
    index: Option<u64>,
    #[serde(default)]
    delta: Option<DeltaView>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct DeltaView {
    #[serde(default)]
    role: Option<String>,
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    tool_calls: Option<Vec<IgnoredAny>>,
    #[serde(default)]
    function_call: Option<IgnoredAny>,
}

impl<'a> Chat<'a> {
    pub fn new(promotable: &'a Promotable, ids: CallIds) -> Self {
        Self { promotable, ids, choices: BTreeMap::new(), envelope: None, dropped: 0 }
    }

    fn part(&mut self, view: ChoiceView) -> Part {
        let index = view.index.unwrap_or(0);
        if self.choices.len() == MAX_CHOICES && !self.choices.contains_key(&index) {
            return Part { choice: index, share: Share::default(), role: false, native: false, finish: None };
        }
        let promotable = self.promotable;
        let choice =
            self.choices.entry(index).or_insert_with(|| Choice { track: Track::new(promotable), healed: 0, role: false, finished: false });
        let delta = view.delta.unwrap_or(DeltaView { role: None, content: None, tool_calls: None, function_call: None });
        let native = delta.tool_calls.is_some_and(|calls| !calls.is_empty()) || delta.function_call.is_some();
        if native {
            choice.track.sleep();
        }
        let share = match delta.content.filter(|text| !text.is_empty()) {
            Some(text) => choice.track.feed(text),
            None => choice.track.here(),
        };
        if let Some(reason) = &view.finish_reason {
            choice.track.end(chat::end_of(reason));
            // What comes behind its own finish cannot be mended.
            choice.track.sleep();
        }
        Part { choice: index, share, role: delta.role.is_some(), native, finish: view.finish_reason }
    }

    /// Sends a chunk: as it came, or rewritten.
    fn send_chunk(&mut self, raw: &Raw, parts: Vec<Part>, out: &mut Vec<u8>) {
        let mut changed = false;
        let mut edits = Vec::new();
        for part in parts {
            let Some(choice) = self.choices.get_mut(&part.choice) else {
                edits.push((part, None));
                continue;
            };
            let pieces = choice.track.take(&part.share);
            let calls = pieces.iter().flatten().filter(|piece| matches!(piece, Piece::Call(_))).count();
            let heals = choice.healed > 0 || calls > 0;
            changed |= pieces.is_some() || (heals && (part.native || part.finish.as_deref() == Some("stop")));
            choice.finished |= part.finish.is_some();
            edits.push((part, pieces));
        }
        if changed && let Some(frames) = self.rewrite(raw, &edits) {
            raw.replace(&frames, out);
        } else {
            out.extend_from_slice(&raw.bytes);
        }
        for (part, _) in edits {
            if let Some(choice) = self.choices.get_mut(&part.choice) {
                choice.role |= part.role;
            }
        }
    }

    /// The chunks that a chunk becomes: what it has besides calls, then calls and text in order, then the finish.
    fn rewrite(&mut self, raw: &Raw, edits: &[(Part, Option<Vec<Piece>>)]) -> Option<Vec<Frame>> {
        let chunk = Object::parse(&raw.data)?;
        let mut envelope = chunk.clone();
        if envelope.has("usage") {
            envelope.set("usage", "null");
        }
        envelope.set("choices", "[]");
        let mut sent = Choices::default();
        for (choice, (part, pieces)) in chunk.array("choices")?.iter().zip(edits) {
            self.rewrite_choice(Object::parse(choice)?, part, pieces.as_deref(), &mut sent);
        }
        let mut chunks: Vec<Object> = sent.chunks().map(|choices| with_choices(&envelope, &choices)).collect();
        if let Some(usage) = chunk.get("usage").filter(|usage| *usage != "null") {
            // Token counts go with the last of them; alone if nothing else is left.
            if chunks.is_empty() {
                chunks.push(envelope.clone());
            }
            if let Some(chunk) = chunks.last_mut() {
                chunk.set("usage", usage);
            }
        }
        self.envelope = Some(envelope);
        Some(chunks.iter().map(|chunk| Frame { event: raw.event.clone(), data: chunk.to_string() }).collect())
    }

    /// One choice of a chunk.
    fn rewrite_choice(&mut self, mut choice: Object, part: &Part, pieces: Option<&[Piece]>, sent: &mut Choices) {
        let Some(own) = self.choices.get_mut(&part.choice) else { return sent.first.push(choice.to_string()) };
        let mut delta = choice.object("delta").unwrap_or_default();
        let behind = match pieces {
            Some([Piece::Text(text), behind @ ..]) => {
                delta.set_string("content", text);
                behind
            }
            Some(behind) => {
                delta.remove("content");
                behind
            }
            None => &[],
        };
        for piece in behind {
            let mut added = Object::default();
            match piece {
                Piece::Text(text) => added.set_string("content", text),
                Piece::Call(call) => {
                    if !own.role && !part.role {
                        added.set_string("role", "assistant");
                    }
                    own.role = true;
                    let id = self.ids.call(call);
                    added.set("tool_calls", json::array(&[chat::entry(call, &id, Some(own.healed)).to_string()]));
                    own.healed += 1;
                }
            }
            sent.middle.push(choice_of(part.choice, &added, None));
        }
        if part.native && own.healed > 0 {
            if self.promotable.parallel() == Parallel::First {
                self.dropped += delta.array("tool_calls").map_or(0, |calls| calls.iter().filter(|call| begins(call)).count());
                delta.remove("tool_calls");
                delta.remove("function_call");
            } else if let Some(calls) = delta.array("tool_calls") {
                let shifted: Vec<String> = calls.iter().map(|call| shift(call, own.healed)).collect();
                delta.set("tool_calls", json::array(&shifted));
            }
        }
        let yields = own.healed > 0 && part.finish.as_deref() == Some("stop");
        if let Some(reason) = if yields { Some("tool_calls") } else { part.finish.as_deref() } {
            if behind.is_empty() {
                choice.set_string("finish_reason", reason);
            } else {
                choice.set("finish_reason", "null");
                sent.last.push(choice_of(part.choice, &Object::default(), Some(reason)));
            }
        }
        choice.set("delta", delta.to_string());
        if says_something(&choice, &delta) {
            sent.first.push(choice.to_string());
        }
    }

    /// A choice that was healed and never finished gets its finish before the end of the stream.
    fn finish_open(&mut self, out: &mut Vec<u8>) {
        let Some(envelope) = &self.envelope else { return };
        for (index, choice) in &mut self.choices {
            if choice.healed > 0 && !std::mem::replace(&mut choice.finished, true) {
                let chunk = with_choices(envelope, &[choice_of(*index, &Object::default(), Some("tool_calls"))]);
                Frame { event: None, data: chunk.to_string() }.encode(out);
            }
        }
    }
}

impl Own for Chat<'_> {
    type Kind = Kind;

    fn take_in(&mut self, raw: &Raw) -> Kind {
        if raw.data.is_empty() {
            return Kind::Other;
        }
        if raw.data == DONE {
            // The model stopped, although no finish reason says so.
            self.choices.values_mut().for_each(|choice| choice.track.end(End::Stop));
            return Kind::Done;
        }
        let Ok(ChunkView { choices }) = serde_json::from_str(&raw.data) else {
            // What cannot be read may hold text, so no later text can be told from the middle of a call.
            self.sleep();
            return Kind::Other;
        };
        let Some(choices) = choices else {
            // An error of upstream: what is held goes out before it.
            self.sleep();
            return Kind::Other;
        };
        Kind::Chunk(choices.into_iter().map(|choice| self.part(choice)).collect())
    }

    fn is_ready(&self, kind: &Kind) -> bool {
        let decided = |part: &Part| self.choices.get(&part.choice).is_none_or(|choice| choice.track.is_decided(&part.share));
        match kind {
            Kind::Other => true,
            Kind::Done => self.choices.values().all(|choice| choice.track.held() == 0),
            Kind::Chunk(parts) => parts.iter().all(decided),
        }
    }

    fn send(&mut self, raw: &Raw, kind: Kind, out: &mut Vec<u8>) {
        match kind {
            Kind::Other => out.extend_from_slice(&raw.bytes),
            Kind::Done => {
                self.finish_open(out);
                out.extend_from_slice(&raw.bytes);
            }
            Kind::Chunk(parts) => self.send_chunk(raw, parts, out),
        }
    }

    fn tracks(&self) -> impl Iterator<Item = &Track<'_>> {
        self.choices.values().map(|choice| &choice.track)
    }

    fn sleep(&mut self) {
        self.choices.values_mut().for_each(|choice| choice.track.sleep());
    }

    fn dropped(&self) -> usize {
        self.dropped
    }
}

/// The choices that the choices of one chunk become.
#[derive(Default)]
struct Choices {
    /// What they have besides calls, in one chunk.
    first: Vec<String>,
    /// Calls and text behind that, a chunk each.
    middle: Vec<String>,
    /// Finish reasons that come behind all of it, in one chunk.
    last: Vec<String>,
}

impl Choices {
    /// The choices of each chunk.
    fn chunks(self) -> impl Iterator<Item = Vec<String>> {
        let middle = self.middle.into_iter().map(|choice| vec![choice]);
        std::iter::once(self.first).chain(middle).chain(std::iter::once(self.last)).filter(|choices| !choices.is_empty())
    }
}

fn with_choices(envelope: &Object, choices: &[String]) -> Object {
    let mut chunk = envelope.clone();
    chunk.set("choices", json::array(choices));
    chunk
}

/// A choice that is added.
fn choice_of(index: u64, delta: &Object, finish: Option<&str>) -> String {
    let mut choice = Object::default();
    choice.set("index", index.to_string());
    choice.set("delta", delta.to_string());
    choice.set("finish_reason", finish.map_or_else(|| "null".to_owned(), json::string));
    choice.to_string()
}

/// True if a rewritten choice has anything left to say.
fn says_something(choice: &Object, delta: &Object) -> bool {
    let empty = |value: &str| matches!(value, "null" | "\"\"" | "[]" | "{}");
    let said = |(key, value): (&str, &str)| !matches!(key, "index" | "delta") && !empty(value);
    delta.members().any(|(_, value)| !empty(value)) || choice.members().any(said)
}

/// True for the entry of `tool_calls` that begins a call.
fn begins(entry: &str) -> bool {
    Object::parse(entry).is_some_and(|entry| entry.string("id").is_some_and(|id| !id.is_empty()))
}

/// An entry of `tool_calls` with its index moved behind the promoted calls.
fn shift(entry: &str, by: usize) -> String {
    let Some(mut entry) = Object::parse(entry) else { return entry.to_owned() };
    if let Some(index) = entry.get("index").and_then(|index| index.parse::<usize>().ok()) {
        entry.set("index", index.saturating_add(by).to_string());
    }
    entry.to_string()
}
