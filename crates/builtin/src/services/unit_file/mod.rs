//! The kind `systemd_unit`.

mod document;
mod resource;
mod store;
mod text;
mod verification;

pub(super) use document::Document;
pub use resource::{SystemdUnit, SystemdUnitChange, SystemdUnitGoal, SystemdUnitState, SystemdUnitWishes};
pub(super) use store::{UNIT_FILES, read, write};
pub use text::UnitText;
pub(super) use verification::{check_calendar, verify};
