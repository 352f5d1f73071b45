//! The engine on a machine in memory: configuration in, what happened out.

mod check;
mod diagnostics;
mod facts_collection;
mod graph;
mod kinds;
mod order;
mod visits;
