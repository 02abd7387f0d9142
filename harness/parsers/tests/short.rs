//! Calls without arguments in Python lists are read at a glance where no cap on a unit's length is set. A cap that no text reaches
//! turns that off, so that both ways can be held against each other: the same events after every delta.

use streakstone_model::{
    Block, Caps, Delivery, Dialect, End, Event, Grammar, Parallel, Policies, PythonShape, ReadOptions, Tool, Truncated, Undeclared,
    dialects,
};
use streakstone_parsers::{Held, Parser, ToolSet};

const ELEMENTS: &[&str] = &["a()", "a()", "a()", "a()", "f()", "zz()", "a.b()", "a(x=1)", "a(1)", "a( )", "é()", "true", "{}", ""];
const AFTER: &[&str] = &[", ", ",", ", ", ",", ", ", " ,\n", ",,", " ", ")", "<|", "(", "("];
const BEHIND: &[&str] = &["]", "]", "]", "", " ] ", "a", "]\n[a(), "];

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 40).unwrap() % n
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// A list, sound up to some place or to its end.
fn text(dice: &mut Dice, dialect: &Dialect) -> String {
    let Grammar::Python(calls) = &dialect.grammar else { panic!("{} is no row of Python", dialect.name) };
    let mark = |dice: &mut Dice, of: &[&str]| if of.is_empty() || dice.below(4) == 0 { String::new() } else { dice.one(of).to_owned() };
    let mut text = mark(dice, calls.open) + "[";
    for _ in 0..dice.below(9) {
        // One separator in eight is odd, one element in thirty is long.
        let odd = if dice.below(8) == 0 { AFTER.len() } else { 6 };
        match dice.below(30) {
            0 => text += &("n".repeat(20 + dice.below(20)) + "()"),
            1 => text += &" ".repeat(dice.below(300)),
            _ => text += dice.one(ELEMENTS),
        }
        text += dice.one(&AFTER[..odd]);
    }
    text + dice.one(ELEMENTS) + dice.one(BEHIND) + &mark(dice, calls.close) + dice.one(&["", " Done.", "[a(), a()]"])
}

fn read(dialect: &'static Dialect, tools: &ToolSet, options: &ReadOptions, text: &str, step: usize, end: End) -> Vec<(Vec<Event>, Held)> {
    let mut parser = Parser::new(dialect, tools, options);
    let mut deltas = Vec::new();
    for chunk in text.as_bytes().chunks(step) {
        let mut events = Vec::new();
        parser.push(chunk, &mut events);
        deltas.push((events, parser.held()));
    }
    let mut events = Vec::new();
    parser.finish(end, &mut events);
    deltas.push((events, parser.held()));
    deltas
}

#[test]
fn a_glance_says_what_the_unit_says() {
    let rows: Vec<_> = dialects().filter(|d| matches!(&d.grammar, Grammar::Python(calls) if calls.shape == PythonShape::List)).collect();
    let mut dice = Dice(1);
    let mut calls = 0;
    for _ in 0..6000 {
        let dialect = dice.one(&rows);
        let text = text(&mut dice, dialect);
        let tool = |name: &str| Tool { name: name.to_owned(), parameters: serde_json::json!({"properties": {"x": {}}}) };
        let tools = ToolSet::new(dice.one(&[None, Some(&[tool("a"), tool("f")][..])]));
        let policies = Policies {
            delivery: dice.one(Delivery::ALL),
            block: dice.one(Block::ALL),
            undeclared: dice.one(Undeclared::ALL),
            truncated: dice.one(Truncated::ALL),
            parallel: dice.one(Parallel::ALL),
            ..Policies::default()
        };
        let caps = dice.one(&[Caps::default(), Caps::default(), Caps { calls: 2, name: 3, ..Caps::default() }]);
        let caps = Caps { arguments: dice.one(&[usize::MAX, usize::MAX, 2, 1]), ..caps };
        let options = ReadOptions { policies, caps, ..ReadOptions::default() };
        let (step, end) = (1 + dice.below(text.len() + 1), dice.one(&[End::Stop, End::Length, End::StopString]));
        for step in [step, 1 + step % 7] {
            let glance = read(dialect, &tools, &options, &text, step, end);
            let mut slow = options.clone();
            slow.caps.hold = usize::MAX - 1;
            assert_eq!(glance, read(dialect, &tools, &slow, &text, step, end), "{}: {text:?} by {step}, {options:?}", dialect.name);
            calls += glance.iter().flat_map(|(events, _)| events).filter(|e| matches!(e, Event::CallBegin { .. })).count();
        }
    }
    assert!(calls > 5_000, "{calls} calls");
}
