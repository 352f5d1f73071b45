//! The built-in kinds on machines in memory and on the real one.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests use real files and processes"
)]

mod pages;

/// Accounts, keys, crontabs and sudo rules on a machine in memory: their laws, and how often they read files.
mod accounts {
    mod batch;
    mod claims;
    mod interrupted;
    mod laws;
    mod options;
    mod reads;
    mod rows;
    mod tools;
}

/// Kinds that run commands or are read-only: on the real machine, and on one in memory.
mod commands {
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
}

/// Downloads, checkouts and archives, on a machine in memory and on the real one.
mod fetch {
    mod git;
    mod hostile;
    mod laws;
    mod packed;
}

/// Files, directories, links and lines on the real file system, and their laws on a machine in memory.
mod files {
    mod accounts;
    mod certificate;
    mod creation_only;
    mod directory;
    mod driver;
    mod edit_laws;
    mod edited;
    mod file;
    mod file_facts;
    mod interests;
    mod laws;
    mod limits;
    mod line;
    mod link;
    mod obstacles;
    mod password;
    mod planted;
    mod rooted;
    mod spy;
}

/// The network kinds, on a machine in memory with fake tools.
mod network {
    mod firewall;
    mod ip;
    mod laws;
}

/// Packages and repositories, on a machine in memory with a fake apt.
mod packages {
    mod apt;
    mod claims;
    mod facts;
    mod laws;
}

/// Services, unit files and timers on machines in memory.
mod services {
    mod behaviour;
    mod laws;
    mod other_inits;
    mod stage;
}

/// The storage and system kinds, on a machine in memory with fake tools.
mod system {
    mod claims;
    mod disk_tools;
    mod laws;
    mod planted;
    mod storage_laws;
    mod sysctl;
    mod system_tools;
}
