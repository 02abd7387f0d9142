//! `streakstone replay FILE...`

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde_json::json;
use streakstone_report::escape::{json as escaped, visible};
use streakstone_subjects::transcript::{Finding, Known, Replayed, replay};
use streakstone_surfaces::laws;
use streakstone_surfaces::transcript::Transcript;

use crate::exit::{Exit, stop_next};
use crate::output;
use crate::stream::{Format, read};

/// Cuts of one finding that are printed.
const CUTS_SHOWN: usize = 8;

/// Replay recorded responses: cut their bytes at every place, and judge what a client gets
///
/// A transcript is NDJSON: a header with the surface, a line a transfer chunk (`t_us`, `b64`), a trailer. Every cut must be read as the whole
/// is (split-invariance, all cuts up to 4 KiB and seeded ones above), the surface's laws must hold, and where dialect and raw text are
/// known, the client must have got what the raw text means (raw-text). A whole body is judged as one; the status of an error and a lost
/// transfer are told, and judged by the laws that speak of them. The header's `about` may say `dialect`, `raw` or `raw_base64`,
/// `end` and `reasoning_open`. Exit 1 if a check of severity B, S or core fails.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  streakstone replay recorded.ndjson
  streakstone replay recorded.ndjson --dialect hermes --raw answer.txt
  streakstone replay --format json *.ndjson")]
pub struct ReplayArgs {
    /// The transcripts; `-` is stdin
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The model's dialect, if the header does not say it
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    /// The raw text of the same generation, if the header does not have it
    #[arg(long, value_name = "FILE")]
    pub raw: Option<PathBuf>,
    /// A law of severity P that the server declares to do otherwise; several times for several
    #[arg(long, value_name = "LAW")]
    pub declare: Vec<String>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

impl ReplayArgs {
    /// Replays.
    ///
    /// # Errors
    /// Exit 2 if a file is no transcript, or nothing to be judged by what is said of it.
    pub fn run(self) -> Result<Exit> {
        let raw = self.raw.as_deref().map(|path| read(path).map_err(|e| unusable(path, &e))).transpose()?;
        let mut passes = true;
        for file in &self.files {
            let bytes = read(file).map_err(|e| unusable(file, &e))?;
            let transcript = Transcript::read(&String::from_utf8_lossy(&bytes)).map_err(|e| unusable(file, &e))?;
            let mut known = Known::of(&transcript).map_err(|e| unusable(file, &e))?;
            if self.dialect.is_some() {
                known.dialect.clone_from(&self.dialect);
            }
            if raw.is_some() {
                known.raw.clone_from(&raw);
            }
            known.declared = self.declared(&transcript)?;
            let replayed = replay(&transcript, &known).map_err(|e| unusable(file, &e))?;
            passes &= replayed.passes();
            let text = match self.format {
                Format::Json => json_lines(file, &transcript, &replayed),
                Format::Text => report(file, &transcript, &replayed),
            };
            output::data(&text)?;
        }
        Ok(if passes { Exit::AsExpected } else { Exit::Unexpected })
    }

    /// The ids of the declared laws.
    fn declared(&self, transcript: &Transcript) -> Result<Vec<String>> {
        let surface = transcript.header.surface;
        let find = |id: &String| {
            let law = laws(surface).find(|law| law.id.eq_ignore_ascii_case(id) || law.name == id);
            law.map(|law| law.id.to_owned()).ok_or_else(|| {
                stop_next(
                    Exit::Usage,
                    format!("The surface {surface} has no law `{id}`."),
                    format!("streakstone stream laws --surface {surface}"),
                )
            })
        };
        self.declare.iter().map(find).collect()
    }
}

fn unusable(file: &Path, why: &dyn std::fmt::Display) -> anyhow::Error {
    stop_next(Exit::Usage, format!("{}: cannot be replayed: {why}.", file.display()), "streakstone replay --help")
}

/// One object a finding, then one that sums up.
fn json_lines(file: &Path, transcript: &Transcript, replayed: &Replayed) -> String {
    let file = file.display().to_string();
    let finding = |finding: &Finding| {
        let (plan, cuts) = finding.cut.as_ref().map(|(plan, cuts)| (plan.as_str(), cuts)).unzip();
        json!({
            "type": "finding", "file": file, "check": finding.check, "severity": finding.severity, "plan": plan, "cut": cuts,
            "event": finding.place.0, "line": finding.place.1, "message": finding.message,
        })
    };
    let sum = json!({
        "type": "replay", "file": file, "surface": transcript.header.surface, "status": transcript.header.status, "outcome": transcript.outcome,
        "told": replayed.told, "passes": replayed.passes(),
        "cuts_run": replayed.readings, "cuts_possible": replayed.possible, "raw_text_compared": replayed.compared,
    });
    replayed.findings.iter().map(finding).chain([sum]).map(|line| escaped(&line.to_string()) + "\n").collect()
}

fn report(file: &Path, transcript: &Transcript, replayed: &Replayed) -> String {
    let mut out = String::new();
    for finding in &replayed.findings {
        let place = match (&finding.cut, finding.place) {
            (Some((plan, cuts)), _) => {
                let more = if cuts.len() > CUTS_SHOWN { ", …" } else { "" };
                let cuts: Vec<String> = cuts.iter().take(CUTS_SHOWN).map(ToString::to_string).collect();
                format!("  {plan}, cut at {}{more}", cuts.join(", "))
            }
            (None, (0, _)) => String::new(),
            (None, (event, line)) => format!("  event {event}, line {line}"),
        };
        let _ = writeln!(out, "{:<4}  {}{place}: {}", finding.severity.as_str(), finding.check, visible(&finding.message));
    }
    let verdict = match replayed.findings.len() {
        0 => "clean".to_owned(),
        1 => "1 finding".to_owned(),
        count => format!("{count} findings"),
    };
    let raw = if replayed.compared { "the raw text compared" } else { "the raw text not known" };
    let outcome = transcript.broken_off().map_or_else(String::new, |word| format!(", recorded as {}", visible(word)));
    let (file, surface) = (visible(&file.display().to_string()), transcript.header.surface);
    for told in &replayed.told {
        let _ = writeln!(out, "note  {}", visible(told));
    }
    let _ = writeln!(out, "{file}: {surface}{outcome}: {verdict}. {} of {} cuts read, {raw}.", replayed.readings, replayed.possible);
    out
}
