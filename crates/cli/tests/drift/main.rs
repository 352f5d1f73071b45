//! The last applied values: drift, new declarations, and resources that are no longer declared.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the test changes files beside Uphold, and reads its state directory"
)]

#[path = "../binary/mod.rs"]
mod binary;
mod causes;
mod left;
mod removal;
mod removal_limits;
mod removal_overlaps;
mod sandbox;
mod state;
