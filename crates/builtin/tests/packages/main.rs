//! Packages and repositories, on a machine in memory with a fake apt.

mod apt;
mod claims;
mod facts;
mod laws;
