//! JSON Schemas (draft 2020-12) of the formats, for editors and other languages. The loaders are stricter: they also know tags, tools
//! and policies.

/// A case file, `corpus/<folder>/<topic>.yaml`.
pub const CASE_FILE: &str = include_str!("../schema/case-file.json");
/// One line of a run log.
pub const RUN_LOG: &str = include_str!("../schema/run-log.json");
/// A list of known failures, `goldens/known/<subject>.yaml`.
pub const KNOWN: &str = include_str!("../schema/known.json");

/// One line of the adapter protocol, in either direction.
pub const PROTOCOL: &str = include_str!("../schema/protocol.json");

/// Every schema with its name on the command line.
pub const ALL: &[(&str, &str)] = &[("case-file", CASE_FILE), ("run-log", RUN_LOG), ("known", KNOWN), ("protocol", PROTOCOL)];

/// The schema of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static str> {
    ALL.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
