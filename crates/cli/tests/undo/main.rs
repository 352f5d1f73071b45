//! `uphold undo` and `uphold restore`: previous states come back exactly, or are refused with a reason.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests prepare real files")]

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
