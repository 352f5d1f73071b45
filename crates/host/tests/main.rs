//! The local machine with the real kernel.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests use real files and processes"
)]

/// The local machine, on real files and real processes.
mod host {
    mod access;
    mod accounts;
    mod archives;
    mod attributes;
    mod configuration;
    mod environment;
    mod facts;
    mod ground;
    mod known_contents;
    mod leftovers;
    mod links;
    mod look;
    mod open_directories;
    mod processes;
    mod receiving;
    mod roots;
    mod trees;
    mod trust;
    mod writes;
}

/// The watcher with the real kernel.
mod watch {
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
}
