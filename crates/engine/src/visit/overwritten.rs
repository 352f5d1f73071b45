//! Resources that another resource of the same run changed again: the paths that each resource writes are noted.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashMap;
use uphold_model::{Action, Claims, Difference, Mutex};
use uphold_resource::{Desired, Entry, EntryKind, ErrorKind, Files, Instance, Observation, Result};

use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::program::managed;
use crate::program::set::ResourceIndex;
use crate::visit::{VisitInputs, Visits};
use crate::visitor::Visitor;

/// The writes of a run. A run that changes nothing leaves it empty.
#[derive(Default)]
pub(crate) struct Writes(Mutex<AllWrites>);

#[derive(Default)]
struct AllWrites {
    /// The writers of each path that was written.
    paths: FxHashMap<PathBuf, Writers>,
    /// Each resource that wrote a path that another one wrote, too, and the other one. They may have no claim on it.
    shared: FxHashMap<ResourceIndex, ResourceIndex>,
}

/// The last two resources that wrote a path.
#[derive(Clone, Copy)]
pub(crate) struct Writers {
    last: ResourceIndex,
    other: Option<ResourceIndex>,
    /// Whether the file itself was changed, which may have other names; a written file replaces the one at its path.
    in_place: bool,
}

impl Writers {
    fn add(&mut self, by: ResourceIndex) {
        if self.last != by {
            *self = Self { last: by, other: Some(self.last), ..*self };
        }
    }

    /// Adds the writers of another path.
    pub(crate) fn join(&mut self, others: Writers) {
        others.other.into_iter().chain([others.last]).for_each(|by| self.add(by));
    }

    /// The last writer besides this resource. The order of two visits at the same time is not known, so one that wrote
    /// before it counts, too.
    pub(crate) fn besides(self, resource: ResourceIndex) -> Option<ResourceIndex> {
        Some(self.last).filter(|last| *last != resource).or(self.other)
    }
}

impl Writes {
    fn note(&self, path: &Path, by: ResourceIndex, in_place: bool) {
        let AllWrites { paths, shared } = &mut *self.0.lock();
        match paths.get_mut(path) {
            Some(writers) => {
                if writers.last != by {
                    shared.insert(writers.last, by);
                    shared.insert(by, writers.last);
                }
                writers.add(by);
                writers.in_place |= in_place;
            }
            None => _ = paths.insert(path.to_owned(), Writers { last: by, other: None, in_place }),
        }
    }

    /// All of them up to now.
    fn take(&self) -> AllWrites {
        std::mem::take(&mut *self.0.lock())
    }
}

/// The writes of one visit.
pub(crate) struct NotedWrites<'a> {
    /// The writes of the run, if its end asks for them.
    writes: Option<&'a Writes>,
    by: ResourceIndex,
    failed: AtomicBool,
    /// Whether a verification rejected a new file, and whether anything else was written.
    rejected: AtomicBool,
    written: AtomicBool,
}

impl<'a> NotedWrites<'a> {
    pub(crate) fn new(visits: &'a Visits<'a>, by: ResourceIndex) -> Self {
        let (failed, rejected, written) = Default::default();
        Self { writes: visits.writes.as_ref(), by, failed, rejected, written }
    }

    /// Notes that a verification rejected a new file: nothing was written.
    pub(crate) fn rejected(&self) {
        self.rejected.store(true, Ordering::Relaxed);
    }

    /// Whether the visit ended with a rejected file, and wrote nothing.
    pub(crate) fn are_rejected(&self) -> bool {
        self.rejected.load(Ordering::Relaxed) && !self.written.load(Ordering::Relaxed)
    }

    /// Whether the machine failed to write something. A verification that rejects a new file is no such failure.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    pub(crate) fn noted<T>(&self, path: &Path, result: Result<T>) -> Result<T> {
        self.note(path, false, result)
    }

    /// The same for a change of the file itself, which may have other names.
    pub(crate) fn noted_in_place<T>(&self, path: &Path, result: Result<T>) -> Result<T> {
        self.note(path, true, result)
    }

    fn note<T>(&self, path: &Path, in_place: bool, result: Result<T>) -> Result<T> {
        self.written.store(true, Ordering::Relaxed);
        match &result {
            Ok(_) => {
                if let Some(writes) = self.writes {
                    writes.note(path, self.by, in_place);
                }
            }
            Err(error) if error.kind() == ErrorKind::Rejected => {}
            Err(_) => self.failed.store(true, Ordering::Relaxed),
        }
        result
    }
}

