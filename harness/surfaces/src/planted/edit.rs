//! The edits that planted streams are made with.

use serde_json::{Value, json};

use crate::sse::Frame;

/// The data of an event as JSON; null for a sentinel.
pub(super) fn value(frame: &Frame) -> Value {
    serde_json::from_str(&frame.data).unwrap_or(Value::Null)
}

/// The number of the `nth` event, from 0, whose data has something at `pointer`: of that kind, or anywhere in the stream.
pub(super) fn at(frames: &[Frame], what: &str, nth: usize) -> usize {
    let has = |frame: &Frame| match what.strip_prefix('/') {
        Some(_) => value(frame).pointer(what).is_some_and(|value| !value.is_null()),
        None => frame.event.as_deref() == Some(what) || frame.data == what,
    };
    let found = frames.iter().enumerate().filter(|(_, frame)| has(frame)).nth(nth);
    found.map_or_else(|| panic!("the good stream has no event {nth} with {what}"), |(at, _)| at)
}

/// Changes the data of one event.
pub(super) fn change(frames: &mut [Frame], what: &str, nth: usize, edit: impl FnOnce(&mut Value)) {
    let at = at(frames, what, nth);
    let mut data = value(&frames[at]);
    edit(&mut data);
    frames[at].data = data.to_string();
}

/// Sets what stands at `pointer` in one event.
pub(super) fn set(frames: &mut [Frame], what: &str, nth: usize, pointer: &str, new: Value) {
    change(frames, what, nth, |data| {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer begins with a slash");
        match data.pointer_mut(parent) {
            Some(Value::Object(object)) => {
                object.insert(key.to_owned(), new);
            }
            Some(Value::Array(array)) => array[key.parse::<usize>().expect("a number")] = new,
            _ => panic!("the good stream has nothing at {parent}"),
        }
    });
}

/// Removes what stands at `pointer` in one event.
pub(super) fn unset(frames: &mut [Frame], what: &str, nth: usize, pointer: &str) {
    change(frames, what, nth, |data| {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer begins with a slash");
        let gone = data.pointer_mut(parent).and_then(Value::as_object_mut).and_then(|object| object.shift_remove(key));
        assert!(gone.is_some(), "the good stream has nothing at {pointer}");
    });
}

/// Removes one event.
pub(super) fn drop_event(frames: &mut Vec<Frame>, what: &str, nth: usize) {
    frames.remove(at(frames, what, nth));
}

/// Moves one event behind another.
pub(super) fn move_behind(frames: &mut Vec<Frame>, (what, nth): (&str, usize), (behind, behind_nth): (&str, usize)) {
    let frame = frames.remove(at(frames, what, nth));
    frames.insert(at(frames, behind, behind_nth) + 1, frame);
}

/// Sends one event a second time, behind another.
pub(super) fn copy_behind(frames: &mut Vec<Frame>, (what, nth): (&str, usize), (behind, behind_nth): (&str, usize)) {
    let frame = frames[at(frames, what, nth)].clone();
    frames.insert(at(frames, behind, behind_nth) + 1, frame);
}

/// Adds an event behind another.
pub(super) fn insert_behind(frames: &mut Vec<Frame>, behind: &str, nth: usize, data: &Value) {
    let event = data["type"].as_str().map(str::to_owned);
    frames.insert(at(frames, behind, nth) + 1, Frame { event, data: data.to_string() });
}

/// Replaces a text in the data of every event.
pub(super) fn replace(frames: &mut [Frame], from: &str, to: &str) {
    assert!(frames.iter().any(|frame| frame.data.contains(from)), "the good stream has no {from}");
    for frame in frames {
        frame.data = frame.data.replace(from, to);
    }
}

/// Gives the events of a Responses stream their numbers again, so that an edit breaks no law of numbers.
pub(super) fn renumber(frames: &mut [Frame]) {
    let mut next = 0;
    for frame in frames {
        let mut data = value(frame);
        if let Some(object) = data.as_object_mut() {
            object.insert("sequence_number".to_owned(), json!(next));
            next += 1;
            frame.data = data.to_string();
        }
    }
}
