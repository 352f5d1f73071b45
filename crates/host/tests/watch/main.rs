//! The watcher with the real kernel.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests change real files")]

mod accounts;
mod alone;
mod changes;
mod contract;
mod final_links;
mod limits;
mod lines;
mod links;
mod mounts;
mod network;
mod programs;
mod random;
mod random_writes;
mod scene;
mod trees;
mod writes;
