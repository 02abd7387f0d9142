//! `loses-finishing-text`: text that arrives in the chunk with the end cause never goes out (the finish is handled first).

use streakstone_model::{End, Event};
use streakstone_suite::subject::Held;

use super::core::Core;
use super::{Model, Planted};

struct LosesFinishingText {
    core: Core,
}

impl Model for LosesFinishingText {
    fn chunk(&mut self, text: &str, end: Option<End>, out: &mut Vec<Event>) {
        let before = out.len();
        self.core.chunk(text, end, out);
        if end.is_some() && !text.is_empty() {
            let late = out.split_off(before);
            out.extend(late.into_iter().filter(|event| !matches!(event, Event::Text { .. })));
        }
    }

    fn held(&self) -> Held {
        self.core.held()
    }
}

/// The subject.
pub(super) fn subject() -> Planted {
    Planted {
        name: "loses-finishing-text",
        law: "no-byte-lost",
        about: "text in the chunk with the end cause is lost",
        spans: true,
        make: |request| Box::new(LosesFinishingText { core: Core::new(request) }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Request;
    use super::*;
    use streakstone_model::Reply;

    fn content(chunks: &[(&str, Option<End>)]) -> String {
        let mut model = (subject().make)(Request::default());
        let mut out = Vec::new();
        for (chunk, end) in chunks {
            model.chunk(chunk, *end, &mut out);
        }
        Reply::from_events(&out).unwrap().content()
    }

    #[test]
    fn text_is_lost_only_where_the_end_rides_on_it() {
        assert_eq!(content(&[("Hello ", None), ("there", Some(End::Stop))]), "Hello ");
        assert_eq!(content(&[("Hello ", None), ("there<", None), ("", Some(End::Stop))]), "Hello there<");
    }
}
