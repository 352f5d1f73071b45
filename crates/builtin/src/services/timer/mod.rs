//! `systemd_timer`: something that is done again and again.

mod calendar;
mod installation;
mod parts;
mod resource;

pub use calendar::{Calendar, TimeSpan};
pub use resource::{SystemdTimer, SystemdTimerChange, SystemdTimerGoal, SystemdTimerState};
