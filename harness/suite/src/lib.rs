//! Cases, plans, laws, goldens, verdicts, run logs, the judge and the shrinker. Knows no subject: a parser comes in only as
//! a [`Subject`].

pub mod case;
pub mod corpus;
mod digest;
pub mod golden;
pub mod known;
mod load;
pub mod runlog;
pub mod schema;
pub mod difference;
pub mod judge;
pub mod law;
pub mod limits;
pub mod markers;
pub mod plan;
pub mod seeded;
pub mod shrink;
pub mod subject;
pub mod verdict;
