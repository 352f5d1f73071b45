//! The states before and after a change, as the journal keeps them for `undo`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;
use uphold_engine::{BeginningChange, ChangeKind, LoadedResource, VerifiedChange};
use uphold_journal::{
    After, EditedFile, Previous as StoredPrevious, Records, Recovery, ResourceKey, SecretKey, Side, Time,
};
use uphold_model::{Difference, Mutex, PropertySchema, Role, SENSITIVE, Value};
use uphold_resource::{Irreversible, Observation, Previous, RecordedState};

use super::applied_property::{StateProperty, load_property, undeclared_content};
use super::stored_state::{StoredState, edited_file, is_hidden};
use super::stored_state::{is_compared, is_secret, side};
use super::undo::secret_identities;
use super::words;

/// The reason in place of a previous value that was a secret, or was computed from one.
pub(super) const SECRET: &str = "its previous value is a secret";

/// Records the states around each change of a run.
pub(super) struct StateRecorder {
    records: Records,
    key: OnceLock<Option<SecretKey>>,
    /// Whether an earlier run had a secret.
    has_key: OnceLock<bool>,
    /// Kind and identity of the resources that held a secret, in this run or an earlier one.
    secrets: OnceLock<Mutex<FxHashSet<(String, String)>>>,
}

/// The state before a change.
pub(super) struct Before {
    pub(super) previous: StoredPrevious,
    pub(super) recovery: Option<Recovery>,
    /// None if the change cannot be undone.
    pub(super) compared: Option<Compared>,
}

/// The state after a change.
pub(super) enum StateAfter {
    /// All that the differences declare, and nothing else.
    AsDeclared,
    Other(After),
}

impl StateAfter {
    pub(super) fn into_other(self) -> Option<After> {
        match self {
            Self::AsDeclared => None,
            Self::Other(after) => Some(after),
        }
    }
}

/// The state before a change, to be compared with the one after it.
pub(super) struct Compared {
    is_secret: bool,
    existed: bool,
    /// The values that were loaded in the same way as they will be after the change.
    values: Vec<(&'static str, Value)>,
    previous: Previous,
}

impl Before {
    /// Whether the previous value is a secret, even if it is not declared as one any more.
    pub(super) fn is_secret(&self) -> bool {
        matches!(&self.previous, StoredPrevious::NotKept(reason) if reason == SECRET)
    }

    fn not_kept(reason: impl Into<String>) -> Self {
        Self { previous: StoredPrevious::NotKept(reason.into()), recovery: None, compared: None }
    }
}

impl Compared {
    /// Whether a new resource has the declared strings and nothing else: then the line before the change tells the state after
    /// it.
    fn is_created_as_declared(
        &self,
        differences: &[Difference],
        seen: &Observation,
        state: &[StateProperty],
    ) -> bool {
        let is_recorded =
            |one: &&StateProperty| one.declared.is_some() || one.schema.role == Role::EnforcedState;
        let is_declared = |property: &StateProperty| {
            let found = differences.iter().find(|one| *one.property == *property.schema.name);
            let declared = found.and_then(|one| one.to.value());
            matches!(declared, Some(Value::Text(_))) && declared == property.observed.as_ref()
        };
        let is_plain = !self.existed && seen.exists && !self.is_secret;
        is_plain
            && matches!(self.previous, Previous::Values { .. })
            && undeclared_content(state).is_none()
            && state.iter().filter(is_recorded).count() == differences.len()
            && state.iter().filter(is_recorded).all(is_declared)
    }
}

impl StateRecorder {
    pub(super) fn new(records: Records) -> Self {
        Self { records, key: OnceLock::new(), has_key: OnceLock::new(), secrets: OnceLock::new() }
    }

    /// The state that a change replaces. Loads nothing for a resource that is created.
    pub(super) fn before(&self, beginning: &BeginningChange<'_>, key: &ResourceKey, now: Time) -> Before {
        let BeginningChange { resource, action, change, secret, instance, seen, replaced, .. } = beginning;
        let (Some(seen), Some(replaced)) = (seen, replaced) else {
            return Before::not_kept(Irreversible::verb(action.word()).0);
        };
        if change.kind == ChangeKind::Run {
            return Before::not_kept(Irreversible::effects(&resource.kind).0);
        }
        if *secret {
            let before = self.secret(beginning, key, &instance.previous(seen));
            if seen.exists || before.recovery.is_some() || hides_identity(beginning) {
                return before;
            }
        }
        if seen.exists && change.differences.iter().any(Difference::is_sensitive) {
            return Before::not_kept(SECRET);
        }
        let state = match replaced() {
            Ok(state) => state,
            Err(error) => return Before::not_kept(Irreversible::unrecorded(&error).0),
        };
        let schema = instance.schema();
        let removes = change.kind == ChangeKind::Remove;
        let (is_known_secret, edited) = match &state.previous {
            Previous::None(reason) => return Before::not_kept(reason.clone()),
            Previous::Content { kind, path, .. } => {
                (state.content.is_some() && self.was_secret(kind, &path.to_string_lossy()), true)
            }
            Previous::Values { .. } => {
                let was = state.exists && self.was_secret(&key.kind, &key.identity);
                let loses =
                    removes && state.values.iter().any(|(name, value)| is_hidden(schema, name, value));
                (was || loses, false)
            }
        };
        if is_known_secret {
            return Before::not_kept(SECRET);
        }
        let stored = StoredState { schema, resource, state: &state, is_secret: *secret, edited };
        match stored.write(&self.records.objects(), now) {
            Ok((previous, recovery)) => {
                let is_same = |property: &PropertySchema, value: &Value| {
                    is_compared(property, *instance)
                        || instance.value(property.name, Some(seen)).as_ref() == Some(value)
                };
                let RecordedState { exists, values, previous: how, .. } = state;
                let values = values.into_iter().filter(|(name, value)| {
                    schema.property(name).is_some_and(|property| is_same(property, value))
                });
                let values = values.collect();
                let compared = Compared { is_secret: *secret, existed: exists, values, previous: how };
                Before { previous, recovery: Some(recovery), compared: Some(compared) }
            }
            Err(reason) => Before::not_kept(reason),
        }
    }

