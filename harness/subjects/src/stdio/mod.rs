//! A parser in a process of its own, behind the protocol streak/1 (`harness/adapter/PROTOCOL.md`). The page's table says who is to blame
//! for what; here it is done. Processes are started when they are needed, one a judging thread, and kept.

pub(crate) mod ask;
pub mod fake;
mod process;
mod reading;
mod running;
mod served;
mod settle;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use streakstone_adapter::message::{
    Answer, Clock, Delivery, Greeting, Hello, Ignored, Measure, Measured, Mode, Reading, Request, SpecialTokens, Tell, Unit, text_or_base64,
};
use streakstone_adapter::{MAX_LINE, PROTOCOL};
use streakstone_model::{Dialect, Lookup, Policies, lookup};
use streakstone_suite::law::Law;
use streakstone_suite::limits::DEADLINE;
use streakstone_suite::subject::{Abilities, Answers, Ask, Batch, Chunking, Declared, Outcome, Subject, Tells};

use ask::{Item, outcomes, run};
use process::{Broke, Process, shown};
pub use running::{end_all, end_watchdog, give_up, start_watchdog, watch};
pub use served::serve;
use settle::{Settling, tail};

/// Time for a start: an engine that imports half a machine-learning framework from a cold disk needs a minute.
pub const START_DEADLINE: Duration = Duration::from_mins(2);

/// Time between `stop` and the kill.
pub const GRACE: Duration = Duration::from_secs(2);

/// The same when the run is given up.
const HASTE: Duration = Duration::from_millis(500);

/// Batches that may break one after the other through a fault of the adapter before it is started no more. Each start can be dear.
const FAULTS: u32 = 5;

/// How long to wait for what.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// For the readings of one case.
    pub deadline: Duration,
    /// For the first answer of a process.
    pub start: Duration,
    /// Between `stop` and the kill.
    pub grace: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { deadline: DEADLINE, start: START_DEADLINE, grace: GRACE }
    }
}

/// An adapter that did not come up. A fault of the adapter, never of its parser.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StartError(pub String);

/// An adapter as a subject.
pub struct Stdio {
    command: Vec<String>,
    settings: Settings,
    hello: Hello,
    declared: Declared,
    /// The adapter's word for each row it reads.
    rows: BTreeMap<&'static str, String>,
    idle: Mutex<Vec<Process>>,
    next_id: AtomicU64,
    /// Faults in a row, and what the last was.
    faults: AtomicU32,
    last_fault: Mutex<String>,
    /// True if every reading is asked for in full.
    events: bool,
}

impl fmt::Debug for Stdio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stdio").field("command", &self.command).field("hello", &self.hello).finish_non_exhaustive()
    }
}

/// What an answer came to, or how it did not come and what standard error said.
type Exchanged<T> = Result<T, (Broke, String)>;

impl Stdio {
    /// Starts `command`, a program and its arguments, and hears its hello.
    ///
    /// # Errors
    /// It cannot be started, says nothing in time, or says what no adapter may.
    pub fn start(command: &[String], settings: Settings) -> Result<Self, StartError> {
        let failed = |(broke, stderr): (Broke, String)| {
            let what = match broke {
                Broke::Fault(why) => why,
                Broke::Late => format!("it said no hello within {} s", settings.start.as_secs_f64()),
                Broke::Died(status) => format!("it died before its hello ({status})"),
                Broke::Killed => "something outside killed it before its hello".to_owned(),
                Broke::Interrupted => "the run was interrupted before its hello".to_owned(),
            };
            StartError(format!("{what}{}", tail(&stderr)))
        };
        // A kill from outside says nothing of the adapter.
        let mut begun = begin(command, settings);
        for _ in 0..FAULTS {
            if matches!(begun, Err((Broke::Killed, _))) {
                begun = begin(command, settings);
            }
        }
        let (process, hello) = begun.map_err(failed)?;
        let declared = declared(&hello).map_err(StartError)?;
        let mut rows = BTreeMap::new();
        for word in &hello.dialects {
            if let Lookup::Known(dialect) = lookup(word) {
                rows.entry(dialect.name).or_insert_with(|| word.clone());
            }
        }
        Ok(Self {
            command: command.to_vec(),
            settings,
            hello,
            declared,
            rows,
            idle: Mutex::new(vec![process]),
            next_id: AtomicU64::new(1),
            faults: AtomicU32::new(0),
            last_fault: Mutex::new(String::new()),
            events: false,
        })
    }

    /// The same, asking for every reading in full, with the chunk of each event.
    #[must_use]
    pub const fn with_events(mut self) -> Self {
        self.events = true;
        self
    }

