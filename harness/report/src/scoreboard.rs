//! The scoreboard: subjects against dialects and laws, out of the published logs of several runs. Counts only, no score: a parser that
//! reads one dialect and one that reads eighty have no common number. Hostile text stands in code spans only; no colours, so that it reads
//! in a dark page too.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use streakstone_suite::law::Law;
use streakstone_suite::runlog::{About, CaseResult, Check, Header, RunLog};
use streakstone_suite::verdict::Verdict;

use crate::escape::{code_span, shorten};
use crate::standing::{elsewhere, shell_word, sides};
use crate::terminal::{counted, grouped};

/// Largest scoreboard in bytes: GitHub shows no Markdown above 512 KB.
pub const MAX_BYTES: usize = 500_000;

/// Bytes left for the line that says that something is left out.
const RESERVE: usize = 200;

/// Widest value of an example, in characters.
const VALUE_WIDTH: usize = 80;

/// Dialects named in a law's row.
const DIALECTS_SHOWN: usize = 8;

/// One subject with the run that is shown of it.
struct Board<'a> {
    name: &'a str,
    header: &'a Header,
    results: Vec<&'a CaseResult>,
}

impl Board<'_> {
    fn about(&self) -> About {
        self.header.about.get(self.name).cloned().unwrap_or_default()
    }

    fn count(&self, verdict: Verdict) -> usize {
        self.results.iter().filter(|r| r.verdict == verdict).count()
    }

    /// The name, and beside it what of it is not real.
    fn title(&self) -> String {
        let mut title = code(self.name, 60);
        let stubs = self.about().stubs;
        if !stubs.is_empty() {
            let _ = write!(title, " (stub: {})", stubs.iter().map(|stub| code(stub, 60)).collect::<Vec<_>>().join(", "));
        }
        if self.results.iter().any(|r| r.planted) {
            title.push_str(" (wrong on purpose)");
        }
        title
    }
}

/// A code span of at most `width` characters of `text`.
fn code(text: &str, width: usize) -> String {
    code_span(&shorten(text, width))
}

fn push_cells(out: &mut String, cells: impl Iterator<Item = String>) {
    cells.for_each(|cell| out.extend([" ", cell.as_str(), " |"]));
}

fn number(count: usize) -> String {
    if count == 0 { "·".to_owned() } else { grouped(count as u64) }
}

/// The subjects of all logs, the reference first, then by name. Of a subject that stands in several logs the run begun last is shown.
fn boards(logs: &[RunLog]) -> Vec<Board<'_>> {
    let mut newest: BTreeMap<(bool, &str), &RunLog> = BTreeMap::new();
    for log in logs {
        let names: BTreeSet<&str> = log.results.iter().map(|r| r.subject.as_str()).collect();
        for name in names {
            let shown = newest.entry((name != "reference", name)).or_insert(log);
            if shown.header.started < log.header.started {
                *shown = log;
            }
        }
    }
    newest
        .into_iter()
        .map(|((_, name), log)| Board { name, header: &log.header, results: log.results.iter().filter(|r| r.subject == name).collect() })
        .collect()
}

/// The whole scoreboard, never above [`MAX_BYTES`].
#[must_use]
pub fn render(logs: &[RunLog]) -> String {
    let boards = boards(logs);
    let mut out = String::from(
        "# Scoreboard\n\nGenerated from the run logs in `published/` by `streakstone report --scoreboard`; `streakstone check` says when it is \
         stale. Counts are cases, each with its worst verdict. There is no total: subjects read different dialects.\n\n",
    );
    push_subjects(&mut out, &boards);
    push_verdicts(&mut out, &boards);
    push_dialects(&mut out, &boards);
    push_laws(&mut out, &boards);
    for (at, board) in boards.iter().enumerate() {
        let section = section(board);
        if out.len() + section.len() + RESERVE > MAX_BYTES {
            let left = counted((boards.len() - at) as u64, "section");
            let _ = writeln!(out, "{left} left out: the page reached its size limit. The run logs have all of it.");
            break;
        }
        out.push_str(&section);
    }
    if out.len() > MAX_BYTES {
        let end = out[..out.floor_char_boundary(MAX_BYTES - RESERVE)].rfind('\n').unwrap_or(0);
        out.truncate(end);
        out.push_str("\n\nThe rest is left out: the page reached its size limit.\n");
    }
    out
}

