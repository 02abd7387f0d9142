//! Streams that look odd and break nothing: what servers and networks may do.

use serde_json::json;

use super::edit::{at, change, copy_behind, drop_event, insert_behind, set, unset, value};
use super::good_stream;
use crate::Surface;
use crate::sse::Frame;
use crate::transcript::{Chunk, Header, Transcript};

/// A clean stream that must break no law, whatever the check knows.
pub struct Variant {
    /// Kebab-case.
    pub name: &'static str,
    /// The surface.
    pub surface: Surface,
    make: fn(Surface) -> Vec<u8>,
}

impl std::fmt::Debug for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.surface, self.name)
    }
}

impl Variant {
    /// The bytes: a stream or a transcript.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        (self.make)(self.surface)
    }
}

/// All variants: those of the framing for each surface, and each surface's own.
#[must_use]
pub fn variants() -> Vec<Variant> {
    let framing = FRAMING.iter().flat_map(|(name, make)| Surface::ALL.map(|surface| Variant { name, surface, make: *make }));
    framing.chain(OWN.iter().map(|(name, surface, make)| Variant { name, surface: *surface, make: *make })).collect()
}

fn text(surface: Surface) -> String {
    String::from_utf8(Frame::encode_all(&good_stream(surface))).expect("JSON is UTF-8")
}

/// A stream, edited.
fn edited(surface: Surface, edit: fn(&mut Vec<Frame>)) -> Vec<u8> {
    let mut frames = good_stream(surface);
    edit(&mut frames);
    Frame::encode_all(&frames)
}

type Make = fn(Surface) -> Vec<u8>;

#[rustfmt::skip]
const FRAMING: &[(&str, Make)] = &[
    ("as-written", |s| text(s).into_bytes()),
    ("crlf", |s| text(s).replace('\n', "\r\n").into_bytes()),
    ("lone-cr", |s| text(s).replace('\n', "\r").into_bytes()),
    ("no-space-after-the-colon", |s| text(s).replace("data: ", "data:").replace("event: ", "event:").into_bytes()),
    ("comment-pings", |s| text(s).replace("\n\n", "\n\n: ping\n\n:\n\n").into_bytes()),
    ("comment-inside-an-event", |s| text(s).replace("data: ", ": still here\ndata: ").into_bytes()),
    ("byte-order-mark", |s| format!("\u{feff}{}", text(s)).into_bytes()),
    ("id-and-retry-fields", |s| text(s).replace("data: ", "id: 7\nretry: 100\ndata: ").into_bytes()),
    ("data-over-two-lines", |s| text(s).replace("{\"", "{\ndata: \"").into_bytes()),
    ("recorded-byte-by-byte", |s| recorded(s, 1)),
    ("recorded-in-transfer-chunks", |s| recorded(s, 97)),
];

/// A transcript in pieces of `size` bytes, with a request that says what the context knows.
fn recorded(surface: Surface, size: usize) -> Vec<u8> {
    let bytes = text(surface).into_bytes();
    let chunks = (1..).zip(bytes.chunks(size)).map(|(time, chunk)| Chunk { t_us: time * 100, bytes: chunk.to_vec() }).collect();
    let header = Header {
        surface,
        status: Some(200),
        headers: serde_json::Map::from_iter([("content-type".to_owned(), json!("text/event-stream; charset=utf-8"))]),
        request: json!(null),
        path: None,
        about: serde_json::Map::new(),
    };
    Transcript { header, chunks, outcome: "complete".to_owned() }.write().into_bytes()
}

const CALL: &str = "/choices/0/delta/tool_calls/0";
const CONTENT: &str = "/choices/0/delta/content";
const FINISH: &str = "/choices/0/finish_reason";

use Surface::{Anthropic, Chat, Responses};

