//! Machines in memory: a complete one, and the overlay for plans.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests use real files and processes"
)]

mod memory_host;
mod overlay;
