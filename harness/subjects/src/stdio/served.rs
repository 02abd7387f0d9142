//! A subject of this process behind the protocol: what `streakstone adapter serve` runs, and what the faux adapters begin with. It shows
//! what an adapter does, and is as fast as one can be.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use streakstone_adapter::PROTOCOL;
use streakstone_adapter::fold::same;
use streakstone_adapter::message::{
    self, Answer, Clock, Delivery, Event as Wire, Hello, Measure, Measured, Place, PlanAnswer, PlanAsk, Reading, Request, Run, RunResult,
    Tell, Trouble, Unit,
};
use streakstone_model::{CallOutcome, End, Event, Lookup, Parallel, ReadOptions, Tool, ToolChoice, known, lookup};
use streakstone_suite::subject::{Ask, Chunking, Outcome, Subject};

/// A subject with what it says of itself.
pub(super) struct Served<'a> {
    subject: &'a dyn Subject,
    hello: Hello,
}

impl<'a> Served<'a> {
    pub fn new(subject: &'a dyn Subject) -> Self {
        let dialects = known().filter(|dialect| subject.supports(dialect)).map(|dialect| dialect.name);
        let hello = Hello {
            unit: Unit::Bytes,
            tells: vec![Tell::Ids, Tell::Reasoning, Tell::Order, Tell::Finish],
            delivery: Delivery::Validated,
            clock: Clock::None,
            notes: "served by `streakstone adapter serve`".to_owned(),
            ..Hello::new(format!("{}-served", subject.name()), subject.declared().version, dialects)
        };
        debug_assert_eq!(hello.protocol, PROTOCOL);
        Self { subject, hello }
    }

    /// The answer to one line; `None` for `stop`.
    pub fn answer(&self, line: &[u8]) -> Option<Answer> {
        let answer = match serde_json::from_slice(line) {
            Ok(Request::Hello(_)) => Ok(Answer::Hello(self.hello.clone())),
            Ok(Request::Run(run)) => self.run(&run).map(Answer::Result).map_err(|why| (Some(run.id), why)),
            Ok(Request::Measure(measure)) => self.measure(&measure).map(Answer::Measured).map_err(|why| (Some(measure.id), why)),
            Ok(Request::Stop) => return None,
            Err(error) => Err((None, error.to_string())),
        };
        Some(answer.unwrap_or_else(|(id, message)| Answer::Error(Trouble { id, message })))
    }

    fn run(&self, run: &Run) -> Result<RunResult, String> {
        let raw = run.raw()?;
        let asked = Asked::of_run(run)?;
        let mut first = None;
        let mut plans = Vec::with_capacity(run.plans.len());
        for plan in &run.plans {
            let mut differ = BTreeMap::new();
            let readings = self.plan(&asked, &raw, plan)?;
            let read = readings.len();
            for (place, reading) in readings.into_iter().enumerate() {
                let whole = first.get_or_insert_with(|| reading.clone());
                if run.events || !same(&reading, whole, true) {
                    differ.insert(Place(place), reading);
                }
            }
            plans.push(PlanAnswer { plan: plan.plan.clone(), read, same: differ.is_empty(), differ });
        }
        Ok(RunResult { id: run.id, cpu_ns: 0, whole: first.ok_or("a run without a reading")?, plans })
    }

    fn plan(&self, asked: &Asked, raw: &[u8], plan: &PlanAsk) -> Result<Vec<Reading>, String> {
        let mut readings = Vec::with_capacity(plan.len());
        let chunking = |cuts: &Option<Vec<usize>>| Chunking {
            cuts: cuts.clone().unwrap_or_default(),
            whole: cuts.is_none(),
            last_with_finish: plan.last_with_finish,
            reuse: plan.reuse,
            special: false,
        };
        let chunkings: Vec<Chunking> = plan.cuts.iter().flatten().map(chunking).collect();
        self.subject.read(&asked.ask(asked.end), raw, &chunkings, &mut |place, outcome| {
            readings.push(wire(outcome, chunkings[place].whole));
        });
        for &length in plan.prefixes.iter().flatten() {
            let prefix = raw.get(..length).ok_or("a prefix is longer than the text")?;
            let ask = asked.ask(End::Length);
            self.subject.read(&ask, prefix, &[Chunking::whole()], &mut |_, outcome| readings.push(wire(outcome, true)));
        }
        Ok(readings)
    }

