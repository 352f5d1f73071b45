//! The engine on machines in memory.

/// The engine on a machine in memory: configuration in, events out.
mod engine {
    mod around;
    mod audit;
    mod batches;
    mod brought;
    mod check;
    mod conditions;
    mod diagnostics;
    mod edits;
    mod expression;
    mod facts_collection;
    mod facts_guards;
    mod facts_notifications;
    mod facts_run;
    mod flow;
    mod gauge;
    mod graph;
    mod group_limits;
    mod group_notifications;
    mod groups;
    mod guards;
    mod handling;
    mod held;
    mod kinds;
    mod leads;
    mod limits;
    mod locks;
    mod modules;
    mod nested;
    mod nested_simulation;
    pub(crate) mod nothing;
    mod notifications;
    mod order;
    mod outputs;
    mod pauses;
    mod pending;
    mod prediction;
    mod reading;
    mod relay;
    mod retries;
    mod script;
    mod selection;
    pub(crate) mod sign;
    mod threads;
    mod tools;
    mod unknown;
    mod visits;
    mod waiting;
    mod windows;
}

/// Random programs on a machine in memory: plan, apply, apply again, with rules that must hold after each.
///
/// `UPHOLD_SEED=n` runs one seed and prints the program and all events, with `UPHOLD_JOBS` visits at a time;
/// `UPHOLD_SEEDS=a..b` runs a range.
mod simulation {
    pub(crate) mod dice;
    mod expression;
    mod invention;
    mod kinds;
    mod machine;
    mod news;
    mod order;
    mod prediction;
    mod printing;
    mod referee;
    mod rules;
    mod scene;
    mod seeds;
    mod stage;
    mod statements;
    mod trial;
    mod turn;
}

/// Guarantees of a watch, on a machine in memory: each test scripts what happens at each wait, and compares all events
/// of the engine.
mod watch {
    mod arming;
    pub(crate) mod copies;
    mod defined;
    mod ending;
    mod groups;
    pub(crate) mod kinds;
    mod limits;
    mod losses;
    mod nested;
    mod notifying;
    mod overlapping;
    mod pauses;
    pub(crate) mod program;
    mod recovery;
    mod scale;
    mod stage;
    mod surviving;
    mod swapping;
    mod transcript;
    mod values;
    mod windows;
}

/// Random configurations on a machine in memory with tampering, unreliable events, failing visits and configuration
/// swaps: after all faults have ended, everything becomes as declared, and stays so.
///
/// `UPHOLD_SEED=n` runs one seed and prints all events; `UPHOLD_SEEDS=a..b` runs a range.
mod watch_simulation {
    mod goal;
    mod invention;
    mod mischief;
    mod plot;
    mod referee;
    mod seeds;
    mod stage;
    mod trial;
    mod writing;
}
