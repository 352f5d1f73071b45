//! What the author of a resource kind sees.

mod error;
mod host;

pub use error::{Error, ErrorKind, Result, wrong_type};
pub use host::{
    Access, Accounts, Clock, Command, Commands, Entry, EntryKind, Exit, FileEdits, Files, Group, Host, Level,
    NewFile, Observe, Output, Probes, User,
};
