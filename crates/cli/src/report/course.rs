//! What happens to an action between its beginning and its end.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use uphold::model::ResourceId;
use uphold::resource::Level;
use uphold::{Event, EventKind, Failure};

/// What an action went through.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    /// When it was taken up, from the beginning of the run; none if it never was.
    pub(crate) began: Option<Duration>,
    /// Each time that it failed, and was to be tried again.
    pub(crate) retries: Vec<Retried>,
    /// What it waited for, one after the other.
    pub(crate) waits: Vec<Waited>,
    /// The batch that it was changed in, itself included.
    pub(crate) merged: Option<Batch>,
    /// What the resource said.
    pub(crate) messages: Vec<(Level, String)>,
}

/// A failure that was not the end.
#[derive(Clone, Debug)]
pub(crate) struct Retried {
    pub(crate) failure: Box<Failure>,
    pub(crate) after: Duration,
}

/// Waiting for one thing.
#[derive(Clone, Debug)]
pub(crate) struct Waited {
    pub(crate) reason: String,
    /// How often it was looked at, in vain.
    pub(crate) looks: u32,
    /// For how long, in all.
    pub(crate) span: Duration,
}

/// Resources that were changed in one go.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// Which of the run's batches, from 0.
    pub(crate) number: usize,
    pub(crate) resources: Arc<[ResourceId]>,
}

impl Course {
    /// How often it was tried.
    pub(crate) fn tries(&self) -> usize {
        self.retries.len() + usize::from(self.began.is_some())
    }

    /// How long it waited, whatever for.
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

/// The courses of all actions that are not done with. A resource has one action at a time.
#[derive(Debug, Default)]
pub(crate) struct Courses {
    open: HashMap<ResourceId, Course>,
    batches: usize,
}

impl Courses {
    /// Notes what happened to whom.
    pub(crate) fn note(&mut self, event: &Event) {
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

    /// What an action went through, now that it is done with.
    pub(crate) fn take(&mut self, resource: &ResourceId) -> Course {
        self.open.remove(resource).unwrap_or_default()
    }

    /// How it goes so far.
    pub(crate) fn get(&self, resource: &ResourceId) -> Option<&Course> {
        self.open.get(resource)
    }

    fn of(&mut self, resource: &ResourceId) -> &mut Course {
        self.open.entry(resource.clone()).or_default()
    }

    /// All of them share one list: a batch may be as large as the run.
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

    fn note(courses: &mut Courses, kind: EventKind) {
        courses.note(&Event { at: Duration::ZERO, kind });
    }

    #[test]
    fn waiting_for_one_thing_is_one_wait() {
        let (mut courses, resource) = (Courses::default(), ResourceId::new("task", "a"));
        for reason in ["port 80", "port 80", "port 81"] {
            let (reason, after) = (reason.to_owned(), Duration::from_secs(2));
            note(&mut courses, EventKind::Waiting { resource: resource.clone(), reason, after });
        }
        let course = courses.take(&resource);
        let waits: Vec<(&str, u32)> = course.waits.iter().map(|wait| (&*wait.reason, wait.looks)).collect();
        assert_eq!(waits, [("port 80", 2), ("port 81", 1)]);
        assert_eq!((course.waited(), course.tries()), (Duration::from_secs(6), 0));
        assert_eq!(courses.take(&resource).waited(), Duration::ZERO, "the next action begins anew");
    }

    #[test]
    fn a_batch_is_shared_by_all_of_it() {
        let mut courses = Courses::default();
        let resources = ["a", "b", "c"].map(|name| ResourceId::new("package", name));
        note(&mut courses, EventKind::Merged { resources: resources[..2].to_vec() });
        note(&mut courses, EventKind::Merged { resources: resources[2..].to_vec() });
        let batch = |resource| courses.get(resource).and_then(|course| course.merged.clone()).expect("one");
        assert_eq!((batch(&resources[0]).number, batch(&resources[2]).number), (0, 1));
        assert!(Arc::ptr_eq(&batch(&resources[0]).resources, &batch(&resources[1]).resources));
    }
}
