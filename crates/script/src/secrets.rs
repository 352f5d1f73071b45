//! What a script knows and must not tell.

use mlua::Lua;
use uphold_model::{Attribute, Difference, SENSITIVE, Term, Value};
use uphold_resource::{Definition, Error, ErrorKind};

use crate::failure::Trouble;
use crate::frame::Frame;
use crate::value::to_script;

/// What is told of an error in the words of a script that knows a secret.
const HIDDEN: &str = "it failed, and what it said is hidden: it knows something sensitive";

impl Frame<'_> {
    /// Whether the script knows anything that is secret: then everything is that comes of it.
    pub(crate) fn is_secret(&self) -> bool {
        !self.opened.borrow().is_empty() || self.declared_secrets().next().is_some()
    }

    fn declared_secrets(&self) -> impl Iterator<Item = &Value> {
        let is_secret = |name: &str| self.wishes.is_secret(name) || self.kind.value_type(name).is_sensitive();
        let declared = self.kind.schema().properties.iter();
        declared
            .filter(move |property| is_secret(property.name))
            .filter_map(|property| self.wishes.get(property.name).filter(|value| **value != Value::Null))
    }

    /// A value from outside for the script; if there is a secret in it, from now on the script knows it.
    pub(crate) fn open(&self, lua: &Lua, value: &Value) -> mlua::Result<mlua::Value> {
        if value.is_sensitive() {
            self.opened.borrow_mut().push(value.clone());
        }
        to_script(lua, value)
    }

    /// A text of the script, without the secrets that stand in it as they are.
    pub(crate) fn hide(&self, text: &str) -> String {
        let opened = self.opened.borrow();
        let mut words = Vec::new();
        for secret in self.declared_secrets().chain(opened.iter()) {
            gather(secret, &mut words);
        }
        // A secret may be a part of another one.
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        words.iter().fold(text.to_owned(), |text, word| text.replace(&**word, SENSITIVE))
    }

    /// Notes a difference that was found, or made up for.
    pub(crate) fn note(&self, difference: Difference) {
        self.differs.set(true);
        self.note_run(difference);
    }

    /// Notes work that runs at every visit, such as a command.
    pub(crate) fn note_run(&self, difference: Difference) {
        let property = match self.is_secret() {
            true => self.hide(&difference.property).into(),
            false => difference.property,
        };
        self.notes.borrow_mut().push(Difference { property, ..difference });
    }

    /// What a script that knows a secret declares is secret.
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

    /// What went wrong, with what the machine said about it.
    pub(crate) fn explain(&self, error: &mlua::Error) -> Error {
        let trouble = Trouble::of(error);
        let cause = self.failed.take();
        if !self.is_secret() {
            return trouble.into_error(cause);
        }
        match cause {
            // What these mean is for us.
            Some(cause) if matches!(cause.kind(), ErrorKind::Unpredictable | ErrorKind::NotYet) => {
                trouble.into_error(Some(cause))
            }
            Some(cause) => {
                let told = Error::new(cause.kind(), self.hide(&cause.chain()));
                trouble.into_error(Some(told))
            }
            None => trouble.in_words(HIDDEN).into_error(None),
        }
    }
}

/// The texts that a secret consists of.
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
