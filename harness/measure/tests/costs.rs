//! What the reference parsers allocate, against `goldens/costs/reference.yaml` and the bounds of `memory`.
//!
//! A program of its own, as its allocator counts every request, and on one thread, as the counts are the whole program's.

use std::alloc::System;
use std::path::Path;
use std::process::ExitCode;

use cap::Cap;
use libtest_mimic::{Arguments, Failed, Trial};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use streakstone_measure::generators;
use streakstone_measure::memory::{self, CHUNK, Cost, Job, ONE_CALL, PROSE, SLACK, generators_of};
use streakstone_model::{Delivery, Dialect, ReadOptions, dialects};
use streakstone_parsers::ToolSet;

/// The outer one knows the most bytes ever held, the inner one counts requests.
#[global_allocator]
static ALLOCATOR: Cap<&StatsAlloc<System>> = Cap::new(&INSTRUMENTED_SYSTEM, usize::MAX);

/// Set to `accept` to write the golden; refused where `CI` is set.
const ACCEPT: &str = "STREAKSTONE_COSTS";
/// Lines of a difference that are shown.
const SHOWN: usize = 40;
/// The size of texts without a call, above what may be held of them.
const PROSE_BYTES: usize = 80_000;
/// Sizes of plain prose in one delta: what is held must stay under the same bound.
const DELTA_BYTES: [usize; 2] = [1_000_000, 10_000_000];
/// The size of one call: just past a power of two, where a buffer that doubles is emptiest.
const CALL_BYTES: usize = 132_000;

