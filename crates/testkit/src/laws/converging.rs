//! Laws about `apply`.

use std::time::Duration;

use uphold_model::Action;
use uphold_resource::Desired;

use super::broken::Broken;
use super::subject::Subject;
use super::trial::{Trial, differences};

/// After apply nothing differs: on a fresh machine, after another wish for the same thing, and
/// after each change from outside.
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
    match subject.wishes.is_empty() {
        true => Err(Broken { law: LAW, wish: "nobody".to_owned(), why: "there are no wishes".to_owned() }),
        false => Ok(()),
    }
}

/// A second run finds nothing to do, even an hour later and with nothing remembered from the first.
pub fn apply_twice_changes_once(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("apply_twice_changes_once", subject) {
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
