//! Kinds that run commands or are read-only: on the real machine, and on one in memory.

mod assertion;
mod block;
mod claims;
mod facts;
mod laws;
mod log;
mod query;
mod secrets;
mod short_timeout;
mod task;
mod timer;
mod wait_file;
mod wait_port;
mod wait_query;
mod waiting;
mod watched;
