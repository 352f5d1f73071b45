//! Laws about `apply` and `remove`.

use std::time::Duration;

use uphold_model::Action;
use uphold_resource::Desired;

use super::subject::Subject;
use super::trial::{Broken, Trial, differences};

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
        return Err(Broken { law: LAW, wish: "the subject".to_owned(), why: "it has no wishes".to_owned() });
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
