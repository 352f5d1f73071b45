//! The watch command: its flags, its observers, and its supervision.

mod flags;
mod liveness;
#[cfg(not(feature = "dashboard"))]
mod no_screen;
mod observers;
mod run;
#[cfg(feature = "dashboard")]
mod screen;
mod service_manager;
mod unit;

#[cfg(not(feature = "dashboard"))]
use no_screen as screen;

pub(crate) use flags::WatchFlags;
pub(crate) use flags::socket_to_ask;
pub(crate) use run::watch;
pub(crate) use unit::unit;
