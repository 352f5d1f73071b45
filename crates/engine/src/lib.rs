//! The convergence engine: resource set, action list, graph, visit and run.
//!
//! A configuration comes in as statements ([`uphold_model::Statement`]); what happens goes out as
//! one ordered stream of [`Event`]s. The engine knows no kind, no syntax, no terminal, and
//! reaches the machine only through [`uphold_resource::Host`].

mod ask;
mod await_packages;
mod batch;
mod check;
mod condition;
mod control;
mod decode;
mod dispatcher;
mod engine;
mod event;
mod executor;
mod extras;
mod failure;
mod graph;
mod groups;
mod guard;
mod halt;
mod in_order;
mod inputs;
mod inside;
mod intake;
mod leftovers;
mod lifecycle;
mod list;
mod managed;
mod neighbour;
mod notifications;
mod or_else;
mod outputs;
mod overwritten;
mod owner_view;
mod program;
mod publication;
mod real_path;
mod request;
mod schedule;
mod scope;
mod secret_paths;
mod selection;
mod set;
mod step;
mod summary;
mod visit;
mod visitor;
mod watch;
mod writes;

pub use check::NOT_IN_FORCE;
pub use control::{Control, WatchRequest};
pub use dispatcher::Sink;
pub use engine::{Engine, EngineBuilder};
pub use event::{Cause, Change, ChangeKind, Event, EventKind, Mode, Skip, Unwanted, Verdict, Wake};
pub use failure::Failure;
pub use graph::{Edge, Graph, NodeIndex, Reason};
pub use in_order::in_order;
pub use inside::{Inner, Inside};
pub use list::{ActionEntry, ActionList};
pub use program::Program;
pub use request::{Approval, Request};
pub use selection::Selection;
pub use set::{Declared, EditedBy, ResourceIndex, ResourceSet};
pub use summary::Summary;
