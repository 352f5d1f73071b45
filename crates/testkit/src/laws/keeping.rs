//! Laws about what was not asked for.

use uphold_model::{Action, Role, Value};
use uphold_resource::Desired;

use super::broken::Broken;
use super::subject::Subject;
use super::trial::{Trial, lines};
use super::wish::Wish;
use uphold_memory::MemoryHost;

/// What the user does not set stays as it is, whatever else is changed.
///
/// Shown by every two wishes for one thing: the second one, and each of its properties alone, must
/// leave what it does not set.
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
    if shown || !can_be_set_alone(subject) {
        return Ok(());
    }
    let why = "nothing shows it: add a second wish of one name, with another value of some property";
    Err(Broken { law: LAW, wish: "the choice of wishes".to_owned(), why: why.to_owned() })
}

/// Whether there are two properties of which one can be set and the other left alone.
fn can_be_set_alone(subject: &Subject) -> bool {
    let properties: Vec<_> = subject.in_role(Role::State).map(|property| property.name).collect();
    let apart = |one: &str, other: &str| one != other && !subject.exclude_each_other(one, other);
    properties.iter().any(|one| properties.iter().any(|other| apart(one, other)))
}

/// What is already as it should be is not written again: not the content when only the mode
/// differs, not the same access twice.
pub fn only_changed_properties_are_touched(subject: &Subject) -> Result<(), Broken> {
    const LAW: &str = "only_changed_properties_are_touched";
    for trial in Trial::each(LAW, subject) {
        if let Some((host, _)) = trial.converged() {
            is_thrifty(&trial, &host)?;
        }
    }
    for (first, second) in subject.pairs() {
        for wish in steps(subject, second) {
            let host = subject.host();
            let trial = Trial { law: LAW, subject, wish: &wish };
            if (Trial { law: LAW, subject, wish: first }).converge(&host).is_ok() {
                host.forget();
                // What it wrote counts, even if it failed then.
                let _ = trial.converge(&host);
                is_thrifty(&trial, &host)?;
            }
        }
    }
    Ok(())
}

fn is_thrifty(trial: &Trial<'_>, host: &MemoryHost) -> Result<(), Broken> {
    let needless: Vec<_> = host.writes().into_iter().filter(|write| write.needless).collect();
    match needless.is_empty() {
        true => Ok(()),
        false => Err(trial.broken(format!("it wrote what was there already:{}", lines(needless)))),
    }
}

/// The wish, and each of its state properties alone, as far as they can be decoded.
fn steps(subject: &Subject, wish: &Wish) -> Vec<Wish> {
    let state = wish.values.iter().map(|(name, _)| name).filter(|name| subject.is_state(name));
    let alone = state.map(|only| wish.only(|name| !subject.is_state(name) || *name == **only));
    let host = subject.host();
    let decodes = |wish: &Wish| Trial { law: "", subject, wish }.decode(&Action::Converge, &host).is_ok();
    [wish.clone()].into_iter().chain(alone).filter(decodes).collect()
}

/// Each state property that the wish leaves alone, with its value as one sees it who asks for
/// nothing.
fn unset(trial: &Trial<'_>, host: &MemoryHost) -> Vec<(&'static str, Option<Value>)> {
    let Ok(reader) = trial.decode_reader(host) else { return Vec::new() };
    let Ok(seen) = reader.observe(Desired::Absent, &host.act()) else { return Vec::new() };
    let spoken_for = |property: &str| {
        let set = |name: &str| name == property || trial.subject.exclude_each_other(name, property);
        trial.wish.values.iter().any(|(name, _)| set(name))
    };
    let unset = trial.subject.in_role(Role::State).filter(|property| !spoken_for(property.name));
    unset.map(|property| (property.name, reader.value(property.name, Some(&seen)))).collect()
}

fn show(value: &Option<Value>) -> String {
    value.as_ref().map_or("nothing".to_owned(), ToString::to_string)
}
