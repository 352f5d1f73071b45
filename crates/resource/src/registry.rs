//! The kinds that a program knows. Explicit: no kind registers itself.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use uphold_model::{META_ARGUMENTS, Problem, RESERVED_BLOCKS, Rule, Schema, closest};

use crate::defined::{self, Definition};
use crate::error::Error;
use crate::fields::Fields;
use crate::host::Host;
use crate::instance::{Decoded, Instance, Observation, apply_together, decode};
use crate::resource::Resource;
use crate::rules;

/// A kind that can be decoded.
#[derive(Clone)]
pub struct Kind {
    schema: &'static Schema,
    origin: Origin,
    /// The file that defines it.
    defined_in: Option<Arc<str>>,
}

/// Where a kind comes from.
#[derive(Clone)]
enum Origin {
    /// It is part of the program.
    Compiled { decode: fn(Fields<'_>) -> Decoded, batches: bool, together: Together },
    /// It was defined while the program ran.
    Defined(Arc<dyn Definition>),
}

type Together = fn(&[(&dyn Instance, &Observation)], &dyn Host) -> Option<Vec<Result<(), Error>>>;

impl Kind {
    /// What it looks like.
    pub fn schema(&self) -> &'static Schema {
        self.schema
    }

    /// The file that defines it; none if it is part of the program.
    pub fn defined_in(&self) -> Option<&str> {
        self.defined_in.as_deref()
    }

    /// Whether this is the very same kind, so that resources with equal values are equal. Not so if it was defined again.
    pub fn is(&self, other: &Kind) -> bool {
        std::ptr::eq(self.schema, other.schema)
            && match (&self.origin, &other.origin) {
                (Origin::Compiled { .. }, Origin::Compiled { .. }) => true,
                (Origin::Defined(one), Origin::Defined(other)) => Arc::ptr_eq(one, other),
                _ => false,
            }
    }

    /// Whether it is part of the program.
    pub fn is_compiled(&self) -> bool {
        matches!(self.origin, Origin::Compiled { .. })
    }

    /// Decodes a resource of this kind. No instance and no problem means that it waits for a
    /// value that is known after apply.
    pub fn decode(&self, fields: Fields<'_>) -> Decoded {
        match &self.origin {
            Origin::Compiled { decode, .. } => decode(fields),
            Origin::Defined(definition) => defined::decode(definition, fields),
        }
    }

    /// Whether resources of this kind can be changed together.
    pub fn batches(&self) -> bool {
        matches!(self.origin, Origin::Compiled { batches: true, .. })
    }

    /// Takes the steps that these observations call for in one go, with a result for each; none if the
    /// kind does not work in batches. All instances are of this kind.
    pub fn apply_together(
        &self,
        items: &[(&dyn Instance, &Observation)],
        host: &dyn Host,
    ) -> Option<Vec<Result<(), Error>>> {
        match &self.origin {
            Origin::Compiled { together, .. } => together(items, host),
            Origin::Defined(_) => None,
        }
    }
}

/// The kinds that a program knows, by name. A clone costs nothing until something is added to it.
#[derive(Clone, Default)]
pub struct Registry {
    kinds: Arc<BTreeMap<&'static str, Kind>>,
    /// Names of kinds that are not there because their files have mistakes.
    broken: Arc<BTreeSet<String>>,
}

/// A kind that cannot be registered.
#[derive(Debug, PartialEq)]
pub enum KindError {
    /// Two kinds have one name.
    Duplicate(&'static str),
    /// A name, default or pattern of the kind breaks its own rules.
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
    /// Adds the kind `R`, after a look at its own names, defaults and patterns.
    pub fn add<R: Resource>(&mut self) -> Result<(), KindError> {
        let (batches, together) = (R::BATCHES, apply_together::<R>);
        let origin = Origin::Compiled { decode: decode::<R>, batches, together };
        self.insert(Kind { schema: R::SCHEMA, origin, defined_in: None })
    }

    /// Adds a kind that is not compiled in, after the same look.
    pub fn define(&mut self, definition: Arc<dyn Definition>) -> Result<(), KindError> {
        let schema = definition.schema();
        self.insert(Kind { schema, origin: Origin::Defined(definition), defined_in: None })
    }

    /// Notes which file defines a kind, for people to be told. Does nothing if there is no such kind.
    pub fn note_file(&mut self, kind: &str, file: &str) {
        if let Some(kind) = Arc::make_mut(&mut self.kinds).get_mut(kind) {
            kind.defined_in = Some(file.into());
        }
    }

    /// Notes that a kind of this name is not there because its file has mistakes, which were told.
    pub fn note_broken(&mut self, kind: &str) {
        Arc::make_mut(&mut self.broken).insert(kind.to_owned());
    }

    /// Whether a kind of this name is missing because of mistakes that were told.
    pub fn is_broken(&self, kind: &str) -> bool {
        self.broken.contains(kind)
    }

    fn insert(&mut self, kind: Kind) -> Result<(), KindError> {
        let schema = kind.schema;
        check_soundness(schema).map_err(|problem| KindError::Unsound(schema.kind, Box::new(problem)))?;
        match Arc::make_mut(&mut self.kinds).entry(schema.kind) {
            Entry::Occupied(_) => Err(KindError::Duplicate(schema.kind)),
            Entry::Vacant(free) => {
                free.insert(kind);
                Ok(())
            }
        }
    }

    /// The kind of this name.
    pub fn get(&self, name: &str) -> Option<&Kind> {
        self.kinds.get(name)
    }

    /// All kinds, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Kind> {
        self.kinds.values()
    }

