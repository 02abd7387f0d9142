//! Which call an entry of `tool_calls` belongs to, and what it adds. The reader and the laws ask the same code, so that a law speaks of what
//! the reader read.

use std::collections::HashMap;

use serde_json::Value;

use crate::sse::Place;
use crate::strict;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Begins a call.
    Header,
    /// Arguments of a call that has not begun.
    Orphan,
    /// Adds to a call.
    Fragment,
    /// Says id, type or name of a call again.
    Repeat,
    /// Sends a complete call's arguments again, all of them.
    Resent,
}

/// One entry, taken apart.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub place: Place,
    pub choice: i64,
    /// The index as sent, if it is one.
    pub index: Option<i64>,
    pub role: Role,
    /// Which of [`Calls::all`]; `None` for an orphan.
    pub call: Option<usize>,
    /// Fields that a header alone may have and this entry has too.
    pub again: Vec<&'static str>,
    /// What an entry behind a header must not leave out or empty, and this one does.
    pub lacks: Option<&'static str>,
    /// The arguments it adds.
    pub arguments: String,
}

/// A call as its entries make it.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub choice: i64,
    /// Its index as sent, or the one it should have.
    pub index: i64,
    /// How many calls of its choice began before it.
    pub order: usize,
    /// The header's entry.
    pub header: Value,
    pub id: String,
    pub name: String,
    /// True if another call had its index.
    pub shares_index: bool,
    /// All arguments.
    pub arguments: String,
    pub begun: Place,
    pub last: Place,
}

/// All calls of a stream.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    pub all: Vec<Call>,
    /// The call that now has an index of a choice.
    now: HashMap<(i64, i64), usize>,
    /// Arguments that came before their call.
    orphans: HashMap<(i64, i64), String>,
    /// Calls of each choice, in order.
    of_choice: HashMap<i64, Vec<usize>>,
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// What the entry behind a header lacks.
fn lacks(value: &Value) -> Option<&'static str> {
    match (value.get("type"), value.get("function")) {
        (Some(Value::Null), _) => Some("`type` is null in an entry"),
        (Some(Value::String(kind)), _) if kind.is_empty() => Some("`type` is empty in an entry"),
        (_, None) => Some("`function` is absent in an entry"),
        (_, Some(Value::Null)) => Some("`function` is null in an entry"),
        _ => None,
    }
}

impl Calls {
    /// Takes one entry of `choice`.
    pub fn entry(&mut self, choice: i64, value: &Value, place: Place) -> Entry {
        let function = value.get("function").unwrap_or(&Value::Null);
        let (id, name, kind) = (word(value, "id"), word(function, "name"), word(value, "type"));
        let arguments = word(function, "arguments").to_owned();
        let sent = value.get("index").and_then(Value::as_i64).filter(|index| *index >= 0);
        let known = self.of_choice.get(&choice).map(Vec::as_slice).unwrap_or_default();
        // Without an index: a new call if it has a name, else the last one. It is reported once, as CC05.
        let index = sent.unwrap_or_else(|| {
            let next = i64::try_from(known.len()).unwrap_or(i64::MAX);
            let last = known.last().map_or(0, |call| self.all[*call].index);
            if name.is_empty() && !known.is_empty() { last } else { next }
        });
        let mut entry = Entry {
            place,
            choice,
            index: sent,
            role: Role::Fragment,
            call: None,
            again: Vec::new(),
            lacks: None,
            arguments: arguments.clone(),
        };
        let now = self.now.get(&(choice, index)).copied();
        let another = now.is_some_and(|call| !id.is_empty() && !self.all[call].id.is_empty() && self.all[call].id != id);
        match now {
            Some(at) if !another => {
                entry.call = Some(at);
                let call = &mut self.all[at];
                entry.lacks = lacks(value);
                let fields = [("id", id), ("type", kind), ("name", name)];
                entry.again = fields.into_iter().filter(|(_, text)| !text.is_empty()).map(|(field, _)| field).collect();
                if !arguments.is_empty() && arguments == call.arguments && strict::is_object(&arguments) {
                    entry.role = Role::Resent;
                    entry.again.clear();
                } else {
                    call.arguments.push_str(&arguments);
                    call.last = place;
                    entry.role = if entry.again.is_empty() { Role::Fragment } else { Role::Repeat };
                }
            }
            None if id.is_empty() && name.is_empty() && kind.is_empty() => {
                entry.role = Role::Orphan;
                self.orphans.entry((choice, index)).or_default().push_str(&arguments);
            }
            _ => {
                entry.role = Role::Header;
                entry.call = Some(self.all.len());
                let order = known.len();
                self.of_choice.entry(choice).or_default().push(self.all.len());
                self.now.insert((choice, index), self.all.len());
                let before = self.orphans.remove(&(choice, index)).unwrap_or_default();
                self.all.push(Call {
                    choice,
                    index,
                    order,
                    header: value.clone(),
                    id: id.to_owned(),
                    name: name.to_owned(),
                    shares_index: another,
                    arguments: before + &arguments,
                    begun: place,
                    last: place,
                });
            }
        }
        entry
    }

    /// The last call of a choice.
    pub fn last_of(&self, choice: i64) -> Option<&Call> {
        self.of_choice.get(&choice)?.last().map(|call| &self.all[*call])
    }

    /// The calls of a choice, in order.
    pub fn of(&self, choice: i64) -> impl Iterator<Item = &Call> {
        self.of_choice.get(&choice).into_iter().flatten().map(|call| &self.all[*call])
    }
}
