//! The interfaces to the machine. Uphold reads and changes it through nothing else.

mod accounts;
mod act;
mod clock;
mod facts;
mod files;
mod limits;
mod look;
mod machine;
mod parent_run;
mod parse_cache;
mod processes;
mod reading;
mod receiver;
mod run_view;
mod sibling;
mod trusted_path;
mod units;
mod watcher;
mod web;
mod writers;

pub use accounts::{Accounts, Group, User, home, is_private_group};
pub use act::Act;
pub use clock::Clock;
pub use facts::{FACTS, Facts, is_live_fact, unknown_fact};
pub use files::{
    Access, Entry, EntryKind, FileEdits, Files, NewFile, OpenFile, READ_LIMIT, Verify, set_access,
};
pub use limits::VisitLimits;
pub use look::Look;
pub use machine::{Machine, Predictor, Random, Watchers};
pub use parent_run::{Around, NestedNotification};
pub use parse_cache::{ParseCache, Parsed};
pub use processes::{Command, Commands, Excess, Exit, Output, Probes, STDERR_LIMIT, STDOUT_LIMIT};
pub use reading::Reading;
pub use receiver::{Gathered, Place, Receiver};
pub use run_view::{Level, NoRun, RunView};
pub use sibling::sibling_name;
pub use trusted_path::{trusted_path, untrusted_words};
pub use units::{
    Activity, Unit, UnitEdits, UnitFileChange, UnitFileState, UnitJob, UnitPhase, UnitVerb, Units,
};
pub use watcher::{Token, WatchEvent, Watcher};
pub use web::{Flow, Request, Response, Sink};
pub use writers::{Untrusted, Writers};
