//! A name between markers, then one JSON object (G4), and `Action:` lines (G17).

use super::GrammarId;
use crate::markers::Markers;
use crate::spelling::Spelling;

/// One part of what stands between a unit's opener and its arguments. White space may stand before each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// One of these spellings must stand here; the template's first.
    Text(&'static [&'static str]),
    /// One of these may stand here.
    Maybe(&'static [&'static str]),
    /// White space that the template writes. Any is read, or none.
    Space(&'static str),
    /// The function's name.
    Name,
    /// `functions.NAME:INDEX`, the call's id, which holds the name.
    NameInId,
    /// The call's id; may be empty.
    Id,
    /// This marker and the call's id, if the marker stands here.
    MaybeId(&'static str),
    /// An element that is read and not used, if its opener stands here: opener and closer.
    MaybeElement([&'static str; 2]),
}

/// `SECTION (OPEN header {...} CLOSE)* END`, each but the header and the object optional in some row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedCalls {
    /// Which grammar it is.
    pub id: GrammarId,
    /// Openers of a section, the template's first. Where units have openers of their own, models leave it out.
    pub open: &'static [&'static str],
    /// Optional closers of a section.
    pub close: &'static [&'static str],
    /// Openers of a unit. Empty: it begins with its header, and without an opener before it only with a marker in it.
    pub unit: &'static [&'static str],
    /// What a unit's closer is made of, in the template's order; each is optional framing.
    pub unit_close: &'static [&'static str],
    /// From the opener to the arguments.
    pub header: &'static [Part],
    /// Openers and the closer of an optional code fence around the arguments.
    pub fence: Option<(&'static [&'static str], &'static str)>,
    /// The template's white space between units.
    pub separator: &'static str,
    /// A body that is no JSON is text up to the unit's closer, and becomes this parameter.
    pub text: Option<&'static str>,
    /// True if a JSON list of call objects may stand in the place of the first unit.
    pub lists: bool,
    /// True if nothing of a call counts before its object has closed: its marker is ordinary text, or its body may be text.
    pub closed: bool,
}

impl NamedCalls {
    /// A unit without markers.
    pub const NONE: Self = Self {
        id: GrammarId::NameSepJson,
        open: &[],
        close: &[],
        unit: &[],
        unit_close: &[],
        header: &[Part::Name],
        fence: None,
        separator: "",
        text: None,
        lists: false,
        closed: false,
    };

    pub(super) const fn id(&self) -> GrammarId {
        self.id
    }

    pub(super) fn markers(&self, to: &mut Markers) {
        to.openers.extend(self.open);
        to.openers.extend(self.unit);
        to.closers.extend(self.unit_close);
        to.closers.extend(self.close);
        if !self.open.is_empty() {
            to.units.extend(self.unit);
            to.units.extend(self.unit_close);
        }
        for part in self.header {
            match part {
                Part::Text(words) | Part::Maybe(words) => to.inner.extend(*words),
                Part::MaybeId(word) => to.inner.push(word),
                Part::MaybeElement(words) => to.inner.extend(words),
                Part::Space(_) | Part::Name | Part::NameInId | Part::Id => {}
            }
        }
    }

    pub(super) fn spelling(&self) -> Spelling {
        let first = |list: &[&'static str]| list.first().copied().unwrap_or("");
        let (section, end) = (first(self.open), first(self.close));
        let open = if self.open.is_empty() { first(self.unit) } else { section };
        let close = if self.open.is_empty() { self.unit_close.last().copied().unwrap_or("") } else { end };
        if self.id == GrammarId::JsonArray {
            return Spelling { first: format!("{open} ["), last: "]".to_owned(), ..Spelling::json(open, close) };
        }
        // Without an opener of its own, a unit repeats the section's.
        let repeats = self.unit.is_empty();
        let mut sides = [first(if repeats { self.open } else { self.unit }).to_owned(), String::new()];
        let mut side = 0;
        for part in self.header {
            match part {
                Part::Text(words) | Part::Maybe(words) => sides[side].push_str(first(words)),
                Part::Space(space) => sides[side].push_str(space),
                Part::Name => side = 1,
                Part::NameInId => {
                    sides[0].push_str("functions.");
                    sides[1].push_str(":0");
                    side = 1;
                }
                Part::Id => sides[side].push('0'),
                Part::MaybeElement([open, close]) => sides[side].extend([open, "s", close]),
                Part::MaybeId(_) => {}
            }
        }
        let (fence, fence_end) =
            self.fence.map_or((String::new(), String::new()), |(open, end)| (format!("\n{}\n", first(open)), format!("\n{end}")));
        let [unit, named] = sides;
        Spelling {
            first: if repeats { "" } else { section }.to_owned(),
            unit,
            named: format!("{named}{fence}{{"),
            call_end: format!("}}{fence_end}{}", self.unit_close.concat()),
            separator: self.separator.to_owned(),
            last: if repeats { "" } else { end }.to_owned(),
            ..Spelling::json(open, close)
        }
    }
}
