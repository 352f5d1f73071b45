//! The laws about undoing a change.

use uphold_memory::{MemoryHost, Write};
use uphold_model::{Action, Declaration, Problem, ProblemKind, ResourceId, Term};
use uphold_resource::{
    Context, Desired, Fields, Instance, Inverse, Irreversible, Look, Previous, RecordedChange, RecordedState,
    home, inverse,
};

use super::subject::{Subject, Wish};
use super::trial::{Broken, Trial, differences, lines};
use super::unset::an_unset_property_survives;
use super::values::{decode_with, is_set, load_returns_the_applied_values};

/// The number of random start states.
const SEEDS: u64 = 24;

/// Each loaded value of a state property can be declared, and such a declaration equals the loaded state.
///
/// Exempt are values that the kind does not bring back, by [`Previous`], and unreadable ones.
pub fn a_loaded_value_can_be_declared(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("a_loaded_value_can_be_declared", subject) {
        let Some((host, instance)) = trial.converged() else { continue };
        host.need_all();
        let Ok(seen) = instance.look(&Look::to_read(&host.act())) else { continue };
        let without = match instance.previous(&seen) {
            Previous::None(_) => continue,
            Previous::Values { without, .. } => without,
            Previous::Content { .. } => &[],
        };
        let state = subject.schema().all().into_iter().filter(|property| property.role.is_state());
        for property in state
            .filter(|property| !without.contains(&property.name) && !subject.is_unreadable(property.name))
        {
            let value = instance.value(property.name, Some(&seen));
            let Some(value) = value.filter(|value| is_set(property, value)) else { continue };
            let Some(declared) = decode_with(&trial, property, &value, &host)? else { continue };
            let differs =
                declared.compare(&seen).iter().any(|difference| *difference.property == *property.name);
            if differs {
                return Err(trial.broken(format!(
                    "`{}` is loaded as {value}, and a declaration of that differs from it",
                    property.name
                )));
            }
        }
    }
    Ok(())
}

/// The inverse of a change restores the state before it, or is refused with a reason: from the first machine, from the
/// states of other wishes and drifts, and from states that a random walk over both reaches. Removals included.
pub fn an_inverse_restores_the_state(subject: &Subject) -> Result<(), Broken> {
    let broken = check_inverses("an_inverse_restores_the_state", subject).err();
    let broken = broken.filter(|_| {
        load_returns_the_applied_values(subject).is_ok() && an_unset_property_survives(subject).is_ok()
    });
    broken.map_or(Ok(()), Err)
}

fn check_inverses(law: &'static str, subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each(law, subject) {
        undo(&trial, &subject.host(), Desired::Present)?;
        if subject.schema().removable
            && let Some((host, _)) = trial.converged()
        {
            undo(&trial, &host, Desired::Absent)?;
        }
    }
    for (first, second) in subject.pairs() {
        let host = subject.host();
        if (Trial { law, subject, wish: first }).converge(&host).is_ok() {
            undo(&Trial { law, subject, wish: second }, &host, Desired::Present)?;
        }
    }
    (0..SEEDS).try_for_each(|seed| walk(law, subject, seed))
}

/// Undoes one change after some random ones.
fn walk(law: &'static str, subject: &Subject, seed: u64) -> Result<(), Broken> {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut pick = |among: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random >> 32).unwrap_or_default() % among.max(1)
    };
    let host = subject.host();
    let mut is_applied = false;
    for _ in 0..=pick(4) {
        let choice = pick(subject.wishes.len() + subject.drifts.len());
        match subject.wishes.get(choice) {
            // A wish that cannot be applied here breaks another law, or was not meant for this state.
            Some(wish) => is_applied |= Trial { law, subject, wish }.converge(&host).is_ok(),
            // A drift changes what a wish has made.
            None if is_applied => subject.drifts[choice - subject.wishes.len()](&host),
            None => {}
        }
    }
    let Some(wish) = subject.wishes.get(pick(subject.wishes.len())) else { return Ok(()) };
    let desired = if subject.schema().removable && pick(4) == 0 { Desired::Absent } else { Desired::Present };
    undo(&Trial { law, subject, wish }, &host, desired)
}

/// Applies the wish, then its inverse, and compares the states.
fn undo(trial: &Trial<'_>, host: &MemoryHost, desired: Desired) -> Result<(), Broken> {
    let action = if desired == Desired::Present { Action::Converge } else { Action::Remove };
    let Ok(instance) = trial.decode(&action, host) else { return Ok(()) };
    let before = RecordedState::before(&*instance, desired, &host.act());
    // A wish that cannot be applied here breaks another law, or was not meant for this state.
    match instance.observe(desired, &host.act()) {
        Ok(seen) if !seen.converged && instance.apply(&seen, &host.act()).is_ok() => {}
        _ => return Ok(()),
    }
    let Ok(before) = before else { return Ok(()) };
    let after =
        before.again(&*instance, &host.act()).map_err(|error| trial.failed("recording its state", &error))?;
    let id = ResourceId::new(trial.subject.schema().kind, trial.wish.label.as_str());
    let change = RecordedChange::between(id, trial.subject.schema(), false, before.clone(), &after);
    let inverse = match inverse(&change, change.compare(&after, &after)) {
        Ok(inverse) => inverse,
        Err(Irreversible(reason)) if reason.is_empty() => {
            return Err(trial.broken("it refuses to be undone without a reason"));
        }
        Err(_) => return Ok(()),
    };
    let words = show(&inverse);
    let explained =
        |broken: Broken| Broken { why: format!("the inverse is {words}\n  and {}", broken.why), ..broken };
    if apply(trial, inverse, host).map_err(explained)? {
        is_restored(trial, &*instance, &before, host).map_err(explained)?;
    }
    Ok(())
}

