//! Something that happened in a watch.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use uphold_model::{ChangeKind, Name, ResourceId};

use super::resource::Why;
use super::via;

/// Something that a person may want to know of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Happening {
    /// When.
    #[serde(with = "via")]
    pub at: SystemTime,
    /// Which resource, if it is about one.
    #[serde(default, with = "via")]
    pub resource: Option<ResourceId>,
    /// What.
    #[serde(flatten)]
    pub kind: HappeningKind,
    /// Why the resource was looked at, if it is about one that was.
    pub why: Option<Why>,
    /// How long that took.
    #[serde(default, rename = "took_ms", with = "via")]
    pub took: Option<Duration>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "snake_case")]
pub enum HappeningKind {
    /// Something else had changed it, and it was put right.
    Repaired {
        /// What was done.
        #[serde(rename = "change", with = "via")]
        kind: ChangeKind,
        /// Which properties.
        #[serde(with = "via")]
        properties: Arc<[Name]>,
    },
    /// Something else changed it, and it is left so: it is only audited.
    Drifted {
        /// What would be done.
        #[serde(rename = "change", with = "via")]
        kind: ChangeKind,
        /// Which properties.
        #[serde(with = "via")]
        properties: Arc<[Name]>,
    },
    /// It was changed because the configuration, a value or another resource asked for it.
    Changed {
        /// What was done.
        #[serde(rename = "change", with = "via")]
        kind: ChangeKind,
        /// Which properties.
        #[serde(with = "via")]
        properties: Arc<[Name]>,
    },
    /// It went wrong; told once for the same failure in a row.
    Failed {
        /// What went wrong, on one line.
        message: String,
    },
    /// It had failed, and is in order again.
    Recovered,
    /// It cannot be watched.
    Blind {
        /// Why.
        because: String,
    },
    /// Everything was visited, and is held from now on.
    Watching {
        /// How many resources.
        resources: usize,
    },
    /// Reports of the machine were lost, and everything is looked at.
    ReportsLost,
    /// Another configuration is held from now on, in which something differs.
    Swapped {
        /// Which one.
        generation: u64,
        /// How many actions go on as they were.
        kept: usize,
        /// How many are visited.
        visited: usize,
        /// How many are left alone from now on.
        left: usize,
    },
    /// Another configuration was not taken up.
    ReloadRefused {
        /// What is wrong with it.
        message: String,
    },
}

impl HappeningKind {
    /// Its name, for machines.
    pub fn word(&self) -> &'static str {
        match self {
            HappeningKind::Repaired { .. } => "repaired",
            HappeningKind::Drifted { .. } => "drifted",
            HappeningKind::Changed { .. } => "changed",
            HappeningKind::Failed { .. } => "failed",
            HappeningKind::Recovered => "recovered",
            HappeningKind::Blind { .. } => "blind",
            HappeningKind::Watching { .. } => "watching",
            HappeningKind::ReportsLost => "reports_lost",
            HappeningKind::Swapped { .. } => "swapped",
            HappeningKind::ReloadRefused { .. } => "reload_refused",
        }
    }
}
