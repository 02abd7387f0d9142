//! The receipt of a run: enough to repeat it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use streakstone_suite::limits::{BURSTS_SEED, LARGE_SEED, PREFIX_SEED, RANDOM_SEED};
use streakstone_suite::runlog::{About, FORMAT, Header};
use streakstone_suite::subject::Subject;

use crate::world::World;

/// The header of a run over `world`.
pub fn header(world: &World, subjects: Vec<String>, plans: Vec<String>, shard: Option<String>) -> Header {
    Header {
        corpus: world.place.corpus.display().to_string(),
        corpus_digest: world.corpus.digest.clone(),
        seeds: vec![BURSTS_SEED, RANDOM_SEED, LARGE_SEED, PREFIX_SEED],
        commit: world.place.root.as_deref().map(commit).unwrap_or_default(),
        shard,
        ..bare(subjects, plans)
    }
}

/// A header without a corpus, for measurements.
pub fn bare(subjects: Vec<String>, plans: Vec<String>) -> Header {
    Header {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: String::new(),
        corpus: String::new(),
        corpus_digest: String::new(),
        seeds: Vec::new(),
        args: std::env::args().skip(1).collect(),
        subjects,
        plans,
        cpu: cpu(),
        os: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        started: chrono::Utc::now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
        about: BTreeMap::new(),
        condensed: false,
        shard: None,
    }
}

/// What the subjects outside this process say of themselves.
pub fn about(subjects: &[Box<dyn Subject>]) -> BTreeMap<String, About> {
    let outside = subjects.iter().filter(|subject| subject.declared().outside);
    outside.map(|subject| (subject.name().to_owned(), About::of(&**subject))).collect()
}

/// The commit of the checkout at `root`, `-dirty` where it has changes; empty without git.
pub fn commit(root: &Path) -> String {
    let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
    first_line(Command::new("git").arg("-C").arg(root).args(["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]))
}

/// The CPU's model, as the system tells it; empty if it does not.
pub fn cpu() -> String {
    if let Ok(text) = std::fs::read_to_string("/proc/cpuinfo") {
        let model = text.lines().filter_map(|l| l.split_once(':')).find(|(key, _)| matches!(key.trim(), "model name" | "Model"));
        return model.map_or_else(String::new, |(_, value)| value.trim().to_owned());
    }
    if cfg!(target_os = "macos") { first_line(Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"])) } else { String::new() }
}

/// The first line of a program's output; empty if it fails.
fn first_line(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    let text = output.ok().filter(|o| o.status.success()).map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    text.and_then(|t| t.lines().next().map(|l| l.trim().to_owned())).unwrap_or_default()
}
