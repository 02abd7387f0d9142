//! `streakstone run [PATTERN...]`, the main job.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use streakstone_model::Policies;
use streakstone_report::standing::Standing;
use streakstone_report::{escape, junit, markdown, terminal};
use streakstone_suite::case::Case;
use streakstone_suite::judge::Judge;
use streakstone_suite::plan::Plan;
use streakstone_suite::runlog::RunLog;
use streakstone_suite::subject::Subject;

use crate::adapter::AdapterArgs;
use crate::execute::{Job, execute};
use crate::exit::{Exit, stop, stop_next};
use crate::place::PlaceArgs;
use crate::resume::LogArgs;
use crate::select::SelectArgs;
use crate::world::{GoldenBook, REFERENCE, World, subject};
use crate::{dialect_file, events, generated, interrupt, output, receipt};

/// Failures shown in full on a terminal.
const FAILURES_SHOWN: usize = 10;

/// Judge subjects on cases, whole and cut at every place (the default verb)
///
/// Each case is read whole and under every plan, in both deliveries, and judged by the laws, by what the case expects and by
/// its golden; the worst verdict counts. Subjects that are wrong on purpose run only when named.
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  streakstone run
  streakstone run hermes/strings --plan every-cut
  streakstone run hermes/strings/escaped-quote --cut 52
  streakstone run --subject exo-generic --log run.jsonl
  streakstone run --adapter 'python my_adapter.py' hermes
  streakstone run --subject exo-generic --resume run.jsonl
  streakstone run --generated 100000 --seed 7
  streakstone run hermes/generated/7
  streakstone run --corpus DIR --format junit > junit.xml")]
pub struct RunArgs {
    #[command(flatten)]
    pub select: SelectArgs,
    /// Subject to judge, several times for several [default: reference]
    #[arg(long, value_name = "NAME", help_heading = "Selection")]
    pub subject: Vec<String>,
    #[command(flatten)]
    pub adapters: AdapterArgs,
    /// Only these plans; `whole` is always read
    #[arg(long, value_name = "PLAN", value_delimiter = ',', help_heading = "Selection")]
    pub plan: Vec<String>,
    /// Part K of N of the selection, for a CI matrix; see `merge`
    #[arg(long, value_name = "K/N", help_heading = "Selection")]
    pub shard: Option<String>,
    /// One chunking by hand: byte offsets of the cuts; shows the events of each chunk
    #[arg(long, value_name = "N[,N...]", value_delimiter = ',', conflicts_with_all = ["plan", "shard"])]
    pub cut: Option<Vec<usize>>,
    /// With --cut: show the events under this policy
    #[arg(long, value_name = "NAME=VALUE", requires = "cut")]
    pub policy: Vec<String>,
    /// Instead of the corpus: N random replies written by the dialects' encoders; patterns name dialects
    #[arg(long, value_name = "N", conflicts_with_all = ["tag", "plan", "shard", "cut", "log", "resume", "no_goldens", "adapters"])]
    pub generated: Option<u64>,
    /// With --generated: the first seed
    #[arg(long, value_name = "S", requires = "generated", default_value_t = 1)]
    pub seed: u64,
    /// Do not compare with goldens
    #[arg(long)]
    pub no_goldens: bool,
    /// Cases judged at once [default: all cores]
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,
    #[command(flatten)]
    pub log: LogArgs,
    /// Form of the report on stdout
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For a terminal
    #[default]
    Text,
    /// The run log: one JSON object a line
    Json,
    /// For a step summary or a pull request
    Markdown,
    /// For test dashboards
    Junit,
}

impl Format {
    /// The report in this form; at most `failures` failures in full where the form is text.
    ///
    /// # Errors
    /// The report cannot be written in this form.
    pub fn render(self, log: &RunLog, failures: Option<usize>) -> Result<String> {
        Ok(match self {
            Self::Text => terminal::render(log, failures),
            Self::Markdown => markdown::render(log),
            Self::Junit => junit::render(log)?,
            Self::Json => {
                let mut out = Vec::new();
                log.write(&mut out)?;
                escape::json(&String::from_utf8_lossy(&out))
            }
        })
    }
}

/// The code of a log: fault before incomplete before unexpected. A whole log with nothing judged of an adapter is incomplete too, if
/// nothing worse is the matter.
pub fn exit_of(log: &RunLog) -> Exit {
    let worst = log.results.iter().map(Standing::of).max();
    match worst {
        Some(Standing::Fault) => Exit::Fault,
        _ if log.results.iter().any(|r| Standing::of(r) == Standing::NotRun) => Exit::Incomplete,
        Some(Standing::Unexpected) => Exit::Unexpected,
        _ if terminal::steep(log) > 0 => Exit::Unexpected,
        _ if !log.unjudged().is_empty() => Exit::Incomplete,
        _ => Exit::AsExpected,
    }
}

