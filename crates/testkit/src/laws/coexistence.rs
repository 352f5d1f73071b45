//! The law about two resources of one kind.

use uphold_model::Action;
use uphold_resource::Desired;

use super::apply::of_different_names;
use super::subject::Subject;
use super::trial::{Broken, Trial, differences};
use uphold_memory::MemoryHost;

/// Two examples of different names stay as declared while the other one is applied or removed: for example, two keys in
/// one file. Examples that hold the same thing are left out.
pub fn two_resources_do_not_disturb_each_other(subject: &Subject) -> Result<(), Broken> {
    const LAW: &str = "two_resources_do_not_disturb_each_other";
    let wishes = of_different_names(subject);
    for first in &wishes {
        let others = wishes.iter().filter(|second| first.label != second.label);
        for second in others {
            let of = |wish| Trial { law: LAW, subject, wish };
            stay_as_declared(&of(first), &of(second))?;
        }
    }
    Ok(())
}

/// Applies both and removes the second. An example that fails by itself breaks another law.
fn stay_as_declared(first: &Trial<'_>, second: &Trial<'_>) -> Result<(), Broken> {
    let host = first.subject.host();
    let (Ok(one), Ok(other)) = (first.converge(&host), second.decode(&Action::Converge, &host)) else {
        return Ok(());
    };
    if one.claims().holds.iter().any(|claim| other.claims().holds.contains(claim))
        || second.visit(&*other, Desired::Present, &host).is_err()
    {
        return Ok(());
    }
    is_as_declared(first, &host, &format!("{} was applied", second.wish))?;
    if !first.subject.schema().removable {
        return Ok(());
    }
    let Ok(removal) = second.decode(&Action::Remove, &host) else { return Ok(()) };
    if second.visit(&*removal, Desired::Absent, &host).is_err() {
        return Ok(());
    }
    is_as_declared(first, &host, &format!("{} was removed", second.wish))
}

fn is_as_declared(trial: &Trial<'_>, host: &MemoryHost, what: &str) -> Result<(), Broken> {
    let instance = trial.decode(&Action::Converge, host)?;
    let seen = trial.observe(&*instance, Desired::Present, host)?;
    if seen.converged {
        return Ok(());
    }
    Err(trial.broken(format!("after {what}, it differs:{}", differences(&seen))))
}
