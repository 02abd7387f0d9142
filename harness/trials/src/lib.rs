//! Streakstone in `cargo test`, for the author of a parser in Rust. Implement [`Adapter`], the trait
//! of the SDK, and give it to [`Trials`] in a test without a harness:
//!
//! ```toml
//! [[test]]
//! name = "streakstone"
//! harness = false
//! ```
//!
//! ```no_run
//! use std::process::ExitCode;
//! # use streakstone_adapter::message::Hello;
//! # use streakstone_adapter::serve::Adapter;
//! # struct MyParser;
//! # impl Adapter for MyParser {
//! #     fn hello(&self) -> Hello { Hello::new("my-parser", "1", ["hermes"]) }
//! # }
//!
//! fn main() -> ExitCode {
//!     streakstone_trials::Trials::new(MyParser, "tests/corpus").main()
//! }
//! ```
//!
//! Each case of the corpus in a dialect of the hello is two trials, `hermes/strings/escaped-quote::realistic` and `::hostile`: the plans that
//! servers show, and those that a network or an attacker can make. `cargo test --test streakstone -- hermes/strings` runs some of them;
//! `--list`, `--exact` and the rest are as in every test. The same trait, given to `serve`, is an adapter for the command line, which
//! shows more: reports, logs, smallest cuts by hand.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use streakstone_adapter::serve::Adapter;
use streakstone_model::Lookup;
use streakstone_report::terminal;
use streakstone_subjects::InProcess;
use streakstone_suite::case::Case;
use streakstone_suite::corpus::{Corpus, Strictness};
use streakstone_suite::judge::Judge;
use streakstone_suite::known::{self, Known, Standing};
use streakstone_suite::plan::{Plan, Tier};
use streakstone_suite::runlog::CaseResult;
use streakstone_suite::subject::Subject as _;
use streakstone_suite::verdict::Verdict;

/// Names another corpus than the test's own, for one run.
pub const CORPUS_VARIABLE: &str = "STREAKSTONE_CORPUS";

/// A parser, a corpus, and how to judge.
pub struct Trials<A> {
    adapter: A,
    corpus: PathBuf,
    known: Option<PathBuf>,
    plans: Vec<Plan>,
}

impl<A: Adapter + Send + Sync + 'static> Trials<A> {
    /// All trials of `adapter` over a corpus folder, which is read as `streakstone run --corpus` reads one. A relative path begins at the
    /// package of the test.
    pub fn new(adapter: A, corpus: impl Into<PathBuf>) -> Self {
        Self { adapter, corpus: corpus.into(), known: None, plans: Plan::ALL.to_vec() }
    }

    /// Only these plans; `whole` is always read. A tier without a plan has no trials.
    #[must_use]
    pub fn plans(mut self, plans: impl IntoIterator<Item = Plan>) -> Self {
        self.plans = plans.into_iter().collect();
        self
    }

    /// The folder with `NAME.yaml`, the list of this parser's known failures, in the format of `goldens/known`: what it covers passes. Entries
    /// that no longer hold are found by `streakstone run`, which sees both tiers of a case.
    #[must_use]
    pub fn known(mut self, folder: impl Into<PathBuf>) -> Self {
        self.known = Some(folder.into());
        self
    }

    /// Runs the trials that the command line asks for. The whole of a test's `main`.
    #[must_use]
    pub fn main(self) -> ExitCode {
        let arguments = Arguments::from_args();
        // A parser's panic is a finding of its trial, and is shown there.
        std::panic::set_hook(Box::new(|_| {}));
        libtest_mimic::run(&arguments, self.trials()).exit_code()
    }

    /// The trials. An invalid corpus, list or hello, or a corpus without a case for this parser, is one trial that fails.
    #[must_use]
    pub fn trials(self) -> Vec<Trial> {
        let fails = |name: &str, why: String| vec![Trial::test(name, move || Err(Failed::from(why)))];
        let corpus = std::env::var_os(CORPUS_VARIABLE).map_or(self.corpus, PathBuf::from);
        let corpus = match Corpus::load(&corpus, Strictness::External) {
            Ok(corpus) => corpus,
            Err(errors) => return fails("corpus", errors.to_string()),
        };
        let known = match self.known.as_deref().map(known::load).transpose() {
            Ok(lists) => lists.unwrap_or_default(),
            Err(errors) => return fails("known", errors.to_string()),
        };
        let subject = match InProcess::new(self.adapter) {
            Ok(subject) => Arc::new(subject),
            Err(why) => return fails("hello", why),
        };
        let list = Arc::new(known.get(subject.name()).cloned());
        let reads = |case: &Case| matches!(case.dialect, Lookup::Known(dialect) if subject.supports(dialect));
        let cases: Vec<Arc<Case>> = corpus.cases.into_iter().filter(reads).map(Arc::new).collect();
        if cases.is_empty() {
            let dialects = subject.hello().dialects.join(", ");
            return fails("corpus", format!("{}: no case in a dialect of the hello ({dialects})", corpus.root.display()));
        }
        let mut trials = Vec::new();
        for case in cases {
            for (tier, word) in [(Tier::Realistic, "realistic"), (Tier::Hostile, "hostile")] {
                let plans: Vec<Plan> = self.plans.iter().copied().filter(|plan| plan.tier() == tier).collect();
                if plans.is_empty() {
                    continue;
                }
                let name = format!("{}::{word}", case.name);
                let (subject, case, list) = (Arc::clone(&subject), Arc::clone(&case), Arc::clone(&list));
                trials.push(Trial::test(name.clone(), move || judge(&subject, &case, plans, list.as_ref().as_ref(), &name)));
            }
        }
        trials
    }
}

