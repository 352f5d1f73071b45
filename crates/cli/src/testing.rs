//! `uphold test`: running tests of configurations, and reporting them.

mod report;
mod run;

pub(crate) use report::refuse;
pub(crate) use run::{Tests, find_files};
