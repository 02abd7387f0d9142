//! How what a subject reads in a case leaves by the API surfaces: twelve deliveries, what must hold of them, and the golden they make.
//!
//! The reading is the default one, validated. The raw text comes in `PUSHES` deltas, so that the streams show text that goes on in a
//! second delta; the golden would not be small if each token were one. No delivery becomes a golden unless every law of its surface holds,
//! known the request, the reply and the markers; unless all twelve agree ([`SURFACES_AGREE`](streakstone_surfaces::SURFACES_AGREE)); and unless
//! the same is true when the text comes byte by byte and token by token.

use std::collections::HashSet;

use serde_json::json;
use serde_json::value::RawValue;
use streakstone_model::{End, Event, Lookup, Markers, Parallel, Policies, Reply, Tool, ToolChoice};
use streakstone_suite::case::Case;
use streakstone_suite::golden::{Section, SurfaceGolden};
use streakstone_suite::plan::{Plan, Planned};
use streakstone_suite::subject::{Ask, Chunking, Outcome, Subject};
use streakstone_surfaces::{
    Context, Delivered, DeliveredPart, Frame, Ids, Leaving, Request, Surface, WriteOptions, check, disagreements, mask, read_stream,
    read_whole, write_stream, write_whole,
};

/// Deltas in which the raw text comes.
const PUSHES: usize = 3;
/// The stop string that Anthropic's answer names: a case does not say which it was.
const STOP: &str = "STOP";
/// The law that a server which signs no thinking declares otherwise.
const UNSIGNED: &str = "AN17";

/// One answer to the client.
struct Delivery {
    surface: Surface,
    /// The request allows one call.
    single: bool,
    sent: Sent,
    /// What a reader finds in it.
    reply: Delivered,
}

enum Sent {
    Body(String),
    Stream(Vec<Frame>),
}

impl Delivery {
    fn leaving(&self) -> Leaving<'_> {
        let streamed = matches!(self.sent, Sent::Stream(_));
        Leaving { surface: self.surface, streamed, single: self.single, reply: &self.reply }
    }

    fn bytes(&self) -> Vec<u8> {
        match &self.sent {
            Sent::Body(body) => body.clone().into_bytes(),
            Sent::Stream(frames) => Frame::encode_all(frames),
        }
    }
}

/// The golden of `case` as `subject` reads it.
///
/// # Errors
/// What speaks against it, a sentence each: no reading, a broken law of a surface, deliveries that disagree.
pub fn surface_golden(subject: &dyn Subject, case: &Case) -> Result<SurfaceGolden, Vec<String>> {
    let one = |what: String| vec![what];
    let events = events(subject, case, Parallel::All, &thirds(case)).map_err(one)?;
    let oracle = oracle(&events).map_err(one)?;
    let all = deliveries(case, &events).map_err(one)?;
    let mut faults = faults(case, &all, &oracle);
    for plan in [Plan::Bytes, Plan::SpecialTokens] {
        let Planned::Cuts(cut) = plan.chunkings(case) else { continue };
        for chunking in &cut.chunkings {
            let events = self::events(subject, case, Parallel::All, chunking).map_err(one)?;
            let other = deliveries(case, &events).map_err(one)?;
            faults.extend(self::faults(case, &other, &oracle).into_iter().map(|fault| format!("{plan}: {fault}")));
        }
    }
    // A parser that was told itself that one call is allowed says what the writer's budget says.
    let first =
        self::events(subject, case, Parallel::First, &Chunking::whole()).and_then(|events| deliveries(case, &events)).map_err(one)?;
    let told = first.iter().map(|one| Leaving { single: true, ..one.leaving() });
    faults.extend(disagreements(&all.iter().map(Delivery::leaving).chain(told).collect::<Vec<_>>()));
    faults.dedup();
    if faults.is_empty() { Ok(golden(case, &all)) } else { Err(faults) }
}

/// The raw text in [`PUSHES`] equal deltas.
fn thirds(case: &Case) -> Chunking {
    Chunking { cuts: (1..PUSHES).map(|part| case.raw.len() * part / PUSHES).collect(), ..Chunking::default() }
}

fn events(subject: &dyn Subject, case: &Case, parallel: Parallel, chunking: &Chunking) -> Result<Vec<Event>, String> {
    let Lookup::Known(dialect) = case.dialect else { return Err(format!("no dialect is named `{}`", case.dialect_word)) };
    let options = case.options(Policies { parallel, ..Policies::default() });
    let ask = Ask { dialect, tools: case.tools.as_deref().map(Vec::as_slice), options: &options, end: case.end };
    let mut got = Err("the subject gave no reading".to_owned());
    subject.read(&ask, &case.raw, std::slice::from_ref(chunking), &mut |_, outcome| {
        got = match outcome {
            Outcome::Reading(reading) => Ok(reading.events),
            other => Err(format!("no reading: {other:?}")),
        };
    });
    got
}

