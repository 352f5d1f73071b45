//! The law about what a check can see.

use uphold_model::Action;
use uphold_resource::Desired;

use super::broken::Broken;
use super::subject::Subject;
use super::trial::Trial;
use uphold_memory::{MemoryHost, Write};

/// Whatever apply wrote, a check looks at: take any one write back, and it is noticed.
///
/// Left out: side effects, started commands, and paths that are in the end as they were, such as
/// those of temporary files.
pub fn a_reverted_write_is_noticed(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("a_reverted_write_is_noticed", subject) {
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
                is_noticed(&trial, &write, &host)?;
            }
        }
    }
    Ok(())
}

fn is_noticed(trial: &Trial<'_>, write: &Write, host: &MemoryHost) -> Result<(), Broken> {
    let instance = trial.decode(&Action::Converge, host)?;
    match instance.observe(Desired::Present, &host.act()) {
        Ok(seen) if seen.converged => {
            let now = host.snapshot().describe(&write.path).unwrap_or("nothing".to_owned());
            let why = format!("`{write}` was taken back, so that there is {now}, and no check noticed");
            Err(trial.broken(why))
        }
        // A look that fails has noticed, too.
        _ => Ok(()),
    }
}
