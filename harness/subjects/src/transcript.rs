//! A recorded response as a subject: its bytes, cut again at will, must be read as they were read at once; the surface's laws must hold; and
//! where the raw text of the generation is known, the client must have got what it means.
//!
//! What is under test is the server's stream, and our own reader with it: a reading that depends on the cuts is the reader's fault.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use streakstone_model::{End, Lookup, Markers, Policies, Tool, ToolChoice, lookup};
use streakstone_suite::case::Case;
use streakstone_suite::plan::{Plan, Planned};
use streakstone_suite::subject::Chunking;
use streakstone_surfaces::transcript::Transcript;
use streakstone_surfaces::{
    Content, Context, Delivered, Ending, Input, Reader, Recorded, Request, Severity, Step, Unreadable, check_input, read_whole,
};

/// The check that re-cut readings are under.
pub const SPLIT_INVARIANCE: &str = "split-invariance";
/// The check that a known raw text is held against.
pub const RAW_TEXT: &str = "raw-text";

/// The cut families. The others speak of a dialect's markers, or of one parser instance.
pub const PLANS: [Plan; 8] =
    [Plan::Given, Plan::Bursts, Plan::EveryCut, Plan::Chars, Plan::Bytes, Plan::Sizes, Plan::Random, Plan::EmptyChunks];

/// What is known of a recording besides its bytes. The recorder may have written it into the header's `about`: `dialect`, `raw` or
/// `raw_base64`, `end`, `reasoning_open`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Known {
    /// The model's dialect.
    pub dialect: Option<String>,
    /// The raw text of the same generation.
    pub raw: Option<Vec<u8>>,
    /// Why it ended.
    pub end: Option<End>,
    /// True if the prompt opened the reasoning span.
    pub reasoning_open: bool,
    /// Laws of severity P that the server declares to do otherwise.
    pub declared: Vec<String>,
}

/// Why what the header says cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// A value of another kind than its key has.
    #[error("`about.{key}` in the header is no {what}")]
    Value {
        /// The key.
        key: &'static str,
        /// What it should be.
        what: &'static str,
    },
    /// No such dialect.
    #[error("no dialect is named `{word}`; the nearest is `{nearest}`")]
    Dialect {
        /// What was named.
        word: String,
        /// The nearest name.
        nearest: String,
    },
    /// The recorded body is nothing that can be read.
    #[error("the recorded body: {0}")]
    Body(#[from] Unreadable),
}

impl Known {
    /// What the header says.
    ///
    /// # Errors
    /// A value is of another kind than its key has.
    pub fn of(transcript: &Transcript) -> Result<Self, Unusable> {
        let about = &transcript.header.about;
        let wrong = |key, what| Unusable::Value { key, what };
        let text = |key: &'static str| match about.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(wrong(key, "text")),
        };
        let raw = match (text("raw")?, text("raw_base64")?) {
            (Some(raw), _) => Some(raw.into_bytes()),
            (None, Some(base64)) => Some(STANDARD.decode(base64).map_err(|_| wrong("raw_base64", "base64"))?),
            (None, None) => None,
        };
        let end = match text("end")?.as_deref() {
            None => None,
            Some("stop") => Some(End::Stop),
            Some("length") => Some(End::Length),
            Some("stop_string") => Some(End::StopString),
            Some(_) => return Err(wrong("end", "end cause: stop, length or stop_string")),
        };
        let reasoning_open = match about.get("reasoning_open") {
            None => false,
            Some(Value::Bool(open)) => *open,
            Some(_) => return Err(wrong("reasoning_open", "boolean")),
        };
        Ok(Self { dialect: text("dialect")?, raw, end, reasoning_open, declared: Vec::new() })
    }
}

/// One thing that is wrong with a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// [`SPLIT_INVARIANCE`], [`RAW_TEXT`], or the id of the surface's law.
    pub check: String,
    /// How bad.
    pub severity: Severity,
    /// The family of cuts and the cuts, where they matter.
    pub cut: Option<(Plan, Vec<usize>)>,
    /// Number and line of the event, from 1; 0 where no event is to blame.
    pub place: (usize, usize),
    /// One sentence.
    pub message: String,
}

/// What a replay gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Replayed {
    /// Everything wrong.
    pub findings: Vec<Finding>,
    /// Readings made.
    pub readings: u64,
    /// Readings that the full families have.
    pub possible: u64,
    /// True if the raw text was known and compared.
    pub compared: bool,
    /// What nobody should overlook who reads the verdict: an error status, a lost transfer, a whole body instead of a stream.
    pub told: Vec<String>,
}

impl Replayed {
    /// True if nothing is wrong that fails.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.findings.iter().all(|finding| !finding.severity.fails())
    }
}

