//! The kind `route`.

mod destination;
mod query;
mod resource;

pub use destination::Destination;
pub use resource::{Route, RouteChange, RouteGoal, RouteState, RouteType, RouteWishes};
