//! The law about interrupted runs.

use uphold_model::Action;
use uphold_resource::Desired;

use super::subject::Subject;
use super::trial::{Broken, Trial, lines};
use uphold_memory::{MemoryHost, Snapshot};

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
