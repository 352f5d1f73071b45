//! The law about `remove`.

use uphold_model::Action;
use uphold_resource::Desired;

use super::broken::Broken;
use super::subject::Subject;
use super::trial::Trial;

/// After `remove`, `load` finds nothing, in this run and in the next. Passes for a kind that cannot be removed.
pub fn load_finds_nothing_after_remove(subject: &Subject) -> Result<(), Broken> {
    if !subject.schema().removable {
        return Ok(());
    }
    for trial in Trial::each("load_finds_nothing_after_remove", subject) {
        let Some((host, _)) = trial.converged() else { continue };
        let instance = trial.decode(&Action::Remove, &host)?;
        let seen = trial.observe(&*instance, Desired::Absent, &host)?;
        instance.apply(&seen, &host.act()).map_err(|error| trial.failed("removing", &error))?;
        let fresh = trial.decode(&Action::Remove, &host)?;
        for instance in [&*instance, &*fresh] {
            let after = trial.observe(instance, Desired::Absent, &host)?;
            if after.exists {
                return Err(trial.broken("it still exists after it was removed"));
            }
        }
    }
    Ok(())
}
