//! The events of an apply, in which a change of a verified group is reported when its verification is over.

use uphold::model::ResourceId;
use uphold::{Event, EventKind, Program, Verdict};

/// Holds back changes that may be put back, so that each visit is reported once, with its last verdict.
pub(crate) struct UnverifiedChanges<'a> {
    program: &'a Program,
    held: Vec<Held<'a>>,
}

struct Held<'a> {
    resource: ResourceId,
    /// The action that verifies it.
    verifier: &'a ResourceId,
    event: Event,
}

impl<'a> UnverifiedChanges<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        Self { program, held: Vec::new() }
    }

    /// Takes an event, and hands on those that are known.
    pub(crate) fn take(&mut self, event: &Event, hand_on: &mut dyn FnMut(&Event)) {
        match &event.kind {
            EventKind::Finished { resource, verdict: Verdict::Changed(_), .. } => {
                if let Some(verifier) = self.program.verifier(resource) {
                    self.held.push(Held { resource: resource.clone(), verifier, event: event.clone() });
                    return;
                }
            }
            EventKind::Finished { resource, verdict: Verdict::PutBack(_), .. } => {
                if let Some(held) = self.held.iter_mut().find(|held| held.resource == *resource) {
                    held.event = event.clone();
                    return;
                }
            }
            _ => {}
        }
        let is_end = matches!(event.kind, EventKind::RunFinished(_));
        let verified = match &event.kind {
            EventKind::Finished { resource, .. } => Some(resource),
            _ => None,
        };
        if !self.held.is_empty() {
            for known in self.held.extract_if(.., |held| is_end || verified == Some(held.verifier)) {
                hand_on(&known.event);
            }
        }
        hand_on(event);
    }
}
