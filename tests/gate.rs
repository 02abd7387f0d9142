//! The test gate: one trial per `reference::dialect/topic/case`, all plans inside.
//!
//! A trial fails before its golden is looked at if a law or `expect` does not hold, so that no wrong reply can ever become a
//! pending golden. Goldens are insta snapshots: `cargo insta review` works. In CI insta never writes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use streakstone_report::terminal;
use streakstone_subjects::Reference;
use streakstone_suite::case::Case;
use streakstone_suite::corpus::{Corpus, Strictness};
use streakstone_suite::golden::{Golden, GoldenFault, Goldens};
use streakstone_suite::judge::{Check, Judge};
use streakstone_suite::law::Law;
use streakstone_suite::runlog::{FORMAT, Header};
use streakstone_suite::verdict::Verdict;

mod snapshot;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // insta and the parsers may panic; both are caught and reported with the trial, and a backtrace would only stand in between.
    std::panic::set_hook(Box::new(|_| {}));
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    libtest_mimic::run(&arguments, trials(&root)).exit_code()
}

fn trials(root: &Path) -> Vec<Trial> {
    let corpus = match Corpus::load(&root.join("corpus"), Strictness::Own) {
        Ok(corpus) => Arc::new(corpus),
        Err(errors) => return vec![Trial::test("corpus", move || Err(Failed::from(errors.to_string())))],
    };
    let goldens = root.join("goldens");
    let mut trials = vec![
        Trial::test("ci-never-writes", snapshot::ci_never_writes),
        Trial::test("goldens", {
            let (corpus, goldens) = (Arc::clone(&corpus), goldens.clone());
            move || no_stray_goldens(&corpus, &goldens)
        }),
    ];
    for place in 0..corpus.cases.len() {
        let name = format!("reference::{}", corpus.cases[place].name);
        let (corpus, goldens) = (Arc::clone(&corpus), goldens.clone());
        trials.push(Trial::test(name, move || judge(&corpus.cases[place], &goldens)));
    }
    trials
}

/// Damaged, stale and unreferenced goldens. Missing ones are their own trials' business.
fn no_stray_goldens(corpus: &Corpus, goldens: &Path) -> Result<(), Failed> {
    let faults = Goldens::new(goldens).audit(&corpus.cases)?;
    let stray = GoldenFault::stray(&faults);
    if stray.is_empty() { Ok(()) } else { Err(stray.join("\n").into()) }
}

fn judge(case: &Case, goldens: &Path) -> Result<(), Failed> {
    let judged = Judge::default().judge(&Reference, case);
    if !judged.checks.iter().all(allowed) || judged.verdict.is_bad() || judged.verdict == Verdict::AdapterFault {
        return Err(terminal::failure(&header(), &judged.to_log(&Reference, case)).into());
    }
    let Some(validated) = &judged.validated else {
        // The build does not know the dialect: that is `unsupported`, no failure and no golden.
        return if judged.verdict == Verdict::Unsupported { Ok(()) } else { Err("the reference parser gave no reply".into()) };
    };
    let golden = Golden::new(case, validated, judged.eager.as_ref());
    let path = Goldens::new(goldens).path_for(case);
    snapshot::holds(&path, &case.name, |id| insta::assert_snapshot!(id, golden.render(), &case.name))
}

/// What may stand beside a golden: one of several legitimate outcomes. A reply that differs from `expect` may not, be it in white
/// space only.
fn allowed(check: &Check) -> bool {
    check.verdict == Verdict::Disputed || (check.law != Law::Expect && check.verdict < Verdict::Fail)
}

/// A header for the failure's commands; nothing is logged here.
fn header() -> Header {
    Header {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: String::new(),
        corpus: "corpus".to_owned(),
        corpus_digest: String::new(),
        seeds: Vec::new(),
        args: Vec::new(),
        subjects: Vec::new(),
        plans: Vec::new(),
        cpu: String::new(),
        os: String::new(),
        started: String::new(),
        about: std::collections::BTreeMap::new(),
        condensed: false,
        shard: None,
    }
}
