//! Which cases a verb speaks of.

use anyhow::Result;
use clap::Args;
use globset::{Glob, GlobMatcher};
use streakstone_suite::case::Case;

use crate::exit::{Exit, stop};

/// Patterns and filters.
#[derive(Debug, Clone, Default, Args)]
pub struct SelectArgs {
    /// Glob (`*?[]{}`) or part of `subject::dialect/topic/case` or of `dialect/topic/case`; several are alternatives
    #[arg(value_name = "PATTERN")]
    pub patterns: Vec<String>,
    /// Only cases with this tag; several are alternatives
    #[arg(long, value_name = "TAG", help_heading = "Selection")]
    pub tag: Vec<String>,
}

/// A compiled selection.
pub struct Selection {
    patterns: Vec<Pattern>,
    tags: Vec<String>,
}

enum Pattern {
    Part(String),
    Glob(GlobMatcher),
}

impl Pattern {
    fn compile(text: &str) -> Result<Self> {
        if !text.contains(['*', '?', '[', '{']) {
            return Ok(Self::Part(text.to_owned()));
        }
        let glob = Glob::new(text).map_err(|e| stop(Exit::Usage, format!("Pattern `{text}`: {}.\n  next  correct the glob", e.kind())))?;
        Ok(Self::Glob(glob.compile_matcher()))
    }

    /// True if it fits `subject::case`, `case`, or the case's own id.
    fn fits(&self, subject: &str, case: &str) -> bool {
        let full = format!("{subject}::{case}");
        match self {
            Self::Part(part) => full.contains(part.as_str()),
            Self::Glob(glob) => glob.is_match(&full) || glob.is_match(case) || case.rsplit('/').next().is_some_and(|id| glob.is_match(id)),
        }
    }
}

impl SelectArgs {
    /// Compiles the patterns; every tag must be one of `known` unless that is empty.
    ///
    /// # Errors
    /// Exit 2 on a bad glob or an unknown tag.
    pub fn compile<'a>(&self, known: impl Iterator<Item = &'a str> + Clone) -> Result<Selection> {
        for tag in &self.tag {
            if known.clone().next().is_some() && !known.clone().any(|k| k == tag) {
                let near = streakstone_model::nearest(tag, known).unwrap_or_default();
                return Err(stop(
                    Exit::Usage,
                    format!("Tag `{tag}` is not in the taxonomy; the nearest is `{near}`.\n  next  streakstone list tags"),
                ));
            }
        }
        let patterns = self.patterns.iter().map(|p| Pattern::compile(p)).collect::<Result<_>>()?;
        Ok(Selection { patterns, tags: self.tag.clone() })
    }
}

impl Selection {
    /// True if the pair is selected.
    pub fn takes(&self, subject: &str, case: &Case) -> bool {
        (self.patterns.is_empty() || self.patterns.iter().any(|p| p.fits(subject, &case.name)))
            && (self.tags.is_empty() || case.tags.iter().any(|t| self.tags.contains(t)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str) -> bool {
        Pattern::compile(pattern).unwrap().fits("reference", "hermes/strings/escaped-quote")
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
        assert_eq!(crate::exit::code_of(&Pattern::compile("a[").err().unwrap()), Exit::Usage);
    }
}
