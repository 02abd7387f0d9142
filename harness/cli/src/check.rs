//! `streakstone check`

use anyhow::Result;
use clap::Args;
use streakstone_model::{Dialect, Lookup, dialects};
use streakstone_report::escape::visible;
use streakstone_suite::case::Case;
use streakstone_suite::encode::missing_tags;
use streakstone_suite::golden::SurfaceGoldens;
use streakstone_suite::known::KnownFault;
use streakstone_suite::runlog::CaseResult;

use crate::exit::{Exit, lines_of, stop_lines};
use crate::output;
use crate::place::PlaceArgs;
use crate::published;
use crate::world::{World, listing};

/// Check corpus, goldens, known lists, taxonomy and the scoreboard without running a parser
///
/// Goldens, those of the API surfaces too: missing, stale (case changed), pending, unreferenced, damaged. Known lists: entries that name no case or no subject, or
/// that a published log of this corpus contradicts. Scoreboard: not what the published logs give, or the reference's log is of another corpus.
/// Taxonomy: tags that no case uses. Dialects: required tags of which neither the corpus nor the dialect's encoder has a case.
#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
}

impl CheckArgs {
    /// Checks.
    ///
    /// # Errors
    /// Exit 2 with everything that is wrong.
    pub fn run(self) -> Result<Exit> {
        let world = World::open(&self.place)?;
        let cases = &world.corpus.cases;
        let mut faults: Vec<String> = Vec::new();
        if let Some(goldens) = &world.goldens {
            faults.extend(goldens.audit(cases)?.iter().map(ToString::to_string));
        }
        let surfaces = world.surfaces()?;
        if let Some(surfaces) = &surfaces {
            faults.extend(surfaces.audit(&world.corpus)?.iter().map(ToString::to_string));
        }
        let logs = match &world.place.root {
            None => Vec::new(),
            Some(root) => published::logs(root).unwrap_or_else(|error| {
                faults.extend(lines_of(&error));
                Vec::new()
            }),
        };
        if let Some(root) = &world.place.root {
            let found = published::findings(root, &world.corpus.digest, &logs);
            faults.extend(found.faults);
            found.notices.iter().for_each(|notice| output::notice(&visible(notice)));
        }
        match world.known() {
            Err(error) => faults.extend(lines_of(&error)),
            Ok(known) => {
                for (subject, list) in &known {
                    if streakstone_subjects::by_name(subject).is_none() && published::of(&logs, subject).next().is_none() {
                        faults.push(format!(
                            "{}:1: no subject is named `{subject}`, and no published log has it; rename the file or delete it (`streakstone list subjects`)",
                            list.file.display()
                        ));
                    }
                    let names = cases.iter().map(|c: &Case| c.name.as_str());
                    let today = published::of(&logs, subject).filter(|log| log.header.corpus_digest == world.corpus.digest);
                    let own: Vec<CaseResult> = today.flat_map(|log| &log.results).filter(|r| r.subject == *subject).cloned().collect();
                    faults.extend(list.faults(&own, names).iter().map(KnownFault::to_string));
                }
            }
        }
        if world.goldens.is_some() {
            for tag in world.tags().filter(|t| !cases.iter().any(|c| c.tags.iter().any(|own| own == t))) {
                faults.push(format!(
                    "{}: no case has the tag `{tag}`; write one or remove the tag",
                    world.place.corpus.join("taxonomy.yaml").display()
                ));
            }
        }
        if world.goldens.is_some() {
            faults.extend(dialects().flat_map(|row| lacking(row, cases)));
        }
        if !faults.is_empty() {
            return Err(stop_lines(Exit::Usage, listing(&faults, "fault")));
        }
        let leaving = match surfaces.iter().flat_map(SurfaceGoldens::names).count() {
            0 => String::new(),
            count => format!(", {count} one of every API surface"),
        };
        let files: std::collections::BTreeSet<_> = cases.iter().map(|c| &c.file).collect();
        output::data(&format!(
            "{}: {} cases in {} files, {} toolsets, {} tags; {}\n",
            world.place.corpus.display(),
            cases.len(),
            files.len(),
            world.corpus.toolsets.len(),
            world.tags().count(),
            match world.goldens {
                Some(_) => format!("every case has its golden{leaving}. All valid."),
                None => "no goldens (a corpus elsewhere). All valid.".to_owned(),
            }
        ))?;
        Ok(Exit::AsExpected)
    }
}

/// One fault a required tag that neither a case of the dialect has nor its encoder.
fn lacking(row: &Dialect, cases: &[Case]) -> Vec<String> {
    let own = cases.iter().filter(|c| matches!(c.dialect, Lookup::Known(dialect) if dialect.name == row.name));
    let tags = own.flat_map(|c| c.tags.iter().map(String::as_str)).collect();
    let fault = |tag: &str| {
        let name = row.name;
        format!(
            "corpus/{name}: no case has the required tag `{tag}`, and no encoder writes one; add the case, or `{name}` to suite/src/encode"
        )
    };
    missing_tags(row.name, &tags).into_iter().map(fault).collect()
}