fn oracle(events: &[Event]) -> Result<Delivered, String> {
    Reply::from_events(events).map(|reply| Delivered::of_reply(&reply)).map_err(|fault| fault.to_string())
}

/// The twelve, in the order of the golden's sections.
fn deliveries(case: &Case, events: &[Event]) -> Result<Vec<Delivery>, String> {
    let mut all = Vec::with_capacity(12);
    for surface in Surface::ALL {
        for single in [false, true] {
            let options = options(case, single || !case.parallel_tool_calls);
            let body = write_whole(surface, events, &options, Ids::sequential());
            let reply = read_whole(surface, &body).map_err(|fault| format!("{surface}: {fault}"))?;
            all.push(Delivery { surface, single, sent: Sent::Body(body), reply });
            let frames = write_stream(surface, events, &options, Ids::sequential());
            let reply = read_stream(surface, &Frame::encode_all(&frames));
            all.push(Delivery { surface, single, sent: Sent::Stream(frames), reply });
        }
    }
    Ok(all)
}

fn options(case: &Case, single: bool) -> WriteOptions {
    let tool_choice = match &case.tool_choice {
        ToolChoice::Auto => json!("auto"),
        ToolChoice::None => json!("none"),
        ToolChoice::Required => json!("required"),
        ToolChoice::Function(name) => json!({"type": "function", "name": name}),
    };
    // A tool of a case has no description, and the API's type wants `strict`.
    let tool = |tool: &Tool| json!({"type": "function", "name": tool.name, "parameters": tool.parameters, "strict": null});
    WriteOptions {
        tools: case.tools.iter().flat_map(|tools| tools.iter()).map(tool).collect(),
        parallel: if single { Parallel::First } else { Parallel::All },
        include_usage: true,
        stop_sequence: (case.end == End::StopString).then(|| STOP.to_owned()),
        tool_choice,
        ..WriteOptions::default()
    }
}

/// What speaks against these deliveries of a text that means `oracle`.
fn faults(case: &Case, all: &[Delivery], oracle: &Delivered) -> Vec<String> {
    let mut faults = disagreements(&all.iter().map(Delivery::leaving).collect::<Vec<_>>());
    for one in all {
        let context = context(case, oracle, one.single);
        match check(one.surface, &one.bytes(), &context) {
            Err(fault) => faults.push(format!("{}: {fault}", one.leaving())),
            Ok(found) => faults.extend(found.iter().map(|v| format!("{}: {} at event {}: {}", one.leaving(), v.law, v.event, v.message))),
        }
    }
    faults
}

/// All that a law can ask for.
fn context(case: &Case, oracle: &Delivered, single: bool) -> Context {
    let mut oracle = oracle.clone();
    if single {
        let mut calls = 0;
        oracle.parts.retain(|part| {
            calls += usize::from(part.is_call());
            !matches!(part, DeliveredPart::Call(_)) || calls == 1
        });
    }
    let markers = match case.dialect {
        Lookup::Known(dialect) => Markers::of(dialect).all().map(str::to_owned).collect(),
        Lookup::Unknown { .. } => Vec::new(),
    };
    let request = Request {
        tools: case.tools.as_ref().map(|tools| tools.iter().map(|tool| tool.name.clone()).collect()),
        choice: case.tool_choice.clone(),
        parallel: case.parallel_tool_calls && !single,
        include_usage: true,
        history: HashSet::new(),
    };
    Context { request: Some(request), witness: Some(oracle.clone()), oracle: Some(oracle), markers, declared: vec![UNSIGNED.to_owned()] }
}

fn golden(case: &Case, all: &[Delivery]) -> SurfaceGolden {
    let section = |place: usize| match &all[place].sent {
        Sent::Body(body) => Section::Body(mask(body)),
        Sent::Stream(frames) => Section::Stream(stream(frames)),
    };
    let sections = [0, 4, 8].map(|first| [0, 1, 2, 3].map(|way| section(first + way)));
    SurfaceGolden { case: case.name.clone(), sections, input: case.input_digest() }
}

/// A line an event: its data, behind its name where that is not the data's own type. Ids are masked over the whole stream.
fn stream(frames: &[Frame]) -> Vec<String> {
    let mut begun: Option<Vec<(String, Box<RawValue>)>> = None;
    let line = |frame: &Frame| {
        let Some(data) = members(&frame.data) else { return json!(frame.data).to_string() };
        let kind = data.iter().find(|(key, _)| key == "type").map(|(_, value)| value.get().to_owned());
        let named = frame.event.as_ref().map(|event| json!(event).to_string()) == kind;
        let text = shortened(&frame.data, &mut begun).unwrap_or_else(|| frame.data.clone());
        if named { text } else { format!("[{},{text}]", json!(frame.event)) }
    };
    let lines: Vec<String> = frames.iter().map(line).collect();
    mask(&lines.join("\n")).split('\n').map(str::to_owned).collect()
}

