//! The laws about interests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use uphold_memory::{Edit, MemoryHost, Snapshot, Write};
use uphold_model::Action;
use uphold_resource::{Desired, EntryKind, Files, Instance};

use super::broken::Broken;
use super::listener::Listener;
use super::subject::Subject;
use super::trial::Trial;

/// A name that nobody chose for anything else.
const STRANGER: &str = "uphold-stranger";

/// Whatever comes or goes at a path that load looks at or apply writes is reported, and each drift of the subject is
/// noticed and reported after some wish.
///
/// What a command looks at or writes is left out: nobody can know it.
pub fn an_outside_change_wakes_it(subject: &Subject) -> Result<(), Broken> {
    const LAW: &str = "an_outside_change_wakes_it";
    for trial in Trial::each(LAW, subject) {
        if let Some(run) = Run::of(&trial)? {
            run.paths(subject).try_for_each(|path| run.wakes(&trial, path))?;
        }
    }
    (0..subject.drifts.len()).try_for_each(|drift| wakes_somebody(LAW, subject, drift))
}

/// What load does not look at is not reported: a stranger beside it changes nothing, and should not cost a look.
///
/// Left out: directories that load looks at itself, because it may have listed them.
pub fn a_stranger_does_not_wake_it(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("a_stranger_does_not_wake_it", subject) {
        let Some(run) = Run::of(&trial)? else { continue };
        let beside: BTreeSet<&Path> = run.paths(subject).filter_map(Path::parent).collect();
        let unseen = beside.into_iter().filter(|directory| !run.looked.contains(*directory));
        unseen.map(|directory| directory.join(STRANGER)).try_for_each(|path| run.sleeps(&trial, &path))?;
    }
    Ok(())
}

/// A machine on which a wish has come true, and what was looked at and written on the way.
struct Run {
    host: MemoryHost,
    instance: Box<dyn Instance>,
    done: Snapshot,
    looked: BTreeSet<PathBuf>,
    written: Vec<Write>,
}

impl Run {
    /// None if it cannot be looked at or applied: another law says so.
    fn of(trial: &Trial<'_>) -> Result<Option<Self>, Broken> {
        let host = trial.subject.host();
        let instance = trial.decode(&Action::Converge, &host)?;
        let Ok(seen) = instance.observe(Desired::Present, &host.act()) else { return Ok(None) };
        let mut looked = host.looked_at();
        if !seen.converged && instance.apply(&seen, &host.act()).is_err() {
            return Ok(None);
        }
        let written = host.writes();
        host.forget();
        let _ = instance.observe(Desired::Present, &host.act());
        looked.extend(host.looked_at());
        Ok(Some(Self { done: host.snapshot(), host, instance, looked, written }))
    }

    /// Every path that counts: looked at, or written by apply itself.
    fn paths<'a>(&'a self, subject: &'a Subject) -> impl Iterator<Item = &'a Path> {
        let looked = self.looked.iter().map(PathBuf::as_path);
        let written = self.written.iter().filter(|write| is_direct(write)).map(|write| write.path.as_path());
        looked.chain(written).filter(|path| !subject.is_side_effect(path))
    }

    /// Fails unless it is told of what comes or goes at `path`.
    fn wakes(&self, trial: &Trial<'_>, path: &Path) -> Result<(), Broken> {
        self.host.restore(&self.done);
        let listener = Listener::new(&*self.instance, &self.host);
        if !disturb(&self.host, path) || listener.is_woken() {
            return Ok(());
        }
        let write = self.written.iter().find(|write| is_direct(write) && write.path == path);
        let what = match write.filter(|_| !self.looked.contains(path)) {
            Some(write) => format!("apply did `{write}`"),
            None => format!("load looks at {}", path.display()),
        };
        Err(trial.broken(format!("{what}, and no interest covers it: {:?}", listener.interests)))
    }

    /// Fails if it is told of something that it does not look at.
    fn sleeps(&self, trial: &Trial<'_>, stranger: &Path) -> Result<(), Broken> {
        self.host.restore(&self.done);
        let listener = Listener::new(&*self.instance, &self.host);
        if !disturb(&self.host, stranger) || !listener.is_woken() {
            return Ok(());
        }
        self.host.forget();
        let _ = self.instance.observe(Desired::Present, &self.host.act());
        if self.host.looked_at().contains(stranger) {
            return Ok(());
        }
        let path = stranger.display();
        Err(trial.broken(format!(
            "a file {path} wakes it, and load does not look at it: {:?}",
            listener.interests
        )))
    }
}

fn is_direct(write: &Write) -> bool {
    write.by.is_none() && !matches!(write.what, Edit::Run | Edit::Send)
}

/// Removes what is at `path`, or puts something there. False if there is nothing that could be done.
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

fn wakes_somebody(law: &'static str, subject: &Subject, drift: usize) -> Result<(), Broken> {
    let woken = Trial::each(law, subject).any(|trial| wakes(&trial, drift));
    // A kind that does not even converge breaks another law.
    if woken || Trial::each(law, subject).all(|trial| trial.converged().is_none()) {
        return Ok(());
    }
    let why = "no wish notices it and is woken by it";
    Err(Broken { law, wish: format!("drift number {}", drift + 1), why: why.to_owned() })
}

/// Whether the drift is reported and seen.
fn wakes(trial: &Trial<'_>, drift: usize) -> bool {
    let Some((host, instance)) = trial.converged() else { return false };
    let listener = Listener::new(&*instance, &host);
    trial.subject.drifts[drift](&host);
    listener.is_woken() && notices(trial, &host)
}

fn notices(trial: &Trial<'_>, host: &MemoryHost) -> bool {
    let Ok(instance) = trial.decode(&Action::Converge, host) else { return false };
    !matches!(instance.observe(Desired::Present, &host.act()), Ok(seen) if seen.converged)
}
