//! The kind `systemd_timer`.

mod calendar;
mod installation;
mod parts;
mod resource;

pub use calendar::{Calendar, TimeSpan};
pub use resource::{
    SystemdTimer, SystemdTimerChange, SystemdTimerGoal, SystemdTimerState, SystemdTimerWishes,
};
