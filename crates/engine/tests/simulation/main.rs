//! Random programs on a machine in memory: plan, apply, apply again, with rules that must hold after each.
//!
//! `UPHOLD_SEED=n` runs one seed and prints the program and all events, with `UPHOLD_JOBS` visits at a time;
//! `UPHOLD_SEEDS=a..b` runs a range.

mod dice;
mod expression;
mod invention;
mod kinds;
mod machine;
mod news;
mod order;
mod prediction;
mod printing;
mod referee;
mod rules;
mod scene;
mod seeds;
mod stage;
mod statements;
mod trial;
mod turn;
