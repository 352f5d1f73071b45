//! Recorded states: plain data that outlives the visit.

use std::path::Path;

use uphold_model::{ResourceId, Role, Schema, Value};

use super::previous::{Irreversible, Previous};
use crate::error::{Result, wrong_type};
use crate::host::{EntryKind, Reading};
use crate::instance::{Desired, Instance};

/// The state of a resource at one moment, with everything that its inverse needs.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedState {
    /// How this state can be brought back.
    pub previous: Previous,
    /// Whether the resource exists.
    pub exists: bool,
    /// Its state properties as loaded; empty if it does not exist.
    pub values: Vec<(&'static str, Value)>,
    /// Its declared identity and settings.
    pub declared: Vec<(&'static str, Value)>,
    /// The content of the file of [`Previous::Content`]; `None` if the file does not exist, or none is recorded.
    pub content: Option<Vec<u8>>,
}

impl RecordedState {
    /// The state before a change. Loads every state property; costs one load, and one read of an edited file.
    ///
    /// # Errors
    /// If the state cannot be loaded, or the edited file cannot be read.
    pub fn before(instance: &dyn Instance, desired: Desired, host: &Reading<'_>) -> Result<Self> {
        let all = |_: &str| true;
        let mut seen = instance.look(&host.wanting(&all))?;
        seen.desired = desired;
        let previous = instance.previous(&seen);
        let schema = instance.schema();
        let in_role = |roles: &'static [Role]| {
            schema.all().into_iter().filter(move |property| roles.contains(&property.role))
        };
        let state = in_role(&[Role::State, Role::EnforcedState]).filter(|_| seen.exists);
        let values =
            state.filter_map(|property| Some((property.name, instance.value(property.name, Some(&seen))?)));
        let declared = in_role(&[Role::Name, Role::Identity, Role::Setting]);
        let declared =
            declared.filter_map(|property| Some((property.name, instance.value(property.name, None)?)));
        Ok(Self {
            exists: seen.exists,
            values: values.collect(),
            declared: declared.collect(),
            content: content(&previous, host)?,
            previous,
        })
    }

    /// The state of the same resource now, with the content of the same file.
    ///
    /// # Errors
    /// If the state cannot be loaded, or the edited file cannot be read.
    pub fn again(&self, instance: &dyn Instance, host: &Reading<'_>) -> Result<Self> {
        let now = Self::before(instance, Desired::Present, host)?;
        Ok(Self { content: content(&self.previous, host)?, previous: self.previous.clone(), ..now })
    }

    /// The value of a state property.
    pub fn value(&self, property: &str) -> Option<&Value> {
        self.values.iter().find(|(name, _)| *name == property).map(|(_, value)| value)
    }
}

/// The content of the file that is brought back as a whole.
fn content(previous: &Previous, host: &Reading<'_>) -> Result<Option<Vec<u8>>> {
    let Previous::Content { path, .. } = previous else { return Ok(None) };
    read(path, host)
}

fn read(path: &Path, host: &Reading<'_>) -> Result<Option<Vec<u8>>> {
    let Some(entry) = host.files().look(path)? else { return Ok(None) };
    match entry.kind {
        EntryKind::File => host.files().read(path, entry.size).map(Some),
        kind => Err(wrong_type(path, kind.words(), "a regular file")),
    }
}

/// A change of a resource, recorded so that it can be undone.
#[derive(Debug)]
pub struct RecordedChange {
    /// The resource.
    pub id: ResourceId,
    /// The schema of its kind.
    pub schema: &'static Schema,
    /// Whether its values are secrets.
    pub sensitive: bool,
    /// The state before and after the change, or why it could not be recorded.
    pub states: std::result::Result<(RecordedState, RecordedState), Irreversible>,
}
