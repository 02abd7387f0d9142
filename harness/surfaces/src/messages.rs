//! Anthropic Messages: `spec/surfaces.md` 4.3.

mod blocks;
mod laws;
mod oracle;
mod read;
mod view;
mod write;

pub(crate) use laws::LAWS;
pub(crate) use read::{Reader, whole};
pub(crate) use view::unfold;
pub(crate) use write::Writer;

use crate::context::Context;
use crate::law::{About, Asked, Judgement};
use crate::stream::Stream;

pub(crate) fn judge(stream: &Stream, body: bool, context: &Context) -> Vec<(&'static About, Judgement)> {
    let view = view::View::new(stream);
    let asked = Asked { body, timed: stream.times.is_some(), lost: view.lost };
    crate::law::judge(LAWS, &view, asked, context)
}
