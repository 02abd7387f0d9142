//! One reading.

use super::panic::caught;
use super::{Adapter, Delta, No, Request, Session};
use crate::message::{Event, Reading, Unit};

/// How a text is handed over.
#[derive(Debug, Clone, Copy, Default)]
pub struct How<'a> {
    /// Ascending byte offsets; `None` is the whole entry point.
    pub cuts: Option<&'a [usize]>,
    /// The finish reason rides on the last delta.
    pub last_with_finish: bool,
    /// The same instance reads the text twice, the second reading counts.
    pub reuse: bool,
}

/// Reads the request's text once, with a fresh parser. A panic is a result.
///
/// # Errors
/// The cuts are not for this text, or the adapter says that it is broken.
pub fn read(adapter: &dyn Adapter, unit: Unit, request: &Request, how: How<'_>) -> Result<Reading, String> {
    let deltas = how.cuts.map(|cuts| deltas(request, cuts, unit)).transpose()?;
    let got = caught(|| match &deltas {
        None => Ok((adapter.whole(request)?, None)),
        Some(deltas) => {
            let mut session = adapter.open(request)?;
            if how.reuse {
                stream(&mut *session, deltas, request, how.last_with_finish)?;
            }
            stream(&mut *session, deltas, request, how.last_with_finish).map(|(events, at)| (events, Some(at)))
        }
    });
    match got.unwrap_or_else(|why| Err(No::Raised(why))) {
        Ok((events, at)) => Ok(Reading::Events { events, at }),
        Err(No::Rejected(why)) => Ok(Reading::Rejected(why)),
        Err(No::Raised(why)) => Ok(Reading::Raised(why)),
        Err(No::Unsupported(why)) => Ok(Reading::Unsupported(why)),
        Err(No::Fault(why)) => Err(why),
    }
}

fn stream(session: &mut dyn Session, deltas: &[Delta<'_>], request: &Request, ride: bool) -> Result<(Vec<Event>, Vec<usize>), No> {
    let (mut all, mut at) = (Vec::new(), Vec::new());
    let mut put = |place: usize, events: Vec<Event>| {
        at.resize(at.len() + events.len(), place);
        all.extend(events);
    };
    let (last, before) = deltas.split_last().ok_or_else(|| No::Fault("a stream without a delta".to_owned()))?;
    for (place, delta) in before.iter().enumerate() {
        put(place, session.push(*delta)?);
    }
    if let Some(events) = ride.then(|| session.last(*last, request.end)).flatten() {
        put(before.len(), events?);
    } else {
        put(before.len(), session.push(*last)?);
        put(deltas.len(), session.finish(request.end)?);
    }
    Ok((all, at))
}

fn deltas<'a>(request: &'a Request, cuts: &[usize], unit: Unit) -> Result<Vec<Delta<'a>>, String> {
    let raw = &request.raw;
    if !cuts.is_sorted() || cuts.last().is_some_and(|&last| last > raw.len()) {
        return Err(format!("cuts {cuts:?} are not ascending offsets into {} bytes", raw.len()));
    }
    let text = request.text();
    if let Some(cut) = cuts.iter().find(|&&cut| unit != Unit::Bytes && !text.is_char_boundary(cut)) {
        return Err(format!("cut {cut} is inside a character, which only a unit of `bytes` takes"));
    }
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain(std::iter::once(raw.len()));
    Ok(starts.zip(ends).map(|(start, end)| Delta { bytes: &raw[start..end], start, special: &request.special }).collect())
}