fn count(work: &mut dyn FnMut()) -> Cost {
    // The peak is that of the whole program so far: ballast, never touched, brings the program back up to it.
    let ballast = Vec::<u8>::with_capacity(ALLOCATOR.max_allocated() - ALLOCATOR.allocated());
    let (peak, requests) = (ALLOCATOR.max_allocated(), INSTRUMENTED_SYSTEM.stats());
    work();
    let made = INSTRUMENTED_SYSTEM.stats() - requests;
    let peak = ALLOCATOR.max_allocated() - peak;
    drop(std::hint::black_box(ballast));
    Cost { allocations: (made.allocations + made.reallocations) as u64, peak: peak as u64 }
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let mut trials = vec![
        Trial::test("the_counter_counts", counts),
        // Sizes of pointers are in the counts.
        Trial::test("costs_are_those_of_the_golden", golden).with_ignored_flag(cfg!(not(target_pointer_width = "64"))),
    ];
    for dialect in dialects() {
        trials.push(Trial::test(format!("prose_is_not_kept::{}", dialect.name), || prose(dialect)));
        trials.push(Trial::test(format!("an_open_call_is_kept_once::{}", dialect.name), || calls(dialect)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Two blocks at once, one of them grown; then one.
fn counts() -> Result<(), Failed> {
    let cost = count(&mut || {
        let mut first: Vec<u8> = Vec::with_capacity(100);
        first.reserve_exact(300);
        let second: Vec<u8> = Vec::with_capacity(50);
        drop((std::hint::black_box(first), std::hint::black_box(second)));
        drop(std::hint::black_box(Vec::<u8>::with_capacity(200)));
    });
    let right = Cost { allocations: 4, peak: 350 };
    if cost == right { Ok(()) } else { Err(format!("{cost:?} is not {right:?}").into()) }
}

fn golden() -> Result<(), Failed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../goldens/costs/reference.yaml");
    let head = "# What the reference parsers allocate: [allocations, peak bytes]. Written by a test; see goldens/README.md.\n";
    let now: String = std::iter::once(head.to_owned()).chain(dialects().map(|dialect| memory::row(dialect, &count))).collect();
    let accept = std::env::var(ACCEPT).is_ok_and(|v| v == "accept");
    if accept {
        return write(&path, &now);
    }
    let then = std::fs::read_to_string(&path).unwrap_or_default();
    if then == now {
        return Ok(());
    }
    let changed = difference(&then, &now);
    let more = if changed.len() > SHOWN { format!("\n... and {} lines more", changed.len() - SHOWN) } else { String::new() };
    let shown = changed.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("\n");
    Err(format!(
        "goldens/costs/reference.yaml: the costs changed.\n{shown}{more}\n\
         accept with: {ACCEPT}=accept cargo test -p streakstone-measure --test costs golden"
    )
    .into())
}

fn write(path: &Path, text: &str) -> Result<(), Failed> {
    if std::env::var("CI").is_ok_and(|v| !matches!(v.as_str(), "" | "0" | "false")) {
        return Err(format!("{ACCEPT} asks to write a golden in CI; unset it").into());
    }
    let folder = path.parent().ok_or("the golden has no folder")?;
    std::fs::create_dir_all(folder)?;
    Ok(std::fs::write(path, text)?)
}

/// The lines of `then` that `now` lacks and the reverse, each with the row it stands under.
fn difference(then: &str, now: &str) -> Vec<String> {
    let named = |text: &str| -> Vec<String> {
        let mut row = String::new();
        let mut lines = Vec::new();
        for line in text.lines() {
            if line.starts_with(' ') {
                lines.push(format!("{row}{line}"));
            } else {
                line.clone_into(&mut row);
            }
        }
        lines
    };
    let (then, now) = (named(then), named(now));
    let gone = then.iter().filter(|line| !now.contains(line)).map(|line| format!("- {line}"));
    gone.chain(now.iter().filter(|line| !then.contains(line)).map(|line| format!("+ {line}"))).collect()
}

/// Reads the generators' texts in each delivery, whole and in chunks; `bound` says how many bytes may be held.
fn judge(dialect: &'static Dialect, names: &[&str], size: usize, deliveries: &[Delivery], bound: &dyn Fn(&Job<'_>) -> u64) -> Vec<String> {
    let mut over = Vec::new();
    for generator in generators_of(dialect, names) {
        let raw = generator.text(dialect, size);
        let tools = ToolSet::new(generator.tools().as_deref());
        let mut options = generator.options();
        for &delivery in deliveries {
            options.policies.delivery = delivery;
            let bound = bound(&Job { dialect, tools: &tools, options: &options, raw: &raw, chunk: 0 });
            for chunk in [0, CHUNK] {
                let peak = Job { dialect, tools: &tools, options: &options, raw: &raw, chunk }.cost(&count).peak;
                if peak >= bound {
                    let name = generator.name;
                    over.push(format!(
                        "{name}, {} bytes, {}, chunk {chunk}: {peak} bytes held, {bound} allowed",
                        raw.len(),
                        delivery.as_str()
                    ));
                }
            }
        }
    }
    over
}

fn prose(dialect: &'static Dialect) -> Result<(), Failed> {
    // Deliveries speak of calls, and here is none.
    none(&judge(dialect, PROSE, PROSE_BYTES, &[Delivery::Validated], &|_| SLACK))?;
    let (tools, options) = (ToolSet::new(None), ReadOptions::default());
    let peaks = DELTA_BYTES.map(|size| {
        let raw = generators::fill("", generators::PROSE, "", size);
        Job { dialect, tools: &tools, options: &options, raw: &raw, chunk: 0 }.cost(&count).peak
    });
    if peaks.iter().all(|&peak| peak < SLACK) { Ok(()) } else { Err(format!("{peaks:?} bytes held of {DELTA_BYTES:?}").into()) }
}

fn calls(dialect: &'static Dialect) -> Result<(), Failed> {
    let deliveries = [Delivery::Validated, Delivery::Eager];
    none(&judge(dialect, ONE_CALL, CALL_BYTES, &deliveries, &|job| job.open_call()))?;
    // No room is made for what follows a call in one delta with it.
    let behind = generators::fill("\n", generators::PROSE, "", 20 * CALL_BYTES);
    for generator in generators_of(dialect, &["huge-string"]) {
        let call = generator.text(dialect, CALL_BYTES);
        let raw = format!("{call}{behind}");
        let (tools, options) = (ToolSet::new(generator.tools().as_deref()), generator.options());
        let job = |raw| Job { dialect, tools: &tools, options: &options, raw, chunk: 0 };
        let (peak, bound) = (job(&raw).cost(&count).peak, job(&call).open_call());
        if peak >= bound {
            return Err(format!("prose behind {}: {peak} bytes held, {bound} allowed", generator.name).into());
        }
    }
    Ok(())
}

fn none(over: &[String]) -> Result<(), Failed> {
    if over.is_empty() { Ok(()) } else { Err(over.join("\n").into()) }
}
