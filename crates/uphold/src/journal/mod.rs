//! The journal of a machine, joined with the engine: what earlier runs left for later ones.

mod applied;
mod drift;
mod left;
mod plan_journal;
mod run_journal;
mod stored_values;
mod words;

pub use uphold_journal::*;

pub use plan_journal::PlanJournal;
pub use run_journal::RunJournal;