/// The paths that a run has written.
pub(crate) struct Written {
    exact: FxHashMap<PathBuf, Writers>,
    /// Their parents, with all that wrote something inside.
    around: FxHashMap<PathBuf, Writers>,
    /// As in [`AllWrites`].
    shared: FxHashMap<ResourceIndex, ResourceIndex>,
}

impl Written {
    fn new(exact: FxHashMap<PathBuf, Writers>, shared: FxHashMap<ResourceIndex, ResourceIndex>) -> Self {
        let mut around: FxHashMap<PathBuf, Writers> = FxHashMap::default();
        for (path, writers) in &exact {
            for parent in path.ancestors().skip(1) {
                match around.get_mut(parent) {
                    Some(known) => known.join(*writers),
                    None => _ = around.insert(parent.to_owned(), *writers),
                }
            }
        }
        Self { exact, around, shared }
    }

    /// Another resource that wrote what these claims of `resource` are about: a path that it holds or edits, or one
    /// inside a directory all of which belongs to it.
    fn by_other(&self, claims: &Claims, resource: ResourceIndex) -> Option<ResourceIndex> {
        managed::controlled_paths(claims).find_map(|(path, whole)| self.path_by_other(resource, path, whole))
    }

    /// Another resource that wrote a path; with `whole`, or anything inside.
    fn path_by_other(&self, resource: ResourceIndex, path: &Path, whole: bool) -> Option<ResourceIndex> {
        let exact = self.exact.get(path).and_then(|writers| writers.besides(resource));
        let inside = self.around.get(path).filter(|_| whole);
        exact.or_else(|| inside.and_then(|writers| writers.besides(resource)))
    }
}

/// Adds the writers of all written names of one file to each of them, because they share owner and mode. Costs one
/// `lstat` for each file that was changed in place, and one for each path if such a file has several names.
fn join_hard_links(writes: &mut FxHashMap<PathBuf, Writers>, files: &dyn Files) {
    let shared = |path: &PathBuf| match files.look(path) {
        Ok(Some(Entry { kind: EntryKind::File, links: 2.., identity, .. })) => Some(identity),
        _ => None,
    };
    if !writes.iter().any(|(path, writers)| writers.in_place && shared(path).is_some()) {
        return;
    }
    let mut names: FxHashMap<(u64, u64), Vec<PathBuf>> = FxHashMap::default();
    for path in writes.keys() {
        if let Some(identity) = shared(path) {
            names.entry(identity).or_default().push(path.clone());
        }
    }
    for paths in names.into_values() {
        let mut all = writes[&paths[0]];
        paths[1..].iter().for_each(|path| all.join(writes[path]));
        writes.extend(paths.into_iter().map(|path| (path, all)));
    }
}

