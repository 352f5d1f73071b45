//! The answers of a running watch; `docs/status.md` specifies them.

mod answer;
mod overview;
mod recent_event;
mod resource;

pub use answer::{Accepted, End, Refused, Request, VERSION};
pub use overview::{Overview, Phase, Refusal, Snapshot, Status, Totals};
pub use recent_event::{RecentEvent, WatchEventKind};
pub use resource::{LastChange, Next, Polling, ResourceStatus, State, Trouble, Visit, Why};
