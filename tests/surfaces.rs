//! The goldens of the API surfaces: one trial per case that `corpus/surfaces.txt` names, and one per dialect that shows that they would see
//! its parser missing.
//!
//! A trial fails before its golden is looked at if a law of a surface is broken, or if the deliveries disagree. Goldens are insta
//! snapshots; in CI insta never writes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use streakstone_model::{Dialect, End, Event, Finish, GrammarId, Lookup, Span};
use streakstone_subjects::Reference;
use streakstone_subjects::deliveries::surface_golden;
use streakstone_suite::case::Case;
use streakstone_suite::corpus::{Corpus, Strictness};
use streakstone_suite::golden::{GoldenFault, SurfaceGoldens};
use streakstone_suite::subject::{Abilities, Ask, Chunking, Outcome, Reading, Subject};

mod snapshot;

/// Fewest cases of the list.
const FEWEST: usize = 60;
/// What the list must show.
const TAGS: [&str; 17] = [
    "one-call",
    "two-calls",
    "no-call",
    "text-before",
    "text-between",
    "text-after",
    "empty-arguments",
    "types",
    "escapes",
    "unicode",
    "ids",
    "duplicates",
    "undeclared",
    "tool-choice",
    "parallel-false",
    "truncated",
    "malformed",
];
/// Tags of reasoning, of which each kind that can stand before a call must be there.
const REASONING: [&str; 2] = ["reasoning-closed", "reasoning-open"];

struct Goldens {
    corpus: Corpus,
    surfaces: SurfaceGoldens,
}

impl Goldens {
    fn cases(&self) -> impl Iterator<Item = &Case> {
        self.surfaces.names().filter_map(|name| self.corpus.case(name))
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // insta panics where a golden differs; it is caught and reported with the trial.
    std::panic::set_hook(Box::new(|_| {}));
    libtest_mimic::run(&arguments, trials(Path::new(env!("CARGO_MANIFEST_DIR")))).exit_code()
}

fn trials(root: &Path) -> Vec<Trial> {
    let loaded = Corpus::load(&root.join("corpus"), Strictness::Own).map_err(|errors| errors.to_string());
    let opened = loaded.and_then(|corpus| {
        let surfaces = SurfaceGoldens::open(&root.join("goldens"), &root.join("corpus")).map_err(|error| error.to_string())?;
        Ok(Goldens { corpus, surfaces })
    });
    let goldens = match opened {
        Ok(goldens) => Arc::new(goldens),
        Err(error) => return vec![Trial::test("corpus", move || Err(Failed::from(error)))],
    };
    let trial = |name: String, check: fn(&Goldens, &str) -> Result<(), Failed>, of: &str| {
        let (goldens, of) = (Arc::clone(&goldens), of.to_owned());
        Trial::test(name, move || check(&goldens, &of))
    };
    let mut trials = vec![trial("list".to_owned(), no_stray_goldens, ""), trial("choice".to_owned(), the_choice_shows_everything, "")];
    trials.extend(goldens.surfaces.names().map(|name| trial(format!("surfaces::{name}"), judge, name)));
    let dialects: BTreeSet<&str> = goldens.cases().filter_map(|case| dialect(case).map(|dialect| dialect.name)).collect();
    trials.extend(dialects.iter().map(|name| trial(format!("without::{name}"), each_case_sees_its_parser_missing, name)));
    trials
}

fn dialect(case: &Case) -> Option<&'static Dialect> {
    if let Lookup::Known(dialect) = case.dialect { Some(dialect) } else { None }
}

/// Everything that is wrong with list and folder but missing and pending goldens, which are their own trials' business.
fn no_stray_goldens(goldens: &Goldens, _: &str) -> Result<(), Failed> {
    let faults = goldens.surfaces.audit(&goldens.corpus)?;
    let stray = GoldenFault::stray(&faults);
    if stray.is_empty() { Ok(()) } else { Err(stray.join("\n").into()) }
}

