//! Rows that are not in the table: a program adds them while it runs, for models that no row reads. They last as long as the program.

use std::sync::{PoisonError, RwLock};

use crate::dialect::{Dialect, Lookup};
use crate::table::{dialects, lookup};

static REGISTERED: RwLock<Vec<&'static Dialect>> = RwLock::new(Vec::new());

/// Why a dialect is not registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is a word of the dialect `{owner}`; choose another")]
pub struct WordTaken {
    /// The name or alias that another row has.
    pub word: &'static str,
    /// The name of that row.
    pub owner: &'static str,
}

/// Adds a row that [`lookup`] finds from now on. It is leaked: rows live as long as the program, and there are few.
///
/// # Errors
/// Its name or an alias is a word that [`lookup`] knows already, a peer's name too, or stands in the row twice.
pub fn register(dialect: Dialect) -> Result<&'static Dialect, WordTaken> {
    let words: Vec<&'static str> = std::iter::once(dialect.name).chain(dialect.aliases.iter().copied()).collect();
    for (at, &word) in words.iter().enumerate() {
        if words[..at].contains(&word) {
            return Err(WordTaken { word, owner: dialect.name });
        }
        if let Lookup::Known(row) = lookup(word) {
            return Err(WordTaken { word, owner: row.name });
        }
    }
    let row: &'static Dialect = Box::leak(Box::new(dialect));
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push(row);
    Ok(row)
}

/// Every row of the table, then those that were added.
pub fn known() -> impl Iterator<Item = &'static Dialect> {
    dialects().chain(registered())
}

/// The rows that were added, in their order.
#[must_use]
pub fn registered() -> Vec<&'static Dialect> {
    REGISTERED.read().unwrap_or_else(PoisonError::into_inner).clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects;

    /// The test's own copy of a row of the table under other words.
    fn copy(name: &'static str, aliases: &'static [&'static str]) -> Dialect {
        Dialect { name, aliases, peers: &[], ..dialects().next().unwrap().clone() }
    }

    #[test]
    fn a_registered_row_is_found_by_name_and_alias_and_is_no_row_of_the_table() {
        let row = register(copy("registry_test", &["registry_test_alias"])).unwrap();
        for word in ["registry_test", "registry_test_alias"] {
            assert_eq!(lookup(word), Lookup::Known(row));
        }
        assert_eq!(lookup("registry_tst"), Lookup::Unknown { nearest: "registry_test" });
        assert!(registered().contains(&row));
        assert!(dialects().all(|d| d.name != "registry_test"));
    }

    #[test]
    fn a_word_of_another_row_is_refused() {
        register(copy("registry_first", &[])).unwrap();
        for (row, word, owner) in [
            (copy("hermes", &[]), "hermes", "hermes"),
            (copy("registry_own", &["qwen3_xml"]), "qwen3_xml", "qwen3_coder"),
            (copy("registry_own", &["registry_first"]), "registry_first", "registry_first"),
            (copy("registry_own", &["registry_own"]), "registry_own", "registry_own"),
        ] {
            assert_eq!(register(row), Err(WordTaken { word, owner }));
        }
        assert!(matches!(lookup("registry_own"), Lookup::Unknown { .. }), "a refused row is not registered");
    }
}
