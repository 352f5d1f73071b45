//! Random configurations on a machine in memory with tampering, unreliable events, failing visits and configuration
//! swaps: after all faults have ended, everything becomes as declared, and stays so.
//!
//! `UPHOLD_SEED=n` runs one seed and prints all events; `UPHOLD_SEEDS=a..b` runs a range.

#[path = "../watch/copies.rs"]
mod copies;
#[path = "../simulation/dice.rs"]
mod dice;
mod goal;
mod invention;
#[path = "../watch/kinds.rs"]
mod kinds;
mod mischief;
#[path = "../engine/nothing.rs"]
mod nothing;
mod plot;
#[path = "../watch/program.rs"]
mod program;
mod referee;
mod seeds;
mod stage;
mod trial;
mod writing;
