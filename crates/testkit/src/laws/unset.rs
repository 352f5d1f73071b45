//! Laws about properties that are unset or already as declared.

use uphold_model::{Action, Role, Value};
use uphold_resource::Desired;

use super::subject::{Subject, Wish};
use super::trial::{Broken, Trial, lines};
use uphold_memory::MemoryHost;

/// Properties that the user does not set stay the same when others change.
///
/// Tested with every two wishes for one resource: the second wish, and each of its properties alone, must not change
/// the properties that it does not set.
pub fn an_unset_property_survives(subject: &Subject) -> Result<(), Broken> {
    const LAW: &str = "an_unset_property_survives";
    let mut shown = false;
    for (first, second) in subject.pairs() {
        for wish in steps(subject, second) {
            let host = subject.host();
            let trial = Trial { law: LAW, subject, wish: &wish };
            if (Trial { law: LAW, subject, wish: first }).converge(&host).is_err() {
                continue;
            }
            let before = unset(&trial, &host);
            host.forget();
            if trial.converge(&host).is_err() || host.writes().is_empty() {
                continue;
            }
            shown |= !before.is_empty();
            let after = unset(&trial, &host);
            if let Some(((name, old), (_, new))) = before.iter().zip(&after).find(|(old, new)| old != new) {
                let why = format!("after {first}, `{name}` went from {} to {}", show(old), show(new));
                return Err(trial.broken(why));
            }
        }
    }
    // An example that does not converge breaks another law.
    let is_unknown = Trial::each(LAW, subject).any(|trial| trial.converged().is_none());
    if shown || is_unknown || !can_be_set_alone(subject) {
        return Ok(());
    }
    let why = "no example tests it: add a second one with the same name and another value of a property";
    Err(Broken { law: LAW, wish: "the list of examples".to_owned(), why: why.to_owned() })
}

/// Whether there are two properties of which one can be set and the other left unset.
fn can_be_set_alone(subject: &Subject) -> bool {
    let properties: Vec<_> = subject.in_role(Role::State).map(|property| property.name).collect();
    let apart = |one: &str, other: &str| one != other && !subject.exclude_each_other(one, other);
    properties.iter().any(|one| properties.iter().any(|other| apart(one, other)))
}

/// Properties that are already as declared are not written again: for example, not the content when only the mode
/// differs.
pub fn only_changed_properties_are_touched(subject: &Subject) -> Result<(), Broken> {
    const LAW: &str = "only_changed_properties_are_touched";
    for trial in Trial::each(LAW, subject) {
        if let Some((host, _)) = trial.converged() {
            writes_only_changes(&trial, &host)?;
        }
    }
    for (first, second) in subject.pairs() {
        for wish in steps(subject, second) {
            let host = subject.host();
            let trial = Trial { law: LAW, subject, wish: &wish };
            if (Trial { law: LAW, subject, wish: first }).converge(&host).is_ok() {
                host.forget();
                // Its writes count even if it failed afterwards.
                let _ = trial.converge(&host);
                writes_only_changes(&trial, &host)?;
            }
        }
    }
    Ok(())
}

fn writes_only_changes(trial: &Trial<'_>, host: &MemoryHost) -> Result<(), Broken> {
    let needless: Vec<_> = host.writes().into_iter().filter(|write| write.needless).collect();
    if needless.is_empty() {
        return Ok(());
    }
    Err(trial.broken(format!("it wrote values that did not differ:{}", lines(needless))))
}

/// The wish, and each of its state properties alone, if they can be decoded.
fn steps(subject: &Subject, wish: &Wish) -> Vec<Wish> {
    let state = wish.values.iter().map(|(name, _)| name).filter(|name| subject.is_state(name));
    let alone = state.map(|only| wish.only(|name| !subject.is_state(name) || *name == **only));
    let host = subject.host();
    let decodes = |wish: &Wish| Trial { law: "", subject, wish }.decode(&Action::Converge, &host).is_ok();
    [wish.clone()].into_iter().chain(alone).filter(decodes).collect()
}

/// Each state property that the wish does not set, with its value as loaded by an instance that sets no state.
fn unset(trial: &Trial<'_>, host: &MemoryHost) -> Vec<(&'static str, Option<Value>)> {
    let Ok(reader) = trial.decode_reader(host) else { return Vec::new() };
    let Ok(seen) = reader.observe(Desired::Absent, &host.act()) else { return Vec::new() };
    let is_set = |property: &str| {
        let concerns = |name: &str| name == property || trial.subject.exclude_each_other(name, property);
        trial.wish.values.iter().any(|(name, _)| concerns(name))
    };
    let unset = trial.subject.in_role(Role::State).filter(|property| !is_set(property.name));
    unset.map(|property| (property.name, reader.value(property.name, Some(&seen)))).collect()
}

fn show(value: &Option<Value>) -> String {
    value.as_ref().map_or("nothing".to_owned(), ToString::to_string)
}
