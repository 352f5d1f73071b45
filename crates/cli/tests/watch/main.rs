//! `uphold watch` from outside: the real binary on real files.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests prepare real files")]

mod beside;
mod course;
mod ending;
mod json;
mod kind_files;
mod live;
mod purged;
mod reload;
mod secret_reasons;
mod session;
mod supervision;
