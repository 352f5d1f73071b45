//! Answers of a running watch: `docs/status.md` is the promise.

mod answer;
mod happening;
mod overview;
mod resource;
mod via;

pub use answer::{Accepted, End, Refused, Request, VERSION};
pub use happening::{Happening, HappeningKind};
pub use overview::{Overview, Phase, Refusal, Snapshot, Status, Totals};
pub use resource::{Blind, LastChange, Next, ResourceStatus, State, Trouble, Visit, Why};
