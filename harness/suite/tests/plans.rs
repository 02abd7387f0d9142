//! What each plan cuts, and that no plan cuts what is not there.

mod toys;

use std::collections::BTreeSet;

use streakstone_suite::limits::{BURSTS, FAMILY_BUDGET_BYTES, FULL_FAMILY_BYTES, MARKER_PAIRS, RANDOM_CHUNKINGS, SEEDED_CUTS};
use streakstone_suite::plan::{Plan, PlanCut, Planned, Tier};
use toys::{call_case, case};

fn cut(plan: Plan, raw: impl Into<Vec<u8>>) -> PlanCut {
    match plan.chunkings(&case(raw)) {
        Planned::Cuts(cut) => cut,
        other => panic!("{plan}: {other:?}"),
    }
}

fn lists(cut: &PlanCut) -> Vec<Vec<usize>> {
    cut.chunkings.iter().map(|c| c.cuts.clone()).collect()
}

#[test]
fn every_plan_joins_to_the_raw_text_whatever_it_is() {
    let texts: [Vec<u8>; 7] = [
        Vec::new(),
        b"a".to_vec(),
        "é".into(),
        b"\xff".to_vec(),
        b"a\xe2\x82<tool_call>\xf0\x9f".to_vec(),
        call_case("Hm. ", " Done.").raw,
        "<tool_call>é".repeat(900).into_bytes(),
    ];
    for raw in texts {
        for plan in Plan::ALL {
            let Planned::Cuts(cut) = plan.chunkings(&case(raw.clone())) else { continue };
            assert!(!cut.chunkings.is_empty() && cut.possible >= cut.chunkings.len() as u64, "{plan}");
            for chunking in &cut.chunkings {
                assert!(chunking.cuts.is_sorted() && chunking.cuts.iter().all(|&c| c <= raw.len()), "{plan} {chunking:?}");
                assert_eq!(chunking.chunks(&raw).collect::<Vec<_>>().concat(), raw, "{plan}");
            }
            assert_eq!(plan.chunkings(&case(raw.clone())), Planned::Cuts(cut), "{plan} is the same each time");
        }
    }
}

#[test]
fn every_plan_is_found_by_its_name_and_has_a_tier() {
    for plan in Plan::ALL {
        assert_eq!(plan.as_str().parse(), Ok(plan));
        assert_eq!(serde_json::to_value(plan).unwrap(), plan.as_str());
        assert!(!plan.describe().is_empty());
    }
    assert_eq!(Plan::ALL.iter().filter(|p| p.tier() == Tier::Realistic).count(), 6);
    assert!("all".parse::<Plan>().unwrap_err().to_string().contains("every-cut"));
}

#[test]
fn tokens_without_pieces_are_unsupported_and_given_without_chunks_is_nothing() {
    let mut case = case("abcd");
    assert!(matches!(Plan::Tokens.chunkings(&case), Planned::Unsupported(_)));
    assert_eq!(Plan::Given.chunkings(&case), Planned::NotApplicable);
    case.pieces = Some(vec![1, 3]);
    case.chunks = vec![vec![2], vec![1, 2, 3]];
    assert!(matches!(Plan::Tokens.chunkings(&case), Planned::Cuts(cut) if lists(&cut) == [[1, 3]]));
    assert!(matches!(Plan::Given.chunkings(&case), Planned::Cuts(cut) if lists(&cut) == [vec![2], vec![1, 2, 3]]));
}

#[test]
fn bytes_cut_inside_a_character_and_chars_do_not() {
    assert_eq!(lists(&cut(Plan::Bytes, "aé€")), [[1, 2, 3, 4, 5]]);
    assert_eq!(lists(&cut(Plan::Chars, "aé€")), [[1, 3]]);
    assert_eq!(lists(&cut(Plan::Chars, b"a\xe2\x82b\xffc".to_vec())), [[1, 3, 4, 5]], "one chunk per U+FFFD");
}