/// Says of which adapters nothing was judged.
pub fn notice_unjudged(log: &RunLog) {
    for name in log.unjudged() {
        let name = escape::visible(name);
        output::notice(&format!("{name}: nothing was judged: every selected case is `unsupported`.\n  next  streakstone list cases"));
    }
}

impl RunArgs {
    /// Runs.
    ///
    /// # Errors
    /// Exit 2 on wrong usage or an invalid corpus, golden or known list; 4 if nothing is selected.
    pub fn run(self) -> Result<Exit> {
        if let Some(count) = self.generated {
            return self.run_generated(count);
        }
        let plans = self.plans()?;
        let shard = self.shard.as_deref().map(parse_shard).transpose()?;
        let policies = self.policies()?;
        let place = self.place.find()?;
        let folders = [Some(place.corpus), place.goldens].into_iter().flatten();
        let read: Vec<PathBuf> = folders.chain(self.adapters.files()).chain(dialect_file::given()).collect();
        output::not_onto(self.log.log.as_deref(), &read, "--log")?;
        let subjects = self.subjects()?;
        let world = World::open(&self.place)?;
        let made: Vec<Case> = self.select.patterns.iter().filter_map(|p| generated::by_name(p)).collect();
        let names = world.corpus.cases.iter().chain(&made).map(|case| case.name.as_str());
        let selection = self.select.compile(world.tags(), &names)?;
        let mut jobs: Vec<Job<'_>> = subjects
            .iter()
            .flat_map(|s| world.corpus.cases.iter().chain(&made).map(move |case| Job { subject: &**s, case }))
            .filter(|job| selection.takes(job.subject.name(), job.case))
            .collect();
        if jobs.is_empty() {
            return Err(stop_next(Exit::NothingSelected, self.nothing(&world, &subjects), "streakstone list cases"));
        }
        selection.notice_idle(&jobs.iter().map(|job| (job.subject.name(), job.case)));
        // A shard may be empty where the selection is not; `merge` wants its log all the same.
        if let Some((k, n)) = shard {
            jobs = jobs.into_iter().enumerate().filter(|(i, _)| i % n == k - 1).map(|(_, job)| job).collect();
        }
        self.cuts_are_inside(&jobs)?;
        let known = world.known()?;
        let book = match &world.goldens {
            Some(goldens) if !self.no_goldens => {
                let of_corpus = jobs.iter().map(|j| j.case).filter(|case| !made.iter().any(|m| m.name == case.name));
                Some(GoldenBook::read(goldens, of_corpus)?)
            }
            _ => None,
        };
        let judge = Judge {
            plans: plans.clone(),
            cuts: self.cut.clone(),
            clock: interrupt::clock,
            oracle: Some(&streakstone_subjects::meaning),
            ..Judge::default()
        };
        let names = subjects.iter().map(|s| s.name().to_owned()).collect();
        let plan_names =
            if self.cut.is_some() { vec![Plan::Given.as_str().to_owned()] } else { plans.iter().map(|p| p.as_str().to_owned()).collect() };
        let header = receipt::header(&world, names, plan_names, self.shard.clone());
        let mut journal = self.log.open(receipt::with_about(header, &subjects), &mut jobs)?;
        let done = execute(&judge, &jobs, book.as_ref(), &known, journal.writer(), self.jobs)?;
        let interrupted = done.interrupted;
        let log = journal.close(done);
        output::data(&self.format.render(&log, Some(FAILURES_SHOWN))?)?;
        if let (Some(cuts), Format::Text) = (&self.cut, self.format) {
            for job in &jobs {
                output::data(&events::render(job.subject, job.case, cuts, policies))?;
            }
        }
        let mut promises = Vec::new();
        for (name, list) in known.iter().filter(|(name, _)| subjects.iter().any(|s| s.name() == name.as_str())) {
            let own: Vec<_> = log.results.iter().filter(|r| r.subject == *name).cloned().collect();
            promises.extend(list.faults(&own, world.names()).iter().map(ToString::to_string));
        }
        for promise in &promises {
            output::notice(&escape::visible(promise));
        }
        notice_unjudged(&log);
        if interrupted {
            output::notice(
                "Interrupted: the cases that had not ended are `not-run`.\n  next  the same command with --resume instead of --log",
            );
        }
        Ok(match exit_of(&log) {
            Exit::AsExpected if !promises.is_empty() => Exit::Unexpected,
            exit => exit,
        })
    }

