//! The test gate: one trial per `reference::dialect/topic/case`, all plans inside.
//!
//! A trial fails before its golden is looked at if a law or `expect` does not hold, so that no wrong reply can ever become a
//! pending golden. Goldens are insta snapshots: `cargo insta review` works. In CI insta never writes.

use std::panic::{AssertUnwindSafe, catch_unwind};
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
        Trial::test("ci-never-writes", ci_never_writes),
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

/// True in CI, as the command line understands it.
fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|v| !matches!(v.as_str(), "" | "0" | "false"))
}

/// insta writes nothing where `CI` is set, unless `INSTA_UPDATE` tells it to.
fn insta_may_write() -> bool {
    !matches!(std::env::var("INSTA_UPDATE").as_deref(), Err(_) | Ok("" | "no" | "auto"))
        || std::env::var("INSTA_FORCE_UPDATE").is_ok_and(|v| !v.is_empty() && v != "0")
}

fn ci_never_writes() -> Result<(), Failed> {
    if in_ci() && insta_may_write() { Err("INSTA_UPDATE or INSTA_FORCE_UPDATE asks insta to write in CI; unset it".into()) } else { Ok(()) }
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
    if in_ci() && insta_may_write() {
        return Err("INSTA_UPDATE asks insta to write in CI; unset it".into());
    }
    snapshot(case, &golden, goldens)
}

/// What may stand beside a golden: one of several legitimate outcomes. A reply that differs from `expect` may not, be it in white
/// space only.
fn allowed(check: &Check) -> bool {
    check.verdict == Verdict::Disputed || (check.law != Law::Expect && check.verdict < Verdict::Fail)
}

fn snapshot(case: &Case, golden: &Golden, goldens: &Path) -> Result<(), Failed> {
    let path = Goldens::new(goldens).path_for(case);
    let (Some(folder), Some(id)) = (path.parent(), path.file_stem().and_then(|s| s.to_str())) else {
        return Err(format!("{}: no place for a golden", path.display()).into());
    };
    let mut settings = insta::Settings::new();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(false);
    settings.set_snapshot_path(folder);
    let compared = settings.bind(|| catch_unwind(AssertUnwindSafe(|| insta::assert_snapshot!(id, golden.render(), &case.name))));
    compared.map_err(|_| {
        let name = &case.name;
        format!("{name}: not its golden\n  next  cargo insta review, or streakstone bless {name}").into()
    })
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
