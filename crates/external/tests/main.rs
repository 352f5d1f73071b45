//! External programs as kinds.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests use real files and processes"
)]

mod examples;

/// External programs as kinds: each rule of the contract, on programs in memory and on real ones.
mod programs {
    mod adapters;
    mod compared;
    mod faults;
    mod laws;
    mod names;
    mod printed;
    mod real;
    mod rules;
    mod schemas;
    mod secrets;
    mod stage;
    mod turns;
    mod verdicts;
}
