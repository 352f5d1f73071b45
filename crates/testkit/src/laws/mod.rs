//! The laws that every kind must keep, on a machine in memory.
//!
//! Each law is a function from a [`Subject`] to a verdict. Where a law builds on another one, as
//! most build on "apply then check is converged", it says nothing about a kind that breaks the
//! other: each mistake has one name.

mod broken;
mod cancelling;
mod converging;
mod keeping;
mod listener;
mod looking;
mod reading;
mod removing;
mod reverting;
mod subject;
mod together;
mod trial;
mod waking;
mod wiring;
mod wish;

pub use broken::Broken;
pub use cancelling::cancelled_midway_the_next_run_converges;
pub use converging::{apply_then_check_is_converged, apply_twice_changes_once};
pub use keeping::{an_unset_property_survives, only_changed_properties_are_touched};
pub use looking::{check_writes_nothing, equal_exports_twice};
pub use reading::{values_round_trip, what_is_read_is_what_was_asked};
pub use removing::remove_then_load_is_none;
pub use reverting::a_reverted_write_is_noticed;
pub use subject::Subject;
pub use together::together_equals_one_by_one;
pub use waking::{a_stranger_does_not_wake_it, an_outside_change_wakes_it};
pub use wiring::{ALL, Law, broken_by};
pub use wish::Wish;
