//! What the watch command has besides the watch itself: who reads it, and who supervises it.

mod audience;
mod hold;
mod options;
mod pulse;
mod screen;
mod service_manager;
mod span_flag;
mod status_door;
mod supervision;
mod unit;
mod watchdog;

pub(crate) use hold::hold;
pub(crate) use options::HoldFlags;
pub(crate) use unit::unit;
