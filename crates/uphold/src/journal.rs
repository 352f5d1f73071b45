//! The journal of a machine, joined with the engine: what earlier runs left for later ones.

mod applied;
mod applied_property;
mod applied_record;
mod left;
mod moved_verification;
mod plan_journal;
mod previous;
mod purge_cause;
mod removal;
mod run_journal;
mod run_values;
mod stored_state;
mod undo;
mod unfinished;
mod words;

pub use uphold_journal::*;

pub use plan_journal::{PlanJournal, applied_secrets};
pub use removal::{RemovalRequest, Removals, TooMany, is_removal_reason};
pub use run_journal::RunJournal;
pub use undo::{NotUndone, Undo, UndoRequest, UndoneChanges};
pub use words::{system_time, time};
