//! The lines of `pending`, and the notifications that they leave due.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::failure::{Attempt, Result};
use crate::line::{Chain, Damage, Scan, VerifiedLine, damage, scan};
use crate::resource_key::ResourceKey;
use crate::storage::{Part, Storage, read_if_present};
use crate::time::Time;

/// The notifiers that are stored by name; the others are counted.
pub(super) const MOST_NOTIFIERS: usize = 8;

/// A notification that a change is about to cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNotification {
    /// The resource that is notified.
    pub target: ResourceKey,
    /// Its address, for messages.
    pub address: String,
    /// The verb that is delivered, such as `reload`.
    pub verb: String,
    /// When it is delivered: `immediately`, `delayed`, `on_success`; or `verification`.
    pub moment: String,
    /// The address of the resource that changes.
    pub notifier: String,
    /// The run.
    pub run: Option<u64>,
    /// The time.
    pub time: Time,
    /// The address of the parent, if the notifier is nested.
    pub parent: Option<String>,
}

/// A notification that is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DueNotification {
    /// Its number; later ones are larger.
    pub n: u64,
    /// The resource that is notified.
    #[serde(rename = "key")]
    pub target: ResourceKey,
    /// Its address.
    #[serde(rename = "a")]
    pub address: String,
    /// The verb.
    pub verb: String,
    /// When it is delivered.
    pub moment: String,
    /// The addresses of the first 8 notifiers.
    #[serde(rename = "by")]
    pub notifiers: Vec<String>,
    /// The number of further notifiers, at least.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u64,
    /// The run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u64>,
    /// Since when it is due.
    #[serde(rename = "t")]
    pub time: Time,
    /// The address of the parent, if the first notifier is nested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The error of the last delivery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A line of `pending`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PendingLine {
    /// It is due from now on.
    Due(Box<DueNotification>),
    /// Another resource notifies, too.
    Also { n: u64, by: String, more: u64 },
    /// It was delivered.
    Done { n: Vec<u64>, run: Option<u64> },
    /// Its delivery failed, so it stays due.
    Failed { n: Vec<u64>, error: String },
    /// A user dropped it.
    Drop { n: Vec<u64>, user: String },
}

impl DueNotification {
    /// The notification with this number.
    pub fn new(n: u64, new: NewNotification) -> Self {
        let NewNotification { target, address, verb, moment, notifier, run, time, parent } = new;
        let notifiers = vec![notifier];
        Self { n, target, address, verb, moment, notifiers, more: 0, run, time, parent, error: None }
    }

    /// Adds a notifier. Returns whether that is worth a line: the first 8, then each time that their number doubled.
    pub(super) fn add(&mut self, notifier: &str) -> bool {
        if self.notifiers.iter().any(|known| known == notifier) {
            return false;
        }
        if self.notifiers.len() < MOST_NOTIFIERS {
            self.notifiers.push(notifier.to_owned());
            return true;
        }
        self.more += 1;
        self.more.is_power_of_two()
    }
}

/// The notifications that are due, by number.
pub(super) type Dues = BTreeMap<u64, DueNotification>;

/// Replays the lines. The second value is the largest number that was used.
pub(super) fn replay(scan: &Scan<'_>) -> (Dues, u64) {
    let (mut dues, mut last) = (Dues::new(), 0);
    for line in scan.lines.iter().filter_map(VerifiedLine::record::<PendingLine>) {
        match line {
            PendingLine::Due(due) => {
                last = last.max(due.n);
                dues.insert(due.n, *due);
            }
            PendingLine::Also { n, by, more } => {
                if let Some(due) = dues.get_mut(&n) {
                    due.add(&by);
                    due.more = due.more.max(more);
                }
            }
            PendingLine::Failed { n, error } => {
                for due in dues.values_mut().filter(|due| n.contains(&due.n)) {
                    due.error = Some(error.clone());
                }
            }
            PendingLine::Done { n, .. } | PendingLine::Drop { n, .. } => {
                dues.retain(|number, _| !n.contains(number));
            }
        }
    }
    (dues, last)
}

/// The pending notifications as a reader sees them, also beside a run.
#[derive(Debug, Default)]
pub struct PendingView {
    /// The notifications that are due, oldest first.
    pub due: Vec<DueNotification>,
    /// Lines that do not verify.
    pub damage: Option<Damage>,
}

impl PendingView {
    /// Reads the file. A run beside it may empty it between two reads of a long file, so damage counts only if it is still
    /// there.
    pub(crate) fn read(storage: &dyn Storage, name: &str) -> Result<Self> {
        let mut last = None;
        loop {
            let content = read_if_present(storage, name, Part::All).attempt("read", name)?;
            let scan = scan(&content, Chain::None);
            if scan.broken.is_none() || last.as_ref() == Some(&content) {
                return Ok(Self {
                    due: replay(&scan).0.into_values().collect(),
                    damage: damage(name, &scan),
                });
            }
            last = Some(content);
        }
    }
}
