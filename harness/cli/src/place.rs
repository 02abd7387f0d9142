//! Where the corpus and the goldens are.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use crate::exit::{Exit, stop_next};

/// Options of every verb that reads the corpus.
#[derive(Debug, Clone, Default, Args)]
pub struct PlaceArgs {
    /// Folder that holds `corpus/` and `goldens/` [default: the nearest one upwards from here]
    #[arg(long, global = true, value_name = "DIR", env = "STREAKSTONE_ROOT", help_heading = "Places")]
    pub root: Option<PathBuf>,
    /// A corpus elsewhere: `DIR/<dialect>/<topic>.yaml`. It has no goldens: `expect` and the laws judge
    #[arg(long, global = true, value_name = "DIR", help_heading = "Places")]
    pub corpus: Option<PathBuf>,
}

/// The folders of one invocation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The checkout; `None` for a corpus elsewhere.
    pub root: Option<PathBuf>,
    /// The corpus.
    pub corpus: PathBuf,
    /// The goldens; `None` for a corpus elsewhere.
    pub goldens: Option<PathBuf>,
}

impl PlaceArgs {
    /// Finds the folders.
    ///
    /// # Errors
    /// Exit 2 if there is no corpus.
    pub fn find(&self) -> Result<Place> {
        if let Some(dir) = &self.corpus {
            return Ok(Place { root: None, corpus: dir.clone(), goldens: None });
        }
        let root = match &self.root {
            Some(root) if root.join("corpus").is_dir() => root.clone(),
            Some(root) => {
                let message = format!("{}: has no folder `corpus`.", root.display());
                return Err(stop_next(Exit::Usage, message, "correct --root or STREAKSTONE_ROOT, or use --corpus DIR"));
            }
            None => upwards().ok_or_else(|| {
                stop_next(
                    Exit::Usage,
                    "No folder here or above holds both `corpus/` and `goldens/`.",
                    "go to a checkout, or use --root DIR or --corpus DIR",
                )
            })?,
        };
        Ok(Place { corpus: root.join("corpus"), goldens: Some(root.join("goldens")), root: Some(root) })
    }
}

/// The first folder from here upwards that holds both, as a relative path, so that messages name what one can type.
fn upwards() -> Option<PathBuf> {
    let depth = std::env::current_dir().ok()?.ancestors().count();
    let mut up = PathBuf::new();
    for _ in 0..depth {
        if up.join("corpus").is_dir() && up.join("goldens").is_dir() {
            return Some(up);
        }
        up.push("..");
    }
    None
}