impl Visits<'_> {
    /// Everything is done: resources that another one changed again have failed after all, and why. Costs nothing if nothing
    /// was written; else a walk over the managed paths, and a load of each resource whose paths another one wrote.
    ///
    /// `settled`: whether each action left its resource as declared. `is_secret`: whether a node may read a secret.
    pub(crate) fn overwritten(
        &self,
        settled: &[bool],
        is_secret: impl Fn(NodeIndex) -> bool,
    ) -> Vec<(NodeIndex, Failure)> {
        let Some(written) = self.written() else { return Vec::new() };
        let program = self.program;
        let by_other = |resource, path: &Path, whole| written.path_by_other(resource, path, whole).is_some();
        let concerned = program.managed.owners_of(&program.set, by_other);
        let is_concerned = |node: &NodeIndex| {
            let resource = program.list.get(*node as usize).resource;
            // The paths of a resource that is decoded at its visit are not known before.
            program.node(*node).instance.is_none()
                || concerned.contains(&resource)
                || written.shared.contains_key(&resource)
        };
        let mut failed = Vec::new();
        for node in self.last_settled(settled).into_iter().filter(is_concerned) {
            if self.stop.is_requested() {
                break;
            }
            let check = || self.check_again(node, &written, is_secret(node));
            let failure = catch_unwind(AssertUnwindSafe(check));
            let failure = failure.unwrap_or_else(|panic| Some(Failure::panicked(&*panic)));
            failed.extend(failure.map(|failure| (node, failure)));
        }
        failed
    }

    /// The last written action of each declared resource that is as declared now, without verbs, without members of groups that
    /// only run after a change of something else, and without members whose changes a failed verification undid.
    fn last_settled(&self, settled: &[bool]) -> Vec<NodeIndex> {
        let (list, table) = (&self.program.list, &self.program.notifications);
        let mut last: Vec<Option<NodeIndex>> = vec![None; self.program.set.len()];
        for (node, entry) in (0..).zip(list.iter()) {
            if !matches!(entry.action(), Action::Verb(_)) {
                last[entry.resource as usize] = Some(node);
            }
        }
        let subscribes = |node: &NodeIndex| {
            let mut around = list.groups.around(list.get(*node as usize).group);
            around.any(|group| table.subscribed(group).is_some())
        };
        let mut nodes: Vec<NodeIndex> = last.into_iter().flatten().collect();
        nodes.retain(|node| settled.get(*node as usize).is_some_and(|settled| *settled));
        nodes.retain(|node| !subscribes(node));
        // Another resource may have taken the place of one that is no longer declared.
        nodes.retain(|node| !self.program.is_no_longer_declared(self.program.id(*node)));
        let undone = self.undone.lock();
        nodes.retain(|node| !undone.contains(node));
        nodes.sort_unstable();
        nodes
    }

    /// The paths that were written, if that is noted and there are any.
    fn written(&self) -> Option<Written> {
        let AllWrites { mut paths, shared } = self.writes.as_ref()?.take();
        join_hard_links(&mut paths, self.host.files());
        (!paths.is_empty()).then(|| Written::new(paths, shared))
    }

    /// Loads a node again if another resource wrote to its paths: why it differs, if it does.
    fn check_again(&self, node: NodeIndex, written: &Written, secret: bool) -> Option<Failure> {
        let before = VisitInputs { secret, ..VisitInputs::default() };
        let visitor = Visitor::new(self, node, &before);
        let declared = visitor.decoded().ok()?;
        visitor.mark_secrets_of(&*declared);
        let by = |other| self.program.set.id(other);
        let claimed = written.by_other(&declared.claims(), visitor.resource());
        let failure = match claimed {
            Some(other) => Failure::overwritten(by(other)),
            None => Failure::overwritten_unclaimed(by(*written.shared.get(&visitor.resource())?)),
        };
        visitor.differs_again(&*declared, failure)
    }
}

impl Visitor<'_> {
    fn differs_again(&self, declared: &dyn Instance, failure: Failure) -> Option<Failure> {
        // The next run would skip it.
        if !matches!(self.is_skipped(), Ok(None)) {
            return None;
        }
        let seen = self.observe(declared).transpose()?;
        match seen {
            Ok(seen) if seen.converged || seen.repeats => None,
            Err(error) if error.retry_after().is_some() => None,
            _ if self.limits.was_interrupted() => None,
            Ok(Observation { mut differences, .. }) => {
                if self.is_secret() {
                    differences = differences.into_iter().map(Difference::sensitive).collect();
                }
                Some(Failure { differences, ..failure })
            }
            Err(error) => {
                let causes = if self.is_secret() { Vec::new() } else { vec![error.chain()] };
                Some(Failure { causes, ..failure })
            }
        }
    }

    /// The state of the resource, compared with the goal of the action; none for a verb.
    fn observe(&self, declared: &dyn Instance) -> Result<Option<Observation>> {
        let desired = match self.entry().action() {
            Action::Converge => Desired::Present,
            Action::Remove => Desired::Absent,
            Action::Verb(_) => return Ok(None),
        };
        let completed = self.prepare(declared, desired)?;
        completed.as_deref().unwrap_or(declared).observe(desired, &self.act()).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_other_writer_is_known() {
        let writes = Writes::default();
        [1, 1, 2, 3].into_iter().for_each(|by| writes.note(Path::new("/a"), by, false));
        writes.note(Path::new("/b"), 1, false);
        let AllWrites { paths, shared } = writes.take();
        let besides = |path: &str, resource| paths[Path::new(path)].besides(resource);
        assert_eq!([besides("/a", 1), besides("/a", 3)], [Some(3), Some(2)]);
        assert_eq!([besides("/b", 1), besides("/b", 2)], [None, Some(1)]);
        assert_eq!(
            [1, 2, 3, 4].map(|resource| shared.get(&resource).copied()),
            [Some(2), Some(3), Some(2), None]
        );
    }
}
