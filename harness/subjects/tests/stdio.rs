//! Every misbehaviour of an adapter has its verdict, and the verdict blames the right side. This program is its own faux adapter.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use streakstone_subjects::stdio::fake::{self, Mode};
use streakstone_subjects::stdio::{Settings, Stdio};
use streakstone_suite::case::Case;
use streakstone_suite::judge::{Judge, Judged};
use streakstone_suite::law::Law;
use streakstone_suite::subject::Subject as _;
use streakstone_suite::verdict::Verdict;

/// How a mode must end.
enum Want {
    /// No start; part of the message.
    NoStart(&'static str),
    /// A verdict, a law among the failures if it is one, and a part of the note or of a message.
    Verdict(Verdict, Option<Law>, &'static str),
}

use Want::{NoStart, Verdict as V};

/// The whole table.
const TABLE: &[(&str, Want)] = &[
    ("well-behaved", V(Verdict::Pass, None, "")),
    ("crash", V(Verdict::Crashed, Some(Law::NoCrash), "fatal: this is the end")),
    ("crash-once", V(Verdict::Pass, None, "it died (exit status: 3) once")),
    ("crash-at-five", V(Verdict::Crashed, Some(Law::NoCrash), "fatal: this is the end")),
    ("abort-signal", V(Verdict::Crashed, Some(Law::NoCrash), "SIGABRT")),
    ("orphan", V(Verdict::Crashed, Some(Law::NoCrash), "exit status: 3")),
    ("hang", V(Verdict::TimedOut, Some(Law::Deadline), "")),
    ("hang-with-child", V(Verdict::TimedOut, Some(Law::Deadline), "")),
    ("hang-at-five", V(Verdict::TimedOut, Some(Law::Deadline), "")),
    ("deaf", V(Verdict::TimedOut, Some(Law::Deadline), "")),
    ("deaf-for-good", V(Verdict::AdapterFault, None, "closed its standard input")),
    ("slow-start", NoStart("no hello within")),
    ("no-hello", NoStart("ended with status 0")),
    ("wrong-protocol", NoStart("protocol 99")),
    ("silent-exit", V(Verdict::AdapterFault, None, "ended with status 0 before the answer")),
    ("closed", V(Verdict::AdapterFault, None, "closed its standard output")),
    ("garbage", V(Verdict::AdapterFault, None, "no JSON")),
    ("half-line", V(Verdict::AdapterFault, None, "half a line")),
    ("huge-line", V(Verdict::AdapterFault, None, "a line over 64 MiB")),
    ("wrong-id", V(Verdict::AdapterFault, None, "answered message")),
    ("missing-plan", V(Verdict::AdapterFault, None, "readings are missing")),
    ("missing-readings", V(Verdict::AdapterFault, None, "readings are missing")),
    ("surplus-reading", V(Verdict::AdapterFault, None, "none of number")),
    ("unknown-key", V(Verdict::AdapterFault, None, "unknown field `mood`")),
    ("unknown-event", V(Verdict::AdapterFault, None, "unknown event `heartbeat`")),
    ("error", V(Verdict::AdapterFault, None, "no grammar for this")),
    ("noisy-stdout", V(Verdict::AdapterFault, None, "nobody asked for")),
    ("last-words", V(Verdict::Pass, None, "")),
    ("unknown-dialects", V(Verdict::Unsupported, None, "does not read the dialect `hermes`")),
    ("noisy-stderr", V(Verdict::Pass, None, "")),
    ("raised", V(Verdict::Crashed, Some(Law::NoCrash), "it raised: ValueError")),
    ("rejected", V(Verdict::Fail, Some(Law::Expect), "it refuses the text: it will not")),
    ("unsupported", V(Verdict::Unsupported, None, "it cannot")),
    ("disorder", V(Verdict::Fail, Some(Law::NameOnceFirst), "begins twice")),
    ("killed", V(Verdict::AdapterFault, None, "something outside kills it")),
    ("killed-once", V(Verdict::Pass, None, "")),
];

/// Seconds after which any mode must have its verdict, on a loaded machine.
const PATIENCE: Duration = Duration::from_mins(2);

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().collect();
    if given.get(1).is_some_and(|word| word == "fake") {
        let mode = given.get(2).and_then(|word| Mode::from_word(word)).expect("a mode");
        let memory = given.get(3).map(PathBuf::from);
        fake::run(mode, memory.as_deref(), io::stdin().lock(), io::stdout().lock()).expect("streams");
        return ExitCode::SUCCESS;
    }
    let mut trials = vec![
        Trial::test("the_table_has_every_mode", every_mode),
        Trial::test("a_missing_program_is_said", missing_program),
        Trial::test("a_crash_is_blamed_on_its_own_reading", || blamed("crash-at-five", Law::NoCrash)),
        Trial::test("a_hang_is_blamed_on_its_own_reading", || blamed("hang-at-five", Law::Deadline)),
        Trial::test("an_adapter_that_always_breaks_is_not_started_for_ever", not_for_ever),
        Trial::test("a_group_is_killed_as_a_whole", group_is_killed),
        Trial::test("words_after_the_last_answer_are_heard_at_the_end", last_words),
    ];
    for (word, want) in TABLE {
        trials.push(Trial::test(format!("mode::{word}"), move || mode(word, want)));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn fail<T>(message: impl Into<String>) -> Result<T, Failed> {
    Err(Failed::from(message.into()))
}

fn settings() -> Settings {
    Settings { deadline: Duration::from_secs(2), start: Duration::from_secs(5), grace: Duration::from_millis(200) }
}

fn start(mode: &str, memory: &Path) -> Result<Stdio, String> {
    let own = std::env::current_exe().expect("this program").display().to_string();
    let command = [own, "fake".to_owned(), mode.to_owned(), memory.display().to_string()];
    Stdio::start(&command, settings()).map_err(|e| e.to_string())
}

fn case() -> Case {
    let raw = "Hi. <tool_call>\n{\"name\": \"f\", \"arguments\": {\"q\": \"é\"}}\n</tool_call>";
    let mut case = Case::of_text("hermes/faux/one", "hermes", raw);
    case.expect.content = Some("Hi. ".to_owned());
    case
}

fn judge(subject: &Stdio) -> Judged {
    Judge::default().judge(subject, &case())
}

fn mode(word: &str, want: &Want) -> Result<(), Failed> {
    let begun = Instant::now();
    let folder = tempfile::tempdir()?;
    let subject = start(word, &folder.path().join("memory"));
    let (subject, want) = match (subject, want) {
        (Err(message), NoStart(part)) if message.contains(part) => return Ok(()),
        (Err(message), _) => return fail(format!("it did not start: {message}")),
        (Ok(_), NoStart(part)) => return fail(format!("it started, and should have said: {part}")),
        (Ok(subject), V(verdict, law, part)) => (subject, (*verdict, *law, *part)),
    };
    let mut judged = judge(&subject);
    if word == "noisy-stdout" {
        // What it says after its answer is heard when it is asked again.
        judged = judge(&subject);
    }
    drop(subject);
    let said: Vec<String> = judged.checks.iter().map(|c| format!("{}: {}", c.law, c.detail.message)).collect();
    let all = format!("{}; {}", judged.note, said.join("; "));
    if judged.verdict != want.0 {
        return fail(format!("{:?}, not {:?}: {all}", judged.verdict, want.0));
    }
    if !want.1.is_none_or(|law| judged.failures().any(|check| check.law == law)) {
        return fail(format!("{:?} is not broken: {all}", want.1));
    }
    if !all.contains(want.2) {
        return fail(format!("`{}` is not said in: {all}", want.2));
    }
    if begun.elapsed() > PATIENCE { fail(format!("it took {:?}", begun.elapsed())) } else { Ok(()) }
}

fn every_mode() -> Result<(), Failed> {
    let missing: Vec<&str> =
        Mode::ALL.iter().map(|(_, word, _)| *word).filter(|word| !TABLE.iter().any(|(known, _)| known == word)).collect();
    if missing.is_empty() && TABLE.len() == Mode::ALL.len() { Ok(()) } else { fail(format!("no verdict for {missing:?}")) }
}

fn missing_program() -> Result<(), Failed> {
    match Stdio::start(&["no-such-program-anywhere".to_owned()], settings()) {
        Err(error) if error.to_string().contains("`no-such-program-anywhere` cannot be started") => Ok(()),
        other => fail(format!("{other:?}")),
    }
}

fn blamed(word: &str, law: Law) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let judged = judge(&start(word, &folder.path().join("memory"))?);
    let cuts: Vec<&[usize]> = judged.failures().filter(|c| c.law == law).map(|c| c.cut.as_slice()).collect();
    if cuts == [[5]] { Ok(()) } else { fail(format!("{cuts:?}: {}", judged.note)) }
}

fn not_for_ever() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let subject = start("garbage", &folder.path().join("memory"))?;
    let notes: Vec<String> = (0..8).map(|_| judge(&subject).note).collect();
    if notes[..5].iter().all(|note| !note.contains("not started again")) && notes[6].contains("is not started again") {
        Ok(())
    } else {
        fail(format!("{notes:?}"))
    }
}

fn last_words() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    for (mode, said) in [("last-words", Some("Goodbye")), ("noisy-stdout", Some("done")), ("well-behaved", None), ("hang", None)] {
        let subject = start(mode, &folder.path().join("memory"))?;
        let judged = judge(&subject);
        match (subject.end(), said) {
            (None, None) => {}
            (Some(why), Some(said)) if why.contains("after its last answer") && why.contains(said) => {}
            (end, _) => return fail(format!("{mode}: {end:?}, {:?}", judged.verdict)),
        }
    }
    Ok(())
}

/// Elsewhere than on Linux there is no such folder, and the test says nothing.
fn group_is_killed() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let memory = folder.path().join("memory");
    drop(judge(&start("orphan", &memory)?));
    let child = std::fs::read_to_string(&memory)?;
    let until = Instant::now() + PATIENCE;
    loop {
        // A killed process may wait for a processor to die on, and then for its new parent to take notice of it.
        let state = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        if state.is_empty() || state.contains(") Z ") {
            return Ok(());
        }
        if Instant::now() > until {
            return fail(format!("left behind: {state}"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