#[rustfmt::skip]
const OWN: &[(&str, Surface, Make)] = &[
    ("role-in-every-delta", Chat, |s| edited(s, |f| for i in 0..2 { set(f, CONTENT, i, "/choices/0/delta/role", json!("assistant")); })),
    ("id-and-name-null-later", Chat, |s| edited(s, |f| for i in [1, 2, 4] {
        set(f, CALL, i, &format!("{CALL}/id"), json!(null));
        set(f, CALL, i, &format!("{CALL}/function/name"), json!(null));
    })),
    ("id-and-name-empty-later", Chat, |s| edited(s, |f| for i in [1, 2, 4] {
        set(f, CALL, i, &format!("{CALL}/id"), json!(""));
        set(f, CALL, i, &format!("{CALL}/function/name"), json!(""));
    })),
    ("arguments-absent-in-the-header", Chat, |s| edited(s, |f| unset(f, CALL, 0, "/choices/0/delta/tool_calls/0/function/arguments"))),
    ("several-entries-in-a-chunk", Chat, |s| edited(s, |f| {
        // The second call with its arguments in one chunk, as two entries.
        let more = value(&f[at(f, CALL, 4)])["choices"][0]["delta"]["tool_calls"][0].clone();
        change(f, CALL, 3, |v| v["choices"][0]["delta"]["tool_calls"].as_array_mut().expect("entries").push(more));
        drop_event(f, CALL, 4);
    })),
    ("finish-on-the-last-call-chunk", Chat, |s| edited(s, |f| {
        set(f, CALL, 4, FINISH, json!("tool_calls"));
        drop_event(f, FINISH, 1);
    })),
    ("empty-content-deltas", Chat, |s| edited(s, |f| set(f, CALL, 1, CONTENT, json!("")))),
    ("obfuscation-and-logprobs", Chat, |s| edited(s, |f| set(f, CONTENT, 0, "/obfuscation", json!("xyz")))),
    ("usage-null-in-every-chunk", Chat, |s| edited(s, |f| set(f, CONTENT, 0, "/usage", json!(null)))),
    ("reasoning-by-its-other-name", Chat, |s| text(s).replace("reasoning_content", "reasoning").into_bytes()),
    ("without-done", Responses, |s| edited(s, |f| drop_event(f, "[DONE]", 0))),
    ("queued-first", Responses, |s| edited(s, |f| {
        let mut queued = value(&f[at(f, "response.created", 0)]);
        queued["type"] = json!("response.queued");
        insert_behind(f, "response.created", 0, &queued);
        super::edit::renumber(f);
    })),
    ("unknown-fields", Responses, |s| edited(s, |f| set(f, "response.output_text.delta", 0, "/obfuscation", json!("xyz")))),
    ("encrypted-content-at-the-end", Responses, |s| edited(s, |f| {
        set(f, "response.output_item.done", 0, "/item/encrypted_content", json!("abc"));
        set(f, "response.completed", 0, "/response/output/0/encrypted_content", json!("abc"));
    })),
    ("pings-anywhere", Anthropic, |s| edited(s, |f| {
        let ping = json!({"type": "ping"});
        insert_behind(f, "message_start", 0, &ping);
        insert_behind(f, "/delta/partial_json", 0, &ping);
        insert_behind(f, "message_delta", 0, &ping);
        insert_behind(f, "message_stop", 0, &ping);
        f.insert(0, Frame { event: Some("ping".to_owned()), data: ping.to_string() });
    })),
    ("first-fragment-empty", Anthropic, |s| edited(s, |f| {
        copy_behind(f, ("/delta/partial_json", 0), ("content_block_start", 2));
        set(f, "/delta/partial_json", 0, "/delta/partial_json", json!(""));
    })),
    ("minted-by-the-server", Anthropic, |s| text(s).replace("abc123XYZ", "toolu_01A09q90qw90lq917835lq9").into_bytes()),
    ("usage-grows", Anthropic, |s| edited(s, |f| set(f, "message_start", 0, "/message/usage/output_tokens", json!(1)))),
];
