//! What every dialect can be given.

use streakstone_model::Spelling;

use super::{Generator, PROSE, Setup, When, fill, number, row, short};

const FREE: Setup = Setup::Free;
const UNCAPPED: Setup = Setup::Uncapped;
const ALWAYS: When = When::Always;

/// One block of calls.
fn one_block(shape: &Spelling, size: usize) -> String {
    let separator = |i: usize| if i > 0 { shape.separator.as_str() } else { "" };
    number(&shape.first, |i| separator(i).to_owned() + &shape.bare_call("f", ""), &shape.last, size)
}

/// One call of many parameters.
fn parameters(shape: &Spelling, size: usize, name: impl Fn(usize) -> String) -> String {
    let comma = |i: usize| if i > 0 { shape.comma.as_str() } else { "" };
    let one = |i: usize| format!("{}{}v{}", comma(i), shape.string.join(&name(i)), shape.string_end);
    number(&shape.head(), one, &(shape.call_end.clone() + &shape.last), size)
}

/// The table.
#[rustfmt::skip]
pub(super) static GENERATORS: &[Generator] = &[
    // Outside any unit.
    row("prose", ALWAYS, FREE, "holding or searching plain text again", "peer-bench",
        |_, _, n| fill("", PROSE, "", n)),
    row("prose-lt", ALWAYS, FREE, "one marker candidate a byte", "peer-bench",
        |_, _, n| fill("", "<", "", n)),
    row("prose-bracket", ALWAYS, FREE, "one list candidate a byte", "peer-bench",
        |_, _, n| fill("", "[", "", n)),
    row("prose-brace", ALWAYS, FREE, "one object candidate a byte", "peer-bench",
        |_, _, n| fill("", "{", "", n)),
    row("prose-newlines", ALWAYS, FREE, "holding white space that might stand before a block", "composed",
        |_, _, n| fill("", "\n", "", n)),
    row("prose-newlines-letter", ALWAYS, FREE, "holding white space, then letting go, again and again", "composed",
        |_, _, n| fill("", "\n\n\na", "", n)),
    row("prose-non-ascii", ALWAYS, FREE, "decoding from the start of the text", "composed",
        |_, _, n| fill("", "é漢👩\u{200d}🔬｜", "", n)),
    row("prose-backslashes", ALWAYS, FREE, "counting backslashes back from each quote", "composed",
        |_, _, n| fill("", "\\\"", "", n)),
    // Markers.
    row("openers", ALWAYS, FREE, "reading on to the end from each opener", "peer-bench",
        |_, s, n| fill("", &s.open, "", n)),
    row("near-openers", ALWAYS, FREE, "holding a partial marker and searching it again", "design page, Growth",
        |_, s, n| {
            let near = short(&s.open);
            fill("", if near.is_empty() { " [" } else { near }, "", n)
        }),
    row("openers-with-space", ALWAYS, FREE, "skipping white space after each opener", "composed",
        |_, s, n| fill("", &format!("{}\n  ", s.open), "", n)),
    row("opener-then-space", ALWAYS, FREE, "skipping white space from the opener on every chunk", "composed",
        |_, s, n| fill(&s.open, " ", "", n)),
    row("opener-then-prose", ALWAYS, FREE, "searching a body that never comes", "peer-bench",
        |_, s, n| fill(&s.open, PROSE, "", n)),
    row("closers", When::Closer, FREE, "closers without an opener", "peer-bench",
        |_, s, n| fill("", &s.close, "", n)),
    row("call-then-closers", When::Closer, FREE, "framing after a call that never ends", "composed",
        |_, s, n| fill(&s.call("f", ""), &s.close, "", n)),
    row("control-tokens", When::Control, FREE, "removing control tokens one by one", "composed",
        |d, _, n| fill("", d.control[0], "", n)),
    row("near-control-tokens", When::Control, FREE, "holding a partial control token", "composed",
        |d, _, n| fill("", short(d.control[0]), "", n)),
    row("stop-tokens", When::Stop, FREE, "holding a burst of stop tokens that may be the last bytes", "semantics 3",
        |d, _, n| fill("", d.stop[0], "", n)),
    row("stop-tokens-with-space", When::Stop, FREE, "the same with white space between", "semantics 3",
        |d, _, n| fill("", &format!("{} \n", d.stop[0]), "", n)),
    row("stop-tokens-with-letter", When::Stop, FREE, "holding stop tokens and letting go of them", "semantics 3",
        |d, _, n| fill("", &format!("{} {0}a", d.stop[0]), "", n)),
    row("call-then-stop-tokens", When::Stop, FREE, "stop tokens held after a call", "semantics 3",
        |d, s, n| fill(&s.call("f", ""), d.stop[0], "a", n)),
    // Calls.
    row("many-calls", ALWAYS, FREE, "a parser that grows with the number of calls; the cap on calls", "reference-systems 1.7, 1.8",
        |_, s, n| one_block(s, n)),
    row("many-calls-uncapped", ALWAYS, UNCAPPED, "the same without the cap", "reference-systems M15",
        |_, s, n| one_block(s, n)),
    row("many-blocks", ALWAYS, FREE, "the same, one block a call", "reference-systems 1.8",
        |_, s, n| fill("", &(s.call("f", "") + "\n"), "", n)),
    row("many-blocks-with-prose", ALWAYS, FREE, "the same with text between", "composed",
        |_, s, n| fill("", &(s.call("f", "v") + " and then "), "", n)),
    row("many-blocks-with-space", ALWAYS, FREE, "white space held after each call, up to the cap", "semantics 3",
        |_, s, n| fill("", &(s.call("f", "") + &" ".repeat(255)), "", n)),
    row("many-names", ALWAYS, UNCAPPED, "comparing each name with all before", "composed",
        |_, s, n| number("", |i| s.call(&format!("f{i}"), "") + "\n", "", n)),
    row("undeclared-calls", ALWAYS, Setup::Declared, "reading each refused block again as text", "reference-systems M6, M7",
        |_, s, n| fill("", &(s.call("zz", "v") + "\n"), "", n)),
    row("undeclared-calls-in-one-block", ALWAYS, Setup::Declared, "holding refused units until the block ends", "semantics 2",
        |_, s, n| fill(&s.first, &(s.bare_call("zz", "") + &s.separator), &(s.bare_call("zz", "") + &s.last), n)),
    row("call-then-spaces", ALWAYS, FREE, "white space held after a call without end", "semantics 3",
        |_, s, n| fill(&s.call("f", ""), " ", "", n)),
    row("call-then-newlines", ALWAYS, FREE, "the same, with white space that may stand before a block", "semantics 3",
        |_, s, n| fill(&s.call("f", ""), "\n", "x", n)),
    row("call-then-prose", ALWAYS, FREE, "text after a call searched for more calls", "reference-systems M82",
        |_, s, n| fill(&s.call("f", ""), PROSE, "", n)),
    // Arguments.
    row("huge-string", ALWAYS, FREE, "re-parsing the arguments on every chunk", "sglang#20883",
        |_, s, n| fill(&s.in_string(), "abcdefg ", &s.string_to_end(), n)),
    row("huge-string-declared", ALWAYS, Setup::Declared, "coercing a long text again and again", "sglang#20883",
        |_, s, n| fill(&s.in_string(), "abcdefg\\n", &s.string_to_end(), n)),
    row("huge-escapes", ALWAYS, FREE, "finding out whether a quote is escaped", "composed",
        |_, s, n| fill(&s.in_string(), "\\\"\\\\\\u00e9\\n", &s.string_to_end(), n)),
    row("huge-non-ascii", ALWAYS, FREE, "counting characters from the start", "composed",
        |_, s, n| fill(&s.in_string(), "é漢👩\u{200d}🔬", &s.string_to_end(), n)),
    row("open-string", ALWAYS, FREE, "searching the closing quote from the opening one on every chunk", "reference-systems 1.8",
        |_, s, n| fill(&s.in_string(), "a", "", n)),
    row("open-string-near-tags", ALWAYS, FREE, "each `</` as the beginning of a closer", "peer-bench",
        |_, s, n| fill(&s.in_string(), "</", "", n)),
    row("open-string-backslashes", ALWAYS, FREE, "counting backslashes back", "composed",
        |_, s, n| fill(&s.in_string(), "\\", "", n)),
    row("openers-in-a-string", ALWAYS, FREE, "markers that are data, each a place to resume", "semantics 2, 8",
        |_, s, n| fill(&s.in_string(), &s.open, &s.string_to_end(), n)),
    row("openers-in-an-open-string", ALWAYS, FREE, "the same when the unit fails", "semantics 2",
        |_, s, n| fill(&s.in_string(), &s.open, "", n)),
    row("closers-in-a-string", When::Closer, FREE, "closers that are data", "dialects B1",
        |_, s, n| fill(&s.in_string(), &s.close, &s.string_to_end(), n)),
    row("calls-in-a-string", ALWAYS, FREE, "whole calls that are data", "semantics 8",
        |_, s, n| {
            let call = s.call("f", "");
            let data = if s.quoted { call.replace('"', "\\\"").replace('\n', "\\n") } else { call };
            fill(&s.in_string(), &data, &s.string_to_end(), n)
        }),
    row("open-nested-lists", ALWAYS, FREE, "depth; a scan to the matching bracket from each", "reference-systems M11, 1.7",
        |_, s, n| fill(&s.in_value("a"), "[", "", n)),
    row("nested-lists", ALWAYS, FREE, "the same, balanced (50,000 pairs)", "reference-systems 1.7",
        |_, s, n| {
            let depth = n.saturating_sub(s.in_value("a").len() + s.value_to_end().len()) / 2;
            fill(&s.in_value("a"), "[", &("]".repeat(depth) + &s.value_to_end()), n)
        }),
    row("open-nested-objects", ALWAYS, FREE, "depth by objects", "composed",
        |_, s, n| fill(&s.in_value("o"), "{\"o\": ", "", n)),
    row("nested-in-calls", ALWAYS, Setup::Declared, "values just below the depth cap, call after call", "semantics 7",
        |_, s, n| {
            let value = "[".repeat(100) + &"]".repeat(100);
            fill("", &(s.in_value("a") + &value + &s.value_to_end() + "\n"), "", n)
        }),
    row("flat-list", ALWAYS, Setup::Declared, "typing each item against the whole value", "composed",
        |_, s, n| fill(&s.in_value("a"), "1, ", &s.value_to_end(), n)),
    row("flat-list-closed", ALWAYS, Setup::Declared, "a union that tries each alternative on a long value", "semantics 7",
        |_, s, n| fill(&(s.in_value("u") + "[1"), ", 2", &("]".to_owned() + &s.value_to_end()), n)),
    row("long-number", ALWAYS, Setup::Declared, "reading a number again on each digit", "semantics 7",
        |_, s, n| fill(&s.in_value("n"), "1", &s.value_to_end(), n)),
    row("many-parameters", ALWAYS, UNCAPPED, "comparing each key with all before", "reference-systems M10, 1.7",
        |_, s, n| parameters(s, n, |i| format!("p{i}"))),
    row("repeated-parameter", ALWAYS, UNCAPPED, "rewriting the arguments for each duplicate", "semantics 6",
        |_, s, n| parameters(s, n, |_| "k".to_owned())),
    row("parameters-past-the-cap", ALWAYS, FREE, "what comes after the parameter that is one too many", "reference-systems M10, 1.7",
        |_, s, n| parameters(s, n, |i| format!("p{i}"))),
    row("long-parameter-name", ALWAYS, FREE, "a parameter name without end", "reference-systems M23",
        |_, s, n| fill(&(s.head() + &s.string[0]), "a", "", n)),
    row("long-name", ALWAYS, FREE, "a name without end (50,000 letters; an unterminated `name=\"`)", "reference-systems 1.7, M22",
        |_, s, n| fill(&format!("{}{}", s.first, s.unit), "a", "", n)),
    row("long-dotted-name", ALWAYS, FREE, "trying each part of a name", "reference-systems M4",
        |_, s, n| fill(&format!("{}{}", s.first, s.unit), "a.b:", "", n)),
    row("long-names-closed", ALWAYS, Setup::Declared, "long refused names, block after block", "composed",
        |_, s, n| fill("", &(s.call(&"a".repeat(300), "") + "\n"), "", n)),
    // Units that stay open when the next one opens.
    row("heads", ALWAYS, FREE, "resuming inside a failed unit and failing again", "semantics 2",
        |_, s, n| fill("", &s.head(), "", n)),
    row("heads-in-strings", ALWAYS, FREE, "the same with a string left open", "reference-systems M14",
        |_, s, n| fill("", &s.in_string(), "", n)),
    row("heads-in-values", ALWAYS, FREE, "the same with a list left open", "reference-systems M14",
        |_, s, n| fill("", &(s.in_value("a") + "[1, "), "", n)),
    row("units-to-the-name", ALWAYS, FREE, "the same with the name left open", "reference-systems M22",
        |_, s, n| fill("", &format!("{}{}", s.first, s.unit), "", n)),
    row("malformed-calls", ALWAYS, FREE, "failing late in each unit", "semantics 6",
        |_, s, n| fill("", &(s.in_value("a") + "[1,,]}" + &s.value_to_end() + "\n"), "", n)),
    // Reasoning.
    row("reasoning-without-end", When::Reasoning, FREE, "searching the closer from the opener on every chunk", "reference-systems X50",
        |d, _, n| fill(d.reasoning[0].open, PROSE, "", n)),
    row("reasoning-openers", When::Reasoning, FREE, "an opener inside an open span", "composed",
        |d, _, n| fill("", d.reasoning[0].open, "", n)),
    row("reasoning-closers", When::Reasoning, FREE, "closers without an opener", "semantics 8",
        |d, _, n| fill("", d.reasoning[0].close, "", n)),
    row("reasoning-spans", When::Reasoning, FREE, "many short spans", "composed",
        |d, _, n| fill("", &format!("{}\nab\n{}\n\n", d.reasoning[0].open, d.reasoning[0].close), "", n)),
    row("reasoning-near-closers", When::Reasoning, FREE, "a partial closer held in a span", "reference-systems X50",
        |d, _, n| fill(d.reasoning[0].open, short(d.reasoning[0].close), "", n)),
    row("reasoning-newlines", When::Reasoning, FREE, "the newline before a closer, held in a run of newlines", "semantics 3c",
        |d, _, n| fill(d.reasoning[0].open, "\n", d.reasoning[0].close, n)),
    row("calls-in-reasoning", When::Reasoning, FREE, "calls that are data in a span that the model opened", "semantics 8",
        |d, s, n| fill(d.reasoning[0].open, &(s.call("f", "v") + "\n"), "", n)),
    row("prompt-opened-heads", When::Reasoning, Setup::ReasoningOpen, "openers that might end the span but start no unit", "dialects B50",
        |_, s, n| fill("", &(s.open.clone() + "x"), "", n)),
    row("prompt-opened-units", When::Reasoning, Setup::ReasoningOpen, "units in a prompt-opened span, each left open", "dialects B50",
        |_, s, n| fill("", &s.head(), "", n)),
    row("prompt-opened-prose", When::Reasoning, Setup::ReasoningOpen, "a prompt-opened span that never ends", "dialects B50",
        |_, _, n| fill("", PROSE, "", n)),
];
