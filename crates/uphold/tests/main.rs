//! The facade, as programs use it.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests use real files and processes")]

mod crashes;
mod facade;
mod purge;
mod watch;
