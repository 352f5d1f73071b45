//! External programs as kinds: each rule of the contract, on programs in memory and on real ones.

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
