//! One line in, one answer out.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::read::{How, read};
use super::{Adapter, Request, clock};
use crate::PROTOCOL;
use crate::fold::{Folded, fold};
use crate::message::{Answer, End, Hello, Measure, Measured, Place, PlanAnswer, PlanAsk, Reading, Run, RunResult, Tell, Trouble};

/// The keys that every message may have.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    id: Option<u64>,
}

/// The answer to one line; `None` for `stop`.
///
/// The kind is read first and then the message itself, instead of one tagged enum: a parser's crates may turn on `serde_json`'s
/// `arbitrary_precision`, with which numbers inside tagged enums are not read.
pub fn answer(adapter: &dyn Adapter, line: &[u8]) -> Option<Answer> {
    let head: Head = match serde_json::from_slice(line) {
        Ok(head) => head,
        Err(e) => return Some(Answer::Error(Trouble { id: None, message: format!("no message: {e}") })),
    };
    let hello = Hello { protocol: PROTOCOL, clock: clock::CLOCK, ..adapter.hello() };
    let answered = match head.kind.as_str() {
        "stop" => return None,
        "hello" => Ok(Answer::Hello(hello)),
        "run" => parsed(line).and_then(|asked| run(adapter, &hello, &asked)).map(Answer::Result),
        "measure" => parsed(line).and_then(|asked| measure(adapter, &hello, &asked)).map(Answer::Measured),
        other => Err(format!("unknown message `{other}`")),
    };
    Some(answered.unwrap_or_else(|message| Answer::Error(Trouble { id: head.id, message })))
}

fn parsed<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|e| format!("not the message it says it is: {e}"))
}

fn known(hello: &Hello, dialect: &str) -> Result<(), String> {
    if hello.dialects.iter().any(|d| d == dialect) { Ok(()) } else { Err(format!("unknown dialect `{dialect}`")) }
}

/// All readings of a `run`.
///
/// # Errors
/// One sentence on why it cannot be served; nothing of it is the parser's fault.
pub fn run(adapter: &dyn Adapter, hello: &Hello, asked: &Run) -> Result<RunResult, String> {
    known(hello, &asked.dialect)?;
    let request = Request::new(asked, hello.unit)?;
    let start = clock::now();
    let mut batch = Batch { adapter, hello, request: &request, full: asked.events, first: None };
    let plans = asked.plans.iter().map(|plan| batch.plan(plan)).collect::<Result<_, _>>()?;
    let (whole, _) = batch.first.ok_or("a run without a reading")?;
    Ok(RunResult { id: asked.id, cpu_ns: clock::now() - start, whole, plans })
}

/// The readings of one `run`.
struct Batch<'a> {
    adapter: &'a dyn Adapter,
    hello: &'a Hello,
    request: &'a Request,
    /// All readings in full.
    full: bool,
    /// The first reading, and what it folds to.
    first: Option<(Reading, Option<Folded>)>,
}

impl Batch<'_> {
    fn plan(&mut self, plan: &PlanAsk) -> Result<PlanAnswer, String> {
        let mut answered = PlanAnswer { plan: plan.plan.clone(), read: 0, same: false, differ: std::collections::BTreeMap::new() };
        for cuts in plan.cuts.iter().flatten() {
            let how = How { cuts: cuts.as_deref(), last_with_finish: plan.last_with_finish, reuse: plan.reuse };
            let reading = read(self.adapter, self.hello.unit, self.request, how)?;
            self.put(&mut answered, reading);
        }
        for &length in plan.prefixes.iter().flatten() {
            let raw = self.request.raw.get(..length).ok_or_else(|| format!("prefix {length} is longer than the text"))?.to_vec();
            let prefix = Request { raw, end: End::Length, ..self.request.clone() }.checked(self.hello.unit)?;
            let reading = read(self.adapter, self.hello.unit, &prefix, How::default())?;
            self.put(&mut answered, reading);
        }
        answered.same = answered.differ.is_empty();
        Ok(answered)
    }

    fn put(&mut self, answered: &mut PlanAnswer, reading: Reading) {
        let place = Place(answered.read);
        answered.read += 1;
        let folded = match &reading {
            Reading::Events { events, .. } => fold(events, self.hello.tells(Tell::Order)),
            _ => None,
        };
        let (first, of_first) = self.first.get_or_insert_with(|| (reading.clone(), folded.clone()));
        let same = match (&folded, &reading) {
            (Some(_), _) => folded == *of_first,
            (None, Reading::Events { .. }) => false,
            (None, _) => reading == *first,
        };
        if self.full || !same {
            answered.differ.insert(place, reading);
        }
    }
}

fn measure(adapter: &dyn Adapter, hello: &Hello, asked: &Measure) -> Result<Measured, String> {
    known(hello, &asked.dialect)?;
    let request = Request::of_measure(asked, hello.unit)?;
    let how = How { cuts: asked.cuts.as_deref(), ..How::default() };
    let (mut cpu_ns, mut whole) = (Vec::new(), None);
    for _ in 0..asked.repeat {
        let start = clock::now();
        let reading = read(adapter, hello.unit, &request, how)?;
        cpu_ns.push(clock::now() - start);
        whole = Some(reading);
    }
    Ok(Measured { id: asked.id, cpu_ns, whole: whole.ok_or("`repeat` is 0")? })
}
