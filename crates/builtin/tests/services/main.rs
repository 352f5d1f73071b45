//! Services, unit files and timers on machines in memory.

mod behaviour;
mod laws;
mod other_inits;
mod stage;
