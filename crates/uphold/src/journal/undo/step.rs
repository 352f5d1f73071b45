//! One recorded action, as it was read from the journal.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use uphold_journal::{Action, After, Content, EditedFile, Objects, Previous as Stored, Recovery};
use uphold_model::{ResourceId, Schema, Value};
use uphold_resource::{Kind, Previous, RecordedState, Registry};

use super::changed_since::{CONTENT, TargetKey, file_after};
use crate::journal::stored_state::value;

const PRUNED: &str = "its previous content is not kept any more";
const UNREADABLE: &str = "its record cannot be read";
const WHOLE_FILE: &str = "only its whole file could be restored";

/// One way to undo an action: the state of one resource before and after it.
pub(super) struct Way<'a> {
    pub(super) target: TargetKey,
    pub(super) id: ResourceId,
    pub(super) kind: &'a Kind,
    pub(super) before: RecordedState,
    /// The state after it. None if the action failed or was interrupted.
    pub(super) after: Option<After>,
    /// Whether it restores the file that the resource edits.
    pub(super) is_file: bool,
}

/// The ways to undo an action, the exact one first. `only_values`: without those that restore a whole file.
///
/// # Errors
/// The reason why there is none.
pub(super) fn ways<'a>(
    action: &Action,
    kinds: &'a Registry,
    objects: &Objects,
    only_values: bool,
) -> Result<Vec<Way<'a>>, String> {
    let begin = &action.begin;
    let recovery = match (&begin.previous, &begin.recovery) {
        (Stored::NotKept(reason), _) => return Err(reason.clone()),
        (_, None) => return Err("its previous value was not kept".to_owned()),
        (_, Some(recovery)) => recovery,
    };
    let after = action.end.as_ref().and_then(|end| end.after.clone());
    let kind = find(kinds, &begin.key.kind)?;
    let id = ResourceId::new(&*begin.key.kind, &*recovery.name)
        .in_module(recovery.module.as_deref().map(Into::into))
        .with_key(recovery.item.as_deref().map(Into::into));
    let target = (begin.key.kind.clone(), begin.key.identity.clone());
    let values = Reader { schema: kind.schema(), recovery };
    let Some(file) = &recovery.file else {
        let before = values.state(&begin.previous, objects)?;
        return Ok(vec![Way { target, id, kind, before, after, is_file: false }]);
    };
    let whole = || whole_file(file, &begin.previous, after.as_ref(), kinds, objects);
    if !file.or_values {
        return if only_values { Err(WHOLE_FILE.to_owned()) } else { whole().map(|way| vec![way]) };
    }
    let mut ways: Vec<Way<'_>> = if only_values { Vec::new() } else { whole().into_iter().collect() };
    let before = values.recorded(values.read(&recovery.values)?);
    ways.push(Way { target, id, kind, before, after, is_file: false });
    Ok(ways)
}

fn find<'a>(kinds: &'a Registry, name: &str) -> Result<&'a Kind, String> {
    kinds
        .get(name)
        .ok_or_else(|| format!("the kind `{name}` is not known here; give its directory with --kinds"))
}

/// The file that a resource edits, as a resource of its own.
fn whole_file<'a>(
    file: &EditedFile,
    previous: &Stored,
    after: Option<&After>,
    kinds: &'a Registry,
    objects: &Objects,
) -> Result<Way<'a>, String> {
    let kind = find(kinds, &file.kind)?;
    let content = kind.schema().property(CONTENT).ok_or(UNREADABLE)?.name;
    let values = match previous {
        Stored::File(stored) => vec![(content, bytes_value(bytes(stored, objects)?))],
        _ => Vec::new(),
    };
    Ok(Way {
        target: (file.kind.clone(), file.path.clone()),
        id: ResourceId::new(&*file.kind, &*file.path),
        kind,
        before: RecordedState {
            previous: Previous::VALUES,
            exists: !values.is_empty(),
            values,
            declared: Vec::new(),
            content: None,
        },
        after: after.and_then(file_after),
        is_file: true,
    })
}

fn bytes(content: &Content, objects: &Objects) -> Result<Vec<u8>, String> {
    objects.get(content).ok_or_else(|| PRUNED.to_owned())
}

/// A string if it is one, as the kinds load it.
fn bytes_value(bytes: Vec<u8>) -> Value {
    String::from_utf8(bytes).map_or_else(|error| Value::Bytes(error.into_bytes().into()), Value::text)
}

/// Reads the values of one kind.
struct Reader<'a> {
    schema: &'static Schema,
    recovery: &'a Recovery,
}

impl Reader<'_> {
    fn state(&self, previous: &Stored, objects: &Objects) -> Result<RecordedState, String> {
        let mut values = self.read(&self.recovery.values)?;
        match (previous, &self.recovery.property) {
            (Stored::Values(stored), _) => {
                let stored: BTreeMap<String, Json> =
                    serde_json::from_slice(&bytes(stored, objects)?).map_err(|_| UNREADABLE)?;
                values.extend(self.read(&stored)?);
            }
            (Stored::File(stored), Some(property)) => {
                let property = self.schema.property(property).ok_or(UNREADABLE)?;
                values.push((property.name, bytes_value(bytes(stored, objects)?)));
            }
            _ => {}
        }
        Ok(self.recorded(values))
    }

    fn recorded(&self, values: Vec<(&'static str, Value)>) -> RecordedState {
        // A property that this version of the kind does not have any more is left out.
        let with = self.read(&self.recovery.with).unwrap_or_default();
        let declared = self.read(&self.recovery.declared).unwrap_or_default();
        let previous = Previous::Values { without: &[], with };
        RecordedState { previous, exists: self.recovery.exists, values, declared, content: None }
    }

    fn read(&self, stored: &BTreeMap<String, Json>) -> Result<Vec<(&'static str, Value)>, String> {
        let known = stored.iter().filter_map(|(name, json)| Some((self.schema.property(name)?, json)));
        let read = known.map(|(property, json)| Ok((property.name, value(json).ok_or(UNREADABLE)?)));
        read.collect()
    }
}
