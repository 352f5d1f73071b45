//! Keeps secrets that a script has read out of messages, notes and declarations.

use mlua::Lua;
use uphold_model::{Attribute, Difference, SENSITIVE, Term, Value};
use uphold_resource::{Definition, Error, ErrorKind};

use crate::advice::with_luau_hint;
use crate::failure::ScriptError;
use crate::frame::{Frame, MachineAccess};
use crate::value::to_script;

/// The message of every error of a script that has read a secret: its own message may contain parts of it.
const HIDDEN: &str = "the message is hidden because the script has read a secret";

/// A name that shares this many consecutive characters with a secret is hidden.
const PART: usize = 6;

impl Frame<'_> {
    /// Whether the script has read a secret. Then everything that it declares, writes or reports is secret.
    pub(crate) fn is_secret(&self) -> bool {
        self.tainted.get()
            || !self.opened.borrow().is_empty()
            || self.declared_secrets().next().is_some()
            || (matches!(self.machine, MachineAccess::Read(_)) && self.kind.blueprint.loads_secrets)
    }

    fn declared_secrets(&self) -> impl Iterator<Item = &Value> {
        let is_secret = |name: &str| self.wishes.is_secret(name) || self.kind.value_type(name).is_sensitive();
        let declared = self.kind.schema().properties.iter();
        declared
            .filter(move |property| is_secret(property.name))
            .filter_map(|property| self.wishes.get(property.name).filter(|value| **value != Value::Null))
    }

    /// A value for the script. If it contains a secret, the script counts as having read it.
    pub(crate) fn open(&self, lua: &Lua, value: &Value) -> mlua::Result<mlua::Value> {
        if value.is_sensitive() {
            self.opened.borrow_mut().push(value.clone());
        }
        to_script(lua, value)
    }

    /// Whether this text contains a part of a secret, in upper or lower case.
    fn shows_secret(&self, text: &str) -> bool {
        let opened = self.opened.borrow();
        let mut words = Vec::new();
        for secret in self.declared_secrets().chain(opened.iter()) {
            gather(secret, &mut words);
        }
        let text: Vec<char> = text.to_lowercase().chars().collect();
        words.iter().any(|word| {
            let word = word.to_lowercase();
            let length = word.chars().count().min(PART);
            text.windows(length).any(|part| word.contains(&part.iter().collect::<String>()))
        })
    }

    /// Notes a difference that was found or repaired.
    pub(crate) fn note(&self, difference: Difference) {
        self.differs.set(true);
        self.note_run(difference);
    }

    /// Notes work that runs at every visit, such as a command.
    pub(crate) fn note_run(&self, difference: Difference) {
        let hide = self.tainted.get() || self.shows_secret(&difference.property);
        let property = if hide { SENSITIVE.into() } else { difference.property };
        self.notes.borrow_mut().push(Difference { property, ..difference });
    }

    /// Marks attributes as sensitive if the script has read a secret.
    pub(crate) fn guarded(&self, attributes: Vec<Attribute>) -> Vec<Attribute> {
        if !self.is_secret() {
            return attributes;
        }
        let guard = |attribute: Attribute| match attribute.value {
            Term::Known(value) => Attribute { value: Term::Known(value.sensitive()), ..attribute },
            Term::Deferred(_) => attribute,
        };
        attributes.into_iter().map(guard).collect()
    }

    /// The error of a script, with the error of the machine that caused it. Hides the message if the script has read a secret.
    pub(crate) fn explain(&self, error: &mlua::Error) -> Error {
        let cause = self.failed.take();
        if !self.is_secret() {
            let script_error = ScriptError::of(error);
            let advice = self.method_advice(&script_error);
            let advice = advice.or_else(|| self.nil_advice(&script_error, cause.as_ref()));
            let advice = advice.or_else(|| self.absence_advice(cause.as_ref()));
            let dollar = self.dollar_advice(&script_error, cause.as_ref());
            let script_error = script_error.in_file(&self.kind.script.name);
            let error = script_error.into_error(cause.map(with_luau_hint), advice);
            return if let Some(hint) = dollar { error.hint(hint) } else { error };
        }
        let hidden = ScriptError::hidden(error, HIDDEN);
        match cause {
            // The engine acts on these; they are not reported.
            Some(cause) if matches!(cause.kind(), ErrorKind::Unpredictable | ErrorKind::NotYet) => {
                hidden.into_error(Some(cause), None)
            }
            Some(cause) => {
                let what = format!("{}; {HIDDEN}", cause.kind().words());
                hidden.into_error(Some(Error::new(cause.kind(), what)), None)
            }
            None => hidden.in_file(&self.kind.script.name).into_error(None, None),
        }
    }
}

/// The strings that a secret consists of.
fn gather(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::Text(text) if !text.is_empty() => words.push(text.to_string()),
        Value::Int(number) => words.push(number.to_string()),
        Value::List(items) => items.iter().for_each(|item| gather(item, words)),
        Value::Map(map) => map.values().for_each(|item| gather(item, words)),
        Value::Sensitive(inner) => gather(inner, words),
        _ => {}
    }
}
