//! Ids of promoted calls: the model's where the surface carries it and it is new in the conversation, else a minted one (semantics 5).

use streakstone_model::{Call, CallId};
use streakstone_surfaces::{IdKind, Ids, Surface};

use crate::gate::Promotable;

/// Gives ids on one surface.
#[derive(Debug)]
pub(crate) struct CallIds {
    surface: Surface,
    ids: Ids,
}

impl CallIds {
    pub fn new(surface: Surface, mut ids: Ids, promotable: &Promotable) -> Self {
        for id in promotable.history() {
            ids.reserve(id);
        }
        Self { surface, ids }
    }

    pub fn call(&mut self, call: &Call) -> String {
        let CallId { value, minted } = &call.id;
        if *minted {
            return self.ids.mint(if self.surface == Surface::Anthropic { IdKind::ToolUse } else { IdKind::Call });
        }
        self.ids.call(self.surface, value, false)
    }

    pub fn mint(&mut self, kind: IdKind) -> String {
        self.ids.mint(kind)
    }
}