/// A later event of Responses repeats the response that the first one began, request and all. Only what has changed in it is printed; that
/// says all, and shows it.
fn shortened(data: &str, begun: &mut Option<Vec<(String, Box<RawValue>)>>) -> Option<String> {
    let mut event = members(data)?;
    let (_, response) = event.iter_mut().find(|(key, _)| key == "response")?;
    let own = members(response.get())?;
    let Some(first) = begun else {
        *begun = Some(own);
        return None;
    };
    let same = |(key, value): &(String, Box<RawValue>)| first.iter().any(|(k, v)| k == key && v.get() == value.get());
    let gone = first.iter().any(|(key, _)| own.iter().all(|(k, _)| k != key));
    if gone {
        return None;
    }
    let changed: Vec<_> = own.into_iter().filter(|member| !same(member)).collect();
    *response = RawValue::from_string(object(&changed)).ok()?;
    Some(object(&event))
}

/// The members of a JSON object, values as written.
fn members(text: &str) -> Option<Vec<(String, Box<RawValue>)>> {
    struct Members;
    impl<'de> serde::de::Visitor<'de> for Members {
        type Value = Vec<(String, Box<RawValue>)>;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut all = Vec::new();
            while let Some(member) = map.next_entry()? {
                all.push(member);
            }
            Ok(all)
        }
    }
    serde::Deserializer::deserialize_map(&mut serde_json::Deserializer::from_str(text), Members).ok()
}

fn object(members: &[(String, Box<RawValue>)]) -> String {
    let each: Vec<String> = members.iter().map(|(key, value)| format!("{}:{}", json!(key), value.get())).collect();
    format!("{{{}}}", each.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reference;

    const TWO: &str = "Hi <tool_call>{\"name\":\"f\",\"arguments\":{\"n\":1e400}}</tool_call> and \
                       <tool_call>{\"name\":\"g\",\"arguments\":{}}</tool_call>";

    fn case() -> Case {
        Case::of_text("hermes/t/two", "hermes", TWO)
    }

    /// Which laws speak against the deliveries once one was changed.
    fn broken(edit: impl Fn(&mut Vec<Delivery>)) -> Vec<String> {
        let events = events(&Reference, &case(), Parallel::All, &thirds(&case())).unwrap();
        let mut all = deliveries(&case(), &events).unwrap();
        edit(&mut all);
        faults(&case(), &all, &oracle(&events).unwrap())
    }

    /// Replaces text in what was sent, and reads it again.
    fn replace(one: &mut Delivery, from: &str, to: &str) {
        match &mut one.sent {
            Sent::Body(body) => {
                *body = body.replace(from, to);
                one.reply = read_whole(one.surface, body).unwrap();
            }
            Sent::Stream(frames) => {
                for frame in frames.iter_mut() {
                    frame.data = frame.data.replace(from, to);
                }
                one.reply = read_stream(one.surface, &Frame::encode_all(frames));
            }
        }
    }

    #[test]
    fn what_is_written_is_sound_and_what_is_changed_is_not() {
        assert_eq!(broken(|_| ()), Vec::<String>::new());
        for at in 0..12 {
            for (from, to) in [("\"name\":\"f\"", "\"name\":\"h\""), ("Hi", "Ho"), ("1e400", "2e400")] {
                let found = broken(|all| replace(&mut all[at], from, to));
                assert!(found.iter().any(|fault| fault.starts_with("surfaces-agree: ")), "{at} {from}: {found:?}");
            }
        }
        let found = broken(|all| replace(&mut all[1], "\"finish_reason\":\"tool_calls\"", "\"finish_reason\":\"stop\""));
        assert!(found.iter().any(|fault| fault.contains("CC16")), "{found:?}");
    }

    #[test]
    fn two_calls_for_a_request_of_one_are_refused() {
        let found = broken(|all| all[1].single = true);
        assert!(
            found.iter().any(|fault| fault.contains("surfaces-agree")) && found.iter().any(|fault| fault.contains("CC18")),
            "{found:?}"
        );
    }

    #[test]
    fn a_stream_is_a_line_an_event_and_a_response_says_what_changed() {
        let golden = surface_golden(&Reference, &case()).unwrap();
        let Section::Stream(chat) = &golden.sections[0][1] else { panic!("a stream") };
        assert!(chat.last().unwrap() == "\"[DONE]\"" && chat[0].starts_with("{\"id\":\"<id1>\""), "{chat:?}");
        let Section::Stream(events) = &golden.sections[1][1] else { panic!("a stream") };
        assert!(events[0].contains("\"metadata\":{}"));
        assert_eq!(events[1], "{\"type\":\"response.in_progress\",\"sequence_number\":1,\"response\":{}}");
        let end = &events[events.len() - 2];
        assert!(end.contains("\"response\":{\"status\":\"completed\",\"output\":[") && !end.contains("metadata"), "{end}");
        let other = [Frame { event: Some("b".to_owned()), data: "{\"type\":\"a\"}".to_owned() }];
        assert_eq!(stream(&other), ["[\"b\",{\"type\":\"a\"}]"]);
    }
}
