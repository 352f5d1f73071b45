//! Laws about `apply` and `remove`.

use std::time::Duration;

use uphold_memory::{MemoryHost, Snapshot};
use uphold_model::Action;
use uphold_resource::Desired;

use super::subject::{Subject, Wish};
use super::trial::{Broken, Trial, differences, lines};
use super::untested::untested;

/// After apply nothing differs: on a fresh machine, after another wish for the same resource, and after each drift.
pub fn apply_then_check_is_converged(subject: &Subject) -> Result<(), Broken> {
    const LAW: &str = "apply_then_check_is_converged";
    for trial in Trial::each(LAW, subject) {
        trial.converge(&subject.host())?;
        for drift in &subject.drifts {
            let host = subject.host();
            trial.converge(&host)?;
            drift(&host);
            trial.converge(&host)?;
        }
    }
    for (first, second) in subject.pairs() {
        let host = subject.host();
        Trial { law: LAW, subject, wish: first }.converge(&host)?;
        Trial { law: LAW, subject, wish: second }.converge(&host)?;
    }
    if subject.wishes.is_empty() {
        return Err(Broken {
            law: LAW,
            wish: "the subject".to_owned(),
            why: "it has no examples".to_owned(),
        });
    }
    Ok(())
}

/// A second run has nothing to do, even an hour later and with a new instance.
pub fn a_second_apply_changes_nothing(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("a_second_apply_changes_nothing", subject) {
        let Some((host, _)) = trial.converged() else { continue };
        host.advance(Duration::from_secs(3600));
        let instance = trial.decode(&Action::Converge, &host)?;
        let seen = trial.observe(&*instance, Desired::Present, &host)?;
        if !seen.converged {
            return Err(trial.broken(format!("a second run would change it again:{}", differences(&seen))));
        }
    }
    Ok(())
}

/// After `remove`, `load` finds nothing, in this run and in the next. Passes for a kind that cannot be removed.
pub fn load_finds_nothing_after_remove(subject: &Subject) -> Result<(), Broken> {
    const LAW: &str = "load_finds_nothing_after_remove";
    if untested(LAW, subject).is_some() {
        return Ok(());
    }
    for trial in Trial::each(LAW, subject) {
        let Some((host, _)) = trial.converged() else { continue };
        let instance = trial.decode(&Action::Remove, &host)?;
        let seen = trial.observe(&*instance, Desired::Absent, &host)?;
        instance.apply(&seen, &host.act()).map_err(|error| trial.failed("removing it", &error))?;
        let fresh = trial.decode(&Action::Remove, &host)?;
        for instance in [&*instance, &*fresh] {
            let after = trial.observe(instance, Desired::Absent, &host)?;
            if after.exists {
                let hint = instance.still_differs_hint(&after);
                return Err(trial.broken(format!("it still exists after it was removed{}", lines(hint))));
            }
        }
    }
    Ok(())
}

// The law about batches.

/// A batch has the same result as separate applies. Passes for a kind that does not support batches.
pub fn a_batch_equals_separate_applies(subject: &Subject) -> Result<(), Broken> {
    const LAW: &str = "a_batch_equals_separate_applies";
    if untested(LAW, subject).is_some() {
        return Ok(());
    }
    let wishes = of_different_names(subject);
    let Some(last) = wishes.last().filter(|_| wishes.len() > 1) else {
        let why = "no example tests it: add one with another name".to_owned();
        return Err(Broken { law: LAW, wish: "the list of examples".to_owned(), why });
    };
    let trial = Trial { law: LAW, subject, wish: last };
    let separate = subject.host();
    for wish in &wishes {
        if (Trial { law: LAW, subject, wish }).converge(&separate).is_err() {
            return Ok(());
        }
    }
    let batch = subject.host();
    apply(&trial, &wishes, &batch)?;
    let diff = separate.snapshot().diff(&batch.snapshot());
    if diff.is_empty() {
        return Ok(());
    }
    Err(trial.broken(format!("separate applies (-) and a batch (+) differ:{}", lines(diff))))
}

/// Loads all, then applies all steps in one batch, as the engine does.
fn apply(trial: &Trial<'_>, wishes: &[&Wish], host: &MemoryHost) -> Result<(), Broken> {
    let mut loaded = Vec::new();
    for wish in wishes {
        let instance = Trial { wish, ..*trial }.decode(&Action::Converge, host)?;
        let seen = trial.observe(&*instance, Desired::Present, host)?;
        loaded.push((instance, seen));
    }
    let due = loaded.iter().filter(|(_, seen)| !seen.converged);
    let items: Vec<_> = due.map(|(instance, seen)| (&**instance, seen)).collect();
    let results = trial.subject.kind.apply_together(&items, &host.act()).unwrap_or_default();
    if results.len() != items.len() {
        return Err(trial.broken(format!("{} results for {} steps", results.len(), items.len())));
    }
    let applied: Result<(), _> = results.into_iter().collect();
    applied.map_err(|error| trial.failed("applying the batch", &error))
}

/// The first wish of each name.
pub(super) fn of_different_names(subject: &Subject) -> Vec<&Wish> {
    let mut wishes: Vec<&Wish> = Vec::new();
    for wish in &subject.wishes {
        if wishes.iter().all(|other| other.label != wish.label) {
            wishes.push(wish);
        }
    }
    wishes
}

// The law about interrupted runs.

/// After an interruption at any write, the next run converges, and each file has its old or its new content.
///
/// Each write fails once alone, and once together with all that follow, as if the run was killed. Files that commands
/// write are not checked.
pub fn the_run_after_an_interruption_converges(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("the_run_after_an_interruption_converges", subject) {
        let Some((done, _)) = trial.converged() else { continue };
        for write in 0..done.writes().len() {
            cancelled(&trial, &done, write, |host| host.fail_after(write))?;
            cancelled(&trial, &done, write, |host| host.stop_after(write))?;
        }
    }
    Ok(())
}

fn cancelled(
    trial: &Trial<'_>,
    done: &MemoryHost,
    at: usize,
    fail: impl Fn(&MemoryHost),
) -> Result<(), Broken> {
    let host = trial.subject.host();
    let start = host.snapshot();
    let instance = trial.decode(&Action::Converge, &host)?;
    let seen = trial.observe(&*instance, Desired::Present, &host)?;
    fail(&host);
    // Whether it reports the failure is the author's choice; the engine checks again anyway.
    let _ = instance.apply(&seen, &host.act());
    host.heal();
    let cut = format!("it was interrupted at write {} of{}\n", at + 1, lines(done.writes()));
    is_whole(trial, [&start, &done.snapshot()], done, &host)
        .and_then(|()| trial.converge(&host).map(drop))
        .map_err(|broken| Broken { why: format!("{cut}  and then {}", broken.why), ..broken })
}

/// Fails if a file that apply writes itself has neither its old nor its new content.
fn is_whole(
    trial: &Trial<'_>,
    [start, end]: [&Snapshot; 2],
    done: &MemoryHost,
    host: &MemoryHost,
) -> Result<(), Broken> {
    let now = host.snapshot();
    for write in done.writes().iter().filter(|write| write.by.is_none()) {
        let (old, new) = (start.content(&write.path), end.content(&write.path));
        let content = now.content(&write.path);
        if content.is_some() && new.is_some() && content != old && content != new {
            let found = now.describe(&write.path).unwrap_or_default();
            return Err(trial.broken(format!("{} was half-written: {found}", write.path.display())));
        }
    }
    Ok(())
}
