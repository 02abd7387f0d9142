//! The ten probes of `streakstone adapter smoke`. They ask whether the adapter keeps the protocol, never whether its parser is right.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;
use streakstone_model::{Dialect, End, Event, Lookup, Policies, Tool, lookup};
use streakstone_report::escape::visible;
use streakstone_subjects::stdio::{Settings, Stdio};
use streakstone_suite::case::Case;
use streakstone_suite::plan::Plan;
use streakstone_suite::subject::{Answers, Ask, Batch, Chunking, Outcome, Reading, Subject};

use crate::adapter::unknown;
use crate::exit::Exit;
use crate::output;

/// What one probe found: a word on what came, or what is wrong and what to do.
type Found = Result<String, (String, &'static str)>;

/// Plain text with a character that a byte cut would split.
const PROSE: &str = "Good morning. It is 5 °C in Zürich.";

/// Asks `command` ten things and prints a line for each.
pub fn smoke(command: &[String]) -> Result<Exit> {
    let subject = match Stdio::start(command, Settings { deadline: Duration::from_secs(10), ..Settings::default() }) {
        Ok(subject) => subject.with_events(),
        Err(error) => {
            let next = "answer the line {\"type\":\"hello\",...} with your own hello, and print nothing before it";
            output::data(&failed(1, "hello: who are you?", &error.to_string(), next))?;
            return Ok(Exit::Fault);
        }
    };
    let hello = subject.hello();
    let mut out = passed(1, "hello: who are you?", &format!("{} {}", hello.name, hello.version));
    let unknown_words = subject.unknown_dialects().count();
    let row = hello.dialects.iter().find_map(|word| if let Lookup::Known(dialect) = lookup(word) { Some(dialect) } else { None });
    let question = "dialects: does this build know what you read?";
    let Some(row) = row else {
        out.push_str(&failed(2, question, &format!("none: {}", unknown(&subject)), NAMES));
        output::data(&out)?;
        return Ok(Exit::Fault);
    };
    let known = format!("{} of {}", hello.dialects.len() - unknown_words, hello.dialects.len());
    let names = if unknown_words == 0 { Ok(known) } else { Err((format!("unknown: {}", unknown(&subject)), NAMES)) };
    let probe = Probe { subject: &subject, row };
    let found = [
        (question, names),
        ("whole: read a text without a call", probe.whole(PROSE)),
        ("stream: the same in one delta", probe.stream(&[Chunking::default()])),
        ("cuts: the same with a delta for each character", probe.stream(&[characters()])),
        ("empty: deltas without text", probe.stream(&[Chunking { cuts: vec![0, 0, 5, 5], ..Chunking::default() }])),
        ("finish: the reason rides on the last delta", probe.stream(&[Chunking { last_with_finish: true, ..cut_at_five() }])),
        ("reuse: the same instance reads twice", probe.stream(&[Chunking { reuse: true, ..cut_at_five() }])),
        ("prefixes: first parts of a text", probe.prefixes()),
        ("batch: many readings in one message", probe.stream(&vec![cut_at_five(); 200])),
    ];
    let mut exit = Exit::AsExpected;
    for (number, (question, found)) in (2..).zip(found) {
        out.push_str(&match found {
            Ok(what) => passed(number, question, &what),
            Err((why, next)) => {
                exit = Exit::Fault;
                failed(number, question, &why, next)
            }
        });
    }
    if let Some(why) = subject.end() {
        exit = Exit::Fault;
        out.push_str(&failed(11, "stop: does it end in silence?", &why, "write answers to standard output and nothing else"));
    }
    output::data(&out)?;
    Ok(exit)
}

const NAMES: &str = "use the names or aliases that `streakstone list dialects` prints";

fn passed(number: usize, question: &str, what: &str) -> String {
    format!("ok    {number:>2}  {question}   {}\n", visible(what))
}

fn failed(number: usize, question: &str, why: &str, next: &str) -> String {
    format!("FAIL  {number:>2}  {question}\n          {}\n    next  {next}\n", visible(why))
}

fn cut_at_five() -> Chunking {
    Chunking { cuts: vec![5], ..Chunking::default() }
}

fn characters() -> Chunking {
    Chunking { cuts: PROSE.char_indices().map(|(at, _)| at).filter(|&at| at > 0).collect(), ..Chunking::default() }
}

struct Probe<'a> {
    subject: &'a Stdio,
    row: &'static Dialect,
}

