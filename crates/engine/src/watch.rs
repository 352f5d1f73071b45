//! Watching: a run that goes on when everything was visited.

mod effect;
mod handover;
mod health;
mod reports;
mod revisits;
mod session;
mod shape;
mod state;
mod terms;
#[cfg(test)]
mod tests;

pub(crate) use effect::{Admission, WatchEffect, WatchReport};
pub(crate) use handover::DeferredValues;
pub(crate) use health::Ending;
pub(crate) use reports::Reports;
pub(crate) use session::{Session, WatchMode};
