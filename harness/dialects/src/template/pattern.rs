//! The regular expressions of a template, taken apart: literal text, white space, named groups. What is more than that is refused,
//! never guessed at.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{AssertionKind, Ast, ClassPerlKind, ClassSet, ClassSetItem, GroupKind, RepetitionKind, RepetitionOp};

/// One piece of a pattern, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Literal text without line ends.
    Text(String),
    /// Any white space, or a literal newline.
    Space,
    /// Text of any kind, captured under a name.
    Group(String),
    /// Text of any kind.
    Any,
    /// One of these literals.
    OneOf(Vec<String>),
    /// Literal text that may be missing.
    Maybe(String),
}

/// The pieces of `pattern`, adjacent texts joined, without white space at its ends: where that stands, our rules of white space decide.
///
/// # Errors
/// What is in it that no row of data can say.
pub(super) fn pieces(pattern: &str) -> Result<Vec<Piece>, String> {
    let ast = Parser::new().parse(pattern).map_err(|error| {
        let said = error.kind().to_string();
        format!("the pattern `{pattern}` is not read: {said}")
    })?;
    let mut pieces = Vec::new();
    walk(&ast, pattern, &mut pieces)?;
    Ok(trimmed(pieces))
}

fn trimmed(mut pieces: Vec<Piece>) -> Vec<Piece> {
    while pieces.last() == Some(&Piece::Space) {
        pieces.pop();
    }
    let lead = pieces.iter().take_while(|piece| **piece == Piece::Space).count();
    pieces.drain(..lead);
    pieces
}

fn walk(ast: &Ast, pattern: &str, to: &mut Vec<Piece>) -> Result<(), String> {
    match ast {
        Ast::Empty(_) => {}
        Ast::Literal(literal) if literal.c.is_whitespace() && literal.c != ' ' => push(Piece::Space, to),
        Ast::Literal(literal) => push(Piece::Text(literal.c.into()), to),
        // Python has no `\<`: there it is the character.
        Ast::Assertion(assertion) if assertion.kind == AssertionKind::WordBoundaryStartAngle => push(Piece::Text("<".to_owned()), to),
        Ast::Assertion(assertion) if assertion.kind == AssertionKind::WordBoundaryEndAngle => push(Piece::Text(">".to_owned()), to),
        Ast::Concat(concat) => concat.asts.iter().try_for_each(|part| walk(part, pattern, to))?,
        Ast::Alternation(alternation) => push(Piece::OneOf(alternatives(&alternation.asts, pattern)?), to),
        Ast::Group(group) => match &group.kind {
            GroupKind::CaptureName { name, .. } => {
                if !is_any(&group.ast) {
                    return Err(refused(ast, pattern, "a named group of more than text of any kind"));
                }
                push(Piece::Group(name.name.clone()), to);
            }
            GroupKind::NonCapturing(flags) if !flags.items.is_empty() => return Err(refused(ast, pattern, "a group with flags")),
            GroupKind::NonCapturing(_) | GroupKind::CaptureIndex(_) => walk(&group.ast, pattern, to)?,
        },
        Ast::Repetition(repetition) if is_space(&repetition.ast) => push(Piece::Space, to),
        Ast::Repetition(repetition) if is_class(&repetition.ast) => push(Piece::Any, to),
        Ast::Repetition(repetition) if matches!(repetition.op, RepetitionOp { kind: RepetitionKind::ZeroOrOne, .. }) => {
            let mut inner = Vec::new();
            walk(&repetition.ast, pattern, &mut inner)?;
            match trimmed(inner).as_slice() {
                [Piece::Text(text)] => push(Piece::Maybe(text.clone()), to),
                _ => return Err(refused(ast, pattern, "an optional part that is no literal")),
            }
        }
        Ast::ClassPerl(_) | Ast::ClassBracketed(_) if is_space(ast) => push(Piece::Space, to),
        Ast::Repetition(_) => return Err(refused(ast, pattern, "a repetition")),
        Ast::Flags(_) => return Err(refused(ast, pattern, "flags")),
        Ast::Assertion(_) => return Err(refused(ast, pattern, "an assertion")),
        Ast::Dot(_) | Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) => return Err(refused(ast, pattern, "a class")),
    }
    Ok(())
}

/// True for classes and dots, once or repeated: the content of a named group.
fn is_any(ast: &Ast) -> bool {
    match ast {
        Ast::Concat(concat) => concat.asts.iter().all(is_any),
        Ast::Repetition(repetition) => is_class(&repetition.ast),
        _ => is_class(ast),
    }
}

fn is_class(ast: &Ast) -> bool {
    matches!(ast, Ast::Dot(_) | Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_))
}

