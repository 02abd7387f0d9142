//! A whole adapter. `cargo run -p streakstone-adapter --example mini_hermes` speaks streak/1 on standard input and output;
//! `streakstone run hermes --adapter target/debug/examples/mini_hermes` judges the parser. `harness/trials` judges it in `cargo test`.

mod parser;

fn main() -> std::io::Result<()> {
    streakstone_adapter::serve::serve(&parser::Example { prints: true })
}
