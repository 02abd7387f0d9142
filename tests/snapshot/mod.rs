//! Goldens as insta snapshots, for the trials of `gate` and `surfaces`. In CI insta never writes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use libtest_mimic::Failed;

/// True in CI, as the command line understands it.
fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|v| !matches!(v.as_str(), "" | "0" | "false"))
}

/// insta writes nothing where `CI` is set, unless one of these tells it to.
fn insta_may_write() -> bool {
    !matches!(std::env::var("INSTA_UPDATE").as_deref(), Err(_) | Ok("" | "no" | "auto"))
        || std::env::var("INSTA_FORCE_UPDATE").is_ok_and(|v| !v.is_empty() && v != "0")
}

/// An error where insta would write in CI.
pub fn ci_never_writes() -> Result<(), Failed> {
    if in_ci() && insta_may_write() { Err("INSTA_UPDATE or INSTA_FORCE_UPDATE asks insta to write in CI; unset it".into()) } else { Ok(()) }
}

/// Asserts the snapshot at `path`, of the case `name`. `assertion` is given the snapshot's own name; it stands at the caller, as insta
/// writes down where it stands.
pub fn holds(path: &Path, name: &str, assertion: impl FnOnce(&str)) -> Result<(), Failed> {
    ci_never_writes()?;
    let (Some(folder), Some(id)) = (path.parent(), path.file_stem().and_then(|stem| stem.to_str())) else {
        return Err(format!("{}: no place for a golden", path.display()).into());
    };
    let mut settings = insta::Settings::new();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(false);
    settings.set_snapshot_path(folder);
    let compared = settings.bind(|| catch_unwind(AssertUnwindSafe(|| assertion(id))));
    compared.map_err(|_| format!("{name}: not its golden\n  next  cargo insta review, or streakstone bless {name}").into())
}
