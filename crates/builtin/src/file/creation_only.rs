//! The property `create_if_missing` of a file.

use std::mem::take;

use uphold_kit::ownership::Ownership;
use uphold_resource::{Context, EntryKind, Mode, Problem, Property, Reading, Result, Type};
use uphold_resource::{Value, Want};

use super::{Content, File};

/// Whether a file is only created, and not managed afterwards: `true.into()` or `false.into()`.
///
/// While the file exists, its declared properties are stored here. So they are not compared with the file, but are
/// available again if it is missing later.
#[derive(Clone, Debug, Default)]
pub struct CreationOnly {
    /// None unless it is set. Boxed, because few files have it.
    set: Option<Box<Saved>>,
}

/// The saved properties, if the file exists.
#[derive(Clone, Debug, Default)]
struct Saved(Option<Declared>);

/// The properties of a new file.
#[derive(Clone, Debug)]
struct Declared {
    content: Want<Content>,
    mode: Want<Mode>,
    ownership: Ownership,
}

impl CreationOnly {
    /// Whether an existing file is not changed.
    pub(crate) fn is_set(&self) -> bool {
        self.set.is_some()
    }

    /// Whether the file existed at the last check.
    pub(crate) fn file_exists(&self) -> bool {
        self.set.as_ref().is_some_and(|saved| saved.0.is_some())
    }
}

/// Saves the declared properties of `file` if it is only created and exists, and restores them if it does not.
/// Returns whether to leave it unchanged. Costs one `lstat` if it is only created.
pub(crate) fn keeps_existing(file: &mut File, host: &Reading<'_>) -> Result<bool> {
    let Some(saved) = &mut file.create_if_missing.set else { return Ok(false) };
    if let Some(saved) = saved.0.take() {
        saved.restore(file);
    }
    let exists = host.files().look(&file.path)?.is_some_and(|entry| entry.kind == EntryKind::File);
    let declared = exists.then(|| Declared::taken_from(file));
    file.create_if_missing.set = Some(Box::new(Saved(declared)));
    Ok(exists)
}

impl Declared {
    fn taken_from(file: &mut File) -> Self {
        Self {
            content: take(&mut file.content),
            mode: take(&mut file.mode),
            ownership: take(&mut file.ownership),
        }
    }

    fn restore(self, file: &mut File) {
        restore(&mut file.content, self.content);
        restore(&mut file.mode, self.mode);
        restore(&mut file.ownership.owner, self.ownership.owner);
        restore(&mut file.ownership.group, self.ownership.group);
    }
}

/// A kind that embeds the file may have declared a property in the meantime, which takes precedence.
fn restore<T>(current: &mut Want<T>, saved: Want<T>) {
    if !current.is_set() {
        *current = saved;
    }
}

impl Property for CreationOnly {
    const TYPE: &'static Type = bool::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        bool::from_value(value, context).map(Self::from)
    }

    fn to_value(&self) -> Value {
        self.set.is_some().to_value()
    }
}

impl From<bool> for CreationOnly {
    fn from(is_set: bool) -> Self {
        Self { set: is_set.then(Box::default) }
    }
}

/// The saved properties are not part of the value.
impl PartialEq for CreationOnly {
    fn eq(&self, other: &Self) -> bool {
        self.set.is_some() == other.set.is_some()
    }
}