#[test]
fn special_tokens_are_whole_and_the_rest_comes_in_pieces() {
    let raw = "Let me see.<tool_call>{\"n\": 1}</tool_call>";
    let found = cut(Plan::SpecialTokens, raw);
    let chunks: Vec<&[u8]> = found.chunkings[0].chunks(raw.as_bytes()).collect();
    let words: Vec<&str> = chunks.iter().map(|c| std::str::from_utf8(c).unwrap()).collect();
    assert_eq!(words, ["Let ", "me s", "ee.", "<tool_call>", "{\"n\"", ": 1}", "</tool_call>"]);
}

#[test]
fn bursts_and_random_are_seeded_and_counted() {
    let raw = call_case("Hm. ", " Done.").raw;
    let bursts = cut(Plan::Bursts, raw.clone());
    assert!(bursts.chunkings.len() <= BURSTS && bursts.chunkings.iter().all(|c| (1..=3).contains(&c.cuts.len())));
    assert_eq!(cut(Plan::Random, raw).chunkings.len(), RANDOM_CHUNKINGS);
}

#[test]
fn the_finish_reason_rides_on_the_last_chunk_and_reuse_reads_again() {
    assert!(cut(Plan::LastWithFinish, "some text").chunkings.iter().all(|c| c.last_with_finish));
    assert!(cut(Plan::Reuse, "some text").chunkings.iter().all(|c| c.reuse));
    assert!(cut(Plan::Reuse, "some text").chunkings.contains(&streakstone_suite::subject::Chunking { reuse: true, ..Default::default() }));
}

#[test]
fn every_chunking_of_empty_chunks_has_an_empty_chunk() {
    let raw = call_case("Hm. ", "").raw;
    for chunking in cut(Plan::EmptyChunks, raw.clone()).chunkings {
        assert!(chunking.chunks(&raw).any(<[u8]>::is_empty), "{chunking:?}");
    }
}

#[test]
fn sizes_are_2_to_13_bytes() {
    let found = cut(Plan::Sizes, "x".repeat(40));
    assert_eq!(found.chunkings.iter().map(|c| c.cuts[0]).collect::<Vec<_>>(), (2..=13).collect::<Vec<_>>());
}

#[test]
fn marker_pairs_stand_in_and_around_every_marker() {
    let pairs: BTreeSet<Vec<usize>> = lists(&cut(Plan::MarkerPairs, "ab<think>cd")).into_iter().collect();
    // Before and in it, in it twice, at its borders, in and after it.
    for pair in [[1, 5], [3, 4], [2, 9], [8, 10], [5, 5]] {
        assert!(pairs.contains(pair.as_slice()), "{pair:?}");
    }
    let many = cut(Plan::MarkerPairs, "<tool_call></tool_call>".repeat(20));
    assert_eq!(many.chunkings.len(), MARKER_PAIRS);
    assert!(many.possible > 3_000);
    assert_eq!(Plan::MarkerPairs.chunkings(&case("no marker")), Planned::NotApplicable);
}

#[test]
fn every_cut_is_full_up_to_the_limit_and_near_markers_above() {
    let full = cut(Plan::EveryCut, "x".repeat(FULL_FAMILY_BYTES));
    assert_eq!((full.chunkings.len(), full.possible), (FULL_FAMILY_BYTES - 1, FULL_FAMILY_BYTES as u64 - 1));
    let raw = format!("{}<tool_call>{}", "x".repeat(5_000), "y".repeat(5_000));
    let above = cut(Plan::EveryCut, raw);
    assert!((200..=SEEDED_CUTS + 28).contains(&above.chunkings.len()));
    assert_eq!(above.possible, 10_010);
    for near in 4_992..=5_019 {
        assert!(above.chunkings.iter().any(|c| c.cuts == [near]), "{near}");
    }
}

#[test]
fn a_megabyte_of_markers_is_read_within_the_budget() {
    let raw = "<tool_call>".repeat(100_000);
    for plan in Plan::ALL {
        if let Planned::Cuts(cut) = plan.chunkings(&case(raw.as_str())) {
            assert!(cut.chunkings.len() * raw.len() <= FAMILY_BUDGET_BYTES, "{plan}: {}", cut.chunkings.len());
        }
    }
}
