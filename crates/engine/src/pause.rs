//! Pauses: resources that are checked and not changed, until an expiry.

use std::fmt;
use std::time::SystemTime;

use uphold_model::ResourceId;

/// A pause of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pause {
    /// The expiry.
    pub until: SystemTime,
    /// The user who paused it; empty if the maintenance window is closed.
    pub by: String,
    /// The reason that the user gave.
    pub reason: Option<String>,
}

impl Pause {
    /// The pause of a resource outside the maintenance window, which opens then.
    pub(crate) fn outside_window(until: SystemTime) -> Self {
        Self { until, by: String::new(), reason: Some("outside the maintenance window".to_owned()) }
    }

    /// Whether the maintenance window is closed.
    pub(crate) fn is_window(&self) -> bool {
        self.by.is_empty()
    }
}

/// The resources that are paused. Called at each visit, by several at a time: in a watch, the answer may change, and
/// [`Control::pauses_changed`](crate::Control::pauses_changed) reports that.
pub trait Pauses: fmt::Debug + Send + Sync {
    /// The pause of a resource. One that has expired is ignored.
    fn of(&self, resource: &ResourceId) -> Option<Pause>;
}
