//! The output of `uphold history --json` and `uphold pending --json`: one line for each run or notification.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::version::Format;
use crate::value::Value;
use crate::version::Version;

/// A recorded run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryRun {
    /// The version of the line.
    pub format_version: Version,
    /// Its number.
    pub run: u64,
    /// `apply`, `watch` or `undo`.
    pub mode: String,
    /// `ended`, `running` or `interrupted`.
    pub state: String,
    /// The start.
    pub started_at: String,
    /// The end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<String>,
    /// The user or unit that started it.
    pub started_by: StartedBy,
    /// The root of the machine that it changed: `/`, or the directory of `--root`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// The paths of the configuration.
    pub paths: Vec<String>,
    /// The digest of the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The commit of the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Whether nothing in its repository was uncommitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clean: Option<bool>,
    /// The names of the params that were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<String>,
    /// The run that it undid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<u64>,
    /// The version of Uphold.
    pub uphold: String,
    /// The numbers of its summary that are not zero.
    pub counts: BTreeMap<String, u64>,
    /// How many notifications it left pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<u64>,
    /// Its actions, in order.
    pub actions: Vec<HistoryAction>,
}

impl Format for HistoryRun {
    const NAME: &'static str = "run";
    const VERSION: Version = Version::new(1, 1);
}

/// The user or unit that started a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartedBy {
    /// The user: under `sudo`, the caller.
    pub user: String,
    /// Whether the user became root by `sudo`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sudo: bool,
    /// The terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<String>,
    /// The systemd unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The remote host of the user's session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
}

/// An action of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryAction {
    /// The address of the resource.
    pub address: String,
    /// `create`, `update`, `remove` or a verb.
    pub action: String,
    /// The time when it began.
    pub started_at: String,
    /// The changed properties.
    pub differences: Vec<HistoryDifference>,
    /// `changed`, `failed` and so on. None if it was interrupted, or still runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<String>,
    /// Its duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
    /// Why it was done, if not only because the resource differed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A property that an action changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryDifference {
    /// The property.
    pub property: String,
    /// The value before: null if there was none, digest and size of a long one.
    pub from: Value,
    /// The value after it, in the same form.
    pub to: Value,
    /// `new`, `drift`, `both` or `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

/// A notification that was not delivered yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingNotification {
    /// The version of the line.
    pub format_version: Version,
    /// The address of the notified resource.
    pub address: String,
    /// The action that it is notified of.
    pub action: String,
    /// Since when it is pending.
    pub since: String,
    /// The run that left it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u64>,
    /// The addresses of the resources that changed: the first 8.
    pub notifiers: Vec<String>,
    /// How many more changed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_notifiers: u64,
    /// The configuration.
    pub configuration: String,
    /// The error of the last delivery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Format for PendingNotification {
    const NAME: &'static str = "pending notification";
    const VERSION: Version = Version::new(1, 0);
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
