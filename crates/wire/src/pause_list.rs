//! The output of `uphold pause --json` and `uphold resume --json`; `docs/pause.md` specifies it.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::version::Format;
use crate::version::Version;
use crate::via;

/// The pauses in force after the command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseList {
    /// The version of the document.
    pub format_version: Version,
    /// The pauses, in the order in which they began.
    pub pauses: Vec<ListedPause>,
}

impl Format for PauseList {
    const NAME: &'static str = "list of pauses";
    const VERSION: Version = Version::new(1, 0);
}

/// A pause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPause {
    /// The patterns of the paused addresses; empty if everything is paused.
    pub addresses: Vec<String>,
    /// The user who paused them.
    pub by: String,
    /// The reason that the user gave.
    pub reason: Option<String>,
    /// The start.
    #[serde(with = "via")]
    pub since: SystemTime,
    /// The expiry.
    #[serde(with = "via")]
    pub until: SystemTime,
}