/// Replays a recording.
///
/// # Errors
/// The dialect is none of this build.
pub fn replay(transcript: &Transcript, known: &Known) -> Result<Replayed, Unusable> {
    let surface = transcript.header.surface;
    let read = |bytes: &[u8], chunking: &Chunking| {
        let (mut reader, mut steps) = (Reader::new(surface), Vec::new());
        chunking.chunks(bytes).for_each(|chunk| reader.push(chunk, &mut steps));
        reader.finish(&mut steps);
        steps
    };
    replay_with(transcript, known, &read)
}

/// [`replay`] with another reader, so that a test can give one that depends on the cuts.
fn replay_with(transcript: &Transcript, known: &Known, read: &dyn Fn(&[u8], &Chunking) -> Vec<Step>) -> Result<Replayed, Unusable> {
    let recorded = Recorded::of(transcript.clone())?;
    let surface = transcript.header.surface;
    let mut replayed = Replayed { readings: 1, possible: 1, told: recorded.told(), ..Replayed::default() };
    // A whole body is read when all of it is there: no cut can matter.
    let got = match &recorded.content {
        Content::Stream(_) => {
            let bytes = transcript.body();
            let whole = read(&bytes, &Chunking::whole());
            recut(transcript, &bytes, &whole, read, &mut replayed);
            Ok(Delivered::from_steps(&whole))
        }
        Content::Body(text) => read_whole(surface, text).map_err(|e| format!("the client got no reply: {e}")),
        Content::Error { status, .. } => Err(format!("the client got HTTP status {status}, and no reply")),
    };
    let mut context = Context { declared: known.declared.clone(), ..Context::default() };
    if transcript.header.request.is_object() {
        context.request = Some(Request::read(surface, &transcript.header.request));
    }
    if let Some(word) = &known.dialect {
        let dialect = match lookup(word) {
            Lookup::Known(dialect) => dialect,
            Lookup::Unknown { nearest } => return Err(Unusable::Dialect { word: word.clone(), nearest: nearest.to_owned() }),
        };
        context.markers = Markers::of(dialect).all().map(str::to_owned).collect();
        context.oracle = known.raw.as_ref().and_then(|raw| meaning(transcript, known, word, raw, context.request.as_ref()));
    }
    // What a lost transfer did not bring says nothing of the server.
    let whole = |got: &Delivered| transcript.broken_off().is_none() || got.ending.is_some();
    if let Some(oracle) = context.oracle.as_ref().filter(|_| got.as_ref().map_or(transcript.broken_off().is_none(), whole)) {
        replayed.compared = true;
        replayed.findings.extend(match &got {
            Ok(got) => against(got, oracle),
            Err(why) => vec![raw_text(why.clone())],
        });
    }
    let input = Input::Recorded(Box::new(recorded));
    replayed.findings.extend(check_input(surface, &input, &context).into_iter().map(|violation| Finding {
        check: violation.law.to_owned(),
        severity: violation.severity,
        cut: None,
        place: (violation.event, violation.line),
        message: violation.message,
    }));
    Ok(replayed)
}

/// Reads the bytes in every cut of the families. The first failing cut of each is told: it is the smallest.
fn recut(transcript: &Transcript, bytes: &[u8], whole: &[Step], read: &dyn Fn(&[u8], &Chunking) -> Vec<Step>, replayed: &mut Replayed) {
    let mut case = Case::of_text("replay", "", bytes);
    let ends = transcript.chunks.iter().scan(0, |end, chunk| {
        *end += chunk.bytes.len();
        Some(*end)
    });
    case.chunks = vec![ends.take(transcript.chunks.len().saturating_sub(1)).collect()];
    for plan in PLANS {
        let Planned::Cuts(cut) = plan.chunkings(&case) else { continue };
        replayed.possible += cut.possible;
        let mut failed = false;
        for chunking in cut.chunkings {
            replayed.readings += 1;
            let steps = read(bytes, &chunking);
            if failed || steps == whole {
                continue;
            }
            failed = true;
            let at = steps.iter().zip(whole).take_while(|(own, other)| own == other).count();
            replayed.findings.push(Finding {
                check: SPLIT_INVARIANCE.to_owned(),
                severity: Severity::Core,
                place: (0, 0),
                message: format!("step {at} is {}, {} expected", shown(steps.get(at)), shown(whole.get(at))),
                cut: Some((plan, chunking.cuts)),
            });
        }
    }
}

fn shown(step: Option<&Step>) -> String {
    step.map_or_else(|| "absent".to_owned(), |step| format!("{step:?}").chars().take(200).collect())
}

