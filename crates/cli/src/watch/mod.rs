//! What the watch command has besides the watch itself: who reads it, and who supervises it.

mod audience;
mod hold;
#[cfg(not(feature = "dashboard"))]
mod no_screen;
mod options;
mod pulse;
#[cfg(feature = "dashboard")]
mod screen;
mod service_manager;
mod span_flag;
mod status_door;
mod supervision;
mod unit;
mod watchdog;

#[cfg(not(feature = "dashboard"))]
use no_screen as screen;

pub(crate) use hold::hold;
pub(crate) use options::HoldFlags;
pub(crate) use unit::unit;
