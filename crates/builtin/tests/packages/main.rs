//! Packages and where they come from, on a machine in memory with an apt that knows just enough.

mod apt;
mod claims;
mod facts;
mod laws;
