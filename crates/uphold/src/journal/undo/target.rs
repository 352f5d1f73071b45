//! A resource whose state is brought back, through one or more recorded actions.

use std::collections::BTreeSet;

use uphold_journal::{ActionBegin, After, SecretKey, Side};
use uphold_model::{Name, ResourceId, Schema, Value};
use uphold_resource::{
    Context, Desired, Error, Fields, Instance, Inverse, Irreversible, Kind, Look, Previous, Reading,
    RecordedChange, RecordedState, Untouched, home, inverse,
};

use super::super::applied_property::value_of_text;
use super::super::words;
use super::changed_since::CONTENT;
use super::step::Way;
use crate::journal::stored_state::side;

/// A resource whose state is brought back. Actions are taken newest first.
pub(super) struct Target<'a> {
    kind: &'a Kind,
    id: ResourceId,
    /// Its state on the machine.
    present: State,
    /// The state before the actions that were taken so far; at first, the present one.
    now: State,
    /// State that no removal takes away, such as the unmanaged content that a directory purges: it is not compared.
    unaffected: &'static [&'static str],
    /// Everything that is known of the state before them.
    before: RecordedState,
    changed: BTreeSet<&'static str>,
    /// The addresses of the resources whose actions were taken.
    pub(super) addresses: Vec<String>,
    /// The positions of its newest and oldest action.
    newest: usize,
    oldest: usize,
}

#[derive(Clone)]
struct State {
    exists: bool,
    values: Vec<(&'static str, Value)>,
}

/// Whether a resource is as an action left it.
pub(super) enum Match {
    /// It is, or it is as before the action.
    Same,
    /// It is not.
    Differs,
    /// That is not known, for this reason.
    Unknown(&'static str),
}

impl<'a> Target<'a> {
    /// Loads the present state of a resource.
    ///
    /// # Errors
    /// The reason why it cannot be loaded.
    pub(super) fn load(way: &Way<'a>, position: usize, host: &Reading<'_>) -> Result<Self, String> {
        let instance = decode(way, host)?;
        let unrecorded = |error: Error| Irreversible::unrecorded(&error).to_string();
        let now = RecordedState::present(&*instance, host).map_err(unrecorded)?;
        let removed = RecordedState::before(&*instance, Desired::Absent, host).map_err(unrecorded)?;
        let present = State { exists: now.exists, values: now.values.clone() };
        Ok(Self {
            kind: way.kind,
            id: way.id.clone(),
            unaffected: removed.previous.without_properties(),
            now: present.clone(),
            present,
            before: RecordedState { values: Vec::new(), declared: Vec::new(), ..now },
            changed: BTreeSet::new(),
            addresses: Vec::new(),
            newest: position,
            oldest: position,
        })
    }

    /// Whether the resource is as the action left it.
    ///
    /// `is_changed_later`: a later run acted on it. Then an action without an end is not the one that made it so.
    pub(super) fn matches(
        &self,
        way: &Way<'_>,
        begin: &ActionBegin,
        key: Option<&SecretKey>,
        is_changed_later: bool,
    ) -> Match {
        // It was put back already, by hand or by an undo.
        if self.now.is_same(&way.before, changed(self.kind.schema(), way, begin)) {
            return Match::Same;
        }
        if !self.has_unchanged(&way.before) {
            return Match::Differs;
        }
        match &way.after {
            Some(after) => match self.is_as(after, key) {
                Match::Same if begin.action == "create" => self.is_as_created(after, begin),
                other => other,
            },
            None if is_changed_later => Match::Differs,
            None if way.is_file => Match::Unknown("it was not finished, and its file is not as before"),
            None => self.is_between(begin),
        }
    }

    /// Whether the state that the change left, and that its inverse needs, is still the same.
    fn has_unchanged(&self, before: &RecordedState) -> bool {
        let Previous::Values { with, .. } = &before.previous else { return true };
        let schema = self.kind.schema();
        let is_state = |name: &str| schema.property(name).is_some_and(|one| one.role.is_state());
        let needed = with.iter().filter(|(name, _)| is_state(name));
        needed.into_iter().all(|(name, value)| self.now.value(name).is_none_or(|now| now == value))
    }

    /// Whether the resource is in a recorded state.
    pub(super) fn is_as(&self, after: &After, key: Option<&SecretKey>) -> Match {
        if self.now.exists != after.exists {
            return Match::Differs;
        }
        let is_compared = |name: &str| !self.unaffected.contains(&name);
        for (name, expected) in after.values.iter().filter(|(name, _)| is_compared(name)) {
            let key = match (expected, key) {
                (Side::Secret(_), None) => return Match::Unknown("the key for secrets was replaced"),
                (Side::Secret(_), key) => key,
                _ => None,
            };
            if side(self.now.value(name), key) != *expected {
                return Match::Differs;
            }
        }
        Match::Same
    }

    /// Whether a created resource has the values that it got without a declaration: its removal would lose a later change.
    fn is_as_created(&self, after: &After, begin: &ActionBegin) -> Match {
        let defaults =
            begin.differences.iter().filter(|difference| !after.values.contains_key(&difference.property));
        for difference in defaults.filter(|difference| !matches!(difference.to, Side::Secret(_))) {
            if self.now.value(&difference.property).is_some_and(|now| words::side(now) != difference.to) {
                return Match::Differs;
            }
        }
        Match::Same
    }

