//! The kind `cron`.

mod crontab;
mod entry;
mod place;
mod resource;
mod schedule;
mod time_field;

pub use resource::{Cron, CronChange, CronGoal, CronState, CronWishes};
pub use schedule::Schedule;
pub use time_field::TimeField;
