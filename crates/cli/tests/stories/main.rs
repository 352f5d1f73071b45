//! Facts from mgmt's tests and the issues of its users, tested with the real binary on real files.
//! `docs/facts-mgmt.md` lists them.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests tamper with real files, and look at real processes"
)]

mod attributes;
mod commands;
mod coverage;
mod drift;
mod endings;
mod folder;
mod graphs;
mod locks;
mod metrics;
mod races;
mod running_watch;
mod swaps;
mod values;
mod weaknesses;
mod work_log;
