//! The laws that every kind must keep, tested on a machine in memory.
//!
//! Each law is a function from a [`Subject`] to a result. A law that builds on another one, as most build on "apply
//! then check is converged", passes for a kind that breaks the other: each mistake is reported by one law.

mod apply;
mod coexistence;
mod interests;
mod inverse;
mod law_macro;
mod load;
mod subject;
mod trial;
mod unset;
mod untested;
mod values;

pub use apply::a_batch_equals_separate_applies;
pub use apply::the_run_after_an_interruption_converges;
pub use apply::{
    a_second_apply_changes_nothing, apply_then_check_is_converged, load_finds_nothing_after_remove,
};
pub use coexistence::two_resources_do_not_disturb_each_other;
pub use interests::{an_outside_change_wakes_it, an_unrelated_change_does_not_wake_it};
pub use inverse::{
    a_loaded_value_can_be_declared, an_inverse_restores_the_state, check_detects_a_reverted_write,
};
pub use law_macro::{ALL, Law, NAMED, broken_by};
pub use load::{check_writes_nothing, exports_are_stable};
pub use subject::{Subject, Wish};
pub use trial::Broken;
pub use unset::{an_unset_property_survives, only_changed_properties_are_touched};
pub use untested::untested;
pub use values::{load_returns_the_applied_values, values_round_trip};
