//! Saved plans; `docs/plans.md` specifies them.

mod change;
mod file;
mod origin;
mod record;

pub use change::{Change, Difference, Setting, Side, SideContent};
pub use file::{SavedPlan, Unreadable, VERSION};
pub use origin::{Configuration, Input, InputKind, Kept, Machine, Param};
pub use record::{Action, Attribute, Guard, Level, Outcome, Record, SkipReason, Unwanted};
