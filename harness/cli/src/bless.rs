//! `streakstone bless [PATTERN...]`

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;
use streakstone_report::escape::visible;
use streakstone_subjects::deliveries::surface_golden;
use streakstone_suite::case::Case;
use streakstone_suite::golden::{Golden, Goldens, SurfaceGoldens};
use streakstone_suite::judge::Judge;
use streakstone_suite::law::Law;
use streakstone_suite::plan::Plan;
use streakstone_suite::verdict::Verdict;

use crate::exit::{Exit, stop_next};
use crate::output;
use crate::place::PlaceArgs;
use crate::select::SelectArgs;
use crate::world::{REFERENCE, World, subject};

/// Write the goldens that are missing, stale, pending or different, if every law and `expect` hold
///
/// Only what the reference parser reads becomes a golden, and only after all plans were judged again. Cases that corpus/surfaces.txt names
/// have one of the API surfaces too: only if every law of the surfaces holds. Never in CI.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  streakstone bless\n  streakstone bless hermes/strings/escaped-quote")]
pub struct BlessArgs {
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub place: PlaceArgs,
}

impl BlessArgs {
    /// Blesses.
    ///
    /// # Errors
    /// Exit 2 in CI, for a corpus elsewhere or an invalid corpus; 4 if nothing is selected.
    pub fn run(self) -> Result<Exit> {
        if output::in_ci() {
            return Err(stop_next(
                Exit::Usage,
                "Goldens are never written in CI (the variable `CI` is set).",
                "run streakstone bless on your machine and commit what it writes",
            ));
        }
        let world = World::open(&self.place)?;
        let Some(goldens) = &world.goldens else {
            return Err(stop_next(
                Exit::Usage,
                "A corpus given with --corpus has no goldens: `expect` and the laws judge it.",
                "streakstone run --corpus DIR",
            ));
        };
        let selection = self.select.compile(world.tags(), &world.names())?;
        let cases: Vec<&Case> = world.corpus.cases.iter().filter(|c| selection.takes(REFERENCE, c)).collect();
        if cases.is_empty() {
            return Err(stop_next(Exit::NothingSelected, "No case fits.", "streakstone list cases"));
        }
        let surfaces = world.surfaces()?;
        let (mut blessed, mut refused, mut current) = (0, 0, 0);
        for case in &cases {
            let reply = bless(goldens, case)?;
            let goes_on = !matches!(reply, Outcome::Refused(_)) && surfaces.as_ref().is_some_and(|surfaces| surfaces.names_case(case));
            let leaving = surfaces.as_ref().filter(|_| goes_on).map(|surfaces| bless_surfaces(surfaces, case)).transpose()?;
            for outcome in [Some(reply), leaving].into_iter().flatten() {
                match outcome {
                    Outcome::Current => current += 1,
                    Outcome::Blessed(path) => {
                        blessed += 1;
                        output::data(&format!("blessed  {}\n", path.display()))?;
                    }
                    Outcome::Refused(why) => {
                        refused += 1;
                        output::notice(&format!(
                            "refused  {}: {}\n  next   streakstone run {}",
                            visible(&case.name),
                            visible(&why),
                            visible(&case.name)
                        ));
                    }
                }
            }
        }
        output::data(&format!("{blessed} blessed, {refused} refused, {current} current.\n"))?;
        Ok(if refused > 0 { Exit::Unexpected } else { Exit::AsExpected })
    }
}

enum Outcome {
    Current,
    Blessed(PathBuf),
    Refused(String),
}

fn bless(goldens: &Goldens, case: &Case) -> Result<Outcome> {
    let reference = subject(REFERENCE)?;
    let path = goldens.path_for(case);
    let pending = pending(&path);
    let quick =
        Judge { plans: vec![Plan::Whole], policy_changes: false, smallest_cuts: false, ..Judge::default() }.judge(&*reference, case);
    let Some(validated) = &quick.validated else {
        let why = if quick.note.is_empty() { "the reference parser gave no reply" } else { &quick.note };
        return Ok(Outcome::Refused(visible(why)));
    };
    let golden = Golden::new(case, validated, quick.eager.as_ref());
    let current = matches!(goldens.load(case), Ok(Some(old)) if old == golden);
    if current && !pending.exists() {
        return Ok(Outcome::Current);
    }
    let judged = Judge { smallest_cuts: false, ..Judge::default() }.judge(&*reference, case);
    // A reply that is not what the case expects, be it by white space only, is no golden.
    let refusing =
        judged.checks.iter().filter(|c| c.verdict > Verdict::Unsupported || (c.law == Law::Expect && c.verdict != Verdict::Disputed));
    let failures: Vec<String> = refusing.map(|c| format!("{}: {}", c.law, c.detail.message)).collect();
    if failures.is_empty() { accept(path, &golden.snap_file()) } else { Ok(Outcome::Refused(first_of(&failures))) }
}

/// The golden of the surfaces. The laws are asked each time: they cost a few readings.
fn bless_surfaces(surfaces: &SurfaceGoldens, case: &Case) -> Result<Outcome> {
    let path = surfaces.path_for(case);
    let golden = match surface_golden(&*subject(REFERENCE)?, case) {
        Ok(golden) => golden,
        Err(faults) => return Ok(Outcome::Refused(first_of(&faults))),
    };
    let current = matches!(surfaces.load(case), Ok(Some(body)) if body == golden.render());
    if current && !pending(&path).exists() { Ok(Outcome::Current) } else { accept(path, &golden.snap_file()) }
}

/// What insta wrote for review.
fn pending(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.new", path.display()))
}

fn first_of(failures: &[String]) -> String {
    let mut why = failures.first().map(|first| visible(first)).unwrap_or_default();
    if failures.len() > 1 {
        let _ = write!(why, " And {} more.", failures.len() - 1);
    }
    why
}

fn accept(path: PathBuf, text: &str) -> Result<Outcome> {
    write(&path, text)?;
    let pending = pending(&path);
    if pending.exists() {
        std::fs::remove_file(&pending).with_context(|| format!("{}: cannot be removed", pending.display()))?;
    }
    Ok(Outcome::Blessed(path))
}

/// Writes beside the file and renames, so that no half golden is ever seen.
fn write(path: &Path, text: &str) -> Result<()> {
    let failed = || format!("{}: cannot be written", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(failed)?;
    }
    let beside = PathBuf::from(format!("{}.tmp", path.display()));
    std::fs::write(&beside, text).with_context(failed)?;
    std::fs::rename(&beside, path).with_context(failed)
}
