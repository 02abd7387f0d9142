//! A parser's panic as a sentence.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, set_hook};

thread_local! {
    /// Where the last panic of this thread began.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the place of a panic instead of printing a message for each: a hostile text is read hundreds of times.
pub fn keep_quiet() {
    set_hook(Box::new(|info| PLACE.set(info.location().map(place))));
}

/// Runs `work`; a panic is the error, with its place if [`keep_quiet`] was called.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    PLACE.set(None);
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        let text = text.unwrap_or("a panic without a message");
        PLACE.take().map_or_else(|| format!("panicked: {text}"), |place| format!("panicked at {place}: {text}"))
    })
}

/// File and line, without the folders of this machine before a crate of the registry.
fn place(location: &Location<'_>) -> String {
    let file = location.file();
    let file = file.split_once("/registry/src/").and_then(|(_, rest)| rest.split_once('/')).map_or(file, |(_, of_crate)| of_crate);
    format!("{file}:{}", location.line())
}
