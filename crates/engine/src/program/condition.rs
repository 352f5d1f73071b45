//! Conditions, guards and locks: their checks before the run.

use rustc_hash::FxHashMap;
use uphold_model::{
    Code, Declaration, Diagnostic, Diagnostics, Guard, Lock, Name, Place, Scope, Shape, Term, Value,
};

use crate::program::decode::{Decoder, also_at};

/// The value of a condition. A node without a condition has one that is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    True,
    False,
    /// Known only in the run, once this value is known.
    Unknown(Name),
}

impl Truth {
    fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::False, _) | (_, Truth::False) => Truth::False,
            (Truth::True, other) => other,
            (unknown, _) => unknown,
        }
    }
}

/// Evaluates `when`. Its place is that of its first reference, or else that of its block.
///
/// # Errors
/// If it cannot be evaluated, or is neither true nor false. Of a secret, not even its type is shown.
pub(crate) fn evaluate_condition(
    when: &Term,
    scope: &dyn Scope,
    block: Option<Place>,
) -> Result<Truth, Diagnostic> {
    let value = when.evaluate(scope)?;
    let shown = |what: &str| if value.is_sensitive() { String::new() } else { format!(", not {what}") };
    let what = match value.reveal() {
        Value::Bool(true) => return Ok(Truth::True),
        Value::Bool(false) => return Ok(Truth::False),
        Value::Unknown(unknown) => match unknown.shape {
            None | Some(Shape::Bool) => return Ok(Truth::Unknown(unknown.waits_for.clone())),
            Some(shape) => shape.words(),
        },
        other => other.type_name(),
    };
    let place = when.references().first().and_then(|reference| reference.place).or(block);
    Err(Diagnostic::new(Code::ConditionType, format!("`when` must be true or false{}", shown(what)))
        .at(place)
        .fix("compare it with something: `when = … == …`"))
}

/// Checks the conditions of all resources and actions: the result for each node.
pub(crate) fn check_conditions(
    decoder: &Decoder<'_>,
    scope: &dyn Scope,
    diagnostics: &mut Diagnostics,
) -> Vec<Truth> {
    let mut of_resources = vec![Truth::True; decoder.set.len()];
    for (resource, declared) in decoder.set.iter() {
        let declaration = &declared.declaration;
        if let Some(when) = &declaration.meta.when {
            of_resources[resource as usize] = answer(when, scope, declaration.place, diagnostics);
        }
    }
    let mut of_nodes = Vec::with_capacity(decoder.list.all().len());
    for entry in decoder.list.all() {
        let of_action = match entry.when() {
            Some(when) => answer(when, scope, entry.place, diagnostics),
            None => Truth::True,
        };
        of_nodes.push(of_resources[entry.resource as usize].clone().and(of_action));
    }
    of_nodes
}

fn answer(when: &Term, scope: &dyn Scope, place: Option<Place>, diagnostics: &mut Diagnostics) -> Truth {
    evaluate_condition(when, scope, place).unwrap_or_else(|diagnostic| {
        diagnostics.push(diagnostic);
        Truth::Unknown("a condition that failed".into())
    })
}

/// Checks guards and locks.
pub(crate) fn check_handling(decoder: &Decoder<'_>, scope: &dyn Scope, diagnostics: &mut Diagnostics) {
    let mut locks = Locks::default();
    for (_, declared) in decoder.set.iter() {
        let Some(handling) = declared.handling() else { continue };
        diagnostics.extend(declared.guards().filter_map(|guard| check_guard(guard, scope).err()));
        diagnostics.extend(handling.locks.iter().filter_map(|lock| locks.check(lock, &declared.declaration)));
    }
    let of_groups = decoder.list.groups.iter().flat_map(|(_, group)| group.guards());
    diagnostics.extend(of_groups.filter_map(|guard| check_guard(guard, scope).err()));
}

/// The first declaration of each lock.
#[derive(Default)]
struct Locks<'a>(FxHashMap<&'a str, (&'a Lock, &'a Declaration)>);

impl<'a> Locks<'a> {
    /// All resources that share a lock must declare the same number of holders.
    fn check(&mut self, lock: &'a Lock, declaration: &'a Declaration) -> Option<Diagnostic> {
        let (first, by) = *self.0.entry(&lock.name).or_insert((lock, declaration));
        if first.most == lock.most {
            return None;
        }
        let (name, here, there) = (&lock.name, lock.most, first.most);
        let detail = format!("lock `{name}` lets {here} at a time here, and {there} for {}", by.id);
        let diagnostic = Diagnostic::new(Code::LockCount, detail)
            .at(declaration.place)
            .fix("give it one count everywhere, or another name");
        Some(also_at(diagnostic, by.place, "the other count is here"))
    }
}

/// A guard is a bool, or a command: a string, or a list of strings.
fn check_guard(guard: &Guard, scope: &dyn Scope) -> Result<(), Diagnostic> {
    let value = guard.condition.evaluate(scope)?;
    if can_be_guard(&value) {
        return Ok(());
    }
    let what = match value.shape() {
        _ if value.is_sensitive() => String::new(),
        Some(shape) => format!(", not {}", shape.words()),
        None => format!(", not {}", value.type_name()),
    };
    let word = guard.word();
    let detail = format!("`{word}` must be true or false, or a command{what}");
    Err(Diagnostic::new(Code::InvalidGuard, detail)
        .at(guard.place)
        .fix("write a condition, a command as a string, or a list of its words"))
}

fn can_be_guard(value: &Value) -> bool {
    match value.reveal() {
        Value::Bool(_) | Value::Text(_) => true,
        Value::List(items) => {
            items.iter().all(|item| matches!(item.shape(), Some(Shape::Text)) || item.is_unknown())
        }
        Value::Unknown(unknown) => {
            matches!(unknown.shape, None | Some(Shape::Bool | Shape::Text | Shape::List))
        }
        _ => false,
    }
}
