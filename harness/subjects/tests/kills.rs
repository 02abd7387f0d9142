//! Adapters are killed at random moments while cases are judged: no verdict changes, no result is lost, nothing hangs.
//!
//! `cargo test` kills 40; `STREAKSTONE_KILLS=1000 cargo test --release -p streakstone-subjects --test kills` kills as many as are named.

use std::process::ExitCode;

#[cfg(target_os = "linux")]
mod linux {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    use libtest_mimic::{Arguments, Failed, Trial};
    use streakstone_subjects::stdio::{Settings, Stdio, serve};
    use streakstone_suite::case::{Case, ExpectCall};
    use streakstone_suite::judge::{Judge, Judged};
    use streakstone_suite::plan::Plan;
    use streakstone_suite::seeded::SplitMix64;

    /// Kills of the short form.
    const KILLS: usize = 40;

    /// Time that each kill may cost, on a loaded machine and without optimisation.
    const PATIENCE: Duration = Duration::from_secs(3);

    pub fn main() -> std::process::ExitCode {
        let given: Vec<String> = std::env::args().collect();
        if let [_, word, name] = given.as_slice()
            && word == "serve"
        {
            let subject = streakstone_subjects::by_name(name).expect("a subject");
            serve(&*subject, std::io::stdin().lock(), std::io::stdout().lock()).expect("streams");
            return std::process::ExitCode::SUCCESS;
        }
        let trials = vec![
            Trial::test("random_kills_change_no_verdict", || killed("reference")),
            Trial::test("random_kills_change_no_failure", || killed("exo-generic")),
        ];
        // One after the other, or they would kill each other's adapters.
        libtest_mimic::run(&Arguments { test_threads: Some(1), ..Arguments::from_args() }, trials).exit_code()
    }

    fn cases() -> Vec<Case> {
        let text = |i: usize| {
            format!("{}<tool_call>\n{{\"name\": \"f{i}\", \"arguments\": {{\"q\": \"a\\\"{i}\"}}}}\n</tool_call>", "é ".repeat(i))
        };
        let case = |i: usize| {
            let mut case = Case::of_text(format!("hermes/kills/{i}"), "hermes", text(i));
            let (name, arguments) = (format!("f{}", i - i % 2), format!("{{\"q\":\"a\\\"{i}\"}}"));
            case.expect.calls = Some(vec![ExpectCall { name, arguments, id: None }]);
            case
        };
        (0..6).map(case).collect()
    }

    fn judge(subject: &Stdio, case: &Case) -> Judged {
        let plans = vec![Plan::Whole, Plan::EveryCut, Plan::Bytes, Plan::LastWithFinish];
        let judged = Judge { plans, prefixes: 8, smallest_cuts: false, ..Judge::default() }.judge(subject, case);
        Judged { cpu_ns: 0, note: String::new(), ..judged }
    }

    fn killed(name: &str) -> Result<(), Failed> {
        let kills = std::env::var("STREAKSTONE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(KILLS);
        let own = std::env::current_exe()?.display().to_string();
        let command = [own, "serve".to_owned(), name.to_owned()];
        let subject = Stdio::start(&command, Settings::default())?;
        let cases = cases();
        let begun = Instant::now();
        let wanted: Vec<Judged> = cases.iter().map(|case| judge(&subject, case)).collect();
        let each = begun.elapsed() / u32::try_from(cases.len()).unwrap_or(1);
        if wanted.iter().all(|judged| judged.failures().next().is_none()) {
            return Err("no case has a failure that a kill could hide".into());
        }
        let (done, count, read) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
        let begun = Instant::now();
        let work = |first: usize| -> Result<(), String> {
            for i in first.. {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                let place = i % cases.len();
                let judged = judge(&subject, &cases[place]);
                if judged != wanted[place] {
                    done.store(true, Ordering::Relaxed);
                    return Err(format!("after {} kills:\n{judged:#?}\ninstead of\n{:#?}", count.load(Ordering::Relaxed), wanted[place]));
                }
                read.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        };
        let kill = || {
            let mut rng = SplitMix64::new(kills as u64);
            while count.load(Ordering::Relaxed) < kills && begun.elapsed() < PATIENCE * u32::try_from(kills).unwrap_or(1) {
                if done.load(Ordering::Relaxed) {
                    return;
                }
                // Two processes share the kills, so that each batch is hit about once in four.
                let wait = u64::try_from(each.as_micros()).unwrap_or(u64::MAX).max(200) * 4;
                thread::sleep(Duration::from_micros(rng.next_word() % wait));
                let adapters = adapters();
                if let Some(&victim) = adapters.get(rng.below(adapters.len().max(1)))
                    && rustix::process::kill_process(victim, rustix::process::Signal::KILL).is_ok()
                {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
            done.store(true, Ordering::Relaxed);
        };
        let results = thread::scope(|scope| {
            let workers = [scope.spawn(|| work(0)), scope.spawn(|| work(1))];
            kill();
            workers.map(|worker| worker.join().unwrap_or_else(|_| Err("a judging thread panicked".to_owned())))
        });
        results.into_iter().collect::<Result<Vec<()>, String>>()?;
        let (count, read) = (count.into_inner(), read.into_inner());
        eprintln!("{name}: {count} kills, {read} results, {:.1} s", begun.elapsed().as_secs_f64());
        if count < kills || read < kills / 8 { Err(format!("{count} kills of {kills}, {read} results: it hangs").into()) } else { Ok(()) }
    }

    /// The processes that this one has started and that are not yet taken notice of as dead.
    fn adapters() -> Vec<rustix::process::Pid> {
        let own = rustix::process::getpid().as_raw_nonzero().to_string();
        let parent = |stat: &str| {
            let mut fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
            (fields.next() != Some("Z")).then(|| fields.next().map(str::to_owned)).flatten()
        };
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = all.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        ids.filter(|id| std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| parent(&stat).as_deref() == Some(&own)))
            .filter_map(rustix::process::Pid::from_raw)
            .collect()
    }
}

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    linux::main()
}

/// The processes of another are looked up as Linux shows them.
#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    ExitCode::SUCCESS
}
