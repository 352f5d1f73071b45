//! The status of a running watch: a model of the engine's events, a private socket that serves it, and metrics.

mod acceptor;
mod broadcast;
mod client;
mod entry;
mod event_fold;
mod metrics;
mod metrics_server;
mod model;
mod resource_index;
mod server;
mod socket;
mod visit_outcome;

pub use broadcast::Broadcast;
pub use client::{Answer, Ask, read_snapshot};
pub use event_fold::MOST_EVENTS;
pub use metrics_server::{MetricsServer, metrics_address};
pub use model::{Page, StatusModel};
pub use server::{StatusServer, Steering};
pub use socket::default_socket;
pub use uphold_wire::status::{
    LastChange, Next, Overview, Phase, Polling, RecentEvent, Refusal, ResourceStatus, Snapshot, State,
    Totals, Trouble, Visit, WatchEventKind, Why,
};
