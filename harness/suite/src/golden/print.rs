//! The printer of goldens: two-space indent, one key a line, stable to the byte.

use std::fmt::Write as _;

use streakstone_model::CallOutcome;

use crate::golden::{Golden, GoldenPart, GoldenReply, SNAP_SOURCE};

impl Golden {
    /// The body: what `insta::assert_snapshot!` gets. No newline at its end.
    #[must_use]
    pub fn render(&self) -> String {
        let mut out = String::from("{\n");
        section(&mut out, "validated", &self.validated);
        if let Some(eager) = &self.eager {
            section(&mut out, "eager", eager);
        }
        out.push_str("  \"input\": ");
        string(&mut out, &self.input);
        out.push_str("\n}");
        out
    }

    /// The whole file: header, body and one newline; what `cargo insta accept` writes.
    #[must_use]
    pub fn snap_file(&self) -> String {
        format!("{}{}\n", header(SNAP_SOURCE, &self.case), self.render())
    }
}

/// The header of a case's file. Case names hold no character that YAML would want quoted.
pub(super) fn header(source: &str, case: &str) -> String {
    format!("---\nsource: {source}\nexpression: {case}\n---\n")
}

fn section(out: &mut String, name: &str, reply: &GoldenReply) {
    // Writing to a String does not fail, here and below.
    let _ = writeln!(out, "  \"{name}\": {{");
    if reply.parts.is_empty() {
        out.push_str("    \"parts\": [],\n");
    } else {
        out.push_str("    \"parts\": [\n");
        for (place, part) in reply.parts.iter().enumerate() {
            self::part(out, part);
            out.push_str(if place + 1 < reply.parts.len() { ",\n" } else { "\n" });
        }
        out.push_str("    ],\n");
    }
    let _ = writeln!(out, "    \"finish\": \"{}\"\n  }},", reply.finish.as_str());
}

fn part(out: &mut String, part: &GoldenPart) {
    out.push_str("      {\n");
    let mut members: Vec<(&str, Option<&str>)> = Vec::with_capacity(4);
    match part {
        GoldenPart::Text(text) => members.push(("text", Some(text))),
        GoldenPart::Reasoning(text) => members.push(("reasoning", Some(text))),
        GoldenPart::Call { name, id, arguments, outcome } => {
            members.extend([("call", Some(name.as_str())), ("id", id.as_deref()), ("arguments", Some(arguments))]);
            if let CallOutcome::Incomplete { reason } = outcome {
                members.push(("incomplete", Some(super::read::incomplete_word(*reason))));
            }
        }
    }
    for (place, (key, value)) in members.iter().enumerate() {
        let _ = write!(out, "        \"{key}\": ");
        match value {
            Some(text) => string(out, text),
            None => out.push_str("null"),
        }
        out.push_str(if place + 1 < members.len() { ",\n" } else { "\n" });
    }
    out.push_str("      }");
}

fn string(out: &mut String, text: &str) {
    out.push('"');
    out.push_str(&escape(text));
    out.push('"');
}

/// The inside of a JSON string: quotes, backslashes and whatever a reviewer could not see are escaped; all else is kept.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if hidden(c) => units(c, &mut out),
            c => out.push(c),
        }
    }
    out
}

/// JSON text on one line, with whatever a reviewer could not see escaped. Outside strings only white space is hidden, and compact JSON has none
/// there.
#[must_use]
pub fn escape_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if hidden(c) { units(c, &mut out) } else { out.push(c) }
    }
    out
}

/// The JSON escapes of a character.
fn units(c: char, out: &mut String) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, "\\u{unit:04x}");
    }
}

/// Control, invisible and bidirectional characters, odd spaces, private use and non-characters.
fn hidden(c: char) -> bool {
    let code = u32::from(c);
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(code,
            0x00ad | 0x034f | 0x061c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f
            | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0
            | 0xfff0..=0xfffb | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a | 0xe000..=0xf8ff | 0xe0000..=0xe0fff | 0xf_0000..=0x10_ffff)
        || code & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;
    use streakstone_model::{Finish, Incomplete};

    #[test]
    fn what_a_reviewer_cannot_see_is_escaped_and_the_rest_is_kept() {
        assert_eq!(escape("a\"\\\n\t é 👩 漢 ｜▁"), "a\\\"\\\\\\n\\t é 👩 漢 ｜▁");
        assert_eq!(escape("\0\u{7f}\u{a0}\u{200b}\u{202e}\u{2028}\u{feff}"), "\\u0000\\u007f\\u00a0\\u200b\\u202e\\u2028\\ufeff");
        assert_eq!(escape("\u{e0041}"), "\\udb40\\udc41");
        assert_eq!(escape("\u{fffd}"), "\u{fffd}");
    }

    #[test]
    fn the_file_is_what_the_module_page_shows() {
        let call = GoldenPart::Call {
            name: "get".to_owned(),
            id: Some("abc".to_owned()),
            arguments: "{\"q\"".to_owned(),
            outcome: CallOutcome::Incomplete { reason: Incomplete::Truncated },
        };
        let golden = Golden {
            case: "hermes/strings/cut".to_owned(),
            validated: GoldenReply { parts: vec![GoldenPart::Text("a\nb".to_owned()), call], finish: Finish::Length },
            eager: Some(GoldenReply { parts: vec![], finish: Finish::Stop }),
            input: "00ff".to_owned(),
        };
        let want = r#"---
source: tests/gate.rs
expression: hermes/strings/cut
---
{
  "validated": {
    "parts": [
      {
        "text": "a\nb"
      },
      {
        "call": "get",
        "id": "abc",
        "arguments": "{\"q\"",
        "incomplete": "truncated"
      }
    ],
    "finish": "length"
  },
  "eager": {
    "parts": [],
    "finish": "stop"
  },
  "input": "00ff"
}
"#;
        assert_eq!(golden.snap_file(), want);
    }
}
