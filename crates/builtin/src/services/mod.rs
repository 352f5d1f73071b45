//! The kinds `service`, `systemd_timer` and `systemd_unit`.

mod links;
mod name;
mod rules;
mod service;
mod timer;
mod unit_file;

pub use name::UnitName;
pub use service::{
    Service, ServiceChange, ServiceGoal, ServiceProvider, ServiceState, ServiceVerb, ServiceWishes,
};
pub use timer::{
    Calendar, SystemdTimer, SystemdTimerChange, SystemdTimerGoal, SystemdTimerState, SystemdTimerWishes,
    TimeSpan,
};
pub use unit_file::{
    SystemdUnit, SystemdUnitChange, SystemdUnitGoal, SystemdUnitState, SystemdUnitWishes, UnitText,
};
