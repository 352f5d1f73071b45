//! Scripted kinds and recipes on a machine in memory.

mod bench;
mod kinds;
