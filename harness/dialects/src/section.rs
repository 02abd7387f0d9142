//! The grammar sections of a dialect file, one file a family. The keys are those of the family's type in `streakstone_model`, where
//! each is explained. A key that is left out comes from the row that `like` names, if that row is of the family, else from the
//! family's plainest form.

mod braces;
mod channels;
mod elements;
mod json;
mod named;
mod python;
mod tags;

pub(crate) use braces::BraceSection;
pub(crate) use channels::ChannelSection;
pub(crate) use elements::ElementSection;
pub(crate) use json::JsonSection;
pub(crate) use named::NamedSection;
pub(crate) use python::PythonSection;
pub(crate) use tags::{NAMED, PLAIN as PLAIN_TAGS, TagSection, id as tags_id};
