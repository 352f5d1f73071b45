//! A resource that is no longer declared, declared again from its record.

use std::cell::OnceCell;

use uphold_journal::{
    ActionBegin, AppliedProperties, AppliedProperty, AppliedResource, Observed, Records, Run, SecretKey,
};
use uphold_model::{Action, Attribute, Claims, Name, ResourceId, Statement, Value};
use uphold_resource::{Context, Desired, Fields, Instance, Kind, Look, Observation, Reading, Registry, home};

use crate::journal::applied_record::is_named_by_path;
use crate::journal::stored_state::value;
use crate::journal::undo::{Undo, UndoRequest};

use super::super::applied_property::{is_absent, observed, value_of_text};
use super::trial::RunStub;

/// The reason why a resource is not removed: a fragment that reads on after its address and a colon.
pub(in crate::journal) type Refusal = String;

/// A resource that is no longer declared, as it is on the machine.
pub(in crate::journal) struct Redeclared {
    pub(super) id: ResourceId,
    /// Declared for its removal.
    pub(super) instance: Box<dyn Instance>,
    pub(super) attributes: Vec<Attribute>,
}

/// Declared values by property.
type Values = Vec<(Name, Value)>;

impl Redeclared {
    /// Loads it. None if it does not exist any more.
    ///
    /// # Errors
    /// The reason why it cannot be removed.
    pub(in crate::journal) fn load(
        record: &AppliedResource,
        kinds: &Registry,
        host: &Reading<'_>,
        key: impl Fn() -> Option<SecretKey>,
    ) -> Result<Option<Self>, Refusal> {
        let run = RunStub::new(kinds);
        let host = &host.with_run(&run);
        let kind = &record.key.kind;
        let kind = kinds.get(kind).ok_or_else(|| format!("the kind `{kind}` is not known here"))?;
        if !kind.schema().removable {
            return Err(format!("a {} cannot be removed", record.key.kind));
        }
        let id = id(record);
        let declared = declared(record, kind);
        let applied = decode_either(kind, &id, &declared, applied_values(record), None, host)?.0;
        let cannot_load = |error: uphold_resource::Error| format!("it cannot be loaded: {}", error.chain());
        let seen = look(&*applied, host).map_err(cannot_load)?;
        if !seen.exists && !is_complete(record, kind) {
            return Err(INCOMPLETE.to_owned());
        }
        if !seen.exists {
            return Ok(None);
        }
        expect_as_applied(record, &*applied, &seen, key)?;
        let state = if is_named_by_path(kind.schema()) { Vec::new() } else { applied_values(record) };
        let (instance, values) = decode_either(kind, &id, &declared, state, Some(&Action::Remove), host)?;
        if !look(&*instance, host).map_err(cannot_load)?.exists {
            return Err(INCOMPLETE.to_owned());
        }
        let attributes = values.into_iter().map(|(name, value)| Attribute::known(name, value)).collect();
        Ok(Some(Self { id, instance, attributes }))
    }
}

impl Redeclared {
    /// The claims of a resource by its record, which must not be that of a removed one.
    pub(in crate::journal) fn claims(record: &AppliedResource, kinds: &Registry) -> Option<Claims> {
        let kind = kinds.get(&record.key.kind)?;
        let (id, declared) = (id(record), declared(record, kind));
        let complete: Values = declared.iter().cloned().chain(applied_values(record)).collect();
        let decode = |values| kind.decode(Fields::for_reading(id.label(), values, Context::NOTHING)).0;
        [complete, declared].into_iter().find_map(decode).map(|instance| instance.claims())
    }

    /// The properties of a record with their present values. None if the resource does not exist, or cannot be loaded.
    pub(in crate::journal) fn observe(
        record: &AppliedResource,
        kinds: &Registry,
        host: &Reading<'_>,
        key: impl Fn() -> Option<SecretKey>,
    ) -> Option<AppliedProperties> {
        let kind = kinds.get(&record.key.kind).filter(|_| !is_absent(record))?;
        let declared = declared(record, kind);
        let (instance, _) =
            decode_either(kind, &id(record), &declared, applied_values(record), None, host).ok()?;
        let seen = look(&*instance, host).ok().filter(|seen| seen.exists)?;
        let now = record.properties.iter().map(|(name, last)| {
            let now = instance.value(name, Some(&seen)).unwrap_or_default();
            let key = if last.observed.is_secret() { Some(key()?) } else { None };
            let observed = observed(&now, key.as_ref());
            Some((name.to_owned(), AppliedProperty { observed, declared: last.declared }))
        });
        now.collect()
    }
}

const INCOMPLETE: &str = "its record does not contain everything that its removal needs";

/// Whether a resource can be found by its record: its path is known, or all values that may identify it are.
fn is_complete(record: &AppliedResource, kind: &Kind) -> bool {
    let is_known = |(name, one): (&str, &AppliedProperty)| {
        one.observed.text().is_some() || record.declared.contains_key(name)
    };
    is_named_by_path(kind.schema()) || record.properties.iter().all(is_known)
}

/// The id of a resource by its last address.
pub(super) fn id(record: &AppliedResource) -> ResourceId {
    record.address.parse().unwrap_or_else(|_| ResourceId::new(&*record.key.kind, &*record.key.identity))
}