    /// What it said of itself.
    #[must_use]
    pub const fn hello(&self) -> &Hello {
        &self.hello
    }

    /// The program and its arguments.
    #[must_use]
    pub fn command(&self) -> &[String] {
        &self.command
    }

    /// The words of its hello that this build knows no dialect by.
    pub fn unknown_dialects(&self) -> impl Iterator<Item = &str> {
        self.hello.dialects.iter().map(String::as_str).filter(|word| matches!(lookup(word), Lookup::Unknown { .. }))
    }

    /// Asks for the readings of `items`, in one message if it fits. The time of the subject's clock comes with the outcomes.
    fn exchange_run(&self, ask: &Ask<'_>, raw: &[u8], items: &[Item<'_>], deadline: Duration) -> Exchanged<(Vec<Outcome>, u64)> {
        let Some(word) = self.rows.get(ask.dialect.name) else {
            return Err((Broke::Fault(format!("it does not read `{}`", ask.dialect.name)), String::new()));
        };
        let mut message = run(ask, word, raw, items, &self.declared, self.hello.unit == Unit::Tokens, self.events);
        message.id = self.next_id.fetch_add(1, Ordering::Relaxed);
        message.deadline_ms = u64::try_from(deadline.as_millis()).unwrap_or(u64::MAX);
        let message = Request::Run(message);
        let line = line(&message)?;
        let Request::Run(message) = message else { return Err((Broke::Fault("no message".to_owned()), String::new())) };
        if line.len() > MAX_LINE {
            return self.in_two(ask, raw, items, deadline);
        }
        let read = |answer| match answer {
            Answer::Result(result) if result.id == message.id => {
                outcomes(&result, &message, items, &self.declared, ask.end).map(|all| (all, result.cpu_ns))
            }
            Answer::Result(result) => Err(format!("it answered message {} instead of {}", result.id, message.id)),
            other => Err(unfit(&other)),
        };
        self.exchange(line, deadline, &read)
    }

    /// The same in two messages, the whole reading in both.
    fn in_two(&self, ask: &Ask<'_>, raw: &[u8], items: &[Item<'_>], deadline: Duration) -> Exchanged<(Vec<Outcome>, u64)> {
        if items.len() < 3 {
            let why = Outcome::Unsupported(format!("the message would be over {} MiB", MAX_LINE >> 20));
            return Ok((vec![why; items.len()], 0));
        }
        let (head, tail) = items.split_at(items.len() / 2);
        let tail: Vec<Item<'_>> = head[..1].iter().chain(tail).copied().collect();
        let (mut all, first) = self.exchange_run(ask, raw, head, deadline)?;
        let (rest, second) = self.exchange_run(ask, raw, &tail, deadline)?;
        all.extend(rest.into_iter().skip(1));
        Ok((all, first + second))
    }

    /// One line to a process and one back; the process goes back to the pool only if all was well.
    fn exchange<T>(&self, line: Vec<u8>, deadline: Duration, read: &dyn Fn(Answer) -> Result<T, String>) -> Exchanged<T> {
        if self.faults.load(Ordering::Relaxed) >= FAULTS {
            let last = self.last_fault.lock().unwrap_or_else(PoisonError::into_inner);
            return Err((
                Broke::Fault(format!("it broke {FAULTS} times in a row and is not started again; the last time: {last}")),
                String::new(),
            ));
        }
        let done = self.exchange_with_one(line, deadline, read);
        match &done {
            Ok(_) => self.faults.store(0, Ordering::Relaxed),
            Err((Broke::Fault(why), _)) => {
                self.faults.fetch_add(1, Ordering::Relaxed);
                why.clone_into(&mut self.last_fault.lock().unwrap_or_else(PoisonError::into_inner));
            }
            Err(_) => {}
        }
        done
    }

    fn exchange_with_one<T>(&self, line: Vec<u8>, deadline: Duration, read: &dyn Fn(Answer) -> Result<T, String>) -> Exchanged<T> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut process = match idle {
            Some(process) => process,
            None => self.another()?,
        };
        let answer = process.exchange(line, Instant::now() + deadline);
        let read = answer.and_then(|answer| parse(&answer)).and_then(|answer| read(answer).map_err(Broke::Fault));
        match read {
            Ok(done) => {
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(process);
                Ok(done)
            }
            Err(broke) => Err((broke, process.stderr_tail())),
        }
    }

    /// One more process, which must say the same hello.
    fn another(&self) -> Exchanged<Process> {
        let late = |(broke, stderr)| {
            let broke = match broke {
                Broke::Late => Broke::Fault(format!("a new start said no hello within {} s", self.settings.start.as_secs_f64())),
                Broke::Died(status) => Broke::Fault(format!("a new start died before its hello ({status})")),
                other => other,
            };
            (broke, stderr)
        };
        let (process, hello) = begin(&self.command, self.settings).map_err(late)?;
        if hello == self.hello {
            Ok(process)
        } else {
            Err((Broke::Fault("a new start said another hello than the first".to_owned()), process.stderr_tail()))
        }
    }
}

