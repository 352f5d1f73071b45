//! Meta arguments that change what happens around a visit: they are checked here.

use rustc_hash::FxHashMap;
use uphold_model::{
    Declaration, Diagnostic, Diagnostics, Guard, Handling, Lock, OnRemoval, Place, Scope, Shape, Value,
};

use crate::program::decode::Decoder;
use crate::program::set::ResourceSet;

/// The summary of the warning that a meta argument is read, but not acted upon.
pub const NOT_IN_FORCE: &str = "not in force yet";

/// Whether a resource has meta arguments that nothing acts upon.
pub(crate) fn is_not_in_force(set: &ResourceSet) -> bool {
    set.iter().filter_map(|(_, declared)| declared.handling()).any(asks)
}

/// Whether it asks for what no run does yet.
fn asks(handling: &Handling) -> bool {
    handling.on_removal != OnRemoval::default()
}

/// Checks guards and locks, and warns of what is not in force.
pub(crate) fn check_handling(decoder: &Decoder<'_>, scope: &dyn Scope, diagnostics: &mut Diagnostics) {
    let mut warnings = Warnings::default();
    let mut locks = Locks::default();
    for (_, declared) in decoder.set.iter() {
        let declaration = &declared.declaration;
        let Some(handling) = declared.handling() else { continue };
        diagnostics.extend(declared.guards().filter_map(|guard| check_guard(guard, scope).err()));
        diagnostics.extend(handling.locks.iter().filter_map(|lock| locks.check(lock, declaration)));
        warnings.add(handling, declaration, diagnostics);
    }
    let of_groups = decoder.list.groups().iter().flat_map(|(_, group)| group.guards());
    diagnostics.extend(of_groups.filter_map(|guard| check_guard(guard, scope).err()));
    warnings.finish(diagnostics);
}

/// What each lock was first said to be.
#[derive(Default)]
struct Locks<'a>(FxHashMap<&'a str, (&'a Lock, &'a Declaration)>);

impl<'a> Locks<'a> {
    /// All who share a lock must agree how many may hold it.
    fn check(&mut self, lock: &'a Lock, declaration: &'a Declaration) -> Option<Diagnostic> {
        let (first, by) = *self.0.entry(&lock.name).or_insert((lock, declaration));
        if first.most == lock.most {
            return None;
        }
        let (name, here, there) = (&lock.name, lock.most, first.most);
        let detail = format!("lock `{name}` lets {here} at a time here, and {there} for {}", by.id);
        let diagnostic = Diagnostic::error("lock with two counts", detail)
            .at(declaration.place)
            .fix("give it one count everywhere, or another name");
        Some(match by.place {
            Some(place) => diagnostic.and_at(place, "the other count is here"),
            None => diagnostic,
        })
    }
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
    let word = guard.word();
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
        if !asks(handling) {
            return;
        }
        let written = handling.written.iter().find(|(name, _)| &**name == "on_removal");
        let place = written.map(|(_, place)| *place).or(declaration.place);
        self.push("`on_removal`", place, diagnostics);
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
