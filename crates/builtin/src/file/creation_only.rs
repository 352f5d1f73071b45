//! A file that is only created, and then left alone.

use std::mem::take;

use uphold_resource::{Context, EntryKind, GroupName, Mode, Problem, Property, Reading, Result, Type};
use uphold_resource::{UserName, Value, Want};

use super::{Content, File};

/// Whether a file is only created: `true.into()` or `false.into()`.
///
/// While a file is there, what was asked for a new one is put aside here. So nothing of it is
/// compared with that file, and all of it is at hand when the file is missing again.
#[derive(Clone, Debug, Default)]
pub struct CreationOnly {
    /// None unless it is set. Few files have this, so it lies elsewhere.
    set: Option<Box<Aside>>,
}

/// What was put aside, if there was a file.
#[derive(Clone, Debug, Default)]
struct Aside(Option<Wishes>);

/// What can be asked for a new file.
#[derive(Clone, Debug)]
struct Wishes {
    content: Want<Content>,
    mode: Want<Mode>,
    owner: Want<UserName>,
    group: Want<GroupName>,
}

impl CreationOnly {
    /// Whether an existing file is left alone.
    pub(crate) fn is_set(&self) -> bool {
        self.set.is_some()
    }

    /// Whether there was a file to be left alone when it was last looked for.
    pub(crate) fn found_one(&self) -> bool {
        self.set.as_ref().is_some_and(|aside| aside.0.is_some())
    }
}

/// Puts the wishes for `file` aside if it is only created and is there, and takes them back if it
/// is not. Says whether it is to be left alone. Costs one look if it is only created.
pub(crate) fn is_left_alone(file: &mut File, host: &Reading<'_>) -> Result<bool> {
    let Some(aside) = &mut file.create_if_missing.set else { return Ok(false) };
    if let Some(aside) = aside.0.take() {
        aside.return_to(file);
    }
    let is_there = host.files().look(&file.path)?.is_some_and(|entry| entry.kind == EntryKind::File);
    let wishes = is_there.then(|| Wishes::taken_from(file));
    file.create_if_missing.set = Some(Box::new(Aside(wishes)));
    Ok(is_there)
}

impl Wishes {
    fn taken_from(file: &mut File) -> Self {
        Self {
            content: take(&mut file.content),
            mode: take(&mut file.mode),
            owner: take(&mut file.owner),
            group: take(&mut file.group),
        }
    }

    fn return_to(self, file: &mut File) {
        put_back(&mut file.content, self.content);
        put_back(&mut file.mode, self.mode);
        put_back(&mut file.owner, self.owner);
        put_back(&mut file.group, self.group);
    }
}

/// A kind that embeds the file may have wished anew since: that counts.
fn put_back<T>(wish: &mut Want<T>, aside: Want<T>) {
    if !wish.is_set() {
        *wish = aside;
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

/// What is put aside is no part of the value.
impl PartialEq for CreationOnly {
    fn eq(&self, other: &Self) -> bool {
        self.set.is_some() == other.set.is_some()
    }
}
