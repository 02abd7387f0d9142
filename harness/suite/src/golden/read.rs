//! Reads a golden back. What the printer would not write in the same bytes was edited by hand, and is refused.

use serde::Deserialize;
use streakstone_model::{CallOutcome, Finish, Incomplete};

use crate::golden::{Golden, GoldenError, GoldenPart, GoldenReply, SNAP_SOURCE, print};

pub(super) const AGAIN: &str = "restore it (`git checkout` the file), or delete it and write it again with `streakstone bless`";

/// Keys insta may write into the header besides `source` and `expression`; they carry nothing we need.
const OTHER_KEYS: &[&str] = &["assertion_line", "description", "snapshot_kind"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    validated: Section,
    eager: Option<Section>,
    input: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    parts: Vec<Entry>,
    finish: Finish,
}

/// All keys a part may have; which go together is checked after.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    text: Option<String>,
    reasoning: Option<String>,
    call: Option<String>,
    id: Option<String>,
    arguments: Option<String>,
    incomplete: Option<Incomplete>,
}

impl Golden {
    /// Reads the bytes of a `.snap` file.
    ///
    /// # Errors
    /// The header or the body is damaged, or differs from what the printer writes (a line was deleted or edited).
    pub fn parse(file: &str) -> Result<Self, GoldenError> {
        let fault = |line, what: String| GoldenError { line, what: format!("{what}; {AGAIN}") };
        let (case, body_line, body) = header(file).map_err(|(line, what)| fault(line, what))?;
        let parsed: Body = serde_json::from_str(body).map_err(|e| {
            let message = e.to_string();
            let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
            fault(body_line + e.line().max(1) - 1, format!("the body is damaged: {what}"))
        })?;
        let eager = parsed.eager.map(section).transpose();
        let golden = section(parsed.validated)
            .and_then(|validated| Ok(Self { case, validated, eager: eager?, input: parsed.input }))
            .map_err(|what| fault(body_line, format!("the body is damaged: {what}")))?;
        let want = golden.render();
        let body = body.strip_suffix('\n').unwrap_or(body);
        if want != body {
            let same = want.lines().zip(body.lines()).take_while(|(a, b)| a == b).count();
            return Err(fault(body_line + same, "the body was edited by hand: the printer writes this line otherwise".to_owned()));
        }
        Ok(golden)
    }
}

/// The case's name, the body's first line and the body.
pub(super) fn header(file: &str) -> Result<(String, usize, &str), (usize, String)> {
    let mut rest = file.strip_prefix("---\n").ok_or((1, "the header must begin with `---`".to_owned()))?;
    let (mut line, mut case, mut source) = (1, None, false);
    loop {
        line += 1;
        let (text, after) = rest.split_once('\n').ok_or((line, "the header has no end".to_owned()))?;
        rest = after;
        if text == "---" {
            break;
        }
        let Some((key, value)) = text.split_once(": ") else {
            return Err((line, format!("`{text}` is no line of a header")));
        };
        match key {
            "source" => source = true,
            "expression" => case = Some(value.trim_matches('"').to_owned()),
            key if OTHER_KEYS.contains(&key) => {}
            key => return Err((line, format!("unknown key `{key}` in the header"))),
        }
    }
    if !source {
        return Err((line, "the header has no `source`".to_owned()));
    }
    let case = case.ok_or((line, "the header has no `expression`, the case's full name".to_owned()))?;
    Ok((case, line + 1, rest))
}

fn section(section: Section) -> Result<GoldenReply, &'static str> {
    let parts = section.parts.into_iter().map(part).collect::<Result<_, _>>()?;
    Ok(GoldenReply { parts, finish: section.finish })
}