fn push_subjects(out: &mut String, boards: &[Board<'_>]) {
    let corpus = boards.first().map_or("", |b| b.header.corpus_digest.as_str());
    out.push_str("## Subjects\n\n| subject | version | run | corpus | stream | special tokens | documented choices | notes |\n");
    out.push_str("|---|---|---|---|---|---|---|---|\n");
    for board in boards {
        let about = board.about();
        let or_dash = |text: &str, width| if text.is_empty() { "-".to_owned() } else { code(text, width) };
        let date = board.header.started.get(..10).unwrap_or(&board.header.started);
        let other = if board.header.corpus_digest == corpus { "" } else { " (another)" };
        let ignores = about.ignores.iter().map(|what| code(&format!("ignores={what}"), 60));
        let choices: Vec<String> = about.policies.iter().map(|pair| code(pair, 60)).chain(ignores).collect();
        let tokens = if about.special_tokens_whole { "whole" } else { "any" };
        let notes: Vec<String> = [&about.description, &about.notes].iter().filter(|t| !t.is_empty()).map(|t| code(t, 200)).collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {}{other} | {} | {} | {} | {} |",
            board.title(),
            or_dash(if about.version.is_empty() { &board.header.version } else { &about.version }, 40),
            or_dash(date, 10),
            or_dash(&board.header.corpus_digest, 9),
            if about.eager { "eager" } else { "validated" },
            if about.cuts_stop_tokens.is_empty() { tokens.to_owned() } else { format!("{tokens}, stop cut") },
            if choices.is_empty() { "-".to_owned() } else { choices.join(" ") },
            if notes.is_empty() { "-".to_owned() } else { notes.join("<br>") },
        );
    }
    out.push_str("\n`whole`: its engine never hands over a part of a special token. What only cuts inside one show stands apart and decides no verdict. `stop cut`: \
         its engine takes away the token that ended a reply. `ignores`: what is answered for around it and not judged.\n\n");
}

