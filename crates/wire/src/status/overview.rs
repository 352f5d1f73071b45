//! What a watch knows, as a whole or in short.

use std::sync::Arc;
use std::time::SystemTime;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::answer::VERSION;
use super::happening::Happening;
use super::resource::ResourceStatus;
use super::via;
use crate::object::Word;
use crate::read::{Format, ReadError, read};
use crate::version::Version;

/// An answer with what is known: a [`Snapshot`] or an [`Overview`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status<T> {
    /// The version of the answer.
    pub format_version: Version,
    /// `status` or `overview`.
    pub r#type: Word,
    /// What is known.
    #[serde(flatten)]
    pub known: T,
}

impl<T: DeserializeOwned> Format for Status<T> {
    const NAME: &'static str = "answer of the watch";
    const VERSION: Version = VERSION;
}

/// Everything that is known. Costs as much as there are resources; a view that draws often takes an [`Overview`] and a
/// page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The whole in short; its troubles are all of them.
    #[serde(flatten)]
    pub overview: Overview,
    /// Every action, in written order; an overview that is read as a snapshot has none.
    #[serde(default)]
    pub resources: Vec<ResourceStatus>,
}

impl Snapshot {
    /// As an answer.
    pub fn answer(&self) -> Status<&Self> {
        Status { format_version: VERSION, r#type: "status".into(), known: self }
    }

    /// From the line of an answer; of an overview, without resources.
    ///
    /// # Errors
    /// If it is none, has another major version, or something that is needed is missing.
    pub fn from_line(line: &str) -> Result<Self, ReadError> {
        read::<Status<Self>>(line).map(|status| status.known)
    }
}

impl Overview {
    /// As an answer.
    pub fn answer(&self) -> Status<&Self> {
        Status { format_version: VERSION, r#type: "overview".into(), known: self }
    }
}

/// A happening that a later version reports is left out.
fn known<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Arc<Happening>>, D::Error> {
    let all: Vec<serde_json::Value> = Deserialize::deserialize(from)?;
    Ok(all.into_iter().filter_map(|one| serde_json::from_value(one).ok()).map(Arc::new).collect())
}

/// The whole in short: it does not grow with the number of resources.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    /// When the watch began.
    #[serde(with = "via")]
    pub began: SystemTime,
    /// The process that watches.
    pub pid: u32,
    /// What it is doing.
    pub phase: Phase,
    /// Which configuration is held: 0 is the one that it began with.
    pub generation: u64,
    /// When another configuration was taken up last.
    #[serde(default, with = "via")]
    pub swapped: Option<SystemTime>,
    /// Why the configuration as it is written now is not the one that is held, if it was refused.
    pub refused: Option<Refusal>,
    /// The numbers.
    pub totals: Totals,
    /// What is not as it should be, in written order: failed, blocked, differing or blind.
    pub troubles: Vec<ResourceStatus>,
    /// How many troubles are not among those.
    pub more_troubles: usize,
    /// What is visited right now.
    pub busy: Vec<ResourceStatus>,
    /// What happened lately, oldest first.
    #[serde(deserialize_with = "known")]
    pub happenings: Vec<Arc<Happening>>,
}

/// What a watch is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "snake_case")]
pub enum Phase {
    /// It has not begun.
    Starting,
    /// It visits what it has not seen yet.
    Converging {
        /// How many actions are done with.
        done: usize,
        /// Of how many.
        of: usize,
    },
    /// Everything was visited, and is held from then on.
    Watching {
        /// Since when; a new configuration does not begin anew.
        #[serde(with = "via")]
        since: SystemTime,
    },
}

/// A configuration that was not taken up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// When.
    #[serde(with = "via")]
    pub at: SystemTime,
    /// What is wrong with it.
    pub message: String,
}

/// How many resources are in which state now, and how often things happened since the watch began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// All actions.
    pub all: usize,
    /// Looked at now and then, because they cannot be watched.
    pub blind: usize,
    /// Cannot be visited, because what they stand on failed.
    pub blocked: usize,
    /// Visited right now, whatever their state.
    pub busy: usize,
    /// Visits that changed something.
    pub changes: u64,
    /// Differ, and are only audited.
    pub differ: usize,
    /// How often something that was as declared had been changed by something else.
    pub drifted: u64,
    /// Went wrong.
    pub failed: usize,
    /// Visits that failed.
    pub failures: u64,
    /// As declared.
    pub held: usize,
    /// Went wrong, which is ignored.
    pub ignored: usize,
    /// Left alone.
    pub left_alone: usize,
    /// Still to be done with: not visited yet, visited right now, or to be tried again.
    pub pending: usize,
    /// How often another configuration was refused.
    pub refusals: u64,
    /// How often that was put right.
    pub repaired: u64,
    /// How often reports of the machine were lost.
    pub reports_lost: u64,
    /// How often another configuration was taken up.
    pub swaps: u64,
    /// Visits that ended.
    pub visits: u64,
    /// Not visited yet.
    pub waiting: usize,
}
