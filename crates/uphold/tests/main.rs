//! The facade, as programs use it.
#![expect(clippy::disallowed_methods, reason = "the tests prepare real files")]

mod crashes;
mod facade;
mod purge;
mod watch;
