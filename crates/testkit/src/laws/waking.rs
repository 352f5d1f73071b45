//! The law about interests.

use std::path::Path;

use uphold_model::Action;
use uphold_resource::{Desired, Interest};

use super::broken::Broken;
use super::subject::Subject;
use super::trial::Trial;
use uphold_memory::{Edit, MemoryHost};

const LAW: &str = "an_outside_change_wakes_it";

/// Every path that load looks at or apply writes is covered by an interest, and each drift of the
/// subject is noticed and wakes after some wish.
///
/// What a command looks at or writes is left out: nobody can know it. A directory above a watched
/// path is covered, since parents are always watched.
pub fn an_outside_change_wakes_it(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each(LAW, subject) {
        is_covered(&trial)?;
    }
    (0..subject.drifts.len()).try_for_each(|drift| wakes_somebody(subject, drift))
}

fn is_covered(trial: &Trial<'_>) -> Result<(), Broken> {
    let host = trial.subject.host();
    let instance = trial.decode(&Action::Converge, &host)?;
    let Ok(seen) = instance.observe(Desired::Present, &host) else { return Ok(()) };
    let mut looked = host.looked_at();
    if !seen.converged && instance.apply(&seen, &host).is_err() {
        return Ok(());
    }
    let written = host.writes();
    host.forget();
    let _ = instance.observe(Desired::Present, &host);
    looked.extend(host.looked_at());
    let interests = instance.interests();
    let is_missed =
        |path: &Path| !trial.subject.is_side_effect(path) && !interests.iter().any(|one| covers(one, path));
    if let Some(path) = looked.iter().find(|path| is_missed(path)) {
        let why = format!("load looks at {}, and no interest covers it: {interests:?}", path.display());
        return Err(trial.broken(why));
    }
    let directly = |write: &&crate::Write| write.by.is_none() && write.what != Edit::Run;
    match written.iter().filter(directly).find(|write| is_missed(&write.path)) {
        Some(write) => {
            Err(trial.broken(format!("apply did `{write}`, and no interest covers it: {interests:?}")))
        }
        None => Ok(()),
    }
}

fn covers(interest: &Interest, path: &Path) -> bool {
    match interest {
        Interest::Path(watched) => watched.starts_with(path),
        Interest::Tree(top) => path.starts_with(top) || top.starts_with(path),
        _ => false,
    }
}

fn wakes_somebody(subject: &Subject, drift: usize) -> Result<(), Broken> {
    let woken = Trial::each(LAW, subject).any(|trial| wakes(&trial, drift));
    // A kind that does not even converge breaks another law.
    if woken || Trial::each(LAW, subject).all(|trial| trial.converged().is_none()) {
        return Ok(());
    }
    let why = "no wish notices it and is woken by it";
    Err(Broken { law: LAW, wish: format!("drift number {}", drift + 1), why: why.to_owned() })
}

/// Whether the drift touches a watched path and is seen.
fn wakes(trial: &Trial<'_>, drift: usize) -> bool {
    let Some((host, instance)) = trial.converged() else { return false };
    let before = host.snapshot();
    trial.subject.drifts[drift](&host);
    let changed = before.changed_paths(&host.snapshot());
    let interests = instance.interests();
    let is_watched = |path: &Path| interests.iter().any(|one| covers(one, path));
    changed.iter().any(|path| is_watched(path)) && notices(trial, &host)
}

fn notices(trial: &Trial<'_>, host: &MemoryHost) -> bool {
    let Ok(instance) = trial.decode(&Action::Converge, host) else { return false };
    !matches!(instance.observe(Desired::Present, host), Ok(seen) if seen.converged)
}
