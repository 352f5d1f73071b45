//! The doors to the machine. Nothing else in Uphold reads or writes it.

mod accounts;
mod around;
mod clock;
mod delegate;
mod facts;
mod files;
mod notes;
mod observe;
mod processes;
mod receiver;
mod settled_path;
mod sibling;
mod units;
mod watcher;
mod web;
mod writers;

pub use accounts::{Accounts, Group, User, is_private_group};
pub use around::{Around, Asking};
pub use clock::Clock;
pub use facts::{FACTS, Facts, is_live_fact, unknown_fact};
pub use files::{
    Access, Entry, EntryKind, FileEdits, Files, NewFile, OpenFile, READ_LIMIT, Verify, set_access,
};
pub use notes::{Notes, Parsed};
pub use observe::{Host, Level, Observe};
pub use processes::{Command, Commands, Excess, Exit, Output, Probes, STDERR_LIMIT, STDOUT_LIMIT};
pub use receiver::{Gathered, Place, Receiver};
pub use settled_path::{doubt_words, settled_path};
pub use sibling::sibling_name;
pub use units::{
    Activity, Unit, UnitEdits, UnitFileChange, UnitFileState, UnitJob, UnitPhase, UnitVerb, Units,
};
pub use watcher::{News, Token, Watcher};
pub use web::{Flow, Request, Response, Sink};
pub use writers::{Doubt, Writers};