    /// Judges random replies; only what fails is shown.
    fn run_generated(&self, count: u64) -> Result<Exit> {
        let rows = generated::rows(&self.select.patterns)?;
        let mut exit = Exit::AsExpected;
        for subject in self.generated_subjects()? {
            let done = generated::judge(&*subject, &rows, self.seed, count, self.jobs);
            if done.failed > 0 {
                exit = Exit::Unexpected;
                let world = World::open(&self.place)?;
                let header = receipt::header(&world, vec![subject.name().to_owned()], vec![Plan::Given.as_str().to_owned()], None);
                let log = RunLog { header, results: done.shown.clone(), growth: Vec::new() };
                output::data(&self.format.render(&log, Some(FAILURES_SHOWN))?)?;
            }
            output::data(&done.summary(subject.name(), rows.len(), self.seed))?;
        }
        Ok(exit)
    }

    /// The subjects of `--subject`, else the reference: patterns name dialects here.
    fn generated_subjects(&self) -> Result<Vec<Box<dyn Subject>>> {
        if self.subject.is_empty() { Ok(vec![subject(REFERENCE)?]) } else { self.subject.iter().map(|name| subject(name)).collect() }
    }

    fn plans(&self) -> Result<Vec<Plan>> {
        if self.plan.is_empty() {
            return Ok(Plan::ALL.to_vec());
        }
        let parse = |word: &String| {
            word.parse::<Plan>().map_err(|_| {
                let near = streakstone_model::nearest(word, Plan::ALL.iter().map(|p| p.as_str())).unwrap_or_default();
                stop_next(Exit::Usage, format!("No plan is named `{word}`; the nearest is `{near}`."), "streakstone list plans")
            })
        };
        self.plan.iter().map(parse).collect()
    }

    /// A cut beyond a text would be left out, and the run would say nothing of it.
    fn cuts_are_inside(&self, jobs: &[Job<'_>]) -> Result<()> {
        let Some(&last) = self.cut.iter().flatten().max() else { return Ok(()) };
        let Some(case) = jobs.iter().map(|job| job.case).find(|case| case.raw.len() < last) else { return Ok(()) };
        let (name, len) = (&case.name, case.raw.len());
        let message = format!("--cut {last} is beyond the text of `{name}`, which has {len} bytes.");
        Err(stop_next(Exit::Usage, message, format!("streakstone show {name}")))
    }

    fn policies(&self) -> Result<Policies> {
        let mut policies = Policies::default();
        for pairs in &self.policy {
            policies.set_pairs(pairs).map_err(|e| stop(Exit::Usage, format!("--policy {pairs}: {e}.")))?;
        }
        Ok(policies)
    }

    /// The subjects of `--subject` and `--adapter`, else those that patterns such as `exo-generic::hermes/*` name, else the reference.
    fn subjects(&self) -> Result<Vec<Box<dyn Subject>>> {
        let adapters = self.adapters.start(self.cut.is_some())?;
        let mut names: Vec<&str> = self.subject.iter().map(String::as_str).collect();
        if names.is_empty() {
            let of_pattern = |pattern| str::split_once(pattern, "::").map(|(name, _)| name).filter(|name| subject(name).is_ok());
            let otherwise = adapters.is_empty().then_some(REFERENCE);
            names = self.select.patterns.iter().filter_map(|p| of_pattern(p.as_str()).or(otherwise)).collect();
        }
        if names.is_empty() && adapters.is_empty() {
            names.push(REFERENCE);
        }
        let mut seen = std::collections::BTreeSet::new();
        let own = names.into_iter().filter(|name| seen.insert(*name)).map(subject).collect::<Result<Vec<_>>>()?;
        Ok(own.into_iter().chain(adapters).collect())
    }

    fn nothing(&self, world: &World, subjects: &[Box<dyn Subject>]) -> String {
        let asked: Vec<&str> = self.select.patterns.iter().map(String::as_str).chain(self.select.tag.iter().map(String::as_str)).collect();
        let names: Vec<&str> = subjects.iter().map(|s| s.name()).collect();
        let near = self.select.patterns.first().and_then(|p| world.corpus.nearest(p.rsplit("::").next().unwrap_or(p)));
        let near = near.map_or_else(String::new, |n| format!(" The nearest case is `{n}`."));
        format!("No case of {} is selected by `{}`.{near}", names.join(", "), asked.join(" "))
    }
}

/// `k/n` with 1 <= k <= n.
fn parse_shard(text: &str) -> Result<(usize, usize)> {
    let parsed = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    parsed
        .filter(|&(k, n): &(usize, usize)| k >= 1 && k <= n)
        .ok_or_else(|| stop_next(Exit::Usage, format!("--shard {text}: not K/N with 1 <= K <= N."), "for example --shard 1/4"))
}
