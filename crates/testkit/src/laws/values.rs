//! Laws about values that are read and set.

use uphold_model::{Action, Difference, PropertySchema, Side, Type, Value};
use uphold_resource::{Context, Desired, Fields, Instance, Look, home};

use super::subject::{Subject, Wish};
use super::trial::{Broken, Trial, lines};
use uphold_memory::MemoryHost;

/// An instance that sets no state loads the values that another one applied. This detects a `load` that returns the
/// wish instead of the machine's state.
pub fn load_returns_the_applied_values(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("load_returns_the_applied_values", subject) {
        let Some((host, _)) = trial.converged() else { continue };
        let setter = trial.decode(&Action::Converge, &host)?;
        let Ok(reader) = trial.decode_reader(&host) else { continue };
        let read = reader
            .look(&Look::to_read(&host.act()))
            .map_err(|error| trial.failed("reading it back", &error))?;
        let unmet = setter.compare(&read);
        let is_violation = |difference: &&Difference| {
            trial.wish.sets(&difference.property)
                && !subject.is_unreadable(&difference.property)
                && !is_number_of_account(subject, difference)
        };
        let wrong: Vec<_> = unmet.iter().filter(is_violation).map(show).collect();
        if !wrong.is_empty() {
            return Err(trial.broken(format!("load returns other values:{}", lines(wrong))));
        }
    }
    Ok(())
}

fn show(difference: &Difference) -> String {
    let side = |side: &Side| side.value().map_or("nothing".to_owned(), ToString::to_string);
    format!(
        "`{}`: {} was applied, {} is read",
        difference.property,
        side(&difference.to),
        side(&difference.from)
    )
}

/// An account that is set by number is read by name, which is the same account.
fn is_number_of_account(subject: &Subject, difference: &Difference) -> bool {
    let ty = subject.schema().property(&difference.property).map(|property| property.ty);
    let is_account = matches!(ty, Some(Type::Named { name: "user" | "group", .. }));
    is_account && matches!(difference.to.value(), Some(Value::Int(_)))
}

/// Every default, and every value that was set or read, can be set again and stays the same value.
pub fn values_round_trip(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("values_round_trip", subject) {
        let fresh = subject.host();
        let asked = trial.decode(&Action::Converge, &fresh)?;
        let (host, seen) = match trial.converged() {
            Some((host, instance)) => {
                host.need_all();
                let seen = trial.observe(&*instance, Desired::Present, &host)?;
                (host, Some(seen))
            }
            None => (fresh, None),
        };
        for property in subject.schema().all().into_iter().filter(|property| property.role.is_settable()) {
            let default = property.default.and_then(|default| default.make().ok());
            let values =
                [default, asked.value(property.name, None), asked.value(property.name, seen.as_ref())];
            for value in values.into_iter().flatten().filter(|value| is_set(property, value)) {
                round_trip(&trial, property, &value, &host)?;
            }
        }
    }
    Ok(())
}

/// The value of an unset property is null, which only some types accept.
pub(super) fn is_set(property: &PropertySchema, value: &Value) -> bool {
    *value != Value::Null || matches!(property.ty, Type::Nullable(_) | Type::Any)
}

/// Sets `value`, then sets the result. The first may be a relative path; from then on the value must not change.
fn round_trip(
    trial: &Trial<'_>,
    property: &PropertySchema,
    value: &Value,
    host: &MemoryHost,
) -> Result<(), Broken> {
    let Some(first) =
        decode_with(trial, property, value, host)?.and_then(|asked| asked.value(property.name, None))
    else {
        return Ok(());
    };
    let second =
        decode_with(trial, property, &first, host)?.and_then(|asked| asked.value(property.name, None));
    if second.as_ref() == Some(&first) {
        return Ok(());
    }
    let second = second.map_or("nothing".to_owned(), |value| value.to_string());
    Err(trial.broken(format!("`{}` = {first} comes back as {second}", property.name)))
}

/// Decodes the wish with another value for one property; none if the other properties are invalid together with it.
pub(super) fn decode_with(
    trial: &Trial<'_>,
    property: &PropertySchema,
    value: &Value,
    host: &MemoryHost,
) -> Result<Option<Box<dyn Instance>>, Broken> {
    let excluded = |name: &str| trial.subject.exclude_each_other(name, property.name);
    let wish: Wish = trial.wish.only(|name| !excluded(name)).set(property.name, value.clone());
    let home = |user: &str| home(&host.act(), user);
    let context = Context { home: &home, base: None };
    let fields = Fields::new(&wish.label, wish.values, &Action::Converge, context);
    let (instance, findings) = trial.subject.kind.decode(fields);
    let refused = findings.problems.iter().find(|problem| {
        let inside = problem.property.strip_prefix(property.name);
        problem.value.is_some() && inside.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    });
    match refused {
        Some(problem) => Err(trial.broken(format!("its own value is refused: {problem}"))),
        None => Ok(instance),
    }
}