/// What the raw text means to our parsers, under the recorded request.
fn meaning(transcript: &Transcript, known: &Known, dialect: &str, raw: &[u8], request: Option<&Request>) -> Option<Delivered> {
    let mut case = Case::of_text("replay", dialect, raw);
    case.tools = tools(&transcript.header.request).map(std::sync::Arc::new);
    case.tool_choice = request.map_or(ToolChoice::Auto, |request| request.choice.clone());
    case.parallel_tool_calls = request.is_none_or(|request| request.parallel);
    case.reasoning_open = known.reasoning_open;
    case.end = known.end.unwrap_or(End::Stop);
    crate::meaning(&case, Policies::default()).map(|reply| Delivered::of_reply(&reply))
}

/// The request's tools: Chat wraps them in `function`, Anthropic says `input_schema`. What has no name is none.
fn tools(request: &Value) -> Option<Vec<Tool>> {
    let tool = |value: &Value| {
        let own = value.get("function").unwrap_or(value);
        let parameters = own.get("parameters").or_else(|| own.get("input_schema")).cloned().unwrap_or(Value::Null);
        Some(Tool { name: own["name"].as_str()?.to_owned(), parameters })
    };
    request["tools"].as_array().map(|tools| tools.iter().filter_map(tool).collect())
}

/// The word for how a reply ended.
fn word(reply: &Delivered) -> String {
    match &reply.ending {
        Some(Ending::Known(finish)) => finish.as_str().to_owned(),
        Some(Ending::Other(word)) => word.clone(),
        None => "none".to_owned(),
    }
}

/// Where what the client got is not what the raw text means.
fn against(got: &Delivered, oracle: &Delivered) -> Vec<Finding> {
    let mut found: Vec<String> = got.calls_differ(oracle).into_iter().collect();
    let pairs = [
        ("content", got.content(), oracle.content()),
        ("reasoning", got.reasoning(), oracle.reasoning()),
        ("ending", word(got), word(oracle)),
    ];
    let other = pairs.into_iter().filter(|(_, got, want)| got != want);
    found.extend(other.map(|(what, got, want)| format!("the {what} is {got:?}, {want:?} expected")));
    found.into_iter().map(raw_text).collect()
}

fn raw_text(message: String) -> Finding {
    Finding { check: RAW_TEXT.to_owned(), severity: Severity::Core, cut: None, place: (0, 0), message }
}

#[cfg(test)]
mod tests {
    use streakstone_surfaces::planted::good_stream;
    use streakstone_surfaces::transcript::{Chunk, Header};
    use streakstone_surfaces::{Frame, Surface};

    use super::*;

    fn recorded(surface: Surface) -> Transcript {
        let bytes = Frame::encode_all(&good_stream(surface));
        let chunks = (1..).zip(bytes.chunks(211)).map(|(at, bytes)| Chunk { t_us: at * 50, bytes: bytes.to_vec() }).collect();
        let header =
            serde_json::from_value::<Header>(serde_json::json!({"surface": surface, "headers": {"content-type": "text/event-stream"}}));
        Transcript { header: header.unwrap(), chunks, outcome: "complete".to_owned() }
    }

    #[test]
    fn a_good_recording_passes_in_every_cut() {
        for surface in Surface::ALL {
            let replayed = replay(&recorded(surface), &Known { declared: vec!["AN17".to_owned()], ..Known::default() }).unwrap();
            assert_eq!((&replayed.findings[..], replayed.compared), (&[][..], false), "{surface}");
            assert!(replayed.readings > 300, "{replayed:?}");
        }
    }

    #[test]
    fn a_reader_that_depends_on_the_cuts_is_found() {
        let transcript = recorded(Surface::Chat);
        let forgets = |bytes: &[u8], chunking: &Chunking| {
            // It takes each chunk for a stream of its own.
            let mut steps = Vec::new();
            for chunk in chunking.chunks(bytes) {
                let mut reader = Reader::new(Surface::Chat);
                reader.push(chunk, &mut steps);
                reader.finish(&mut steps);
            }
            steps
        };
        let replayed = replay_with(&transcript, &Known::default(), &forgets).unwrap();
        let plans: Vec<Plan> =
            replayed.findings.iter().filter(|f| f.check == SPLIT_INVARIANCE).filter_map(|f| Some(f.cut.as_ref()?.0)).collect();
        assert!(plans.contains(&Plan::EveryCut) && plans.contains(&Plan::Given) && plans.contains(&Plan::Bytes), "{plans:?}");
        assert!(!replayed.passes());
    }

    #[test]
    fn what_the_header_says_wrong_is_told() {
        let mut transcript = recorded(Surface::Chat);
        transcript.header.about.insert("end".to_owned(), Value::from("later"));
        assert_eq!(
            Known::of(&transcript).unwrap_err().to_string(),
            "`about.end` in the header is no end cause: stop, length or stop_string"
        );
        let known = Known { dialect: Some("hermess".to_owned()), ..Known::default() };
        assert_eq!(replay(&transcript, &known).unwrap_err().to_string(), "no dialect is named `hermess`; the nearest is `hermes`");
    }
}
