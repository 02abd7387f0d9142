//! `streakstone stream check|laws`

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use streakstone_model::{Lookup, Markers, lookup};
use streakstone_report::escape::{json, visible};
use streakstone_surfaces::{
    About, Content, Context, Input, Judgement, Request, Severity, Surface, Violation, judge_input, laws, violations,
};

use crate::exit::{Exit, stop_next};
use crate::output;

/// Largest input. A streamed reply of a megabyte has about 60 MB of events when each has one token.
pub const MAX_INPUT: u64 = 256 << 20;

/// Recorded or live streams of the API surfaces: what is wrong with one, and the laws
#[derive(Debug, Args)]
pub struct StreamArgs {
    #[command(subcommand)]
    pub action: Action,
}

/// What to do with a stream.
#[derive(Debug, Subcommand)]
pub enum Action {
    Check(CheckArgs),
    Laws(LawsArgs),
}

/// Print each law that a stream violates, with the event and its line
///
/// The input is the text of a server-sent event stream, a recorded transcript (NDJSON), or a whole JSON body. A transcript's content type
/// says whether its body is a stream; the status of an error and a lost transfer are told, and judged by the laws that speak of them. Exit
/// 1 if a law is violated that breaks clients (B), that the API states (S), or that says what the raw text means (core); a violated policy
/// (P) alone exits 0.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  streakstone stream check --surface chat answer.sse
  curl -sN localhost:8000/v1/messages -d @request.json | streakstone stream check --surface anthropic --request request.json -
  streakstone stream check --surface responses --format json recorded.ndjson")]
pub struct CheckArgs {
    /// Which API's stream it is
    #[arg(long, value_enum)]
    pub surface: SurfaceName,
    /// The stream; `-` is stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The request's JSON body: its tools, tool choice and earlier calls are held against the stream
    #[arg(long, value_name = "FILE")]
    pub request: Option<PathBuf>,
    /// The model's dialect: its markers must not leak into content
    #[arg(long, value_name = "NAME")]
    pub dialect: Option<String>,
    /// A law of severity P that the server declares to do otherwise; several times for several
    #[arg(long, value_name = "LAW")]
    pub declare: Vec<String>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// List the laws of the surfaces
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  streakstone stream laws --surface chat")]
pub struct LawsArgs {
    /// Of this API only
    #[arg(long, value_enum)]
    pub surface: Option<SurfaceName>,
}

/// A surface on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SurfaceName {
    /// `OpenAI` Chat Completions
    Chat,
    /// `OpenAI` Responses
    Responses,
    /// Anthropic Messages
    #[value(alias = "messages")]
    Anthropic,
}

impl From<SurfaceName> for Surface {
    fn from(name: SurfaceName) -> Self {
        match name {
            SurfaceName::Chat => Self::Chat,
            SurfaceName::Responses => Self::Responses,
            SurfaceName::Anthropic => Self::Anthropic,
        }
    }
}

/// Form of the violations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// For a terminal
    #[default]
    Text,
    /// One JSON object a line: law, severity, event, line, message
    Json,
}

impl StreamArgs {
    /// Checks a stream, or lists the laws.
    ///
    /// # Errors
    /// Exit 2 if there is nothing readable.
    pub fn run(self) -> Result<Exit> {
        match self.action {
            Action::Check(args) => args.run(),
            Action::Laws(args) => args.run(),
        }
    }
}

impl LawsArgs {
    fn run(&self) -> Result<Exit> {
        let mut out = String::new();
        for surface in Surface::ALL.into_iter().filter(|surface| self.surface.is_none_or(|only| Surface::from(only) == *surface)) {
            for law in laws(surface) {
                let _ = writeln!(out, "{}  {:<4}  {:<20}  {}", law.id, law.severity.as_str(), law.name, law.statement);
            }
        }
        output::data(&out)?;
        Ok(Exit::AsExpected)
    }
}

impl CheckArgs {
    fn run(&self) -> Result<Exit> {
        let surface = Surface::from(self.surface);
        let shown = if self.file.as_os_str() == "-" { "stdin".to_owned() } else { self.file.display().to_string() };
        let unread = |why: &str| stop_next(Exit::Usage, format!("{shown}: cannot be checked: {why}."), "streakstone stream check --help");
        let bytes = read(&self.file).map_err(|e| unread(&e.to_string()))?;
        let input = Input::read(&bytes).map_err(|e| unread(&e.to_string()))?;
        drop(bytes);
        if let Some(own) = input.surface().filter(|own| *own != surface) {
            let what = if matches!(input, Input::Recorded(_)) { "is a transcript" } else { "has the form" };
            return Err(stop_next(
                Exit::Usage,
                format!("{shown}: cannot be checked: it {what} of the surface {own}, not {surface}."),
                format!("streakstone stream check --surface {own} {}", self.file.display()),
            ));
        }
        let context = self.context(surface, &input)?;
        let judged = judge_input(surface, &input, &context);
        let open: Vec<&About> = judged.iter().filter(|(_, j)| matches!(j, Judgement::Unsupported(_))).map(|(law, _)| *law).collect();
        let (found, told) = (violations(judged), input.told(surface));
        match self.format {
            Format::Json => {
                for told in &told {
                    output::notice(&format!("note: {}: {}", visible(&shown), visible(told)));
                }
                output::data(&json_lines(&found))?;
            }
            Format::Text => output::data(&report(surface, &shown, &input, &told, &open, &found))?,
        }
        Ok(if found.iter().any(|violation| violation.severity.fails()) { Exit::Unexpected } else { Exit::AsExpected })
    }

