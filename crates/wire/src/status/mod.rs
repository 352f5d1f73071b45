//! The answers of a running watch; `docs/status.md` specifies them.

mod answer;
mod happening;
mod overview;
mod resource;

pub use answer::{Accepted, End, Refused, Request, VERSION};
pub use happening::{Happening, HappeningKind};
pub use overview::{Overview, Phase, Refusal, Snapshot, Status, Totals};
pub use resource::{Blind, LastChange, Next, ResourceStatus, State, Trouble, Visit, Why};
