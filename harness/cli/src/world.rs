//! What most verbs need: the corpus, its goldens and known lists, read and valid before anything runs.

use std::collections::{BTreeMap, HashMap};

use anyhow::Result;
use streakstone_model::{Delivery, Reply};
use streakstone_subjects::subjects;
use streakstone_suite::case::Case;
use streakstone_suite::corpus::{Corpus, CorpusErrors, Strictness};
use streakstone_suite::golden::{Golden, GoldenFault, Goldens, LIST, SurfaceGoldens};
use streakstone_suite::known::{self, Known};
use streakstone_suite::subject::Subject;

use crate::exit::{Exit, stop, stop_lines, stop_next};
use crate::place::{Place, PlaceArgs};

/// The subject that a plain run judges, and the only one that writes goldens.
pub const REFERENCE: &str = "reference";

/// Lines of errors shown at once.
const ERRORS_SHOWN: usize = 100;

/// A valid corpus with its folders.
pub struct World {
    /// Where it is.
    pub place: Place,
    /// The cases.
    pub corpus: Corpus,
    /// The goldens; `None` for a corpus elsewhere.
    pub goldens: Option<Goldens>,
}

impl World {
    /// Finds and reads the corpus.
    ///
    /// # Errors
    /// Exit 2 with all errors of the corpus.
    pub fn open(args: &PlaceArgs) -> Result<Self> {
        let place = args.find()?;
        let strictness = if place.goldens.is_some() { Strictness::Own } else { Strictness::External };
        let corpus = Corpus::load(&place.corpus, strictness).map_err(|e| invalid(&e))?;
        let goldens = place.goldens.as_ref().map(Goldens::new);
        Ok(Self { place, corpus, goldens })
    }

    /// The names of all cases.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.corpus.cases.iter().map(|case| case.name.as_str())
    }

    /// The tags that `--tag` may name; empty if any will do.
    pub fn tags(&self) -> impl Iterator<Item = &str> + Clone {
        self.corpus.taxonomy.iter().flatten().map(|(tag, _)| tag.as_str())
    }

    /// The goldens of the API surfaces, and which cases have one; none for a corpus elsewhere.
    ///
    /// # Errors
    /// Exit 2 if the list of cases cannot be read.
    pub fn surfaces(&self) -> Result<Option<SurfaceGoldens>> {
        let Some(goldens) = &self.goldens else { return Ok(None) };
        let opened = SurfaceGoldens::open(goldens.root(), &self.place.corpus);
        opened.map(Some).map_err(|e| stop(Exit::Usage, format!("{}: cannot be read: {e}", self.place.corpus.join(LIST).display())))
    }

    /// The known lists by subject; none for a corpus elsewhere.
    ///
    /// # Errors
    /// Exit 2 with all errors of all lists.
    pub fn known(&self) -> Result<BTreeMap<String, Known>> {
        let Some(goldens) = &self.goldens else { return Ok(BTreeMap::new()) };
        known::load(&goldens.root().join("known")).map_err(|e| invalid(&e))
    }

    /// The case of a full name, or of a part that only one case has.
    ///
    /// # Errors
    /// Exit 4 if there is none, 2 if there are several.
    pub fn case(&self, name: &str) -> Result<&Case> {
        let name = name.split_once("::").map_or(name, |(_, case)| case);
        if let Some(case) = self.corpus.case(name) {
            return Ok(case);
        }
        let some: Vec<&Case> = self.corpus.cases.iter().filter(|c| c.name.contains(name)).collect();
        match some.as_slice() {
            [one] => Ok(one),
            [] => {
                let near = self.corpus.nearest(name).unwrap_or_default();
                Err(stop_next(
                    Exit::NothingSelected,
                    format!("No case is named `{name}`; the nearest is `{near}`."),
                    "streakstone list cases",
                ))
            }
            [first, ..] => Err(stop_next(
                Exit::Usage,
                format!("`{name}` is part of {} names, the first is `{}`.", some.len(), first.name),
                format!("streakstone list cases {name}"),
            )),
        }
    }
}

/// A line an error, and one that counts them.
fn invalid(errors: &CorpusErrors) -> anyhow::Error {
    stop_lines(Exit::Usage, errors.0.iter().map(ToString::to_string).chain([errors.summary()]))
}

/// The subject of a name.
///
/// # Errors
/// Exit 2 if there is none.
pub fn subject(name: &str) -> Result<Box<dyn Subject>> {
    streakstone_subjects::by_name(name).ok_or_else(|| {
        let all = subjects();
        let near = streakstone_model::nearest(name, all.iter().map(|s| s.name())).unwrap_or_default();
        stop_next(Exit::Usage, format!("No subject is named `{name}`; the nearest is `{near}`."), "streakstone list subjects")
    })
}

/// The goldens of some cases, read before anything runs.
pub struct GoldenBook {
    entries: HashMap<String, Result<Option<Golden>, GoldenFault>>,
}

impl GoldenBook {
    /// Reads them.
    ///
    /// # Errors
    /// Exit 2 if one is damaged.
    pub fn read<'a>(goldens: &Goldens, cases: impl Iterator<Item = &'a Case>) -> Result<Self> {
        let entries: HashMap<_, _> = cases.map(|case| (case.name.clone(), goldens.load(case))).collect();
        let mut damaged: Vec<String> = entries
            .values()
            .filter_map(|e| e.as_ref().err())
            .filter(|f| matches!(f, GoldenFault::Corrupt { .. }))
            .map(ToString::to_string)
            .collect();
        damaged.sort();
        if damaged.is_empty() { Ok(Self { entries }) } else { Err(stop_lines(Exit::Usage, listing(&damaged, "damaged golden"))) }
    }

    /// Compares the replies of `subject` with the case's golden. A case without one fails the reference parser only.
    ///
    /// # Errors
    /// One sentence on the first difference.
    pub fn compare(&self, subject: &str, case: &Case, validated: &Reply, eager: Option<&Reply>) -> Result<(), String> {
        let golden = match self.entries.get(&case.name) {
            Some(Ok(Some(golden))) => golden,
            Some(Err(GoldenFault::Stale { .. })) if subject == REFERENCE => {
                return Err("The input of the case is not the one its golden was written for.".to_owned());
            }
            Some(Ok(None)) if subject == REFERENCE => return Err("The case has no golden yet.".to_owned()),
            _ => return Ok(()),
        };
        let replies = [(Delivery::Validated, Some(validated)), (Delivery::Eager, eager)];
        for (delivery, reply) in replies.into_iter().filter_map(|(d, r)| r.map(|r| (d, r))) {
            let all = golden.differences(delivery, reply);
            if let Some(first) = all.first() {
                let more = if all.len() > 1 { format!(" and {} more places", all.len() - 1) } else { String::new() };
                return Err(format!("The {delivery} reply differs at {}{more}: golden {}, got {}.", first.at, first.golden, first.got));
            }
        }
        Ok(())
    }
}

/// Lines of errors with a last line that counts them.
pub fn listing(lines: &[String], what: &str) -> Vec<String> {
    let mut out: Vec<String> = lines.iter().take(ERRORS_SHOWN).cloned().collect();
    if lines.len() > ERRORS_SHOWN {
        out.push("…".to_owned());
    }
    let s = if lines.len() == 1 { "" } else { "s" };
    out.push(format!("{} {what}{s}.", lines.len()));
    out
}
