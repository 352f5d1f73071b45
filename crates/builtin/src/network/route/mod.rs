//! `route`: where packets to some network go.

mod destination;
mod reading;
mod resource;

pub use destination::Destination;
pub use resource::{Route, RouteChange, RouteGoal, RouteState, RouteType};