/// True for `\s`, a literal of white space, and a class of nothing else.
fn is_space(ast: &Ast) -> bool {
    match ast {
        Ast::Literal(literal) => literal.c.is_whitespace(),
        Ast::ClassPerl(class) => class.kind == ClassPerlKind::Space && !class.negated,
        Ast::ClassBracketed(class) if !class.negated => match &class.kind {
            ClassSet::Item(ClassSetItem::Union(union)) => union.items.iter().all(is_space_item),
            ClassSet::Item(item) => is_space_item(item),
            ClassSet::BinaryOp(_) => false,
        },
        _ => false,
    }
}

fn is_space_item(item: &ClassSetItem) -> bool {
    match item {
        ClassSetItem::Literal(literal) => literal.c.is_whitespace(),
        ClassSetItem::Perl(class) => class.kind == ClassPerlKind::Space && !class.negated,
        _ => false,
    }
}

fn alternatives(asts: &[Ast], pattern: &str) -> Result<Vec<String>, String> {
    let literal = |ast: &Ast| {
        let mut inner = Vec::new();
        walk(ast, pattern, &mut inner)?;
        match trimmed(inner).as_slice() {
            [Piece::Text(text)] => Ok(vec![text.clone()]),
            [Piece::OneOf(texts)] => Ok(texts.clone()),
            _ => Err(refused(ast, pattern, "an alternative that is no literal")),
        }
    };
    Ok(asts.iter().map(literal).collect::<Result<Vec<_>, _>>()?.concat())
}

fn push(piece: Piece, to: &mut Vec<Piece>) {
    match (to.last_mut(), piece) {
        (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
        (Some(Piece::Space), Piece::Space) => {}
        (_, piece) => to.push(piece),
    }
}

fn refused(ast: &Ast, pattern: &str, what: &str) -> String {
    let span = ast.span();
    let part = pattern.get(span.start.offset..span.end.offset).unwrap_or(pattern);
    format!(
        "`{part}` is {what}, which no row of data says; a pattern may hold literals, white space, named groups, and alternatives of literals"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Piece {
        Piece::Text(text.to_owned())
    }

    fn group(name: &str) -> Piece {
        Piece::Group(name.to_owned())
    }

    #[test]
    fn simple_patterns_come_apart() {
        for (pattern, expected) in [
            (r"\s*<tool_call>", vec![text("<tool_call>")]),
            (r"\s*(?:<\|im_end\|>|<\|endoftext\|>)", vec![Piece::OneOf(vec!["<|im_end|>".to_owned(), "<|endoftext|>".to_owned()])]),
            (r"\n*a\|b|(c)|(?:d|e)\s", vec![Piece::OneOf(["a|b", "c", "d", "e"].map(str::to_owned).to_vec())]),
            (
                r"\s*<tool_call>\s*<function=(?P<name>[^>\n]+)>",
                vec![text("<tool_call>"), Piece::Space, text("<function="), group("name"), text(">")],
            ),
            (
                r"<p=(?<key>\w+?)>\n?(?P<value>[\s\S]*?)[ \n]*</p>",
                vec![text("<p="), group("key"), text(">"), Piece::Space, group("value"), Piece::Space, text("</p>")],
            ),
            (r"(?:</function>\s*)?</tool_call>", vec![Piece::Maybe("</function>".to_owned()), text("</tool_call>")]),
            (r"\<call name\=.*\>", vec![text("<call name="), Piece::Any, text(">")]),
            ("a\tb c", vec![text("a"), Piece::Space, text("b c")]),
        ] {
            assert_eq!(pieces(pattern), Ok(expected), "{pattern}");
        }
    }

    #[test]
    fn what_is_more_than_text_is_refused_with_the_part_that_is() {
        for (pattern, parts) in [
            ("^<call>", ["`^`", "an assertion"]),
            ("<call>(?=x)", ["is not read", "look-around"]),
            ("<call>(?:ab)*", ["`(?:ab)*`", "a repetition"]),
            ("<call>a+", ["`a+`", "a repetition"]),
            ("<call>[ab]", ["`[ab]`", "a class"]),
            ("<call>(?:x+|y)", ["`x+`", "a repetition"]),
            (r"<call>(?:\w+|y)", [r"`\w+`", "an alternative that is no literal"]),
            ("(?i)<call>", ["`(?i)`", "flags"]),
            ("(?i:<call>)", ["`(?i:<call>)`", "flags"]),
            ("(?P<name>get_[a-z]+)", ["`(?P<name>get_[a-z]+)`", "a named group"]),
            (r"(?:\w+)?<call>", [r"`(?:\w+)?`", "an optional part"]),
            ("(<call", ["is not read", "unclosed group"]),
        ] {
            let said = pieces(pattern).err().unwrap_or_default();
            assert!(parts.iter().all(|part| said.contains(part)), "{pattern}: {said}");
        }
    }
}
