//! Pauses: resources that are checked and not changed, until an expiry.

use std::fmt;
use std::time::SystemTime;

use uphold_model::ResourceId;

/// A pause of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    /// The expiry.
    pub until: SystemTime,
    /// The user who paused it.
    pub by: String,
    /// The reason that the user gave.
    pub reason: Option<String>,
}

/// The resources that are paused. Called at each visit, by several at a time: in a watch, the answer may change, and
/// [`Control::pauses_changed`](crate::Control::pauses_changed) reports that.
pub trait Pauses: fmt::Debug + Send + Sync {
    /// The pause of a resource. One that has expired is ignored.
    fn of(&self, resource: &ResourceId) -> Option<Pause>;
}