    /// Whether each property has its value from before an unfinished action, or the one that was to be set.
    fn is_between(&self, begin: &ActionBegin) -> Match {
        if !self.now.exists {
            return if begin.action == "update" { Match::Differs } else { Match::Same };
        }
        let schema = self.kind.schema();
        for difference in &begin.differences {
            let is_state = schema.property(&difference.property).is_some_and(|one| one.role.is_state());
            let now = self.now.value(&difference.property).filter(|_| is_state);
            let Some(now) = now.map(words::side) else { continue };
            if matches!(difference.to, Side::Secret(_)) {
                return Match::Unknown("it was not finished, and its value is a secret");
            }
            if now != difference.from && now != difference.to {
                return Match::Differs;
            }
        }
        Match::Same
    }

    /// Takes an action: from now on, the state before it counts.
    pub(super) fn take(&mut self, way: Way<'_>, begin: &ActionBegin, position: usize) {
        self.changed.extend(changed(self.kind.schema(), &way, begin));
        self.oldest = position;
        self.addresses.push(begin.address.clone());
        let RecordedState { previous, exists, values, declared, .. } = way.before;
        if !exists {
            self.now.values.clear();
            self.before.values.clear();
        }
        (self.now.exists, self.before.exists) = (exists, exists);
        overlay(&mut self.now.values, values.clone());
        overlay(&mut self.before.values, values);
        overlay(&mut self.before.declared, declared);
        if let (Previous::Values { with, .. }, Previous::Values { with: more, .. }) =
            (&mut self.before.previous, previous)
        {
            overlay(with, more);
        }
    }

    /// Its position among the inverses: a created resource is removed after everything that came later was undone.
    pub(super) fn position(&self) -> usize {
        if self.before.exists { self.newest } else { self.oldest }
    }

    /// The declaration that brings the state before all its actions back. None if it is as before.
    ///
    /// # Errors
    /// The reason why there is none.
    pub(super) fn inverse(self) -> Result<Option<Inverse>, Irreversible> {
        if self.present.is_same(&self.before, self.changed.iter().copied()) {
            return Ok(None);
        }
        let change = RecordedChange {
            id: self.id,
            schema: self.kind.schema(),
            sensitive: false,
            before: self.before,
            existed: self.present.exists,
            changed: self.changed.into_iter().collect(),
        };
        inverse(&change, Untouched { values: true, content: true }).map(Some)
    }
}

impl State {
    /// Whether the existence and these properties are the same.
    fn is_same(&self, other: &RecordedState, properties: impl IntoIterator<Item = &'static str>) -> bool {
        let is_same = |property: &str| self.value(property) == other.value(property);
        self.exists == other.exists && (!self.exists || properties.into_iter().all(is_same))
    }

    fn value(&self, property: &str) -> Option<&Value> {
        self.values.iter().find(|(name, _)| *name == property).map(|(_, value)| value)
    }
}

/// The properties that an action has changed, or may have changed.
fn changed(schema: &Schema, way: &Way<'_>, begin: &ActionBegin) -> Vec<&'static str> {
    let known = |name: &str| schema.property(name).filter(|one| one.role.is_state()).map(|one| one.name);
    match &way.after {
        Some(after) if after.exists => after.values.keys().filter_map(|name| known(name)).collect(),
        Some(_) => way.before.values.iter().map(|(name, _)| *name).collect(),
        None if way.is_file => vec![CONTENT],
        None => begin.differences.iter().filter_map(|difference| known(&difference.property)).collect(),
    }
}

fn overlay(values: &mut Vec<(&'static str, Value)>, more: Vec<(&'static str, Value)>) {
    values.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
    values.extend(more);
}

/// The resource as declared when the action was made, as far as that is known: some kinds load a value in the form in which it
/// is declared, such as a user by name or number.
fn decode(way: &Way<'_>, host: &Reading<'_>) -> Result<Box<dyn Instance>, String> {
    let find_home = |user: &str| home(host, user);
    let declared: Vec<(Name, Value)> =
        way.before.declared.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    let texts = way.after.iter().flat_map(|after| &after.values).filter_map(|(name, side)| match side {
        Side::Text(text) => Some((name.as_str().into(), value_of_text(text))),
        _ => None,
    });
    let complete: Vec<(Name, Value)> = declared.iter().cloned().chain(texts).collect();
    let mut problem = "it cannot be declared".to_owned();
    for values in [complete, declared] {
        let context = Context { home: &find_home, base: None };
        let (instance, findings) = way.kind.decode(Fields::for_reading(way.id.label(), values, context));
        if let Some(declared) = instance {
            // A resource that is removed need not be valid.
            let completed = declared.prepare(&Look::to_read(host)).ok().flatten();
            return Ok(completed.unwrap_or(declared));
        }
        if let Some(first) = findings.problems.first() {
            problem = format!("it cannot be declared: {first}");
        }
    }
    Err(problem)
}
