//! `streakstone heal`

use std::io::{BufRead, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use streakstone_healing::{Gate, Promotable, Report, StreamHealer, Switches, gate, heal_body};
use streakstone_model::Policies;
use streakstone_surfaces::{Ids, Surface};

use crate::exit::{Exit, stop, stop_next};
use crate::output;
use crate::stream::{MAX_INPUT, SurfaceName};

/// Bytes read at a time where nothing is said.
const CHUNK: usize = 64 * 1024;

/// Turn calls that a model wrote as text into structured calls: in a whole body, or in a stream as it comes
///
/// Only calls of declared tools are promoted; every other byte goes out as it came in, and an answer with nothing to heal byte for byte. A
/// note on stderr says what was healed. Healing is off, and the answer passes, if the request says `auto_heal_tool_calls: false` or
/// `tool_choice: none`, or if the variable `STREAKSTONE_DISABLE_HEALING` is `1`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  streakstone heal --surface chat --request request.json answer.json
  curl -sN localhost:8000/v1/messages -d @request.json | streakstone heal --surface anthropic --request request.json
  streakstone heal --surface responses --tools tools.json --chunks 7 answer.sse")]
pub struct HealArgs {
    /// Which API's answer it is
    #[arg(long, value_enum)]
    pub surface: SurfaceName,
    /// The answer: a JSON body, or a stream of server-sent events; stdin if there is none, or `-`
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The request's JSON body: its tools, tool choice, switches and earlier calls
    #[arg(long, value_name = "FILE", required_unless_present = "tools")]
    pub request: Option<PathBuf>,
    /// A JSON list of tools as this API has them; instead of the request's
    #[arg(long, value_name = "FILE")]
    pub tools: Option<PathBuf>,
    /// Read a stream in pieces of so many bytes; the output is the same
    #[arg(long, value_name = "BYTES", default_value_t = CHUNK, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1 << 24), hide_default_value = true)]
    pub chunks: usize,
    /// How texts are read, as policy=value: `truncated=text` promotes no cut call; several times for several
    #[arg(long, value_name = "POLICY=VALUE")]
    pub policy: Vec<String>,
}

impl HealArgs {
    /// Heals an answer.
    ///
    /// # Errors
    /// Exit 2 if the request, the tools or the answer cannot be read.
    pub fn run(self) -> Result<Exit> {
        let surface = Surface::from(self.surface);
        let shown =
            self.file.as_ref().filter(|file| file.as_os_str() != "-").map_or_else(|| "stdin".to_owned(), |file| file.display().to_string());
        let unread = |e: std::io::Error| stop_next(Exit::Usage, format!("{shown}: cannot be read: {e}."), "streakstone heal --help");
        let mut policies = Policies::default();
        for pairs in &self.policy {
            policies.set_pairs(pairs).map_err(|e| stop(Exit::Usage, format!("--policy {pairs}: {e}.")))?;
        }
        let request = self.request()?;
        let switches = Switches::read(|name| std::env::var(name).ok());
        let source: Box<dyn Read> = match &self.file {
            Some(file) if file.as_os_str() != "-" => Box::new(std::fs::File::open(file).map_err(unread)?),
            _ => Box::new(std::io::stdin()),
        };
        let mut source = BufReader::with_capacity(self.chunks, source);
        let report = match gate(surface, &request, switches) {
            Gate::Off(why) => {
                pass(&mut source).map_err(unread)?;
                output::notice(&format!("{shown}: not healed ({}).", why.as_str()));
                return Ok(Exit::AsExpected);
            }
            Gate::On(promotable) => {
                let promotable = promotable.with_policies(policies);
                let head = skip_space(&mut source).map_err(unread)?;
                if source.fill_buf().map_err(unread)?.first() == Some(&b'{') {
                    let rest = source.take(MAX_INPUT - head.len() as u64 + 1);
                    whole(surface, &promotable, head, rest).map_err(unread)?
                } else {
                    streamed(surface, &promotable, &head, &mut source).map_err(unread)?
                }
            }
        };
        let dropped = if report.dropped > 0 { format!(", {} left out", report.dropped) } else { String::new() };
        output::notice(&format!("{shown}: {} healed{dropped}.", calls(report.calls)));
        Ok(Exit::AsExpected)
    }

    /// The request, with the tools that were given apart.
    fn request(&self) -> Result<Value> {
        let mut request = match &self.request {
            Some(path) => json_of(path, "request", "--request")?,
            None => json!({}),
        };
        if !request.is_object() {
            let path = self.request.as_deref().unwrap_or(Path::new(""));
            return Err(stop_next(Exit::Usage, format!("{}: is no request: it is no JSON object.", path.display()), "correct --request"));
        }
        if let Some(path) = &self.tools {
            let tools = json_of(path, "list of tools", "--tools")?;
            if !tools.is_array() {
                let message = format!("{}: is no list of tools: it is no JSON array.", path.display());
                return Err(stop_next(Exit::Usage, message, "correct --tools"));
            }
            request["tools"] = tools;
        }
        Ok(request)
    }
}

fn json_of(path: &Path, what: &str, option: &str) -> Result<Value> {
    let read = std::fs::read(path).map_err(|e| e.to_string());
    let value = read.and_then(|bytes| serde_json::from_slice(&bytes).map_err(|e| e.to_string()));
    value.map_err(|e| stop_next(Exit::Usage, format!("{}: is no {what}: {e}.", path.display()), format!("correct {option}")))
}

fn calls(count: usize) -> String {
    if count == 1 { "1 call".to_owned() } else { format!("{count} calls") }
}

/// The white space and the byte order mark before the first byte that tells a body from a stream.
fn skip_space(source: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    while head.len() < CHUNK
        && let Some(&b) = source.fill_buf()?.first().filter(|b| b.is_ascii_whitespace() || [0xef, 0xbb, 0xbf].contains(*b))
    {
        head.push(b);
        source.consume(1);
    }
    Ok(head)
}

/// Writes what may go on; false if the reader went away.
fn write(bytes: &[u8]) -> std::io::Result<bool> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(false),
        other => other.map(|()| true),
    }
}

/// An answer that is not healed.
fn pass(source: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let bytes = source.fill_buf()?;
        let len = bytes.len();
        if len == 0 || !write(bytes)? {
            return Ok(());
        }
        source.consume(len);
    }
}

fn whole(surface: Surface, promotable: &Promotable, head: Vec<u8>, mut rest: impl Read) -> std::io::Result<Report> {
    let mut bytes = head;
    rest.read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(std::io::Error::other(format!("it has more than {MAX_INPUT} bytes")));
    }
    let Ok(text) = std::str::from_utf8(&bytes) else {
        // What is no UTF-8 is no JSON either.
        return write(&bytes).map(|_| Report::default());
    };
    let healed = heal_body(surface, text, promotable, Ids::sequential());
    write(healed.body.as_bytes()).map(|_| healed.report)
}

fn streamed(surface: Surface, promotable: &Promotable, head: &[u8], source: &mut impl BufRead) -> std::io::Result<Report> {
    let (mut healer, mut out) = (StreamHealer::new(surface, promotable, Ids::sequential()), Vec::new());
    healer.push(head, &mut out);
    loop {
        let bytes = source.fill_buf()?;
        let len = bytes.len();
        if len == 0 {
            healer.finish(&mut out);
        } else {
            healer.push(bytes, &mut out);
            source.consume(len);
        }
        if !write(&out)? || len == 0 {
            return Ok(healer.report());
        }
        out.clear();
    }
}
