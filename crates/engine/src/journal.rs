//! The journal of a machine as a run uses it: facts that the next run needs if this one is killed.

use std::time::SystemTime;

use uphold_model::{Action, DifferenceCauses, Moment, Name, ResourceId};
use uphold_resource::{Instance, Observation, Reading, RecordedState, Registry, Result};

use crate::event::Change;
use crate::program::set::Declared;

/// Remembers between runs. A run without a journal forgets everything when it ends.
///
/// Called by several visits at a time. A journal that cannot write reports that itself: the run goes on without it.
pub trait Journal: Send + Sync {
    /// The notifications that earlier runs did not deliver, in the order in which they became due.
    fn pending(&self) -> Vec<PendingNotification>;

    /// A resource is about to be changed. When this returns, its notifications are durable: if the run is killed from here
    /// on, the next one delivers them.
    fn begin(&self, beginning: &BeginningChange<'_>);

    /// The first effect of changes that began follows. When this returns, they are recorded.
    fn store_begun(&self) {}

    /// A resource was found as declared.
    fn converged(&self, loaded: &LoadedResource<'_>);

    /// Why a resource differs, as far as the last apply is known. The only call for a resource that is audited.
    fn causes(&self, loaded: &LoadedResource<'_>) -> DifferenceCauses;

    /// The positions of differences whose last applied value was a secret: the machine may still have it, even if it is not
    /// declared as one any more.
    fn applied_secrets(&self, _loaded: &LoadedResource<'_>) -> Vec<usize> {
        Vec::new()
    }

    /// A resource was changed, and loaded again: it is as declared. Not called for a verb, nor after a failure.
    fn changed(&self, change: &VerifiedChange<'_>);

    /// A change was put back, because the verification of its group failed: the resource is as before the run.
    fn put_back(&self, resource: &ResourceId);

    /// A plan is complete: `host` is the machine as an apply would leave it.
    fn planned(&self, _host: &Reading<'_>) {}

    /// The results of visits were handed in and reported. Called without a lock, so that nothing waits while this writes:
    /// before the next visit begins, or, if `is_idle`, before a worker waits.
    fn flush(&self, is_idle: bool);

    /// A notified action begins. A notification that becomes due from now on is not covered by it.
    fn taken_up(&self, target: &ResourceId, action: &Action);

    /// A notified action has run without failure: every notification that was due when it began is delivered.
    fn delivered(&self, target: &ResourceId, action: &Action);

    /// Nothing is under way. Of the notifications that became due since the run began, only these are left: the others turned
    /// out not to be sent.
    fn settle(&self, left: &[(&ResourceId, &Action)]);
}

/// A notification that an earlier run did not deliver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingNotification {
    /// The address of the notified resource, which may no longer be declared.
    pub target: Name,
    /// Its action.
    pub action: Action,
    /// The address of the resource that changed.
    pub notifier: Name,
    /// The addresses of others that changed, too; none if there are more than are known.
    pub also: Option<Vec<Name>>,
    /// When it became due.
    pub since: SystemTime,
}

/// A resource that was loaded and compared.
pub struct LoadedResource<'a> {
    /// The resource.
    pub resource: &'a ResourceId,
    /// Its declaration.
    pub declared: &'a Declared,
    /// The decoded resource.
    pub instance: &'a dyn Instance,
    /// Its state.
    pub seen: &'a Observation,
    /// The kinds of the program.
    pub kinds: &'a Registry,
    /// Whether the configuration declares it as sensitive: not even its identity may be stored.
    pub sensitive: bool,
    /// Whether it is sensitive, or was computed from a secret: its values must not be stored.
    pub secret: bool,
}

/// A change right before its first effect.
pub struct BeginningChange<'a> {
    /// The resource.
    pub resource: &'a ResourceId,
    /// The action.
    pub action: &'a Action,
    /// The change, with secrets hidden.
    pub change: &'a Change,
    /// Whether the configuration declares it as sensitive: not even its identity may be stored.
    pub sensitive: bool,
    /// Whether the resource is sensitive, or was computed from a secret: its values must not be stored.
    pub secret: bool,
    /// The decoded resource.
    pub instance: &'a dyn Instance,
    /// The state that will be replaced, as far as it was compared; none for a verb.
    pub seen: Option<&'a Observation>,
    /// Loads all of it; none for a verb. A missing resource is not loaded again.
    pub replaced: Option<&'a dyn Fn() -> Result<RecordedState>>,
    /// The actions that it will notify, each with its moment, and those that verify its groups, without one. Those of nested
    /// resources are included as far as they were predicted. `before` is not included: if the run is killed, the notifier still
    /// differs.
    pub notifies: Vec<(&'a ResourceId, &'a Action, Option<Moment>)>,
}

/// A change that was made and verified.
pub struct VerifiedChange<'a> {
    /// The resource, with its state after the change, as far as it was compared.
    pub loaded: LoadedResource<'a>,
    /// The action.
    pub action: &'a Action,
    /// The change, with secrets hidden.
    pub change: &'a Change,
    /// The machine.
    pub host: &'a Reading<'a>,
}
