//! Streakstone in `cargo test`, for the author of a parser in Rust. Implement [`Adapter`](streakstone_adapter::serve::Adapter), the trait
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

fn judge<A: Adapter + Send + Sync>(subject: &InProcess<A>, case: &Case, plans: Vec<Plan>, known: Option<&Known>, name: &str) -> Result<(), Failed> {
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
    format!("{}  rerun   cargo test --test {test} -- --exact '{name}'\n", terminal::findings(result))
}