impl Probe<'_> {
    fn ask(&self, text: &str, plans: &[(Plan, &[Chunking])], prefixes: &[usize]) -> Answers {
        let case = Case::of_text("smoke", self.row.name, text);
        let options = case.options(Policies::default());
        let tools = [Tool { name: "get_weather".to_owned(), parameters: serde_json::json!({"type": "object"}) }];
        let ask = Ask { dialect: self.row, tools: Some(&tools), options: &options, end: End::Stop };
        self.subject.read_batch(&ask, text.as_bytes(), &Batch { plans: plans.to_vec(), prefixes })
    }

    fn whole(&self, text: &str) -> Found {
        let answers = self.ask(text, &[(Plan::Whole, &[Chunking::whole()])], &[]);
        found(answers.plans.into_iter().flatten(), &answers.notes)
    }

    fn stream(&self, chunkings: &[Chunking]) -> Found {
        if !self.subject.declared().stream {
            return Ok("left out: it takes no stream".to_owned());
        }
        let answers = self.ask(PROSE, &[(Plan::Given, chunkings)], &[]);
        found(answers.plans.into_iter().flatten(), &answers.notes)
    }

    fn prefixes(&self) -> Found {
        if !self.subject.declared().whole {
            return Ok("left out: it reads no finished text".to_owned());
        }
        let whole = [Chunking::whole()];
        let answers = self.ask(PROSE, &[(Plan::Whole, &whole)], &[5, 14]);
        found(answers.prefixes.into_iter(), &answers.notes)
    }
}

/// What the outcomes say of the adapter.
fn found(outcomes: impl Iterator<Item = Option<Outcome>>, notes: &[String]) -> Found {
    let (mut count, mut last) = (0, String::new());
    for outcome in outcomes {
        match outcome {
            Some(Outcome::Reading(reading)) => last = described(&reading),
            Some(Outcome::Rejected(why)) => last = format!("rejected: {why}"),
            Some(Outcome::Unsupported(why)) => last = format!("unsupported: {why}"),
            Some(Outcome::Raised(why)) => {
                return Err((format!("it raised: {why}"), "plain text must not throw; see the traceback on standard error"));
            }
            Some(Outcome::Died(how)) => {
                return Err((format!("it died ({how}); {}", notes.join("; ")), "run the adapter by hand and type the message"));
            }
            Some(Outcome::TimedOut) => {
                return Err(("no answer within 10 s".to_owned(), "answer each line with one line, and flush standard output"));
            }
            Some(Outcome::AdapterFault(why)) => {
                return Err((why, "see harness/adapter/PROTOCOL.md; move standard output away before the parser is loaded"));
            }
            None => return Err((notes.join("; "), "run the adapter by hand and type the message")),
        }
        count += 1;
    }
    let s = if count == 1 { "" } else { "s" };
    Ok(format!("{count} reading{s}, the last: {last}"))
}

fn described(reading: &Reading) -> String {
    let mut out = String::new();
    for event in &reading.events {
        let _ = match event {
            Event::Text { text, .. } => write!(out, "text {text:?} "),
            Event::Reasoning { text, .. } => write!(out, "reasoning {text:?} "),
            Event::CallBegin { name, .. } => write!(out, "call {name} "),
            Event::Finish { reason } => write!(out, "finish {}", reason.as_str()),
            Event::Arguments { .. } | Event::CallEnd { .. } | Event::Bytes { .. } => Ok(()),
        };
    }
    out.chars().take(60).collect()
}
