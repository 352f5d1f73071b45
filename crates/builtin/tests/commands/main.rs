//! The kinds that run commands or only look: on the real machine, and on one in memory.

mod assertion;
mod block;
mod claims;
mod facts;
mod laws;
mod log;
mod query;
mod secrets;
mod task;