fn judge<A: Adapter + Send + Sync>(
    subject: &InProcess<A>,
    case: &Case,
    plans: Vec<Plan>,
    known: Option<&Known>,
    name: &str,
) -> Result<(), Failed> {
    let judge = Judge { plans, clock: streakstone_measure::clock::now, ..Judge::default() };
    let result = judge.judge(subject, case).to_log(subject, case);
    let fails = result.verdict.is_bad() || result.verdict == Verdict::AdapterFault;
    let listed = known.is_some_and(|list| matches!(list.standing(&result), Standing::Known(_)));
    if fails && !listed { Err(text(&result, name).into()) } else { Ok(()) }
}

/// What the trial says: the findings and the line that runs it again.
fn text(result: &CaseResult, name: &str) -> String {
    let test = std::env::current_exe().ok();
    let test = test.as_deref().and_then(Path::file_stem).and_then(|stem| stem.to_str());
    // Cargo adds a dash and a hash to a test program's name.
    let test = test.map_or("streakstone", |stem| stem.rsplit_once('-').map_or(stem, |(name, _)| name));
    let findings = terminal::findings(result);
    format!("{}  rerun   cargo test --test {test} -- --exact '{name}'\n", anstream::adapter::strip_str(&findings))
}

#[cfg(test)]
mod tests {
    use streakstone_adapter::message::{End, Event, Hello, Tell};
    use streakstone_adapter::serve::{Delta, No, Request, Session};

    use super::*;

    /// Passes every delta on as text, and panics at one that begins with an opener.
    struct Passes {
        dialect: &'static str,
    }

    impl Adapter for Passes {
        fn hello(&self) -> Hello {
            let mut hello = Hello::new("passes", "1", [self.dialect]);
            hello.tells = vec![Tell::Order];
            hello
        }

        fn whole(&self, request: &Request) -> Result<Vec<Event>, No> {
            Ok(vec![Event::Text(request.text().into_owned()), Event::Finish(None)])
        }

        fn open<'a>(&'a self, _request: &'a Request) -> Result<Box<dyn Session + 'a>, No> {
            Ok(Box::new(PassesOn))
        }
    }

    struct PassesOn;

    impl Session for PassesOn {
        fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No> {
            assert!(!delta.text().starts_with("tool_call>"), "an opener");
            Ok(vec![Event::Text(delta.text().to_owned())])
        }

        fn finish(&mut self, _end: End) -> Result<Vec<Event>, No> {
            Ok(vec![Event::Finish(None)])
        }
    }

    fn corpus() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
    }

    fn judged(case: &str, plans: &[Plan], known: Option<&Known>) -> Result<(), String> {
        let subject = InProcess::new(Passes { dialect: "hermes" }).unwrap();
        let corpus = Corpus::load(&corpus(), Strictness::External).unwrap();
        judge(&subject, corpus.case(case).unwrap(), plans.to_vec(), known, &format!("{case}::hostile"))
            .map_err(|failed| failed.message().unwrap_or_default().to_owned())
    }

    #[test]
    fn a_failure_says_what_where_and_what_to_type() {
        let text = judged("hermes/calls/one-call", &[Plan::Whole], None).unwrap_err();
        assert!(text.starts_with("FAIL  passes::hermes/calls/one-call"), "{text}");
        assert!(text.contains("calls.yaml:3") && text.contains("  expect: ") && !text.contains("accept"), "{text}");
        assert!(text.ends_with("-- --exact 'hermes/calls/one-call::hostile'\n") && text.contains("  rerun   cargo test --test "), "{text}");
    }

    #[test]
    fn a_panic_at_one_cut_is_a_crash_with_that_cut() {
        let text = judged("hermes/calls/quoted-closer", &[Plan::EveryCut], None).unwrap_err();
        assert!(text.starts_with("CRASHED") && text.contains("no-crash") && text.contains("an opener"), "{text}");
    }

    #[test]
    fn what_passes_and_what_is_listed_passes() {
        assert_eq!(judged("hermes/calls/prose-only", &Plan::ALL, None), Ok(()));
        let folder = std::env::temp_dir().join(format!("streakstone-trials-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let entry = "- {cases: hermes/calls/one-call, check: expect, status: fail, reason: It finds no call., since: 2026-01-01}\n";
        std::fs::write(folder.join("passes.yaml"), entry).unwrap();
        let lists = known::load(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        let lists = lists.unwrap();
        assert_eq!(judged("hermes/calls/one-call", &[Plan::Whole], lists.get("passes")), Ok(()));
        assert!(judged("hermes/calls/quoted-closer", &[Plan::Whole], lists.get("passes")).is_err());
    }

    #[test]
    fn there_is_a_trial_a_case_and_tier_or_one_that_says_why_not() {
        let names = |trials: Trials<Passes>| trials.trials().iter().map(|trial| trial.name().to_owned()).collect::<Vec<_>>();
        let of = |dialect| Trials::new(Passes { dialect }, corpus());
        assert_eq!(names(of("hermes")).len(), 6);
        assert_eq!(
            names(of("hermes").plans([Plan::Whole])),
            ["one-call", "prose-only", "quoted-closer"].map(|id| format!("hermes/calls/{id}::realistic"))
        );
        assert_eq!(names(of("lfm2")), ["corpus"]);
        assert_eq!(names(of("hermess")), ["hello"]);
        assert_eq!(names(Trials::new(Passes { dialect: "hermes" }, "no/such/folder")), ["corpus"]);
        assert_eq!(names(of("hermes").known("no/such/folder/")).len(), 6);
    }
}
