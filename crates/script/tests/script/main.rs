//! Scripted kinds and recipes on a machine in memory.

mod batches;
mod bench;
mod claims;
mod clock;
mod composites;
mod docs;
mod dry_runs;
mod examples;
mod facts_actions;
mod facts_immediate;
mod facts_inner;
mod facts_load;
mod facts_notices;
mod functions;
mod hostile;
mod kinds;
mod laws;
mod objects;
mod properties;
mod required;
mod rooted;
mod secrets;
mod stage;
mod walk;
