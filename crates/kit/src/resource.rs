//! The whole API for authors: that of `uphold_resource`, with derives for crates that depend on `uphold-kit` alone.

pub use uphold_derive::{KitProperties as Properties, KitProperty as Property, KitResource as Resource};
pub use uphold_resource::*;
