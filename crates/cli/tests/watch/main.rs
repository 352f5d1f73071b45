//! `uphold watch` from outside: the real binary on real files.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests prepare real files")]

mod ending;
mod json;
mod kind_files;
mod live;
mod purged;
mod relative_paths;
mod reload;
mod removal;
mod repairs;
mod secret_reasons;
mod session;
mod supervision;
mod verification;
