//! The list of the surfaces' goldens from outside: `bless` writes them, `check` tells what is wrong with list and folder.

mod sandbox;

use sandbox::{Sandbox, says};

const LIST: &str = "corpus/surfaces.txt";
const GOLDEN: &str = "goldens/surfaces/hermes/strings/escaped-quote.snap";

fn listed() -> Sandbox {
    let own = Sandbox::new();
    own.write(LIST, "# why\nhermes/strings/escaped-quote\n");
    own
}

#[test]
fn bless_writes_the_listed_goldens_and_check_counts_them() {
    let own = listed();
    says(&own.run(&["check"], 2).1, &["escaped-quote.snap: missing", "streakstone bless hermes/strings/escaped-quote"]);
    says(&own.run(&["bless"], 0).0, &["blessed  goldens/surfaces/hermes/strings/escaped-quote.snap", "1 blessed, 0 refused, 2 current."]);
    says(&own.run(&["check"], 0).0, &["every case has its golden, 1 one of every API surface. All valid."]);
    says(&own.run(&["bless"], 0).0, &["0 blessed, 0 refused, 3 current."]);
    own.edit(GOLDEN, "\"finish_reason\":\"tool_calls\"", "\"finish_reason\":\"stop\"");
    says(&own.run(&["bless"], 0).0, &["1 blessed"]);
}

#[test]
fn a_stale_a_pending_an_unlisted_and_a_damaged_golden_fail_the_check() {
    let own = listed();
    own.run(&["bless"], 0);
    own.write(&format!("{GOLDEN}.new"), "anything");
    says(&own.run(&["check"], 2).1, &["escaped-quote.snap.new: pending"]);
    own.run(&["bless"], 0);
    own.run(&["check"], 0);
    own.edit(GOLDEN, "\"input\": \"", "\"input\": \"0");
    says(&own.run(&["check"], 2).1, &["surfaces/hermes/strings/escaped-quote.snap: case changed"]);
    own.edit(GOLDEN, "\"anthropic\"", "\"messages\"");
    says(&own.run(&["check"], 2).1, &["the body is damaged: unknown field `messages`"]);
    own.write(LIST, "hermes/strings/prosa\n");
    let (_, err) = own.run(&["check"], 2);
    says(&err, &["surfaces.txt:1: no case is named `hermes/strings/prosa`; the nearest is `hermes/strings/prose`"]);
    says(&err, &["corpus/surfaces.txt does not name hermes/strings/escaped-quote"]);
}
