//! The engine on a machine in memory: configuration in, what happened out.

mod check;
mod conditions;
mod diagnostics;
mod expression;
mod facts_collection;
mod graph;
mod groups;
mod handling;
mod kinds;
mod modules;
mod order;
mod outputs;
mod reading;
mod script;
mod unknown;
mod visits;
