//! What happened lately.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold_engine::ChangeKind;
use uphold_model::{Name, ResourceId};

use crate::snapshot::Why;

/// How many happenings are kept: a screen has room for fewer, and a watch goes on for months.
pub const HAPPENINGS: usize = 200;

/// Something that a person may want to know of.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    /// When.
    pub at: SystemTime,
    /// Which resource, if it is about one.
    pub resource: Option<ResourceId>,
    /// What.
    pub kind: HappeningKind,
    /// Why the resource was looked at, if it is about one that was.
    pub why: Option<Why>,
    /// How long that took.
    pub took: Option<Duration>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HappeningKind {
    /// Something else had changed it, and it was put right.
    Repaired {
        /// What was done.
        kind: ChangeKind,
        /// Which properties.
        properties: Arc<[Name]>,
    },
    /// Something else changed it, and it is left so: it is only audited.
    Drifted {
        /// What would be done.
        kind: ChangeKind,
        /// Which properties.
        properties: Arc<[Name]>,
    },
    /// It was changed because the configuration, a value or another resource asked for it.
    Changed {
        /// What was done.
        kind: ChangeKind,
        /// Which properties.
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

/// The last happenings; the oldest makes room.
#[derive(Debug, Default)]
pub(crate) struct Happenings(VecDeque<Arc<Happening>>);

impl Happenings {
    /// Keeps one more.
    pub(crate) fn push(&mut self, happening: Happening) {
        if self.0.len() == HAPPENINGS {
            self.0.pop_front();
        }
        self.0.push_back(Arc::new(happening));
    }

    /// All that are kept, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<Happening>> {
        self.0.iter().cloned().collect()
    }
}