fn part(entry: Entry) -> Result<GoldenPart, &'static str> {
    match entry {
        Entry { text: Some(text), reasoning: None, call: None, id: None, arguments: None, incomplete: None } => Ok(GoldenPart::Text(text)),
        Entry { text: None, reasoning: Some(text), call: None, id: None, arguments: None, incomplete: None } => {
            Ok(GoldenPart::Reasoning(text))
        }
        Entry { text: None, reasoning: None, call: Some(name), id, arguments: Some(arguments), incomplete } => {
            let outcome = incomplete.map_or(CallOutcome::Complete, |reason| CallOutcome::Incomplete { reason });
            Ok(GoldenPart::Call { name, id, arguments, outcome })
        }
        _ => Err("a part is `text`, `reasoning`, or `call` with `arguments`"),
    }
}

/// The word of a golden's `incomplete`.
pub(super) const fn incomplete_word(reason: Incomplete) -> &'static str {
    match reason {
        Incomplete::Truncated => "truncated",
        Incomplete::Malformed => "malformed",
        Incomplete::Cap => "cap",
    }
}

/// True if `file` begins as the header of `case` does.
pub(super) fn is_header_of(file: &str, case: &str) -> bool {
    file.starts_with(&print::header(SNAP_SOURCE, case)) || header(file).is_ok_and(|(name, ..)| name == case)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golden() -> Golden {
        let call = |id: Option<&str>, reason| GoldenPart::Call {
            name: "get".to_owned(),
            id: id.map(str::to_owned),
            arguments: "{\"q\":\"a\\\"b\u{202e}é\"}".to_owned(),
            outcome: reason,
        };
        let incomplete = CallOutcome::Incomplete { reason: Incomplete::Malformed };
        Golden {
            case: "hermes/strings/escaped-quote".to_owned(),
            validated: GoldenReply {
                parts: vec![
                    GoldenPart::Reasoning("hm".to_owned()),
                    GoldenPart::Text("Sure.\n".to_owned()),
                    call(None, CallOutcome::Complete),
                    call(Some("x1"), CallOutcome::Complete),
                ],
                finish: Finish::ToolCalls,
            },
            eager: Some(GoldenReply { parts: vec![call(None, incomplete)], finish: Finish::Stop }),
            input: "0123".to_owned(),
        }
    }

    #[test]
    fn what_is_printed_reads_back() {
        assert_eq!(Golden::parse(&golden().snap_file()).unwrap(), golden());
        let plain = Golden { eager: None, ..golden() };
        assert_eq!(Golden::parse(&plain.snap_file()).unwrap(), plain);
    }

    #[test]
    fn a_golden_with_a_deleted_line_is_refused_or_says_something_else() {
        let file = golden().snap_file();
        let lines: Vec<&str> = file.lines().collect();
        let mut refused = 0;
        for gone in 0..lines.len() {
            let rest: String = lines.iter().enumerate().filter(|(i, _)| *i != gone).fold(String::new(), |all, (_, l)| all + l + "\n");
            match Golden::parse(&rest) {
                Ok(read) => assert_ne!(read, golden(), "deleting line {} changes nothing", gone + 1),
                Err(error) => {
                    refused += 1;
                    assert!(error.what.contains("streakstone bless"), "{error}");
                }
            }
        }
        assert!(refused >= lines.len() - 2, "{refused} of {}", lines.len());
    }

    #[test]
    fn an_edit_that_keeps_the_json_valid_names_its_line() {
        let file = golden().snap_file();
        let spaced = file.replace("\"text\": ", "\"text\":  ");
        let error = Golden::parse(&spaced).unwrap_err();
        assert!(error.to_string().starts_with("12: the body was edited by hand"), "{error}");
        let error = Golden::parse(&file.replace("\"call\"", "\"coll\"")).unwrap_err();
        assert!(error.to_string().starts_with("15: the body is damaged: unknown field `coll`"), "{error}");
        let error = Golden::parse(&file.replace("expression: ", "expresion: ")).unwrap_err();
        assert!(error.to_string().starts_with("3: unknown key `expresion`"), "{error}");
        assert!(Golden::parse("").unwrap_err().to_string().starts_with("1: the header must begin"));
    }

    #[test]
    fn keys_of_instas_own_header_are_tolerated() {
        let file = golden().snap_file().replacen("expression:", "assertion_line: 12\nexpression:", 1);
        assert_eq!(Golden::parse(&file).unwrap(), golden());
    }
}
