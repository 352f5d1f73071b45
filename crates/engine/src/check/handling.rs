//! Meta arguments that change what happens around a visit: they are checked here.

use uphold_model::{
    Action, Declaration, Diagnostic, Diagnostics, Guard, Handling, Notification, OnRemoval, Place, Scope,
    Shape, Value,
};

use crate::decode::{Decoder, check_action};
use crate::set::ResourceSet;

/// The summary of the warning that a meta argument is read, but not acted upon.
pub const NOT_IN_FORCE: &str = "not in force yet";

/// Whether a resource has meta arguments that nothing acts upon.
pub(crate) fn is_not_in_force(set: &ResourceSet) -> bool {
    let mut handlings = set.iter().filter_map(|(_, declared)| declared.declaration.meta.handling.as_ref());
    handlings.any(|handling| !handling.written.is_empty() || asks(handling))
}

/// Whether anything differs from what happens without it.
fn asks(handling: &Handling) -> bool {
    let Handling { notifies, subscribes, guards, retry, poll, limit, lock, on_removal, .. } = handling;
    !(notifies.is_empty() && subscribes.is_empty() && guards.is_empty())
        || retry.is_some()
        || poll.is_some()
        || limit.is_some()
        || lock.is_some()
        || handling.audit
        || handling.ignore_failure
        || *on_removal != OnRemoval::default()
}

/// Checks notifications and guards, and warns of what is not in force.
pub(crate) fn check_handling(decoder: &Decoder<'_>, scope: &dyn Scope, diagnostics: &mut Diagnostics) {
    let mut warnings = Warnings::default();
    for (_, declared) in decoder.set.iter() {
        let declaration = &declared.declaration;
        let Some(handling) = &declaration.meta.handling else { continue };
        for told in &handling.notifies {
            diagnostics.extend(check_notified(decoder, told));
        }
        for heard in &handling.subscribes {
            diagnostics.extend(check_subscribed(decoder, declaration, heard));
        }
        diagnostics.extend(handling.guards.iter().filter_map(|guard| check_guard(guard, scope).err()));
        warnings.add(handling, declaration, diagnostics);
    }
    warnings.finish(diagnostics);
}

/// Who is told must be there, and must know the action.
fn check_notified(decoder: &Decoder<'_>, told: &Notification) -> Option<Diagnostic> {
    let target = &told.other.target;
    if decoder.set.find(target).is_none() {
        return Some(decoder.set.missing(target, told.other.place, "notified"));
    }
    check_known(decoder, &target.kind, &told.action, told.other.place)
}

/// Whose change counts must be there; the action is one of the resource itself.
fn check_subscribed(
    decoder: &Decoder<'_>,
    declaration: &Declaration,
    heard: &Notification,
) -> Option<Diagnostic> {
    let target = &heard.other.target;
    if decoder.set.find(target).is_none() {
        return Some(decoder.set.missing(target, heard.other.place, "subscribed to"));
    }
    check_known(decoder, &declaration.id.kind, &heard.action, heard.other.place)
}

/// An unknown kind is told where it was declared.
fn check_known(
    decoder: &Decoder<'_>,
    kind: &str,
    action: &Action,
    place: Option<Place>,
) -> Option<Diagnostic> {
    check_action(decoder.registry.get(kind)?.schema(), action, place)
}

/// A guard is a bool, or a command: text, or a list of texts.
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
    let word = if guard.expected { "only_if" } else { "not_if" };
    let detail = format!("`{word}` must be true or false, or a command{what}");
    Err(Diagnostic::error("invalid guard", detail)
        .at(guard.place)
        .fix("write a condition, a command as text, or a list of its words"))
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

/// Warnings, of which nobody reads more than the first ones.
#[derive(Default)]
struct Warnings {
    count: usize,
    last: Option<Place>,
}

impl Warnings {
    const MOST: usize = 100;

    fn add(&mut self, handling: &Handling, declaration: &Declaration, diagnostics: &mut Diagnostics) {
        for (name, place) in &handling.written {
            self.push(&format!("`{name}`"), Some(*place), diagnostics);
        }
        // Made in code, where nothing is written.
        if handling.written.is_empty() && asks(handling) {
            self.push(&format!("the handling of {}", declaration.id), declaration.place, diagnostics);
        }
    }

    fn push(&mut self, what: &str, place: Option<Place>, diagnostics: &mut Diagnostics) {
        self.count += 1;
        self.last = place;
        if self.count <= Self::MOST {
            let detail = format!("{what} is checked, but this version does not act on it");
            diagnostics.push(not_in_force(detail, place));
        }
    }

    fn finish(self, diagnostics: &mut Diagnostics) {
        let rest = self.count.saturating_sub(Self::MOST);
        if rest > 0 {
            diagnostics.push(not_in_force(format!("{rest} more are not shown"), self.last));
        }
    }
}

fn not_in_force(detail: String, place: Option<Place>) -> Diagnostic {
    Diagnostic::warning(NOT_IN_FORCE, detail).at(place).fix("remove it, or wait for a version that does")
}
