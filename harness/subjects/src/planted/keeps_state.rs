//! `keeps-state`: the index of the next call outlives the reply, so the second reply on one instance starts too high.

use streakstone_model::{End, Event};
use streakstone_suite::subject::Held;

use super::core::Core;
use super::{Model, Planted};

struct KeepsState {
    core: Core,
}

impl Model for KeepsState {
    fn chunk(&mut self, text: &str, end: Option<End>, out: &mut Vec<Event>) {
        self.core.chunk(text, None, out);
        if end.is_some() {
            let kept = self.core.next_index;
            self.core.chunk("", end, out);
            self.core.next_index = kept;
        }
    }

    fn held(&self) -> Held {
        self.core.held()
    }
}

/// The subject.
pub(super) fn subject() -> Planted {
    Planted {
        name: "keeps-state",
        law: "reusable",
        about: "the next call's index outlives the reply",
        spans: true,
        make: |request| Box::new(KeepsState { core: Core::new(request) }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Request;
    use super::*;

    #[test]
    fn the_second_reply_goes_on_counting() {
        let mut model = KeepsState { core: Core::new(Request::default()) };
        let mut read = || {
            let mut out = Vec::new();
            model.chunk(r#"<tool_call>{"name":"f","arguments":{}}</tool_call>"#, Some(End::Stop), &mut out);
            out.iter().find_map(|event| if let Event::CallBegin { index, .. } = event { Some(*index) } else { None })
        };
        assert_eq!((read(), read()), (Some(0), Some(1)));
    }
}
