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
mod snapshot;
mod socket;
mod stamp;
mod steering;
mod tally;
mod wire;

pub use board::Board;
pub use broadcast::Broadcast;
pub use client::{Answer, Ask};
pub use happening::{HAPPENINGS, Happening, HappeningKind};
pub use metrics_address::MetricsAddress;
pub use metrics_server::MetricsServer;
pub use server::StatusServer;
pub use snapshot::{
    Blind, LastChange, Next, Overview, Page, Phase, Refusal, ResourceStatus, Snapshot, State, Trouble, Visit,
    Why,
};
pub use socket::default_socket;
pub use steering::Steering;
pub use uphold_wire::status::Totals;
pub use wire::Unreadable;