    fn measure(&self, measure: &Measure) -> Result<Measured, String> {
        let raw = measure.raw()?;
        let asked = Asked::new(
            &measure.dialect,
            measure.tools.as_deref(),
            &measure.tool_choice,
            measure.parallel_tool_calls,
            measure.reasoning,
            measure.end,
        )?;
        let chunking = Chunking { cuts: measure.cuts.clone().unwrap_or_default(), whole: measure.cuts.is_none(), ..Chunking::default() };
        let (mut cpu_ns, mut whole) = (Vec::new(), None);
        for _ in 0..measure.repeat {
            let start = Instant::now();
            let mut last = None;
            self.subject.read(&asked.ask(asked.end), &raw, std::slice::from_ref(&chunking), &mut |_, outcome| last = Some(outcome));
            cpu_ns.push(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX));
            whole = last.map(|outcome| wire(outcome, chunking.whole));
        }
        Ok(Measured { id: measure.id, cpu_ns, whole: whole.ok_or("a measurement without a reading")? })
    }
}

/// Answers the lines of `input` on `output` until `stop` or the end.
///
/// # Errors
/// A stream broke.
pub fn serve(subject: &dyn Subject, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let served = Served::new(subject);
    for line in input.split(b'\n') {
        let Some(answer) = served.answer(&line?) else { break };
        write(&mut output, &answer)?;
    }
    Ok(())
}

pub(super) fn write(output: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

/// A request in the model's words.
struct Asked {
    dialect: &'static streakstone_model::Dialect,
    tools: Option<Vec<Tool>>,
    options: ReadOptions,
    end: End,
}

impl Asked {
    fn of_run(run: &Run) -> Result<Self, String> {
        Self::new(&run.dialect, run.tools.as_deref(), &run.tool_choice, run.parallel_tool_calls, run.reasoning, run.end)
    }

    fn new(
        dialect: &str,
        tools: Option<&[serde_json::Value]>,
        choice: &message::ToolChoice,
        parallel: bool,
        reasoning: message::Reasoning,
        end: message::End,
    ) -> Result<Self, String> {
        let Lookup::Known(dialect) = lookup(dialect) else { return Err(format!("unknown dialect `{dialect}`")) };
        let tools = tools.map(|tools| tools.iter().map(Tool::from_openai).collect::<Result<Vec<_>, _>>());
        let mut options = ReadOptions { reasoning_open: reasoning == message::Reasoning::Open, ..ReadOptions::default() };
        options.tool_choice = match choice {
            message::ToolChoice::Auto => ToolChoice::Auto,
            message::ToolChoice::Required => ToolChoice::Required,
            message::ToolChoice::None => ToolChoice::None,
            message::ToolChoice::Function(name) => ToolChoice::Function(name.clone()),
        };
        options.policies.parallel = if parallel { Parallel::All } else { Parallel::First };
        let end = match end {
            message::End::Stop => End::Stop,
            message::End::Length => End::Length,
            message::End::StopString => End::StopString,
        };
        Ok(Self { dialect, tools: tools.transpose().map_err(|e| e.to_string())?, options, end })
    }

    fn ask(&self, end: End) -> Ask<'_> {
        Ask { dialect: self.dialect, tools: self.tools.as_deref(), options: &self.options, end }
    }
}

/// An outcome as it goes over the wire.
fn wire(outcome: Outcome, whole: bool) -> Reading {
    let reading = match outcome {
        Outcome::Reading(reading) => reading,
        Outcome::Rejected(why) => return Reading::Rejected(why),
        Outcome::Unsupported(why) => return Reading::Unsupported(why),
        Outcome::Raised(why) | Outcome::Died(why) | Outcome::AdapterFault(why) => return Reading::Raised(why),
        Outcome::TimedOut => return Reading::Raised("it was too late".to_owned()),
    };
    let (mut events, mut at) = (Vec::new(), Vec::new());
    for (place, event) in reading.events.into_iter().enumerate() {
        events.push(match event {
            Event::Text { text, .. } => Wire::Text(text),
            Event::Reasoning { text, .. } => Wire::Reasoning(text),
            Event::CallBegin { index, name, id, minted } => Wire::Call { index, name, id: (!minted).then_some(id) },
            Event::Arguments { index, fragment } => Wire::Arguments { index, fragment },
            Event::CallEnd { index, outcome } => Wire::End { index, incomplete: outcome != CallOutcome::Complete },
            Event::Finish { reason } => Wire::Finish(Some(finish(reason))),
            Event::Bytes { .. } => continue,
        });
        at.push(reading.marks.partition_point(|&mark| mark <= place));
    }
    Reading::Events { events, at: (!whole).then_some(at) }
}

const fn finish(reason: streakstone_model::Finish) -> message::Finish {
    match reason {
        streakstone_model::Finish::Stop => message::Finish::Stop,
        streakstone_model::Finish::ToolCalls => message::Finish::ToolCalls,
        streakstone_model::Finish::Length => message::Finish::Length,
    }
}