    /// The state after a change, from the load that verified it. None if the edited file cannot be read.
    pub(super) fn after(
        &self,
        compared: &Compared,
        change: &VerifiedChange<'_>,
        state: &[StateProperty],
    ) -> Option<StateAfter> {
        let VerifiedChange { loaded: LoadedResource { instance, seen, .. }, host, change, .. } = change;
        if compared.is_created_as_declared(&change.differences, seen, state) {
            return Some(StateAfter::AsDeclared);
        }
        let key = if compared.is_secret { Some(self.key()?) } else { None };
        let file = match &compared.previous {
            Previous::Content { .. } => {
                let content = compared.previous.content(host).ok()?;
                Some(content_side(content.as_deref(), key))
            }
            _ => None,
        };
        let values = state.iter().filter(|_| seen.exists).filter_map(
            |StateProperty { schema, declared, observed }| {
                let value = observed.as_ref()?;
                let before = compared.values.iter().find(|(name, _)| *name == schema.name);
                let is_changed = match before {
                    Some((_, before)) => before != value,
                    None => !compared.existed && (schema.role == Role::EnforcedState || declared.is_some()),
                };
                let key = if is_secret(schema, value) { self.key() } else { key };
                is_changed.then(|| (schema.name.to_owned(), side(Some(value), key)))
            },
        );
        let mut values: BTreeMap<_, _> = values.collect();
        if !compared.existed
            && let Some(name) = undeclared_content(state)
            && let Some(value) = load_property(*instance, name, host)
        {
            values.insert(name.to_owned(), side(Some(&value), key));
        }
        Some(StateAfter::Other(After { exists: seen.exists, values, file }))
    }

    /// The key for secrets. Without one, nothing that was made from a secret is stored.
    fn key(&self) -> Option<&SecretKey> {
        self.key.get_or_init(|| self.records.secret_key().ok()).as_ref()
    }

    /// Notes that a resource holds a secret, and the file that it edits as well: neither is kept from now on. The file is
    /// recorded, so that later runs know it.
    fn secret(&self, beginning: &BeginningChange<'_>, key: &ResourceKey, previous: &Previous) -> Before {
        _ = self.key();
        let file = edited_file(previous).ok().flatten().map(|file| {
            let path = if beginning.sensitive { self.hidden(&file.path) } else { file.path };
            EditedFile { path, ..file }
        });
        if let Some(secrets) = self.secrets.get() {
            let file = file.as_ref().map(|file| (file.kind.clone(), file.path.clone()));
            secrets.lock().extend(file.into_iter().chain([(key.kind.clone(), key.identity.clone())]));
        }
        let name = beginning.resource.name.to_string();
        let recovery = file.map(|file| Recovery { name, file: Some(file), ..Recovery::default() });
        Before { recovery, ..Before::not_kept(SECRET) }
    }

    /// Whether a resource held a secret in this run or an earlier one: then its value is a secret, even if it is not
    /// declared as one any more. Reads the runs once, and only if one of them had a secret.
    fn was_secret(&self, kind: &str, identity: &str) -> bool {
        let has_key = || *self.has_key.get_or_init(|| self.records.has_secret_key());
        if self.key.get().is_none() && !has_key() {
            return false;
        }
        let secrets = self.secrets.get_or_init(|| Mutex::new(secret_identities(&self.records.runs())));
        let secrets = secrets.lock();
        let names = [identity.to_owned(), self.hidden(identity)];
        names.into_iter().any(|name| secrets.contains(&(kind.to_owned(), name)))
    }

    /// The key of a resource, without an identity that may not be stored. Its digest is enough to recognize the resource
    /// when it is not declared as sensitive any more.
    pub(super) fn key_of(&self, key: ResourceKey, beginning: &BeginningChange<'_>) -> ResourceKey {
        let identity = match (hides_identity(beginning), beginning.sensitive) {
            (false, _) => return key,
            (true, true) => self.hidden(&key.identity),
            // The value is not known here.
            (true, false) => beginning.resource.to_string(),
        };
        ResourceKey { identity, ..key }
    }

    /// A digest of a text with the key of this machine.
    fn hidden(&self, text: &str) -> String {
        self.key().map_or_else(|| SENSITIVE.to_owned(), |key| key.hidden(text.as_bytes()))
    }
}

/// Whether the identity may not be stored. A label is part of the address, which is stored in any case.
fn hides_identity(beginning: &BeginningChange<'_>) -> bool {
    let BeginningChange { resource, instance, sensitive, .. } = *beginning;
    let is_label = || {
        let identity = words::key("", resource, instance).identity;
        identity == **resource.label() || identity == resource.to_string()
    };
    (sensitive && !is_label()) || words::has_secret_identity(instance)
}

fn content_side(content: Option<&[u8]>, key: Option<&SecretKey>) -> Side {
    match (content, key) {
        (None, _) => Side::Absent,
        (Some(content), Some(key)) => Side::secret(key, content),
        (Some(content), None) => Side::of_bytes(content),
    }
}