fn declared(record: &AppliedResource, kind: &Kind) -> Values {
    let known = record.declared.iter().filter_map(|(name, json)| {
        let property = kind.schema().property(name)?;
        Some((property.name.into(), value(json)?))
    });
    known.collect()
}

/// The state properties whose values are stored as text. A longer one is declared, if it identifies the resource.
fn applied_values(record: &AppliedResource) -> Values {
    let known = record.properties.iter().filter(|(name, _)| !record.declared.contains_key(*name));
    known.filter_map(|(name, one)| Some((name.into(), value_of_text(one.observed.text()?)))).collect()
}

/// The resource with these values and these further ones; without the latter, if they do not belong together. Some kinds load
/// a value in the form in which it is declared, such as a user by name or number.
fn decode_either(
    kind: &Kind,
    id: &ResourceId,
    declared: &Values,
    state: Values,
    action: Option<&Action>,
    host: &Reading<'_>,
) -> Result<(Box<dyn Instance>, Values), Refusal> {
    let find_home = |user: &str| home(host, user);
    let complete: Values = declared.iter().cloned().chain(state).collect();
    let mut problem = None;
    for values in [complete, declared.clone()] {
        let context = Context { home: &find_home, base: None };
        let fields = match action {
            Some(action) => Fields::new(id.label(), values.clone(), action, context),
            None => Fields::for_reading(id.label(), values.clone(), context),
        };
        let (instance, findings) = kind.decode(fields);
        if let Some(declared) = instance.filter(|_| findings.problems.is_empty()) {
            // A resource that is only read need not be valid.
            let look = action.is_none().then(|| Look::to_read(host));
            let completed = look.and_then(|look| declared.prepare(&look).ok().flatten());
            return Ok((completed.unwrap_or(declared), values));
        }
        problem = findings.problems.first().map(ToString::to_string).or(problem);
    }
    Err(format!("it cannot be declared again: {}", problem.unwrap_or_default()))
}

/// Loads every state property, for a removal.
fn look(instance: &dyn Instance, host: &Reading<'_>) -> uphold_resource::Result<Observation> {
    let mut seen = instance.look(&Look::to_read(host).needing(&|_: &str| true))?;
    seen.desired = Desired::Absent;
    Ok(seen)
}

/// Compares each property with its value after the last apply. State that the removal does not take away is no loss, such as
/// the unmanaged content that a directory purges.
fn expect_as_applied(
    record: &AppliedResource,
    instance: &dyn Instance,
    seen: &Observation,
    key: impl Fn() -> Option<SecretKey>,
) -> Result<(), Refusal> {
    let lost = instance.previous(seen);
    let is_lost = |name: &str| !lost.without_properties().contains(&name);
    for (name, last) in record.properties.iter().filter(|(name, _)| is_lost(name)) {
        let now = instance.value(name, Some(seen)).unwrap_or_default();
        let key = if last.observed.is_secret() { key() } else { None };
        if last.observed.is_secret() && key.is_none() {
            return Err("its values are secrets, and the key for secrets is missing".to_owned());
        }
        let now: Observed = observed(&now, key.as_ref());
        match last.observed.is_same(&now) {
            Some(true) => {}
            Some(false) => return Err("changed since it was applied".to_owned()),
            None => return Err("its values are secrets, and the key for secrets was replaced".to_owned()),
        }
    }
    Ok(())
}

// The statements that bring the first previous values of a resource back.

/// Finds previous values in the recorded runs, which are read once.
pub(super) struct PreviousValues<'a> {
    pub(super) records: &'a Records,
    pub(super) kinds: &'a Registry,
    pub(super) host: &'a Reading<'a>,
    pub(super) runs: OnceCell<Vec<Run>>,
}

impl PreviousValues<'_> {
    /// The statements that undo every change since the first one. None if the resource is as before.
    ///
    /// # Errors
    /// The reason why there are none.
    pub(super) fn revert(
        &self,
        record: &AppliedResource,
        id: &ResourceId,
        (first, _): (u64, u64),
    ) -> Result<Option<Vec<Statement>>, Refusal> {
        let runs = self.runs.get_or_init(|| {
            let runs = self.records.runs().newest_first().into_iter().flatten();
            runs.filter_map(Result::ok).collect()
        });
        let since = runs.iter().take_while(|run| run.begin.run >= first).count();
        if runs.get(since.saturating_sub(1)).is_none_or(|oldest| oldest.begin.run != first) {
            return Err(format!("its previous values of run {first} are not kept any more"));
        }
        let selects = |begin: &ActionBegin| {
            (&begin.key.kind, &begin.key.identity) == (&record.key.kind, &record.key.identity)
        };
        let request = UndoRequest {
            runs: &runs[..since],
            later: &[],
            selects: &selects,
            skips_changes_between: true,
            only_values: true,
        };
        let undo = Undo::new(&request, self.records, self.kinds, self.host);
        if let Some(left) = undo.left.into_iter().find(|left| left.is_state) {
            return Err(format!("its previous values cannot be restored: {}", left.reason));
        }
        let declares_other = |statement: &Statement| match statement {
            Statement::Declare(declaration) => declaration.id != *id,
            _ => false,
        };
        if undo.statements.iter().any(declares_other) {
            return Err("its previous values were recorded under another address".to_owned());
        }
        Ok(Some(undo.statements).filter(|statements| !statements.is_empty()))
    }
}
