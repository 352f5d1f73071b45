//! The convergence engine: resource set, action list, graph, visit and run.
//!
//! A configuration comes in as statements ([`uphold_model::Statement`]); what happens goes out as
//! one ordered stream of [`Event`]s. The engine knows no kind, no syntax, no terminal, and
//! reaches the machine only through [`uphold_resource::Host`].

mod check;
mod condition;
mod decode;
mod dispatcher;
mod engine;
mod event;
mod executor;
mod failure;
mod graph;
mod intake;
mod list;
mod managed;
mod neighbour;
mod outputs;
mod program;
mod scope;
mod seed;
mod set;
mod visit;
mod visitor;

pub use check::NOT_IN_FORCE;
pub use dispatcher::Sink;
pub use engine::{Engine, EngineBuilder};
pub use event::{Change, ChangeKind, Event, EventKind, Mode, Skip, Summary, Verdict};
pub use failure::Failure;
pub use graph::{Edge, Graph, NodeIndex, Reason};
pub use list::{ActionEntry, ActionList};
pub use program::Program;
pub use set::{Declared, EditedBy, ResourceIndex, ResourceSet};
