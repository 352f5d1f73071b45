//! The law about `remove`.

use uphold_model::Action;
use uphold_resource::Desired;

use super::broken::Broken;
use super::subject::Subject;
use super::trial::Trial;

/// After `remove` nothing is found any more, in this run and in the next. Says nothing about a kind
/// that cannot be removed.
pub fn remove_then_load_is_none(subject: &Subject) -> Result<(), Broken> {
    if !subject.schema().removable {
        return Ok(());
    }
    for trial in Trial::each("remove_then_load_is_none", subject) {
        let Some((host, _)) = trial.converged() else { continue };
        let instance = trial.decode(&Action::Remove, &host)?;
        let seen = trial.observe(&*instance, Desired::Absent, &host)?;
        instance.apply(&seen, &host.act()).map_err(|error| trial.failed("removing", &error))?;
        let fresh = trial.decode(&Action::Remove, &host)?;
        for instance in [&*instance, &*fresh] {
            let after = trial.observe(instance, Desired::Absent, &host)?;
            if after.exists {
                return Err(trial.broken("it is still there after it was removed"));
            }
        }
    }
    Ok(())
}
