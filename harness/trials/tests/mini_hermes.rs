//! What a parser author's test looks like: the mini parser of the SDK's example over the corpus beside this file.

use std::process::ExitCode;

use streakstone_trials::Trials;

#[path = "../../adapter/examples/mini_hermes/parser.rs"]
mod parser;

fn main() -> ExitCode {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    Trials::new(parser::Example { prints: false }, here.join("corpus")).known(here.join("known")).main()
}
