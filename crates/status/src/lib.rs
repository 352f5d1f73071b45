//! What a running watch knows, for who asks: a board that reads the engine's events, a private socket that tells what
//! is on it, and metrics.

mod board;
mod broadcast;
mod client;
mod conclusion;
mod conversation;
mod entry;
mod excerpt;
mod exposition;
mod happening;
mod ledger;
mod metrics_address;
mod metrics_server;
mod naming;
mod peer;
mod reason;
mod reception;
mod roll;
mod server;
mod socket;
mod stamp;
mod steering;
mod tally;

pub use board::{Board, Page};
pub use broadcast::Broadcast;
pub use client::{Answer, Ask, read_snapshot};
pub use happening::HAPPENINGS;
pub use metrics_address::MetricsAddress;
pub use metrics_server::MetricsServer;
pub use server::StatusServer;
pub use socket::default_socket;
pub use steering::Steering;
pub use uphold_wire::status::{
    Blind, Happening, HappeningKind, LastChange, Next, Overview, Phase, Refusal, ResourceStatus, Snapshot,
    State, Totals, Trouble, Visit, Why,
};
