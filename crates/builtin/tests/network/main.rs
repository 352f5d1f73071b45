//! The network kinds, on a machine in memory with fake tools.

mod firewall;
mod ip;
mod laws;