    /// What is known besides the stream.
    fn context(&self, surface: Surface, input: &Input) -> Result<Context> {
        let mut context = Context::default();
        if let Some(path) = &self.request {
            let read = std::fs::read(path).map_err(|e| e.to_string());
            let body = read.and_then(|bytes| serde_json::from_slice(&bytes).map_err(|e| e.to_string()));
            let request = body.and_then(|body| Request::check(surface, &body));
            let wrong = |e: String| stop_next(Exit::Usage, format!("{}: is no request: {e}.", path.display()), "correct --request");
            context.request = Some(request.map_err(wrong)?);
        } else if let Input::Recorded(recorded) = input
            && recorded.transcript.header.request.is_object()
        {
            context.request = Some(Request::read(surface, &recorded.transcript.header.request));
        }
        if let Some(name) = &self.dialect {
            context.markers = match lookup(name) {
                Lookup::Known(dialect) => Markers::of(dialect).all().map(str::to_owned).collect(),
                Lookup::Unknown { nearest } => {
                    return Err(stop_next(
                        Exit::Usage,
                        format!("No dialect is named `{name}`; the nearest is `{nearest}`."),
                        "streakstone list",
                    ));
                }
            };
        }
        for id in &self.declare {
            let law = laws(surface).find(|law| law.id.eq_ignore_ascii_case(id) || law.name == id);
            let law = law.ok_or_else(|| {
                stop_next(
                    Exit::Usage,
                    format!("The surface {surface} has no law `{id}`."),
                    format!("streakstone stream laws --surface {surface}"),
                )
            })?;
            context.declared.push(law.id.to_owned());
        }
        Ok(context)
    }
}

/// The bytes of a file or of stdin, up to the cap.
///
/// # Errors
/// It cannot be read, or has more bytes.
pub fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let source: Box<dyn std::io::Read> =
        if path.as_os_str() == "-" { Box::new(std::io::stdin()) } else { Box::new(std::fs::File::open(path)?) };
    source.take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(std::io::Error::other(format!("it has more than {MAX_INPUT} bytes")));
    }
    Ok(bytes)
}

fn json_lines(found: &[Violation]) -> String {
    found.iter().filter_map(|violation| serde_json::to_string(violation).ok()).map(|line| json(&line) + "\n").collect()
}

/// The violations, then what nobody should overlook, what was judged and what could not be.
fn report(surface: Surface, shown: &str, input: &Input, told: &[String], open: &[&About], found: &[Violation]) -> String {
    let mut out = String::new();
    for violation in found {
        let name = laws(surface).find(|law| law.id == violation.law).map_or("", |law| law.name);
        // What is wrong with the response as such has no event.
        let place = match violation.event {
            0 => String::new(),
            event => format!("  event {event}, line {}", violation.line),
        };
        let _ = writeln!(out, "{:<4}  {}  {name}{place}: {}", violation.severity.as_str(), violation.law, visible(&violation.message));
    }
    for told in told {
        let _ = writeln!(out, "note  {}", visible(told));
    }
    let count = |severity: Severity| found.iter().filter(|violation| violation.severity == severity).count();
    let counts: Vec<String> = [Severity::Breaks, Severity::Stated, Severity::Core, Severity::Policy]
        .into_iter()
        .filter(|severity| count(*severity) > 0)
        .map(|severity| format!("{} {severity}", count(severity)))
        .collect();
    let is_error = matches!(input, Input::Recorded(recorded) if matches!(recorded.content, Content::Error { .. }));
    let verdict = match (found.is_empty(), is_error) {
        (true, true) => "no reply, but an error as it should be".to_owned(),
        (true, false) => "clean".to_owned(),
        (false, _) => counts.join(", "),
    };
    let all = laws(surface).count();
    let _ = write!(out, "{}: {verdict}. {} of {all} laws judged", visible(shown), all - open.len());
    let ids: Vec<&str> = open.iter().map(|law| law.id).collect();
    let _ = if ids.is_empty() || is_error { writeln!(out, ".") } else { writeln!(out, "; not known enough for {}.", ids.join(", ")) };
    if !found.is_empty() {
        let _ = writeln!(out, "  next  streakstone stream laws --surface {surface}");
    }
    out
}