fn is_restored(
    trial: &Trial<'_>,
    instance: &dyn Instance,
    before: &RecordedState,
    host: &MemoryHost,
) -> Result<(), Broken> {
    let now =
        before.again(instance, &host.act()).map_err(|error| trial.failed("recording its state", &error))?;
    if now.exists != before.exists {
        return Err(trial.broken(format!("it existed before: {}; afterwards: {}", before.exists, now.exists)));
    }
    if now.content != before.content {
        return Err(trial.broken("the edited file has another content than before"));
    }
    let is_left_out = |name: &str| {
        let without: &[&str] = match &before.previous {
            Previous::Values { without, .. } => without,
            _ => &[],
        };
        without.contains(&name) || trial.subject.is_unreadable(name)
    };
    let pairs = before.values.iter().zip(&now.values);
    let wrong = pairs.filter(|((name, old), (_, new))| old != new && !is_left_out(name));
    let wrong: Vec<_> = wrong.map(|((name, old), (_, new))| format!("{name}: {old} -> {new}")).collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(trial.broken(format!("it differs from before:{}", lines(wrong))))
    }
}

/// Applies an inverse, as a run of its own would. False if that fails with an error, which a user sees: a previous value
/// may be invalid.
fn apply(trial: &Trial<'_>, inverse: Inverse, host: &MemoryHost) -> Result<bool, Broken> {
    let Inverse { declaration, action } = inverse;
    let wish = wish(&declaration);
    if *declaration.id.kind != *trial.subject.schema().kind {
        // A whole file, which its own kind restores.
        match wish.values.iter().find(|(name, _)| &**name == "content") {
            None => host.delete(&wish.label),
            Some((_, content)) => host.tamper(&wish.label, bytes(content)),
        }
        return Ok(true);
    }
    let trial = Trial { wish: &wish, ..*trial };
    let Some(mut instance) = decode(&trial, &action, host)? else { return Ok(false) };
    let desired = if action == Action::Remove { Desired::Absent } else { Desired::Present };
    if desired == Desired::Present {
        let Ok(completed) = instance.prepare(&Look::to(desired, &host.act())) else { return Ok(false) };
        instance = completed.unwrap_or(instance);
    }
    let Ok(seen) = instance.observe(desired, &host.act()) else { return Ok(false) };
    if seen.converged {
        return Err(trial.broken(format!("it has nothing to change:{}", differences(&seen))));
    }
    let applied = instance.apply(&seen, &host.act());
    Ok(applied.and_then(|()| instance.observe(desired, &host.act())).is_ok_and(|after| after.converged))
}

/// The instance of an inverse; none if one of its values is invalid.
fn decode(
    trial: &Trial<'_>,
    action: &Action,
    host: &MemoryHost,
) -> Result<Option<Box<dyn Instance>>, Broken> {
    let home = |user: &str| home(&host.act(), user);
    let context = Context { home: &home, base: None };
    let fields = Fields::new(&trial.wish.label, trial.wish.values.clone(), action, context);
    let (instance, findings) = trial.subject.kind.decode(fields);
    let is_incomplete =
        |problem: &&Problem| matches!(problem.sort, ProblemKind::Missing | ProblemKind::Unknown);
    match findings.problems.iter().find(is_incomplete) {
        Some(_) => Err(trial.broken(format!("it is not valid:{}", lines(&findings.problems)))),
        None => Ok(instance),
    }
}

fn bytes(value: &uphold_model::Value) -> Vec<u8> {
    match value.reveal() {
        uphold_model::Value::Bytes(bytes) => bytes.to_vec(),
        uphold_model::Value::Text(text) => text.as_bytes().to_vec(),
        _ => Vec::new(),
    }
}

fn wish(declaration: &Declaration) -> Wish {
    declaration.attributes.iter().fold(Wish::named(&*declaration.id.name), |wish, attribute| match &attribute
        .value
    {
        Term::Known(value) => wish.set(&attribute.name, value.clone()),
        Term::Deferred(_) => wish,
    })
}

fn show(inverse: &Inverse) -> String {
    format!("{} of {} {}", inverse.action, inverse.declaration.id.kind, wish(&inverse.declaration))
}

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
