//! Cases, plans, laws, goldens, verdicts, run logs, the judge and the shrinker. Knows no subject: a parser comes in only as
//! a [`Subject`].

pub mod case;
pub mod subject;
pub mod verdict;
