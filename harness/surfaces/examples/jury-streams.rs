//! Writes what the client jury reads (`scripts/jury.sh`): our streams and bodies of corpus cases, the planted defects, the clean variants.
//!
//! `cargo run --example jury-streams -p streakstone-surfaces -- FOLDER` fills the folder with one file a stream or body, and `entries.jsonl`:
//! one object an entry, with what a client should deliver to its caller. That is the reply of the parsers, never a client's reading;
//! of planted streams it is the meaning of the stream before its defect.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use streakstone_model::{Delivery, Event, Finish, Lookup, Parallel, Reply};
use streakstone_suite::case::Case;
use streakstone_suite::corpus::{Corpus, Strictness};
use streakstone_surfaces::planted::{self, Base};
use streakstone_surfaces::{
    Delivered, DeliveredPart, Ending, Frame, Ids, Input, Surface, WriteOptions, read_stream, read_whole, write_stream, write_whole,
};

#[path = "../tests/reading/mod.rs"]
mod reading;

/// Longest raw text of a case: the others are about size, not about form.
const MAX_RAW: usize = 4 << 10;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("give the folder to fill")?);
    std::fs::create_dir_all(&folder)?;
    let mut export = Export { folder, entries: Vec::new() };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = Corpus::load(&root.join("corpus"), Strictness::Own).map_err(|errors| format!("the corpus is invalid: {errors:?}"))?;
    for case in chosen(&corpus.cases, &root.join("goldens/surfaces")) {
        written(case, &mut export)?;
    }
    for surface in Surface::ALL {
        for base in Base::ALL {
            let bytes = Frame::encode_all(&base.frames(surface));
            export.add(&Entry { kind: "good", name: base.as_str(), law: None, surface, mode: "stream" }, &bytes, &base.meaning(surface))?;
        }
    }
    for planted in planted::all() {
        let entry = Entry { kind: "planted", name: planted.name, law: Some(planted.law), surface: planted.surface, mode: "stream" };
        export.add(&entry, &wire(planted.bytes())?.0, &planted.base.meaning(planted.surface))?;
    }
    for variant in planted::variants() {
        let entry = Entry { kind: "variant", name: variant.name, law: None, surface: variant.surface, mode: "stream" };
        let (bytes, recorded) = wire(variant.bytes())?;
        // Recorded variants differ from another one in times only, and the jury's server has chunkings of its own.
        if !recorded {
            export.add(&entry, &bytes, &read_stream(variant.surface, &bytes))?;
        }
    }
    let lines: Vec<String> = export.entries.iter().map(Value::to_string).collect();
    Ok(std::fs::write(export.folder.join("entries.jsonl"), lines.join("\n") + "\n")?)
}

/// The bytes that a client gets, and whether they came from a transcript.
fn wire(bytes: Vec<u8>) -> Result<(Vec<u8>, bool), Box<dyn Error>> {
    Ok(if let Input::Recorded(recorded) = Input::read(&bytes)? { (recorded.transcript.body(), true) } else { (bytes, false) })
}

/// Two cases of each dialect, the one with the most parts and the one with the most bytes that JSON escapes or UTF-8 spreads, and every
/// case with a golden of the surfaces.
fn chosen<'a>(cases: &'a [Case], goldens: &Path) -> Vec<&'a Case> {
    let mut by_dialect: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    let mut chosen = BTreeSet::new();
    for case in cases {
        if goldens.join(format!("{}.snap", case.name)).exists() {
            chosen.insert(&case.name);
        }
        if let (Lookup::Known(dialect), true) = (&case.dialect, case.raw.len() <= MAX_RAW) {
            by_dialect.entry(dialect.name).or_default().push(case);
        }
    }
    let parts = |case: &&&Case| read(case, Delivery::Validated).1.parts.len();
    let odd = |case: &&&Case| case.raw.iter().filter(|byte| !byte.is_ascii() || b"\\\"\n".contains(byte)).count();
    for cases in by_dialect.values() {
        chosen.extend(cases.iter().max_by_key(parts).map(|case| &case.name));
        chosen.extend(cases.iter().max_by_key(odd).map(|case| &case.name));
    }
    cases.iter().filter(|case| chosen.contains(&case.name)).collect()
}

/// What the reference parser reads in a case.
fn read(case: &Case, delivery: Delivery) -> (Vec<Event>, Reply) {
    let events = reading::events(case, delivery);
    let reply = Reply::from_events(&events).expect("the parsers' events are a reading");
    (events, reply)
}

