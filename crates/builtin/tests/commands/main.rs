//! The kinds that run commands or only look: on the real machine, and on one in memory.

mod assertion;
mod block;
mod claims;
mod facts;
mod hurry;
mod laws;
mod log;
mod patience;
mod query;
mod secrets;
mod task;
mod timer;
mod wait_file;
mod wait_port;
mod wait_query;
mod watched;
