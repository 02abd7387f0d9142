//! The encoders write what the templates write, and say of every required tag how it is met.

use std::collections::BTreeSet;
use std::path::Path;

use streakstone_suite::case::Case;
use streakstone_suite::corpus::{Corpus, Strictness};
use streakstone_suite::encode::{
    Call, Document, ExpectedPart, Fate, Literal, Part, REQUIRED_TAGS, encoder, encoders, generate, missing_tags, render, scenario,
    scenarios,
};

fn call(name: &str, arguments: &[(&str, &str)]) -> Part {
    let arguments = arguments.iter().map(|(key, value)| ((*key).to_owned(), Literal::text(*value))).collect();
    Part::Call(Call { name: name.to_owned(), arguments, fate: Fate::Sound })
}

/// Rows whose second call no public text shows: the corpus and the encoder each chose what stands between two.
const COMPOSED: [&str; 2] = ["rwkv", "step_audio2"];

#[test]
fn every_canonical_text_is_written_byte_for_byte() {
    let weather = || call("get_weather", &[("city", "Paris"), ("unit", "c")]);
    let time = || call("get_time", &[("tz", "UTC")]);
    let corpus = Corpus::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus"), Strictness::Own).unwrap();
    let mut written = 0;
    for encoder in encoders() {
        let row = encoder.row;
        let case = |id: &str| corpus.case(&format!("{row}/canonical/{id}"));
        let Some(one) = case("one-call").filter(|_| !COMPOSED.contains(&row)) else { continue };
        let two = case("two-calls");
        written += 1;
        let assert_written = |case: &Case, calls: Vec<Part>| {
            // Harmony's canonical texts begin with a thought.
            let thought = case.expect.reasoning.clone().filter(|thought| !thought.is_empty()).map(Part::Reasoning);
            let document = Document { parts: thought.into_iter().chain(calls).collect(), ..Document::default() };
            assert_eq!(render(encoder, &document).raw, String::from_utf8_lossy(&case.raw), "{row}");
        };
        assert_written(one, vec![weather()]);
        assert_eq!(two.is_none(), encoder.cannot("two-calls").is_some(), "{row}");
        if let Some(two) = two {
            assert_written(two, vec![weather(), time()]);
        }
    }
    assert!(written >= 63, "{written}");
}

#[test]
fn every_row_has_one_encoder() {
    let rows: Vec<&str> = encoders().map(|e| e.row).collect();
    let set: BTreeSet<&str> = rows.iter().copied().collect();
    assert_eq!(set.len(), rows.len());
    assert_eq!(rows.len(), 81, "{rows:?}");
}

#[test]
fn every_required_tag_has_a_scenario_or_a_reason() {
    for encoder in encoders() {
        for tag in REQUIRED_TAGS {
            assert_ne!(scenario(encoder.row, tag).is_some(), encoder.cannot(tag).is_some(), "{} {tag}", encoder.row);
        }
        assert!(missing_tags(encoder.row, &BTreeSet::new()).is_empty());
        assert!(encoder.wire.cannot.iter().all(|(tag, why)| REQUIRED_TAGS.contains(tag) && !why.is_empty()), "{}", encoder.row);
    }
}

#[test]
fn a_row_without_an_encoder_lacks_every_tag_its_cases_lack() {
    let missing = missing_tags("no-such-row", &BTreeSet::from(["one-call", "types"]));
    assert_eq!(missing.len(), REQUIRED_TAGS.len() - 2);
    assert!(scenarios("no-such-row").is_empty() && generate("no-such-row", 1).is_none());
}

#[test]
fn a_seed_gives_the_same_reply_and_another_seed_another() {
    let raw = |seed| generate("hermes", seed).unwrap().case.raw;
    assert_eq!(raw(7), raw(7));
    let all: BTreeSet<Vec<u8>> = (0..200).map(raw).collect();
    assert!(all.len() > 150, "{}", all.len());
}

#[test]
fn a_damaged_call_is_written_damaged() {
    for encoder in encoders() {
        let part = |tag: &str| scenario(encoder.row, tag).unwrap();
        let text = |case: &Case| String::from_utf8(case.raw.clone()).unwrap();
        let sound = Document { parts: vec![call("get_weather", &[("city", "Reykjavik"), ("unit", "c")])], ..Document::default() };
        let sound = render(encoder, &sound).raw;
        assert!(sound.starts_with(&text(&part("truncated"))) && text(&part("truncated")).ends_with("Reyk"), "{}", encoder.row);
        assert_ne!(text(&part("malformed")), sound, "{}", encoder.row);
    }
}

#[test]
fn white_space_is_framing_where_the_semantics_say_so() {
    let hermes = encoder("hermes").unwrap();
    let parts = |parts: Vec<Part>| {
        let rendered = render(hermes, &Document { parts, ..Document::default() });
        rendered.parts.into_iter().map(|p| if let ExpectedPart::Text(t) = p { t } else { "·".to_owned() }).collect::<Vec<_>>()
    };
    let prose = |text: &str| Part::Prose(text.to_owned());
    let f = || call("refresh", &[]);
    assert_eq!(parts(vec![prose("Sure.\n\n"), f(), prose(" Done. "), f(), prose("\n\n")]), ["Sure.\n", "·", " Done. ", "·"]);
    assert_eq!(parts(vec![f(), prose(" \n"), f(), prose(&" ".repeat(257))]), ["·", "·", &" ".repeat(257)]);
    assert_eq!(parts(vec![Part::Reasoning("R".to_owned()), prose(" \nOk ")]), ["·", "Ok "]);
}
