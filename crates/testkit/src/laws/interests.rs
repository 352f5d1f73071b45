//! The laws about interests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_memory::{Edit, MemoryHost, Snapshot, Write};
use uphold_model::Action;
use uphold_resource::{Desired, EntryKind, Files, Instance, Interest, Token, WatchEvent, Watcher};

use super::subject::Subject;
use super::trial::{Broken, Trial};

/// The name of the unrelated file.
const UNRELATED: &str = "uphold-unrelated";

/// Changes at every path that load reads or apply writes are reported, and each drift of the subject is detected and
/// reported after at least one wish.
///
/// Paths that commands read or write are exempt, because they are unknown.
pub fn an_outside_change_wakes_it(subject: &Subject) -> Result<(), Broken> {
    const LAW: &str = "an_outside_change_wakes_it";
    for trial in Trial::each(LAW, subject) {
        if let Some(run) = Run::of(&trial)? {
            run.paths(subject).try_for_each(|path| run.wakes(&trial, path))?;
        }
    }
    (0..subject.drifts.len()).try_for_each(|drift| wakes_after_some_wish(LAW, subject, drift))
}

/// Changes at paths that load does not read are not reported: an unrelated file in the same directory should not cost
/// a check.
///
/// Directories that load reads itself are exempt, because it may have listed them.
pub fn an_unrelated_change_does_not_wake_it(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("an_unrelated_change_does_not_wake_it", subject) {
        let Some(run) = Run::of(&trial)? else { continue };
        let beside: BTreeSet<&Path> = run.paths(subject).filter_map(Path::parent).collect();
        let unseen = beside.into_iter().filter(|directory| !run.looked.contains(*directory));
        unseen.map(|directory| directory.join(UNRELATED)).try_for_each(|path| run.sleeps(&trial, &path))?;
    }
    Ok(())
}

/// A machine on which a wish was applied, and the paths that were read and written meanwhile.
struct Run {
    host: MemoryHost,
    instance: Box<dyn Instance>,
    done: Snapshot,
    looked: BTreeSet<PathBuf>,
    written: Vec<Write>,
}

impl Run {
    /// None if it cannot be loaded or applied: another law reports that.
    fn of(trial: &Trial<'_>) -> Result<Option<Self>, Broken> {
        let host = trial.subject.host();
        let instance = trial.decode(&Action::Converge, &host)?;
        let Ok(seen) = instance.observe(Desired::Present, &host.act()) else { return Ok(None) };
        let mut looked = host.read_paths();
        if !seen.converged && instance.apply(&seen, &host.act()).is_err() {
            return Ok(None);
        }
        let written = host.writes();
        host.forget();
        let _ = instance.observe(Desired::Present, &host.act());
        looked.extend(host.read_paths());
        Ok(Some(Self { done: host.snapshot(), host, instance, looked, written }))
    }

    /// Every path that was read, or written by apply itself, without side effects.
    fn paths<'a>(&'a self, subject: &'a Subject) -> impl Iterator<Item = &'a Path> {
        let looked = self.looked.iter().map(PathBuf::as_path);
        let written = self.written.iter().filter(|write| is_direct(write)).map(|write| write.path.as_path());
        looked.chain(written).filter(|path| !subject.is_side_effect(path))
    }

    /// Fails unless a change at `path` is reported.
    fn wakes(&self, trial: &Trial<'_>, path: &Path) -> Result<(), Broken> {
        self.host.restore(&self.done);
        let listener = Listener::new(&*self.instance, &self.host);
        if !disturb(&self.host, path) || listener.is_woken() {
            return Ok(());
        }
        let write = self.written.iter().find(|write| is_direct(write) && write.path == path);
        let what = match write.filter(|_| !self.looked.contains(path)) {
            Some(write) => format!("apply did `{write}`"),
            None => format!("load reads {}", path.display()),
        };
        Err(trial.broken(format!("{what}, and no interest covers it: {:?}", listener.interests)))
    }

    /// Fails if a change at a path that it does not read is reported.
    fn sleeps(&self, trial: &Trial<'_>, unrelated: &Path) -> Result<(), Broken> {
        self.host.restore(&self.done);
        let listener = Listener::new(&*self.instance, &self.host);
        if !disturb(&self.host, unrelated) || !listener.is_woken() {
            return Ok(());
        }
        self.host.forget();
        let _ = self.instance.observe(Desired::Present, &self.host.act());
        if self.host.read_paths().contains(unrelated) {
            return Ok(());
        }
        let path = unrelated.display();
        Err(trial
            .broken(format!("a file {path} wakes it, and load does not read it: {:?}", listener.interests)))
    }
}

fn is_direct(write: &Write) -> bool {
    write.by.is_none() && !matches!(write.what, Edit::Run | Edit::Send)
}

/// Removes the entry at `path`, or creates a file there. False if neither is possible.
fn disturb(host: &MemoryHost, path: &Path) -> bool {
    let at = |path: &Path| host.look(path).ok().flatten();
    let Some(parent) = path.parent() else { return false };
    match (at(path), at(parent)) {
        (Some(_), _) => host.delete(path),
        (None, Some(parent)) if parent.kind == EntryKind::Directory => host.tamper(path, "tampered"),
        (None, _) => return false,
    }
    true
}

fn wakes_after_some_wish(law: &'static str, subject: &Subject, drift: usize) -> Result<(), Broken> {
    let woken = Trial::each(law, subject).any(|trial| wakes(&trial, drift));
    // A kind that does not even converge breaks another law.
    if woken || Trial::each(law, subject).all(|trial| trial.converged().is_none()) {
        return Ok(());
    }
    let why = "no example detects it and is woken by it";
    Err(Broken { law, wish: format!("drift number {}", drift + 1), why: why.to_owned() })
}

/// Whether the drift is reported and detected.
fn wakes(trial: &Trial<'_>, drift: usize) -> bool {
    let Some((host, instance)) = trial.converged() else { return false };
    let listener = Listener::new(&*instance, &host);
    trial.subject.drifts[drift](&host);
    listener.is_woken() && detects(trial, &host)
}

fn detects(trial: &Trial<'_>, host: &MemoryHost) -> bool {
    let Ok(instance) = trial.decode(&Action::Converge, host) else { return false };
    !matches!(instance.observe(Desired::Present, &host.act()), Ok(seen) if seen.converged)
}

/// The token of the only resource.
const TOKEN: Token = 1;

/// Receives the reports for one resource, from its creation on.
pub(crate) struct Listener {
    watcher: Arc<dyn Watcher>,
    /// The interests of the resource.
    pub(crate) interests: Vec<Interest>,
}

impl Listener {
    /// Watches the interests of `instance`; the queue is empty.
    pub(crate) fn new(instance: &dyn Instance, host: &MemoryHost) -> Self {
        let watcher = host.machine().watchers.watcher().expect("a machine in memory can be watched");
        let interests = instance.interests(&host.act());
        watcher.arm(TOKEN, &interests).expect("a machine in memory has watches enough");
        Self { watcher, interests }
    }

    /// The reports since the last call.
    pub(crate) fn reports(&self) -> Vec<Interest> {
        let mut reports = Vec::new();
        self.watcher.collect(&mut |news| match news {
            WatchEvent::Changed { token: TOKEN, what } => reports.push(what),
            WatchEvent::Changed { .. } | WatchEvent::Blind { .. } | WatchEvent::Lost => {}
        });
        reports
    }

    /// Whether anything was reported since the last call.
    pub(crate) fn is_woken(&self) -> bool {
        !self.reports().is_empty()
    }
}
