//! Watching: a run that goes on when everything is done.

mod audience;
mod late;
mod legacy;
mod lineage;
mod patience;
mod rest;
mod session;
mod state;
mod steady;
mod timers;
mod wake;
mod watching;

pub(crate) use late::{Late, values};
pub(crate) use rest::Ending;
pub(crate) use session::{Parting, Session};
pub(crate) use state::Hold;
pub(crate) use watching::Watching;
