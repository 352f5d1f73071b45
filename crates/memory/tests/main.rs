//! Machines in memory: a complete one, and the overlay for plans.

mod memory_host;
mod overlay;
