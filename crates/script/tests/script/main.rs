//! Scripted kinds and recipes on a machine in memory.

mod bench;
mod facts_actions;
mod facts_immediate;
mod kinds;
mod stage;
