//! The table of laws, held against the facts that it is made of: which laws there are, and how bad each violation is.

use std::collections::HashSet;

use streakstone_surfaces::{Severity, Surface, laws};

use Severity::{Breaks, Core, Policy, Stated};

/// `spec/surfaces.md` 4.1 to 4.3. A rule with two severities has that of its main clause; the check gives the other clause its own.
const FACTS: [(Surface, &str, &[Severity]); 3] = [
    (
        Surface::Chat,
        "CC",
        &[
            Stated, Stated, Breaks, Breaks, Breaks, Breaks, Breaks, Breaks, Policy, Breaks, Breaks, Breaks, Breaks, Breaks, Breaks, Breaks,
            Policy, Stated, Policy, Core, Policy, Stated, Stated, Policy, Core,
        ],
    ),
    (
        Surface::Responses,
        "RS",
        &[
            Breaks, Breaks, Stated, Breaks, Breaks, Breaks, Breaks, Breaks, Breaks, Stated, Breaks, Policy, Stated, Breaks, Policy, Policy,
            Breaks, Breaks, Stated, Stated, Policy, Policy, Stated, Core, Stated,
        ],
    ),
    (
        Surface::Anthropic,
        "AN",
        &[
            Breaks, Breaks, Stated, Breaks, Breaks, Breaks, Breaks, Breaks, Breaks, Breaks, Breaks, Breaks, Breaks, Breaks, Breaks, Stated,
            Stated, Policy, Stated, Core, Core, Policy, Policy, Stated,
        ],
    ),
];

#[test]
fn every_law_of_the_facts_is_there_with_its_severity() {
    for (surface, prefix, severities) in FACTS {
        let own: Vec<(&str, Severity)> = laws(surface).map(|law| (law.id, law.severity)).collect();
        let ids: Vec<String> = (1..=severities.len()).map(|at| format!("{prefix}{at:02}")).collect();
        let want: Vec<(&str, Severity)> = ids.iter().map(String::as_str).zip(severities.iter().copied()).collect();
        assert_eq!(own, want);
    }
}

#[test]
fn every_law_has_a_name_of_its_own_and_explains_itself() {
    for surface in Surface::ALL {
        let names: HashSet<&str> = laws(surface).map(|law| law.name).collect();
        assert_eq!(names.len(), laws(surface).count(), "{surface}");
        for law in laws(surface) {
            let kebab = law.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            let sentence = law.statement.ends_with('.') && law.statement.len() > 20;
            assert!(kebab && sentence, "{} {}: {}", law.id, law.name, law.statement);
        }
    }
}
