//! The `uphold` command from outside: the real binary on real files, real processes and real hosts.
//! Tests that need a disposable host are in the modules `machine_*`.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the tests use real files and processes"
)]

mod binary;
mod codes;
mod completions;
mod explain;
mod facts;
mod graph;
mod guide;
mod language;
mod luau;
mod machine_files;
mod machine_guide;
mod machine_stories;
mod machine_system;
mod machine_webserver;
mod pause;
mod prediction;
mod read;
mod scenarios;
mod site;
mod testing;
mod timelines;
mod waits;

/// The `uphold` command from outside: arguments and files in, text and exit code out.
mod commands {
    mod bombs;
    mod changes;
    mod confirmation;
    mod confirmed_plan;
    mod console;
    mod contention;
    mod conventions;
    mod copied_secrets;
    mod declaration_rules;
    mod demo;
    mod duplicate_claims;
    mod exposed_secrets;
    mod facts;
    mod fmt;
    mod group_verification;
    mod hints;
    mod history;
    mod init;
    mod isolation;
    mod json;
    mod kind_files;
    mod kind_programs;
    mod known_contents;
    mod limits;
    mod logging;
    mod luau_hints;
    mod luau_kinds;
    mod mistakes;
    mod newcomers;
    mod odd_machines;
    mod optional;
    mod other_tools;
    mod outcomes;
    mod params;
    mod pending;
    mod planted;
    mod purge;
    mod recipes;
    mod rejected_files;
    mod relative_paths;
    mod replayed_plan;
    mod reporting;
    mod run_details;
    mod run_lock;
    mod sandbox;
    mod saved_plan;
    mod saved_secret;
    mod secret_files;
    mod secret_names;
    mod shown_plan;
    mod state_directory;
    mod stopping;
    mod unknown_values;
    mod unusable_plan;
    mod verified_dependents;
    mod words;
}

/// The last applied values: drift, new declarations, and resources that are no longer declared.
mod drift {
    mod causes;
    mod left;
    mod removal;
    mod removal_limits;
    mod removal_order;
    mod removal_overlaps;
    mod removal_records;
    mod sandbox;
    mod script_kinds;
    mod state;
}

/// Kinds that are programs, tested with the real binary: the examples, and messages about them.
mod external {
    mod example;
    mod mistakes;
    mod package;
}

/// Downloads from correct and from faulty servers.
mod fetch {
    mod requests;
    mod resuming;
    mod safety;
    mod sandbox;
    mod server;
}

/// `git` on checkouts of other users, after interruptions, and with a login.
mod git {
    mod interrupted;
    mod login;
    mod owners;
    mod sandbox;
}

/// `uphold lsp`, driven with protocol messages over standard input and output, like an editor does.
mod lsp {
    mod client;
    mod completion;
    mod definition;
    mod diagnostics;
    mod formatting;
    mod hover;
    mod kind_files;
    mod protocol;
    mod responsiveness;
}

/// Users, groups, keys, crontabs and rules for sudo on disposable hosts, from plan to removal.
mod machine_accounts {
    mod crontabs;
    mod examples;
    mod groups;
    mod keys;
    mod many;
    mod removal;
    mod sudo;
    mod users;
}

/// Parts of files, passwords and certificates on a disposable host, from plan to removal.
mod machine_edits {
    mod documents;
    mod hosts;
    mod secrets;
    mod timers;
}

/// Downloads, checkouts and archives on a disposable host, from plan to removal.
mod machine_fetch {
    mod archives;
    mod checkouts;
    mod servers;
}

/// The network kinds on a disposable host with its own network namespace.
mod machine_network {
    mod firewall;
    mod links;
    mod routes;
}

/// Packages and repositories on disposable hosts, with a real apt.
mod machine_packages {
    mod cache;
    mod dnf;
    mod failure;
    mod key;
    mod lock;
    mod order;
    mod package;
    mod repository;
    mod sandbox;
    mod transaction;
}

/// Services, units and timers on disposable hosts: a booted systemd, and runit.
mod machine_services {
    mod failing;
    mod notified;
    mod offline;
    mod own_watch;
    mod runit;
    mod service;
    mod sysvinit;
    mod timer;
    mod unit;
    mod watching;
}

/// `uphold status` with a real `uphold watch`.
mod status {
    mod answers;
    mod ending;
    mod scraping;
    mod stage;
}

/// Facts from mgmt's tests and the issues of its users, tested with the real binary on real files.
/// `docs/facts-mgmt.md` lists them.
mod stories {
    mod attributes;
    mod commands;
    mod coverage;
    mod drift;
    mod endings;
    mod folder;
    mod graphs;
    mod locks;
    mod metrics;
    mod races;
    mod running_watch;
    mod swaps;
    mod values;
    mod weaknesses;
    mod work_log;
}

/// `uphold undo` and `uphold restore`: previous states come back exactly, or are refused with a reason.
mod undo {
    mod choice;
    mod interruptions;
    mod kind_files;
    mod machine;
    mod questions;
    mod refusals;
    mod restore;
    mod secrets;
    mod sequences;
    mod states;
}

/// `uphold watch` from outside: the real binary on real files.
mod watch {
    mod ending;
    mod json;
    mod kind_files;
    mod live;
    mod purged;
    mod relative_paths;
    mod reload;
    mod removal;
    mod repairs;
    mod secret_reasons;
    mod session;
    mod supervision;
    mod verification;
}

/// Each built-in kind under a watch of the real binary: drift is repaired because of events. Polling is disabled in all
/// of these tests.
mod watch_kinds {
    mod commands;
    mod files;
    mod programs;
    mod timelines;
    mod waits;
    mod watched;
}
