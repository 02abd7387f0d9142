//! From a parser's events to the steps that leave by a surface. What all three surfaces have in common is decided here, once: ids, the
//! budget of calls, `{}` for a call without arguments, and the finish reason.

use std::collections::HashMap;

use streakstone_model::{CallOutcome, Event, Finish, Parallel};

use crate::Surface;
use crate::delivered::{Ending, Step};
use crate::ids::Ids;

/// How many calls a response may still carry (`parallel_tool_calls: false`, `disable_parallel_tool_use`). Everything that sends calls
/// into one response, a parser or a server's own, takes from the same budget.
#[derive(Debug, Clone)]
pub struct CallBudget {
    left: usize,
}

impl CallBudget {
    /// The budget of a request.
    #[must_use]
    pub const fn new(parallel: Parallel) -> Self {
        Self {
            left: match parallel {
                Parallel::All => usize::MAX,
                Parallel::First => 1,
            },
        }
    }

    /// Takes one call's place; false if none is left.
    pub const fn take(&mut self) -> bool {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}

/// A call that is on its way out.
#[derive(Debug)]
struct Open {
    /// Its index on the surface.
    index: usize,
    empty: bool,
}

/// Turns events into steps.
#[derive(Debug)]
pub(crate) struct Outgoing {
    surface: Surface,
    budget: CallBudget,
    /// The calls of the events that are on the surface and have not ended, by the events' index.
    open: HashMap<usize, Open>,
    begun: usize,
    complete: usize,
}

impl Outgoing {
    pub fn new(surface: Surface, parallel: Parallel) -> Self {
        Self { surface, budget: CallBudget::new(parallel), open: HashMap::new(), begun: 0, complete: 0 }
    }

    /// The steps of one event. A call beyond the budget leaves none.
    pub fn step(&mut self, event: &Event, ids: &mut Ids, steps: &mut Vec<Step>) {
        match event {
            Event::Text { text, .. } if !text.is_empty() => steps.push(Step::Text(text.clone())),
            Event::Reasoning { text, .. } if !text.is_empty() => steps.push(Step::Reasoning(text.clone())),
            Event::Text { .. } | Event::Reasoning { .. } | Event::Bytes { .. } => {}
            Event::CallBegin { index, name, id, minted } => {
                if self.budget.take() {
                    let id = ids.call(self.surface, id, *minted);
                    steps.push(Step::CallBegin { index: self.begun, id, name: name.clone() });
                    self.open.insert(*index, Open { index: self.begun, empty: true });
                    self.begun += 1;
                }
            }
            Event::Arguments { index, fragment } => {
                if let Some(open) = self.open.get_mut(index).filter(|_| !fragment.is_empty()) {
                    open.empty = false;
                    steps.push(Step::Arguments { index: open.index, fragment: fragment.clone() });
                }
            }
            Event::CallEnd { index, outcome } => {
                if let Some(Open { index, empty }) = self.open.remove(index) {
                    let complete = *outcome == CallOutcome::Complete;
                    if complete && empty {
                        steps.push(Step::Arguments { index, fragment: "{}".to_owned() });
                    }
                    self.complete += usize::from(complete);
                    steps.push(Step::CallEnd { index, complete });
                }
            }
            Event::Finish { reason } => {
                let honest = match reason {
                    Finish::Length => Finish::Length,
                    Finish::Stop | Finish::ToolCalls if self.complete > 0 => Finish::ToolCalls,
                    Finish::Stop | Finish::ToolCalls => Finish::Stop,
                };
                steps.push(Step::Finish(Ending::Known(honest)));
            }
        }
    }
}