    /// Whether all kinds that were defined while the program ran are the very same in the other one. They may use each
    /// other, so none of them is what it was if one is not.
    pub fn defines_alike(&self, other: &Registry) -> bool {
        let defined = |registry: &Registry| -> Vec<Kind> {
            let all = registry.iter().filter(|kind| !kind.is_compiled());
            all.cloned().collect()
        };
        let (ours, theirs) = (defined(self), defined(other));
        ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(one, other)| one.is(other))
    }

    /// The name of the kind that was probably meant: what other tools call so, or one that is
    /// written alike.
    pub fn suggest(&self, name: &str) -> Option<&'static str> {
        let lower = name.to_lowercase();
        let known = self.kinds.values().find(|kind| kind.schema.also.contains(&&*lower));
        known.map(|kind| kind.schema.kind).or_else(|| closest(&lower, self.kinds.keys().copied()))
    }
}

/// A default must keep the rules that the user's own value would have to keep; a name must mean
/// one property, also when properties of an embedded resource stand beside own ones.
fn check_soundness(schema: &'static Schema) -> Result<(), Problem> {
    check_words(schema)?;
    check_names(schema)?;
    for property in schema.all() {
        for rule in property.rules {
            if let Rule::Pattern(pattern) = rule {
                rules::check_pattern(pattern).map_err(|problem| problem.inside(property.name))?;
            }
        }
        if let Some(default) = property.default {
            default
                .make()
                .and_then(|value| rules::check(property.rules, &value))
                .map_err(|problem| problem.inside(property.name))?;
        }
    }
    Ok(())
}

/// No word of the language may mean something else in a kind.
fn check_words(schema: &'static Schema) -> Result<(), Problem> {
    let taken = |word: &str, by: &str| {
        Err(Problem::new(None, format!("is a word of {by}"), "choose another").inside(word))
    };
    if RESERVED_BLOCKS.contains(&schema.kind) {
        return taken(schema.kind, "the language, and cannot be a kind");
    }
    let actions = ["converge", "remove", "nothing"];
    if let Some(verb) = schema.verbs.iter().find(|verb| actions.contains(&verb.name)) {
        return taken(verb.name, "every kind, and cannot be a verb");
    }
    let names = schema.all().into_iter().flat_map(|p| p.aliases.iter().chain([&p.name]));
    match names.into_iter().find(|name| META_ARGUMENTS.contains(name)) {
        Some(name) => taken(name, "every block, and cannot be a property"),
        None => Ok(()),
    }
}

fn check_names(schema: &'static Schema) -> Result<(), Problem> {
    let mut names = BTreeSet::new();
    for property in schema.all() {
        for name in property.aliases.iter().chain([&property.name]) {
            if !names.insert(*name) {
                let fix = "rename one of them; an embedded resource brings its own properties";
                return Err(Problem::new(None, "names two properties", fix).inside(name));
            }
        }
    }
    let members = schema.groups.iter().flat_map(|group| group.properties);
    match members.into_iter().find(|member| schema.property(member).is_none()) {
        Some(member) => {
            Err(Problem::new(None, "is in a group, and no property", "correct it").inside(member))
        }
        None => Ok(()),
    }
}