impl Drop for Stdio {
    fn drop(&mut self) {
        self.end();
    }
}

impl Subject for Stdio {
    fn name(&self) -> &str {
        &self.hello.name
    }

    fn description(&self) -> String {
        format!("{} {}, adapter `{}`", self.hello.name, self.hello.version, self.command.join(" "))
    }

    fn abilities(&self) -> Abilities {
        Abilities { spans: false, held: false, policies: false, eager: false }
    }

    fn declared(&self) -> Declared {
        self.declared.clone()
    }

    fn supports(&self, dialect: &Dialect) -> bool {
        self.rows.contains_key(dialect.name)
    }

    fn read(&self, ask: &Ask<'_>, raw: &[u8], chunkings: &[Chunking], each: &mut dyn FnMut(usize, Outcome)) {
        let batch = Batch { plans: vec![(streakstone_suite::plan::Plan::Given, chunkings)], prefixes: &[] };
        self.read_batch(ask, raw, &batch).hand_over(each);
    }

    fn batches(&self) -> bool {
        true
    }

    fn read_batch(&self, ask: &Ask<'_>, raw: &[u8], batch: &Batch<'_>) -> Answers {
        let handed = self.declared.handed(ask.dialect, raw, ask.end);
        let settle = |asked: &[Item<'_>]| {
            let settled = Settling::new(self, ask, handed, asked).settle();
            (settled.outcomes, settled.cpu_ns, settled.notes)
        };
        if handed.len() == raw.len() {
            return ask::answers(batch, &self.declared, raw, settle);
        }
        let (plans, prefixes) = ask::within(batch, handed.len());
        let batch = Batch { plans: plans.iter().map(|(plan, all)| (*plan, all.as_slice())).collect(), prefixes: &prefixes };
        ask::answers(&batch, &self.declared, handed, settle)
    }

    fn end(&self) -> Option<String> {
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        for process in &idle {
            process.ask_to_stop(line(&Request::Stop).unwrap_or_default());
        }
        let until = Instant::now() + if running::given_up() { self.settings.grace.min(HASTE) } else { self.settings.grace };
        // All of them, or those after the first with a fault would be killed without their time to end.
        let faults: Vec<String> = idle.into_iter().filter_map(|process| process.stopped(until)).collect();
        faults.into_iter().next()
    }

    fn measure(&self, ask: &Ask<'_>, raw: &[u8], chunking: &Chunking, repeat: usize) -> Option<Result<Vec<u64>, String>> {
        if self.hello.clock == Clock::None {
            return Some(Err("its hello names no `clock` by which it times its readings (`thread-cpu` or `process-cpu`)".to_owned()));
        }
        let (text, base64) = text_or_base64(self.declared.handed(ask.dialect, raw, ask.end));
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let message = Request::Measure(Measure {
            id,
            dialect: self.rows.get(ask.dialect.name)?.clone(),
            text,
            base64,
            tools: ask::tools(ask),
            tool_choice: ask::tool_choice(&ask.options.tool_choice),
            parallel_tool_calls: true,
            reasoning: ask::reasoning(ask),
            end: ask::end(ask.end),
            cuts: if chunking.whole && self.declared.whole { None } else { Some(chunking.cuts.clone()) },
            repeat,
        });
        let read = |answer| match answer {
            Answer::Measured(Measured { whole: Reading::Unsupported(why), .. }) => Err(format!("it has no such entry point: {why}")),
            Answer::Measured(measured) if measured.id == id && measured.cpu_ns.len() == repeat => Ok(measured.cpu_ns),
            Answer::Measured(_) => Err("it answered another measurement".to_owned()),
            other => Err(unfit(&other)),
        };
        let done = line(&message).and_then(|message| self.exchange(message, self.settings.deadline, &read));
        Some(done.map_err(|(broke, stderr)| {
            let what = match broke {
                Broke::Fault(why) => why,
                Broke::Late => format!("it did not answer within {} s", self.settings.deadline.as_secs_f64()),
                Broke::Died(status) => format!("it died ({status})"),
                Broke::Killed => "something outside killed it".to_owned(),
                Broke::Interrupted => "the run was interrupted".to_owned(),
            };
            format!("{what}{}", tail(&stderr))
        }))
    }
}

