//! The kinds of the network, on a machine in memory where small programs stand in for the tools.

mod firewall;
mod ip;
mod laws;
