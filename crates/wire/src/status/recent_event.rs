//! The recent events of a watch.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use uphold_model::{ChangeKind, Name, ResourceId};

use super::resource::Why;
use crate::via;

/// A notable event of a watch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecentEvent {
    /// The time.
    #[serde(with = "via")]
    pub at: SystemTime,
    /// The resource, if it is about one.
    #[serde(default, with = "via")]
    pub resource: Option<ResourceId>,
    /// The type of the event, with its data.
    #[serde(flatten)]
    pub kind: WatchEventKind,
    /// The reason for the visit, if it was one.
    pub cause: Option<Why>,
    /// The duration of the visit.
    #[serde(default, rename = "duration_ms", with = "via")]
    pub duration: Option<Duration>,
}

/// The type of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum WatchEventKind {
    /// Drift was repaired.
    Repaired {
        /// The kind of change.
        #[serde(with = "via")]
        change: ChangeKind,
        /// The changed properties.
        #[serde(with = "via")]
        properties: Arc<[Name]>,
    },
    /// Drift was found and not repaired: the resource is only audited.
    Drifted {
        /// The kind of change that would be made.
        #[serde(with = "via")]
        change: ChangeKind,
        /// The changed properties.
        #[serde(with = "via")]
        properties: Arc<[Name]>,
    },
    /// It was changed because of the configuration, a value or another resource.
    Changed {
        /// The kind of change.
        #[serde(with = "via")]
        change: ChangeKind,
        /// The changed properties.
        #[serde(with = "via")]
        properties: Arc<[Name]>,
    },
    /// It failed; repeated failures with the same message are reported once.
    Failed {
        /// The error, on one line.
        message: String,
    },
    /// It no longer fails.
    Recovered,
    /// It cannot be watched, and is polled.
    Polling {
        /// Why it cannot be watched.
        reason: String,
    },
    /// Everything was visited; the watch begins.
    Watching {
        /// The number of resources.
        resources: usize,
    },
    /// Change events were lost, and everything is checked.
    EventsLost,
    /// A changed configuration was reloaded.
    ConfigurationReloaded {
        /// Its number.
        generation: u64,
        /// The number of unchanged actions.
        unchanged: usize,
        /// The number of actions to visit.
        visited: usize,
        /// The number of actions that are no longer declared.
        no_longer_declared: usize,
    },
    /// A changed configuration is invalid; the previous one stays in force.
    ReloadFailed {
        /// The error.
        message: String,
    },
}

impl WatchEventKind {
    /// The name in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            WatchEventKind::Repaired { .. } => "repaired",
            WatchEventKind::Drifted { .. } => "drifted",
            WatchEventKind::Changed { .. } => "changed",
            WatchEventKind::Failed { .. } => "failed",
            WatchEventKind::Recovered => "recovered",
            WatchEventKind::Polling { .. } => "polling",
            WatchEventKind::Watching { .. } => "watching",
            WatchEventKind::EventsLost => "events_lost",
            WatchEventKind::ConfigurationReloaded { .. } => "configuration_reloaded",
            WatchEventKind::ReloadFailed { .. } => "reload_failed",
        }
    }
}