fn the_choice_shows_everything(goldens: &Goldens, _: &str) -> Result<(), Failed> {
    let grammars: BTreeSet<GrammarId> = goldens.cases().filter_map(dialect).map(|dialect| dialect.grammar.id()).collect();
    let lacking = GrammarId::ALL.into_iter().filter(|id| !grammars.contains(id)).map(|id| format!("{id:?}"));
    let has = |tag: &str| goldens.cases().any(|case| case.tags.iter().any(|own| own == tag));
    let lacking: Vec<String> = lacking.chain(TAGS.into_iter().chain(REASONING).filter(|tag| !has(tag)).map(str::to_owned)).collect();
    if goldens.surfaces.names().len() < FEWEST {
        return Err(format!("corpus/surfaces.txt names fewer than {FEWEST} cases").into());
    }
    if lacking.is_empty() { Ok(()) } else { Err(format!("corpus/surfaces.txt names no case of {}", lacking.join(", ")).into()) }
}

fn judge(goldens: &Goldens, name: &str) -> Result<(), Failed> {
    let case = goldens.corpus.case(name).ok_or_else(|| format!("no case is named {name}"))?;
    let golden = surface_golden(&Reference, case).map_err(|faults| faults.join("\n"))?;
    snapshot::holds(&goldens.surfaces.path_for(case), name, |id| insta::assert_snapshot!(id, golden.render(), &case.name))
}

/// The reference parsers with the parser of one dialect removed: it finds nothing, and its texts leave as they are.
struct Without(String);

impl Subject for Without {
    fn name(&self) -> &'static str {
        "without"
    }

    fn description(&self) -> String {
        format!("the reference parsers without {}", self.0)
    }

    fn abilities(&self) -> Abilities {
        Reference.abilities()
    }

    fn supports(&self, dialect: &Dialect) -> bool {
        Reference.supports(dialect)
    }

    fn read(&self, ask: &Ask<'_>, raw: &[u8], chunkings: &[Chunking], each: &mut dyn FnMut(usize, Outcome)) {
        if ask.dialect.name != self.0 {
            return Reference.read(ask, raw, chunkings, each);
        }
        let text = Event::Text { text: String::from_utf8_lossy(raw).into_owned(), span: Span::new(0, raw.len()) };
        let reason = if ask.end == End::Length { Finish::Length } else { Finish::Stop };
        for place in 0..chunkings.len() {
            let events = vec![text.clone(), Event::Finish { reason }];
            each(place, Outcome::Reading(Reading { events, ..Reading::default() }));
        }
    }
}

/// Every golden of the dialect has other bodies, but those of texts that mean themselves; and the golden of another dialect does not.
fn each_case_sees_its_parser_missing(goldens: &Goldens, name: &str) -> Result<(), Failed> {
    let without = Without(name.to_owned());
    let own = |case: &Case| dialect(case).is_some_and(|dialect| dialect.name == name);
    let means_itself =
        |case: &Case| case.outcomes().next().is_some_and(|expect| expect.content.as_deref().map(str::as_bytes) == Some(&case.raw));
    let (mut seen, mut blind) = (0, Vec::new());
    for case in goldens.cases().filter(|case| own(case) && !means_itself(case)) {
        let Some(golden) = goldens.surfaces.load(case).map_err(|fault| fault.to_string())? else {
            return Err(format!("{}: has no golden yet", case.name).into());
        };
        if surface_golden(&without, case).is_ok_and(|got| bodies(&got.render()) == bodies(&golden)) {
            blind.push(case.name.as_str());
        }
        seen += 1;
    }
    let other = goldens.cases().find(|case| !own(case));
    let kept =
        other.is_some_and(|case| surface_golden(&without, case).is_ok_and(|got| goldens.surfaces.load(case) == Ok(Some(got.render()))));
    match (seen, blind.is_empty(), kept) {
        (0, ..) => Err(format!("no golden of {name} needs its parser").into()),
        (_, false, _) => Err(format!("without its parser the same: {}", blind.join(", ")).into()),
        (.., false) => Err("the golden of another dialect changed too".into()),
        _ => Ok(()),
    }
}

/// The whole bodies of a golden: where the deltas of a stream end is not what a parser finds.
fn bodies(golden: &str) -> Vec<&str> {
    golden.lines().filter(|line| line.starts_with("    \"whole\": ")).collect()
}