fn push_verdicts(out: &mut String, boards: &[Board<'_>]) {
    let occurs: Vec<Verdict> = Verdict::ALL.iter().copied().filter(|v| boards.iter().any(|b| b.count(*v) > 0)).collect();
    out.push_str("## Verdicts\n\n| subject | cases |");
    push_cells(out, occurs.iter().map(|v| v.as_str().to_owned()));
    out.push_str(" findings apart |\n|---|---:|");
    out.push_str(&"---:|".repeat(occurs.len() + 1));
    out.push('\n');
    for board in boards {
        let _ = write!(out, "| {} | {} |", board.title(), grouped(board.results.len() as u64));
        push_cells(out, occurs.iter().map(|v| number(board.count(*v))));
        let _ = writeln!(out, " {} |", number(board.results.iter().filter(|r| r.checks.iter().any(|c| c.apart)).count()));
    }
    out.push_str(
        "\n`soft`: white space or the spelling of arguments only. `policy`: what a documented choice of the subject gives. `disputed`: another \
         legitimate outcome; it never counts. `unsupported`: it does not read the dialect, or its answers do not tell what the case is about, or that is answered for around it.\n\n",
    );
}

fn push_dialects(out: &mut String, boards: &[Board<'_>]) {
    let dialects: BTreeSet<&str> = boards.iter().flat_map(|b| &b.results).map(|r| r.dialect.as_str()).collect();
    out.push_str("## By dialect\n\nEach cell: pass / soft / policy / fail; one number if all pass; a dash for a dialect that the subject does not read. ");
    out.push_str("`fail` holds crashes and hangs. Disputed and unsupported cases are not in it.\n\n| dialect |");
    push_cells(out, boards.iter().map(|b| code(b.name, 40)));
    let _ = writeln!(out, "\n|---|{}", "---:|".repeat(boards.len()));
    for dialect in dialects {
        let _ = write!(out, "| {} |", code(dialect, 60));
        for board in boards {
            let results: Vec<&CaseResult> = board.results.iter().copied().filter(|r| r.dialect == dialect).collect();
            let _ = write!(out, " {} |", cell(&results));
        }
        out.push('\n');
        if out.len() > MAX_BYTES {
            return;
        }
    }
    out.push('\n');
}

fn cell(results: &[&CaseResult]) -> String {
    let count = |is: fn(Verdict) -> bool| results.iter().filter(|r| is(r.verdict)).count();
    if count(|v| v != Verdict::Unsupported) == 0 {
        return "-".to_owned();
    }
    let (pass, soft) = (count(|v| v == Verdict::Pass), count(|v| v == Verdict::Soft));
    let (policy, fail) = (count(|v| v == Verdict::Policy), count(Verdict::is_bad));
    let mut text = if soft + policy + fail == 0 { pass.to_string() } else { format!("{pass} / {soft} / {policy} / {fail}") };
    for (count, what) in [(count(|v| v == Verdict::AdapterFault), "adapter-fault"), (count(|v| v == Verdict::NotRun), "not-run")] {
        if count > 0 {
            let _ = write!(text, " + {count} {what}");
        }
    }
    text
}

/// How a check counts: as it says, else as a failure, else, in a log that does not say, as its result.
fn class(result: &CaseResult, check: &Check) -> Verdict {
    let of_result = if result.verdict.is_bad() || check.apart { Verdict::Fail } else { result.verdict };
    check.verdict.unwrap_or(of_result)
}

/// Cases of `board` with a check of `law` that counts as `verdict` and is `apart` or not.
fn having<'b>(board: &'b Board<'_>, law: Law, verdict: Verdict, apart: bool) -> Vec<&'b CaseResult> {
    let has = |r: &&&CaseResult| r.checks.iter().any(|c| c.law == law && class(r, c) == verdict && c.apart == apart);
    board.results.iter().filter(has).copied().collect()
}

fn push_laws(out: &mut String, boards: &[Board<'_>]) {
    let broken: Vec<Law> =
        Law::ALL.into_iter().filter(|law| boards.iter().any(|b| !having(b, *law, Verdict::Fail, false).is_empty())).collect();
    if broken.is_empty() {
        out.push_str("## By law\n\nNo subject breaks a law.\n\n");
        return;
    }
    out.push_str("## By law\n\nCases that break each law. A case that breaks several stands in several rows; `unjudged` where the subject cannot be judged by the law.\n\n| law |");
    push_cells(out, boards.iter().map(|b| code(b.name, 40)));
    let _ = writeln!(out, "\n|---|{}", "---:|".repeat(boards.len()));
    for law in broken {
        let _ = write!(out, "| `{law}` |");
        for board in boards {
            let count = having(board, law, Verdict::Fail, false).len();
            let read = board.results.iter().any(|r| r.verdict != Verdict::Unsupported && !r.unjudged.contains(&law));
            let _ = write!(out, " {} |", if count == 0 && !read { "unjudged".to_owned() } else { number(count) });
        }
        out.push('\n');
    }
    out.push('\n');
}

fn section(board: &Board<'_>) -> String {
    let mut out = format!("## {}\n\n", board.title());
    let verdicts =
        Verdict::ALL.iter().filter(|v| board.count(**v) > 0).map(|v| format!("{} {}", grouped(board.count(*v) as u64), v.as_str()));
    let _ = writeln!(out, "{}: {}.\n", counted(board.results.len() as u64, "case"), verdicts.collect::<Vec<_>>().join(", "));
    for (law, why) in &board.about().cannot {
        let _ = writeln!(out, "Not judged by `{law}`: {}.\n", code(why, 200));
    }
    push_findings(&mut out, board, "", false);
    push_findings(&mut out, board, "### Apart: only cuts inside a special token show it\n\n", true);
    out
}

/// One row a law: how often, where, and the example with the smallest cut.
fn push_findings(out: &mut String, board: &Board<'_>, title: &str, apart: bool) {
    let of = |law, verdict| having(board, law, verdict, apart);
    let found = |law: &Law| [Verdict::Fail, Verdict::Soft, Verdict::Policy].iter().any(|v| !of(*law, *v).is_empty());
    let laws: Vec<Law> = Law::ALL.into_iter().filter(found).collect();
    if laws.is_empty() {
        return;
    }
    out.push_str(title);
    out.push_str(
        "| law | fail | soft | policy | most often in | example | smallest cut | what differs |\n|---|---:|---:|---:|---|---|---|---|\n",
    );
    for law in laws {
        let (fail, soft, policy) = (of(law, Verdict::Fail), of(law, Verdict::Soft), of(law, Verdict::Policy));
        let (shown, verdict) = [(&fail, Verdict::Fail), (&soft, Verdict::Soft), (&policy, Verdict::Policy)]
            .into_iter()
            .find(|(results, _)| !results.is_empty())
            .unwrap_or((&fail, Verdict::Fail));
        let Some((result, check)) = example(shown, law, verdict, apart) else { continue };
        let command = format!("streakstone show {}{}", shell_word(&result.case), elsewhere(board.header));
        let _ = writeln!(
            out,
            "| `{law}` | {} | {} | {} | {} | {} | {} | {} |",
            number(fail.len()),
            number(soft.len()),
            number(policy.len()),
            dialects(shown),
            code(&command, 200),
            cut(check),
            what(check),
        );
    }
    out.push('\n');
}

/// The result with the fewest and smallest cuts, with the finding that has them.
fn example<'b>(results: &[&'b CaseResult], law: Law, verdict: Verdict, apart: bool) -> Option<(&'b CaseResult, &'b Check)> {
    let own = |r: &'b CaseResult| {
        r.checks.iter().filter(move |c| c.law == law && class(r, c) == verdict && c.apart == apart).map(move |c| (r, c))
    };
    // A finding whose list of cuts was left out of a condensed log says so in its detail and has no values.
    let valued = |c: &Check| c.want.is_some() || c.got.is_some() || c.excerpt.is_some();
    results.iter().flat_map(|r| own(r)).min_by_key(|(_, c)| (!c.policies.is_empty(), !valued(c), c.cut.len(), c.cut.first().copied()))
}

