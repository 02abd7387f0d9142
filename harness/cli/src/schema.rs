//! `streakstone schema [NAME]`

use anyhow::Result;
use clap::Args;
use streakstone_suite::schema;

use crate::exit::{Exit, stop_next};
use crate::output;

/// The schemas of the suite, and that of dialect files.
fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    schema::ALL.iter().copied().chain([("dialect", streakstone_dialects::SCHEMA)])
}

/// Print a JSON Schema: of case files, run logs, known lists, the adapter protocol or dialect files
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  streakstone schema case-file > case-file.schema.json")]
pub struct SchemaArgs {
    /// `case-file`, `run-log`, `known`, `protocol` or `dialect`; without a name, the names
    pub name: Option<String>,
}

impl SchemaArgs {
    /// Prints the schema.
    ///
    /// # Errors
    /// Exit 2 if there is none of that name.
    pub fn run(self) -> Result<Exit> {
        let names = || all().map(|(name, _)| name);
        let Some(name) = self.name else {
            output::data(&(names().collect::<Vec<_>>().join("\n") + "\n"))?;
            return Ok(Exit::AsExpected);
        };
        let word = match name.as_str() {
            "case" => "case-file",
            "log" => "run-log",
            "dialect-file" => "dialect",
            other => other,
        };
        let text = all().find(|(known, _)| *known == word).map(|(_, text)| text).ok_or_else(|| {
            let all = names().collect::<Vec<_>>().join(", ");
            stop_next(Exit::Usage, format!("No schema is named `{name}`; there are {all}."), "streakstone schema")
        })?;
        output::data(text)?;
        Ok(Exit::AsExpected)
    }
}
