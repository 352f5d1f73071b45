//! The retries, waits, batch and messages of an action, collected until it finishes.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use uphold::model::ResourceId;
use uphold::resource::Level;
use uphold::{Event, EventKind, Failure};

#[derive(Clone, Debug, Default)]
pub(crate) struct ActionHistory {
    /// When it started, relative to the start of the run; none if it never did.
    pub(crate) began: Option<Duration>,
    /// Each failure that was followed by another attempt.
    pub(crate) retries: Vec<Retried>,
    /// The reasons for which it waited, in order.
    pub(crate) waits: Vec<Waited>,
    /// The batch in which it was changed.
    pub(crate) merged: Option<Batch>,
    /// The messages of the resource.
    pub(crate) messages: Vec<(Level, String)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Retried {
    pub(crate) failure: Box<Failure>,
    pub(crate) after: Duration,
}

#[derive(Clone, Debug)]
pub(crate) struct Waited {
    pub(crate) reason: String,
    /// The number of unsuccessful checks.
    pub(crate) looks: u32,
    /// The total time.
    pub(crate) span: Duration,
}

/// Resources that were changed in one transaction.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// The number of the batch in the run, from 0.
    pub(crate) number: usize,
    pub(crate) resources: Arc<[ResourceId]>,
}

impl ActionHistory {
    /// The number of attempts.
    pub(crate) fn attempts(&self) -> usize {
        self.retries.len() + usize::from(self.began.is_some())
    }

    /// The total time of all waits.
    pub(crate) fn waited(&self) -> Duration {
        self.waits.iter().map(|waited| waited.span).sum()
    }

    fn wait(&mut self, reason: &str, after: Duration) {
        match self.waits.last_mut().filter(|last| last.reason == reason) {
            Some(last) => {
                last.looks += 1;
                last.span += after;
            }
            None => self.waits.push(Waited { reason: reason.to_owned(), looks: 1, span: after }),
        }
    }
}

/// The histories of all unfinished actions. A resource has one action at a time.
#[derive(Debug, Default)]
pub(crate) struct ActionHistories {
    unfinished: HashMap<ResourceId, ActionHistory>,
    batches: usize,
}

impl ActionHistories {
    pub(crate) fn record(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Started { resource, .. } => {
                self.of(resource).began.get_or_insert(event.at);
            }
            EventKind::Retrying { resource, failure, after, .. } => {
                let retried = Retried { failure: failure.clone(), after: *after };
                self.of(resource).retries.push(retried);
            }
            EventKind::Waiting { resource, reason, after } => self.of(resource).wait(reason, *after),
            EventKind::Merged { resources } => self.merge(resources),
            EventKind::Message { resource, level, text } => {
                self.of(resource).messages.push((*level, text.clone()));
            }
            _ => {}
        }
    }

    /// Removes the history of a finished action.
    pub(crate) fn take(&mut self, resource: &ResourceId) -> ActionHistory {
        if self.unfinished.is_empty() {
            return ActionHistory::default();
        }
        self.unfinished.remove(resource).unwrap_or_default()
    }

    pub(crate) fn get(&self, resource: &ResourceId) -> Option<&ActionHistory> {
        self.unfinished.get(resource)
    }

    fn of(&mut self, resource: &ResourceId) -> &mut ActionHistory {
        self.unfinished.entry(resource.clone()).or_default()
    }

    /// All resources share one list, because a batch may be as large as the run.
    fn merge(&mut self, resources: &[ResourceId]) {
        let batch = Batch { number: self.batches, resources: resources.into() };
        self.batches += 1;
        for resource in resources {
            self.of(resource).merged = Some(batch.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(histories: &mut ActionHistories, kind: EventKind) {
        histories.record(&Event { at: Duration::ZERO, kind });
    }

    #[test]
    fn joins_waits_with_the_same_reason() {
        let (mut histories, resource) = (ActionHistories::default(), ResourceId::new("task", "a"));
        for reason in ["port 80", "port 80", "port 81"] {
            let (reason, after) = (reason.to_owned(), Duration::from_secs(2));
            record(&mut histories, EventKind::Waiting { resource: resource.clone(), reason, after });
        }
        let history = histories.take(&resource);
        let waits: Vec<(&str, u32)> = history.waits.iter().map(|wait| (&*wait.reason, wait.looks)).collect();
        assert_eq!(waits, [("port 80", 2), ("port 81", 1)]);
        assert_eq!((history.waited(), history.attempts()), (Duration::from_secs(6), 0));
        assert_eq!(histories.take(&resource).waited(), Duration::ZERO, "the next action begins anew");
    }

    #[test]
    fn shares_the_list_of_a_batch() {
        let mut histories = ActionHistories::default();
        let resources = ["a", "b", "c"].map(|name| ResourceId::new("package", name));
        record(&mut histories, EventKind::Merged { resources: resources[..2].to_vec() });
        record(&mut histories, EventKind::Merged { resources: resources[2..].to_vec() });
        let batch =
            |resource| histories.get(resource).and_then(|history| history.merged.clone()).expect("one");
        assert_eq!((batch(&resources[0]).number, batch(&resources[2]).number), (0, 1));
        assert!(Arc::ptr_eq(&batch(&resources[0]).resources, &batch(&resources[1]).resources));
    }
}
