//! The kinds of a program. Kinds are registered explicitly.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use uphold_model::{Problem, Schema, closest};

use super::rules::{check_soundness, check_words};
use crate::deferred_kind::{DeferredKind, UnusableKind};
use crate::defined::{self, Definition};
use crate::error::Error;
use crate::fields::Fields;
use crate::findings::Findings;
use crate::host::Act;
use crate::instance::{Instance, Observation};
use crate::resource::Resource;
use crate::typed_instance::{Decoded, apply_together, decode};

/// A registered kind.
#[derive(Clone)]
pub struct Kind {
    schema: &'static Schema,
    origin: Origin,
    /// The file that defines it.
    defined_in: Option<Arc<str>>,
}

/// The origin of a kind.
#[derive(Clone)]
enum Origin {
    /// Compiled into the program.
    Compiled { decode: fn(Fields<'_>) -> Decoded, batches: bool, may_own: bool, together: Together },
    /// Defined at run time.
    Defined(Arc<dyn Definition>),
    /// Only the outline is known, because its program may not run.
    Outline,
}

type Together = fn(&[(&dyn Instance, &Observation)], &Act<'_>) -> Option<Vec<Result<(), Error>>>;

impl Kind {
    /// Its schema.
    pub fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// The file that defines it; `None` for a compiled kind.
    pub fn defined_in(&self) -> Option<&str> {
        self.defined_in.as_deref()
    }

    /// Whether both are the same definition, so that resources with equal values are equal. A redefined kind is another one.
    pub fn is(&self, other: &Kind) -> bool {
        std::ptr::eq(self.schema, other.schema)
            && match (&self.origin, &other.origin) {
                (Origin::Compiled { .. }, Origin::Compiled { .. }) => true,
                (Origin::Defined(one), Origin::Defined(other)) => Arc::ptr_eq(one, other),
                (Origin::Outline, Origin::Outline) => true,
                _ => false,
            }
    }

    /// Whether it is compiled into the program.
    pub fn is_compiled(&self) -> bool {
        matches!(self.origin, Origin::Compiled { .. })
    }

    /// Whether only its name and its label are known. Its blocks cannot be checked, and decoding returns nothing.
    pub fn is_outline(&self) -> bool {
        matches!(self.origin, Origin::Outline)
    }

    /// Decodes a resource of this kind. No instance and no problem means that it depends on a value that is known after
    /// apply, or that the kind is an outline.
    pub fn decode(&self, fields: Fields<'_>) -> Decoded {
        match &self.origin {
            Origin::Compiled { decode, .. } => decode(fields),
            Origin::Defined(definition) => defined::decode(definition, fields),
            Origin::Outline => (None, Findings::default()),
        }
    }

    /// Whether resources of this kind can be changed in a batch.
    pub fn batches(&self) -> bool {
        match &self.origin {
            Origin::Compiled { batches, .. } => *batches,
            Origin::Defined(definition) => definition.batches(),
            Origin::Outline => false,
        }
    }

    /// Whether resources of this kind can own paths besides those of their names and identities.
    pub fn may_own(&self) -> bool {
        match &self.origin {
            Origin::Compiled { may_own, .. } => *may_own,
            Origin::Defined(definition) => definition.may_own(),
            Origin::Outline => false,
        }
    }

    /// Makes the changes that these observations require in one batch, with a result for each; `None` if the kind does not
    /// support batches. All instances must be of this kind.
    pub fn apply_together(
        &self,
        items: &[(&dyn Instance, &Observation)],
        host: &Act<'_>,
    ) -> Option<Vec<Result<(), Error>>> {
        match &self.origin {
            Origin::Compiled { together, .. } => together(items, host),
            Origin::Defined(definition) => defined::apply_together(definition, items, host),
            Origin::Outline => None,
        }
    }

    /// A kind of which only the outline is known.
    pub(crate) fn outline(schema: &'static Schema) -> Self {
        Self { schema, origin: Origin::Outline, defined_in: None }
    }

    /// A kind that is not compiled in. Checks its names, defaults and patterns.
    pub(crate) fn defined(definition: Arc<dyn Definition>) -> Result<Self, KindError> {
        let schema = definition.schema();
        checked(Self { schema, origin: Origin::Defined(definition), defined_in: None })
    }

    /// The same kind, defined in this file.
    pub(crate) fn in_file(self, file: Option<Arc<str>>) -> Self {
        Self { defined_in: file, ..self }
    }
}

/// The kinds of a program, by name. A clone is shared until it is changed.
#[derive(Clone, Default)]
pub struct Registry {
    kinds: Arc<BTreeMap<&'static str, Kind>>,
    /// Kinds that are defined at their first use.
    deferred: Arc<BTreeMap<&'static str, DeferredKind>>,
    /// Names of kinds whose files have errors, which were reported.
    broken: Arc<BTreeSet<String>>,
    /// Names of kinds that cannot be used, with the reason.
    unusable: Arc<BTreeMap<String, UnusableKind>>,
}

/// An error in the registration of a kind.
#[derive(Debug, PartialEq)]
pub enum KindError {
    /// Another kind has the same name.
    Duplicate(&'static str),
    /// A name, default or pattern of the kind violates its own rules.
    Unsound(&'static str, Box<Problem>),
}

impl fmt::Display for KindError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KindError::Duplicate(kind) => write!(f, "two kinds are called `{kind}`"),
            KindError::Unsound(kind, problem) => write!(f, "kind `{kind}`: {problem}"),
        }
    }
}

impl std::error::Error for KindError {}

impl Registry {
    /// Adds the kind `R`. Checks its names, defaults and patterns.
    pub fn add<R: Resource>(&mut self) -> Result<(), KindError> {
        let (batches, may_own, together) = (R::BATCHES, R::MAY_OWN, apply_together::<R>);
        let origin = Origin::Compiled { decode: decode::<R>, batches, may_own, together };
        self.insert(Kind { schema: R::SCHEMA, origin, defined_in: None })
    }

    /// Adds a kind that is not compiled in, with the same checks.
    pub fn define(&mut self, definition: Arc<dyn Definition>) -> Result<(), KindError> {
        self.insert(Kind::defined(definition)?)
    }

    /// Adds a kind that is defined at its first use.
    pub fn defer(&mut self, kind: DeferredKind) -> Result<(), KindError> {
        let name = kind.name();
        check_words(kind.outline().schema())
            .map_err(|problem| KindError::Unsound(name, Box::new(problem)))?;
        if self.has(name) {
            return Err(KindError::Duplicate(name));
        }
        Arc::make_mut(&mut self.deferred).insert(name, kind);
        Ok(())
    }

    /// Records which file defines a kind, for messages. Does nothing if the kind is not registered.
    pub fn note_file(&mut self, kind: &str, file: &str) {
        if let Some(kind) = Arc::make_mut(&mut self.kinds).get_mut(kind) {
            kind.defined_in = Some(file.into());
        }
    }

    /// Records that the file of this kind has errors, which were reported.
    pub fn note_broken(&mut self, kind: &str) {
        Arc::make_mut(&mut self.broken).insert(kind.to_owned());
    }

    /// Whether this kind is missing because of errors that were reported.
    pub fn is_broken(&self, kind: &str) -> bool {
        self.broken.contains(kind)
    }

    /// Records why a kind cannot be used. Does nothing if it is registered, or a reason is recorded already.
    pub fn note_unusable(&mut self, kind: &str, reason: UnusableKind) {
        if !self.has(kind) && !self.unusable.contains_key(kind) {
            Arc::make_mut(&mut self.unusable).insert(kind.to_owned(), reason);
        }
    }

    /// The reason why this kind cannot be used, if it is known.
    pub fn unusable(&self, kind: &str) -> Option<&UnusableKind> {
        self.unusable.get(kind).or_else(|| self.deferred.get(kind)?.failure())
    }

    /// Whether a kind could not be defined at its first use. Another attempt may succeed.
    pub fn has_failed(&self) -> bool {
        self.deferred.values().any(|kind| kind.failure().is_some())
    }

    fn insert(&mut self, kind: Kind) -> Result<(), KindError> {
        let kind = checked(kind)?;
        if self.deferred.contains_key(kind.schema.kind) {
            return Err(KindError::Duplicate(kind.schema.kind));
        }
        match Arc::make_mut(&mut self.kinds).entry(kind.schema.kind) {
            Entry::Occupied(_) => Err(KindError::Duplicate(kind.schema.kind)),
            Entry::Vacant(free) => {
                free.insert(kind);
                Ok(())
            }
        }
    }

    /// Whether a kind of this name is registered. Unlike [`Registry::get`], this runs no program.
    pub fn has(&self, name: &str) -> bool {
        self.kinds.contains_key(name) || self.deferred.contains_key(name)
    }

    /// The file that defines this kind; `None` if it is compiled in or not registered. Runs no program.
    pub fn file_of(&self, name: &str) -> Option<&str> {
        let kind = self.kinds.get(name).or_else(|| Some(self.deferred.get(name)?.outline()));
        kind.and_then(Kind::defined_in)
    }

    /// The kind of this name. A deferred kind is defined now, if that is allowed: its program may run.
    pub fn get(&self, name: &str) -> Option<&Kind> {
        self.kinds.get(name).or_else(|| self.deferred.get(name)?.kind())
    }

    /// All kinds, sorted by name. Deferred kinds that were not used yet are outlines.
    pub fn iter(&self) -> impl Iterator<Item = &Kind> {
        let mut all: Vec<&Kind> = self.kinds.values().collect();
        if !self.deferred.is_empty() {
            all.extend(self.deferred.values().map(DeferredKind::known));
            all.sort_by_key(|kind| kind.schema.kind);
        }
        all.into_iter()
    }

    /// Whether both registries have the same definitions of all kinds that were defined at run time. Such kinds may use each
    /// other, so a change of one can change all.
    pub fn defines_alike(&self, other: &Registry) -> bool {
        let defined = |registry: &Registry| -> Vec<Kind> {
            let all = registry.iter().filter(|kind| !kind.is_compiled());
            all.cloned().collect()
        };
        let (ours, theirs) = (defined(self), defined(other));
        ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(one, other)| one.is(other))
    }

    /// A suggestion for an unknown name: the kind that other tools call by it, or the one with the most similar name.
    pub fn suggest(&self, name: &str) -> Option<&'static str> {
        let lower = name.to_lowercase();
        let known = self.iter().find(|kind| kind.schema.also.contains(&&*lower));
        let names = self.kinds.keys().chain(self.deferred.keys()).copied();
        known.map(|kind| kind.schema.kind).or_else(|| closest(&lower, names))
    }
}

fn checked(kind: Kind) -> Result<Kind, KindError> {
    let schema = kind.schema;
    check_soundness(schema).map_err(|problem| KindError::Unsound(schema.kind, Box::new(problem)))?;
    Ok(kind)
}