/// Starts a process and hears its hello.
fn begin(command: &[String], settings: Settings) -> Exchanged<(Process, Hello)> {
    let mut process = Process::spawn(command).map_err(|broke| (broke, String::new()))?;
    let greeting = Greeting { protocol: PROTOCOL, harness: format!("streakstone {}", env!("CARGO_PKG_VERSION")) };
    let answer = process.exchange(line(&Request::Hello(greeting))?, Instant::now() + settings.start);
    let hello = answer.and_then(|answer| parse(&answer)).and_then(|answer| match answer {
        Answer::Hello(hello) => hello.check().map(|()| hello).map_err(Broke::Fault),
        other => Err(Broke::Fault(unfit(&other))),
    });
    match hello {
        Ok(hello) => Ok((process, hello)),
        Err(broke) => Err((broke, process.stderr_tail())),
    }
}

fn line(message: &Request) -> Exchanged<Vec<u8>> {
    let mut line = serde_json::to_vec(message).map_err(|e| (Broke::Fault(format!("the message cannot be written: {e}")), String::new()))?;
    line.push(b'\n');
    Ok(line)
}

fn parse(line: &[u8]) -> Result<Answer, Broke> {
    serde_json::from_slice(line).map_err(|error| {
        let message = error.to_string();
        let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
        let kind = if error.is_data() { "no message of streak/1" } else { "no JSON" };
        Broke::Fault(format!("it wrote a line that is {kind} ({what}): {}", shown(line)))
    })
}

/// What it means that an answer of this kind came.
fn unfit(answer: &Answer) -> String {
    match answer {
        Answer::Error(trouble) => format!("it says: {}", trouble.message),
        Answer::Hello(_) => "it said hello again".to_owned(),
        Answer::Result(_) => "it answered `result` to another kind of message".to_owned(),
        Answer::Measured(_) => "it answered `measured` to another kind of message".to_owned(),
    }
}

/// The judge's view of a hello.
pub(crate) fn declared(hello: &Hello) -> Result<Declared, String> {
    let mut policies = Policies::default();
    // No policy of a reading: nobody can be asked to read by rules that only this parser has.
    let own = |(policy, value): &(&String, &String)| (policy.as_str(), value.as_str()) == ("coercion", "own");
    for (policy, value) in hello.policies.iter().filter(|pair| !own(pair)) {
        policies.set(policy, value).map_err(|e| format!("its `policies`: {e}"))?;
    }
    let mut cannot = Vec::new();
    for entry in &hello.cannot {
        let law: Law = entry.law.parse().map_err(|e| format!("its `cannot`: {e}"))?;
        cannot.push((law, entry.why.clone()));
    }
    let stream = hello.modes.contains(&Mode::Stream);
    let row = |word: &str| if let Lookup::Known(dialect) = lookup(word) { Some(dialect.name) } else { None };
    if let Some(word) = hello.cuts_stop_tokens.iter().find(|word| !hello.dialects.contains(word)) {
        return Err(format!("its `cuts_stop_tokens`: `{word}` is none of its `dialects`"));
    }
    let ignores = |what| hello.ignores.contains(&what);
    Ok(Declared {
        name: hello.name.clone(),
        version: hello.version.clone(),
        policies,
        special_tokens_whole: hello.special_tokens == SpecialTokens::Whole,
        stop_tokens_cut: hello.cuts_stop_tokens.iter().filter_map(|word| row(word)).collect(),
        ignores_none: ignores(Ignored::ToolChoice),
        ignores_named: ignores(Ignored::ToolChoice) || ignores(Ignored::NamedToolChoice),
        ignores_parallel: ignores(Ignored::ParallelToolCalls),
        types_by_own_rules: hello.policies.iter().any(|pair| own(&pair)),
        cannot,
        stubs: hello.stubs.clone(),
        notes: hello.notes.clone(),
        tells: Tells {
            ids: hello.tells(Tell::Ids),
            reasoning: hello.tells(Tell::Reasoning),
            order: hello.tells(Tell::Order),
            finish: hello.tells(Tell::Finish),
        },
        bytewise: hello.unit == Unit::Bytes,
        outside: true,
        whole: hello.modes.contains(&Mode::Whole),
        stream,
        eager: stream && hello.delivery == Delivery::Eager,
    })
}
