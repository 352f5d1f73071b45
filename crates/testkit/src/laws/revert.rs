//! The law about reverted writes.

use uphold_model::Action;
use uphold_resource::Desired;

use super::broken::Broken;
use super::subject::Subject;
use super::trial::Trial;
use uphold_memory::{MemoryHost, Write};

/// A check detects that any one write of apply was reverted.
///
/// Exempt are side effects, started commands, and paths that end as they were, such as those of temporary files.
pub fn check_detects_a_reverted_write(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("check_detects_a_reverted_write", subject) {
        let start = subject.host().snapshot();
        let Some((host, _)) = trial.converged() else { continue };
        let done = host.snapshot();
        let changed = start.changed_paths(&done);
        for write in host.writes() {
            if subject.is_side_effect(&write.path) || changed.binary_search(&write.path).is_err() {
                continue;
            }
            host.restore(&done);
            host.revert(&write);
            if host.snapshot() != done {
                is_detected(&trial, &write, &host)?;
            }
        }
    }
    Ok(())
}

fn is_detected(trial: &Trial<'_>, write: &Write, host: &MemoryHost) -> Result<(), Broken> {
    let instance = trial.decode(&Action::Converge, host)?;
    match instance.observe(Desired::Present, &host.act()) {
        Ok(seen) if seen.converged => {
            let now = host.snapshot().describe(&write.path).unwrap_or("nothing".to_owned());
            let why = format!("`{write}` was reverted to {now}, and no check detects it");
            Err(trial.broken(why))
        }
        // A failing check has detected it, too.
        _ => Ok(()),
    }
}