/// A case by every surface, whole and streamed, all calls and one; and streamed eagerly, if no call then turns out incomplete.
fn written(case: &Case, export: &mut Export) -> Result<(), Box<dyn Error>> {
    let (events, reply) = read(case, Delivery::Validated);
    let (eager_events, eager) = read(case, Delivery::Eager);
    for surface in Surface::ALL {
        for (mode, parallel) in
            [("whole", Parallel::All), ("stream", Parallel::All), ("single", Parallel::First), ("single-stream", Parallel::First)]
        {
            export.write(case, surface, mode, &events, &reply, parallel)?;
        }
        if eager.calls().all(streakstone_model::Call::is_complete) {
            export.write(case, surface, "eager-stream", &eager_events, &eager, Parallel::All)?;
        }
    }
    Ok(())
}

/// What an entry is.
struct Entry<'a> {
    kind: &'static str,
    name: &'a str,
    law: Option<&'a str>,
    surface: Surface,
    mode: &'static str,
}

struct Export {
    folder: PathBuf,
    entries: Vec<Value>,
}

impl Export {
    fn write(
        &mut self,
        case: &Case,
        surface: Surface,
        mode: &'static str,
        events: &[Event],
        reply: &Reply,
        parallel: Parallel,
    ) -> Result<(), Box<dyn Error>> {
        let options = WriteOptions { include_usage: true, parallel, ..WriteOptions::default() };
        let (bytes, own) = if mode.ends_with("stream") {
            let bytes = Frame::encode_all(&write_stream(surface, events, &options, Ids::sequential()));
            let own = read_stream(surface, &bytes);
            (bytes, own)
        } else {
            let body = write_whole(surface, events, &options, Ids::sequential());
            let own = read_whole(surface, &body).map_err(|_| format!("{} {surface} {mode}: our own reader finds no body", case.name))?;
            (body.into_bytes(), own)
        };
        // The order of the parts and the ids that the surface minted come from our own reader; all else is held against the reply.
        let mut meant = Delivered::of_reply(reply);
        if parallel == Parallel::First {
            let mut calls = 0;
            meant.parts.retain(|part| !matches!(part, DeliveredPart::Call(_)) || std::mem::replace(&mut calls, 1) == 0);
        }
        let same = own.calls_differ(&meant).is_none() && own.content() == meant.content() && own.reasoning() == meant.reasoning();
        if !same || own.ending != meant.ending {
            return Err(format!("{} {surface} {mode}: our own reader delivers {own:?}, the parsers read {meant:?}", case.name).into());
        }
        self.add(&Entry { kind: "written", name: &case.name, law: None, surface, mode }, &bytes, &own)
    }

    fn add(&mut self, entry: &Entry<'_>, bytes: &[u8], expect: &Delivered) -> Result<(), Box<dyn Error>> {
        let file = format!("{:04}.{}", self.entries.len(), if entry.mode.ends_with("stream") { "sse" } else { "json" });
        std::fs::write(self.folder.join(&file), bytes)?;
        self.entries.push(json!({
            "id": format!("{}/{}/{}/{}", entry.kind, entry.surface, entry.name, entry.mode),
            "kind": entry.kind, "name": entry.name, "surface": entry.surface.as_str(), "mode": entry.mode, "law": entry.law, "file": file,
            "expect": {"parts": expect.parts.iter().map(part).collect::<Vec<_>>(), "finish": finish(expect.ending.as_ref())},
        }));
        Ok(())
    }
}

fn part(part: &DeliveredPart) -> Value {
    match part {
        DeliveredPart::Text(text) => json!({"type": "text", "text": text}),
        DeliveredPart::Reasoning(text) => json!({"type": "reasoning", "text": text}),
        DeliveredPart::Call(call) => {
            json!({"type": "call", "id": call.id, "name": call.name, "arguments": call.arguments, "complete": call.complete})
        }
    }
}

fn finish(ending: Option<&Ending>) -> Value {
    match ending {
        Some(Ending::Known(Finish::Stop)) => json!("stop"),
        Some(Ending::Known(Finish::ToolCalls)) => json!("tool_calls"),
        Some(Ending::Known(Finish::Length)) => json!("length"),
        Some(Ending::Other(word)) => json!(word),
        None => Value::Null,
    }
}
