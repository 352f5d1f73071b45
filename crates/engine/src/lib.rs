//! The convergence engine: resource set, action list, graph, visit and run.
//!
//! A configuration comes in as statements ([`uphold_model::Statement`]); results go out as one ordered stream of [`Event`]s.
//! The engine knows no kind, no syntax and no terminal, and uses the machine only through [`uphold_resource::Machine`].

mod cause;
mod dispatcher;
mod engine;
mod event;
mod executor;
mod failure;
mod graph;
mod in_order;
mod journal;
mod lifecycle;
mod nested_run;
mod notifications;
mod pause;
mod program;
mod request;
mod schedule;
mod selection;
mod summary;
mod visit;
mod visitor;
mod watch;
mod window;

pub use dispatcher::Sink;
pub use engine::Engine;
pub use event::{
    Cause, Change, ChangeKind, Event, EventKind, Mode, Notifiers, Skip, Unwanted, Verdict, Wake,
};
pub use failure::Failure;
pub use graph::{Edge, Graph, NodeIndex, Reason};
pub use in_order::in_order;
pub use journal::{BeginningChange, Journal, LoadedResource, PendingNotification, VerifiedChange};
pub use nested_run::{NestedAction, NestedRun};
pub use pause::{Pause, Pauses};
pub use program::digest::SetDigest;
pub use program::identity::identity;
pub use program::list::{ActionEntry, ActionList};
pub use program::real_names::RealNames;
pub use program::set::{Declared, EditedBy, ResourceIndex, ResourceSet};
pub use program::{Keep, Program};
pub use request::{Approval, Control, Request, WatchRequest};
pub use selection::{LeftOut, Selection};
pub use summary::Summary;
