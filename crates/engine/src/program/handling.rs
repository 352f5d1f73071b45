//! Checks of meta arguments: guards and locks.

use rustc_hash::FxHashMap;
use uphold_model::{Code, Declaration, Diagnostic, Diagnostics, Guard, Lock, Scope, Shape, Value};

use crate::program::decode::Decoder;

/// Checks guards and locks.
pub(crate) fn check_handling(decoder: &Decoder<'_>, scope: &dyn Scope, diagnostics: &mut Diagnostics) {
    let mut locks = Locks::default();
    for (_, declared) in decoder.set.iter() {
        let Some(handling) = declared.handling() else { continue };
        diagnostics.extend(declared.guards().filter_map(|guard| check_guard(guard, scope).err()));
        diagnostics.extend(handling.locks.iter().filter_map(|lock| locks.check(lock, &declared.declaration)));
    }
    let of_groups = decoder.list.groups().iter().flat_map(|(_, group)| group.guards());
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
        Some(match by.place {
            Some(place) => diagnostic.and_at(place, "the other count is here"),
            None => diagnostic,
        })
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
