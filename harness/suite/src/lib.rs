//! Cases, plans, laws, goldens, verdicts, run logs, the judge and the shrinker. Knows no subject: a parser comes in only as
//! a [`Subject`](subject::Subject).

pub mod case;
pub mod corpus;
pub mod difference;
mod digest;
pub mod encode;
pub mod golden;
pub mod judge;
pub mod known;
pub mod law;
pub mod limits;
mod load;
pub mod markers;
pub mod plan;
pub mod runlog;
pub mod schema;
pub mod seeded;
pub mod shrink;
pub mod subject;
pub mod verdict;
