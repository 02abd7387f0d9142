//! Which cases a verb speaks of.

use anyhow::Result;
use clap::Args;
use globset::{Glob, GlobMatcher};
use streakstone_report::escape;
use streakstone_suite::case::Case;

use crate::exit::{Exit, stop_next};
use crate::output;

/// Patterns and filters.
#[derive(Debug, Clone, Default, Args)]
pub struct SelectArgs {
    /// Glob (`*?[]{}`) or part of `subject::dialect/topic/case` or of `dialect/topic/case`; several are alternatives
    ///
    /// A word that is the name of a case, or the end of its name as in `topic/case` or `case`, selects no other;
    /// one that is a folder or a topic too selects what is in it as well.
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// Only cases with this tag; several are alternatives
    #[arg(long, value_name = "TAG", help_heading = "Selection")]
    pub tag: Vec<String>,
}

/// A compiled selection.
pub struct Selection {
    /// Each with its text.
    patterns: Vec<(String, Pattern)>,
    tags: Vec<String>,
}

enum Pattern {
    Part(String),
    /// The name of a case or its end, which may be that of a folder or topic too, and the part of the subject's name before `::`.
    Name(Option<String>, String),
    Glob(GlobMatcher),
}

impl Pattern {
    fn compile<'a>(text: &str, mut cases: impl Iterator<Item = &'a str>) -> Result<Self> {
        if !text.contains(['*', '?', '[', '{']) {
            let (subject, name) = text.split_once("::").map_or((None, text), |(subject, name)| (Some(subject.to_owned()), name));
            let named = cases.any(|case| ends_with(case, name));
            return Ok(if named { Self::Name(subject, name.to_owned()) } else { Self::Part(text.to_owned()) });
        }
        let wrong = |e: globset::Error| stop_next(Exit::Usage, format!("Pattern `{text}`: {}.", e.kind()), "correct the glob");
        Ok(Self::Glob(Glob::new(text).map_err(wrong)?.compile_matcher()))
    }

    /// True if it fits `subject::case`, `case`, or the case's own id.
    fn fits(&self, subject: &str, case: &str) -> bool {
        let full = format!("{subject}::{case}");
        match self {
            Self::Part(part) => full.contains(part.as_str()),
            Self::Name(part, name) => {
                (ends_with(case, name) || is_folder(case, name)) && part.as_ref().is_none_or(|part| subject.ends_with(part.as_str()))
            }
            Self::Glob(glob) => glob.is_match(&full) || glob.is_match(case) || case.rsplit('/').next().is_some_and(|id| glob.is_match(id)),
        }
    }
}

/// True if `end` is the name of the case, or its last components.
fn ends_with(case: &str, end: &str) -> bool {
    !end.is_empty() && case.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// True if `part` is a folder or a topic of the case's name: a case of that name does not hide the others below.
fn is_folder(case: &str, part: &str) -> bool {
    format!("/{case}").contains(&format!("/{part}/"))
}

impl SelectArgs {
    /// Compiles the patterns for a corpus of these cases; every tag must be one of `known` unless that is empty.
    ///
    /// # Errors
    /// Exit 2 on a bad glob or an unknown tag.
    pub fn compile<'a>(
        &self,
        known: impl Iterator<Item = &'a str> + Clone,
        cases: &(impl Iterator<Item = &'a str> + Clone),
    ) -> Result<Selection> {
        for tag in &self.tag {
            if known.clone().next().is_some() && !known.clone().any(|k| k == tag) {
                let near = streakstone_model::nearest(tag, known).unwrap_or_default();
                return Err(stop_next(
                    Exit::Usage,
                    format!("Tag `{tag}` is not in the taxonomy; the nearest is `{near}`."),
                    "streakstone list tags",
                ));
            }
        }
        let compiled = self.patterns.iter().map(|p| Ok((p.clone(), Pattern::compile(p, cases.clone())?)));
        let patterns = compiled.collect::<Result<_>>()?;
        Ok(Selection { patterns, tags: self.tag.clone() })
    }
}

impl Selection {
    /// True if the pair is selected.
    pub fn takes(&self, subject: &str, case: &Case) -> bool {
        (self.patterns.is_empty() || self.patterns.iter().any(|(_, p)| p.fits(subject, &case.name)))
            && (self.tags.is_empty() || case.tags.iter().any(|t| self.tags.contains(t)))
    }

    /// Says of each pattern that none of the selected pairs fits: it would be missed by nobody.
    pub fn notice_idle<'a>(&self, selected: &(impl Iterator<Item = (&'a str, &'a Case)> + Clone)) {
        for (text, pattern) in &self.patterns {
            if !selected.clone().any(|(subject, case)| pattern.fits(subject, &case.name)) {
                output::notice(&format!("Pattern `{}` selects nothing.\n  next  streakstone list cases", escape::visible(text)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: [&str; 4] = ["hermes/strings/escaped-quote", "hermes/strings/escaped-quotes", "hermes/e/e-e2", "lfm2/e-e2/e-e20"];

    fn fits(pattern: &str) -> bool {
        Pattern::compile(pattern, CASES.into_iter()).unwrap().fits("reference", CASES[0])
    }

    #[test]
    fn the_name_of_a_case_selects_no_longer_name() {
        let taken = |pattern: &str| {
            let pattern = Pattern::compile(pattern, CASES.into_iter()).unwrap();
            CASES.into_iter().filter(|case| pattern.fits("reference", case)).collect::<Vec<_>>()
        };
        for name in
            ["escaped-quote", "strings/escaped-quote", CASES[0], "reference::hermes/strings/escaped-quote", "reference::escaped-quote"]
        {
            assert_eq!(taken(name), [CASES[0]], "{name}");
        }
        assert!(taken("other::escaped-quote").is_empty());
        assert_eq!(taken("escaped-quot"), CASES[..2], "a part");
        assert_eq!(taken("e-e2"), CASES[2..], "a topic has that name too");
        assert_eq!(taken("reference::e-e2"), CASES[2..]);
        assert_eq!(taken("hermes/e/e-e2"), [CASES[2]]);
    }

    #[test]
    fn a_pattern_is_a_part_or_a_glob_of_the_full_or_the_case_name() {
        assert!(fits("escaped"));
        assert!(fits("reference::hermes/"));
        assert!(fits("hermes/*"));
        assert!(fits("ref*::*/strings/*"));
        assert!(fits("escaped-*"));
        assert!(!fits("lfm2"));
        assert!(!fits("strings/*"));
    }

    #[test]
    fn a_broken_glob_is_a_usage_error() {
        assert_eq!(crate::exit::code_of(&Pattern::compile("a[", CASES.into_iter()).err().unwrap()), Exit::Usage);
    }
}