/// The dialects with the most of `results`.
fn dialects(results: &[&CaseResult]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for result in results {
        *counts.entry(&result.dialect).or_default() += 1;
    }
    let mut sorted: Vec<(&str, usize)> = counts.into_iter().collect();
    sorted.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let mut shown: Vec<String> = sorted.iter().take(DIALECTS_SHOWN).map(|(name, count)| format!("{} {count}", code(name, 40))).collect();
    if sorted.len() > DIALECTS_SHOWN {
        shown.push(format!("{} more", sorted.len() - DIALECTS_SHOWN));
    }
    shown.join(", ")
}

fn cut(check: &Check) -> String {
    match check.cut.as_slice() {
        [] => "whole".to_owned(),
        [length] if check.law == Law::PrefixHonest => format!("first {length} bytes"),
        [cut] => format!("byte {cut}"),
        [first, second] => format!("bytes {first}, {second}"),
        [first, .., last] => format!("{} cuts, {first} to {last}", check.cut.len()),
    }
}

fn what(check: &Check) -> String {
    let mut text = String::new();
    if let Some(around) = &check.excerpt {
        let _ = write!(text, "{}<br>", code(&format!("{} ┆ {}", around.before, around.after), VALUE_WIDTH));
    }
    if check.want.is_none() && check.got.is_none() {
        text.push_str(&if check.detail.is_empty() { "-".to_owned() } else { code(&check.detail, 2 * VALUE_WIDTH) });
        return text;
    }
    let (left, right) = sides(check.law);
    let value = |v: &Option<String>| code(v.as_deref().unwrap_or("nothing"), VALUE_WIDTH);
    let at = check.at.as_deref().map_or(String::new(), |at| format!("{}: ", code(at, 60)));
    let _ = write!(text, "{at}{left} {}, {right} {}", value(&check.want), value(&check.got));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{HOSTILE, check, failing, hostile, log, passing};

    fn of(subject: &str, started: &str, results: Vec<CaseResult>) -> RunLog {
        let mut log = log(results.into_iter().map(|r| CaseResult { subject: subject.to_owned(), ..r }).collect());
        started.clone_into(&mut log.header.started);
        log
    }

    fn row<'t>(text: &'t str, begins: &str) -> &'t str {
        text.lines().find(|l| l.starts_with(begins)).unwrap_or_else(|| panic!("no row {begins} in\n{text}"))
    }

    fn verdict(verdict: Verdict, case: &str) -> CaseResult {
        CaseResult { verdict, ..passing(case) }
    }

    #[test]
    fn dialects_stand_against_subjects_with_a_dash_for_what_is_not_read() {
        let other = |case| CaseResult { dialect: "lfm2".to_owned(), ..verdict(Verdict::Unsupported, case) };
        let peer = vec![
            verdict(Verdict::Pass, "hermes/a/a"),
            verdict(Verdict::Soft, "hermes/a/b"),
            verdict(Verdict::Policy, "hermes/a/c"),
            verdict(Verdict::Crashed, "hermes/a/d"),
            verdict(Verdict::Disputed, "hermes/a/e"),
            other("lfm2/a/a"),
        ];
        let reference = vec![passing("hermes/a/a"), CaseResult { dialect: "lfm2".to_owned(), ..passing("lfm2/a/a") }];
        let text = render(&[of("peer", "2026-02-01T00:00:00Z", peer), of("reference", "2026-01-01T00:00:00Z", reference)]);
        assert_eq!(row(&text, "| `hermes` |"), "| `hermes` | 1 | 1 / 1 / 1 / 1 |", "{text}");
        assert_eq!(row(&text, "| `lfm2` |"), "| `lfm2` | 1 | - |");
        assert!(row(&text, "| dialect |").ends_with("| `reference` | `peer` |"), "the reference comes first");
    }

    #[test]
    fn a_disputed_case_breaks_no_law() {
        let disputed = CaseResult { verdict: Verdict::Disputed, ..failing(Law::Expect) };
        let text = render(&[of("peer", "2026-01-01T00:00:00Z", vec![disputed])]);
        assert!(!text.contains("| `expect`"), "{text}");
        assert!(text.contains("1 case: 1 disputed."));
    }

    #[test]
    fn of_two_runs_of_a_subject_the_newer_one_is_shown() {
        let old = of("peer", "2026-01-01T00:00:00Z", vec![failing(Law::Expect)]);
        let new = of("peer", "2026-02-01T00:00:00Z", vec![passing("hermes/a/a")]);
        for logs in [[old.clone(), new.clone()], [new, old]] {
            let text = render(&logs);
            assert!(text.contains("2026-02-01") && !text.contains("2026-01-01"), "{text}");
        }
    }

    #[test]
    fn the_smallest_cut_of_each_law_is_the_example_and_findings_apart_have_their_own_table() {
        let broken = |case: &str, cut: Vec<usize>, apart| {
            let finding = Check { cut, apart, want: Some("w".to_owned()), ..check(Law::SplitInvariance) };
            CaseResult { case: case.to_owned(), checks: vec![finding], ..failing(Law::SplitInvariance) }
        };
        let mut calm = broken("hermes/a/apart", vec![3], true);
        calm.verdict = Verdict::Pass;
        let results = vec![broken("hermes/a/two", vec![1, 2], false), broken("hermes/a/one", vec![52], false), calm];
        let text = render(&[of("peer", "2026-01-01T00:00:00Z", results)]);
        let section = &text[text.find("\n## `peer`").unwrap()..];
        let (counted, apart) = section.split_once("### Apart").unwrap();
        assert!(
            row(counted, "| `split-invariance`").contains("| 2 | · | · | `hermes` 2 | `streakstone show hermes/a/one` | byte 52 |"),
            "{counted}"
        );
        assert!(row(apart, "| `split-invariance`").contains("`streakstone show hermes/a/apart` | byte 3 |"), "{apart}");
        let verdicts = &text[text.find("## Verdicts").unwrap()..];
        assert_eq!(row(verdicts, "| `peer` |"), "| `peer` | 3 | 1 | 2 | 1 |");
    }

    #[test]
    fn what_a_subject_says_of_itself_stands_beside_its_name() {
        let mut log = of("peer", "2026-01-01T00:00:00Z", vec![passing("hermes/a/a")]);
        let about = About {
            version: "1.2.3".to_owned(),
            policies: vec!["coercion=vllm".to_owned()],
            special_tokens_whole: true,
            cuts_stop_tokens: vec!["hermes".to_owned()],
            ignores: vec!["parallel_tool_calls".to_owned()],
            stubs: vec!["tokenizer".to_owned()],
            notes: "the wheel".to_owned(),
            cannot: [(Law::IdValidUnique, "the server mints ids".to_owned())].into(),
            ..About::default()
        };
        log.header.about.insert("peer".to_owned(), about);
        let text = render(&[log]);
        let row = row(&text, "| `peer` (stub: `tokenizer`) | `1.2.3` |");
        assert!(row.contains("| whole, stop cut | `coercion=vllm` `ignores=parallel_tool_calls` | `the wheel` |"), "{row}");
        assert!(text.contains("Not judged by `id-valid-unique`: `the server mints ids`."));
    }

    #[test]
    fn hostile_text_is_inert_and_the_page_stays_under_its_limit() {
        let mut log = log(vec![CaseResult { dialect: HOSTILE.to_owned(), ..hostile() }]);
        let about = About { version: HOSTILE.to_owned(), notes: HOSTILE.to_owned(), stubs: vec![HOSTILE.to_owned()], ..About::default() };
        log.header.about.insert(HOSTILE.to_owned(), about);
        let text = render(&[log]);
        assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'), "{text:?}");
        for line in text.lines() {
            assert!(line.matches("<script>").count() <= line.matches('`').count(), "{line}");
            assert!(line.starts_with('|') || !line.contains("\u{2028}"), "{line}");
        }
        let many: Vec<RunLog> = (0..400)
            .map(|i| {
                of(
                    &format!("subject-{i}"),
                    "2026-01-01T00:00:00Z",
                    Law::ALL.into_iter().map(|l| CaseResult { case: format!("hermes/a/{l}"), ..failing(l) }).collect(),
                )
            })
            .collect();
        let text = render(&many);
        assert!(text.len() <= MAX_BYTES && text.contains("left out"), "{}", text.len());
    }
}
