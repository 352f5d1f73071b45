//! Random configurations on a machine in memory that is tampered with, that reports badly, on which visits fail, and whose
//! configuration is swapped: when all that is over, everything comes to be as declared, and stays so.
//!
//! `UPHOLD_SEED=n` runs one seed and prints all that happened; `UPHOLD_SEEDS=a..b` runs a range.

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
