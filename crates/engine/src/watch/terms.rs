//! When a watch ends, and when it checks everything.

use std::time::Duration;

use rustc_hash::FxHashSet;

use crate::graph::NodeIndex;
use crate::request::WatchRequest;

/// The terms of a watch, and the facts that they depend on.
pub(crate) struct Terms<'p> {
    request: &'p WatchRequest,
    began: Duration,
    /// When something was last changed.
    pub(crate) changed_at: Duration,
    recheck_at: Option<Duration>,
    /// Visits that are under way.
    visiting: FxHashSet<NodeIndex>,
    /// Visits that were under way when another program was given; none if it was not.
    stragglers: Option<FxHashSet<NodeIndex>>,
}

impl<'p> Terms<'p> {
    pub(crate) fn new(request: &'p WatchRequest, began: Duration, now: Duration) -> Self {
        Self {
            request,
            began,
            changed_at: now,
            recheck_at: request.recheck.map(|span| now.saturating_add(span)),
            visiting: FxHashSet::default(),
            stragglers: None,
        }
    }

    /// A visit begins.
    pub(crate) fn began(&mut self, node: NodeIndex) {
        self.visiting.insert(node);
    }

    /// A visit no longer executes.
    pub(crate) fn left(&mut self, node: NodeIndex) {
        self.visiting.remove(&node);
        if let Some(stragglers) = &mut self.stragglers {
            stragglers.remove(&node);
        }
    }

    /// Whether it is time to check everything, or that was requested; then the next time is set.
    pub(crate) fn takes_recheck(&mut self, asked: bool, now: Duration) -> bool {
        let is_due = asked || self.recheck_at.is_some_and(|at| at <= now);
        if is_due {
            self.recheck_at = self.request.recheck.map(|span| now.saturating_add(span));
        }
        is_due
    }

    /// When the terms have to be checked again.
    pub(crate) fn due(&self, is_idle: bool) -> Option<Duration> {
        let converged = self.request.until_converged.filter(|_| is_idle);
        let converged = converged.map(|span| self.changed_at.saturating_add(span));
        let runtime = self.request.max_runtime.map(|span| self.began.saturating_add(span));
        converged.into_iter().chain(runtime).chain(self.recheck_at).min()
    }

    /// Whether the watch ends by its own terms, or because another program was given and the visits under way are over.
    pub(crate) fn is_ending(&mut self, is_idle: bool, has_next: bool, now: Duration) -> bool {
        let passed = |since: Duration, span: Option<Duration>| {
            span.is_some_and(|span| since.saturating_add(span) <= now)
        };
        let is_over = (is_idle && passed(self.changed_at, self.request.until_converged))
            || passed(self.began, self.request.max_runtime);
        if is_over || !has_next {
            return is_over;
        }
        let visiting = &self.visiting;
        self.stragglers.get_or_insert_with(|| visiting.clone()).is_empty()
    }
}
