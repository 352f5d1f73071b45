//! The local machine, on real files and real processes.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests prepare real files")]

mod access;
mod accounts;
mod archives;
mod attributes;
mod configuration;
mod environment;
mod facts;
mod ground;
mod leftovers;
mod links;
mod look;
mod processes;
mod receiving;
mod roots;
mod trees;
mod trust;
mod writes;
