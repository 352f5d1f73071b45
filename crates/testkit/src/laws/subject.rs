//! A kind under test, and the blocks that it is tested with.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_memory::MemoryHost;
use uphold_model::{GroupRule, Name, PropertySchema, Role, Schema, Value};
use uphold_resource::{Definition, Kind, KindError, Registry, Resource};

type World = Box<dyn Fn(MemoryHost) -> MemoryHost + Send + Sync>;
type Drift = Box<dyn Fn(&MemoryHost) + Send + Sync>;

/// A kind, the machine it is tested on, and the blocks that it is tested with.
///
/// A good subject has two wishes of one name that differ in some properties and leave others unset, and, for a kind
/// that supports batches, wishes of two names.
pub struct Subject {
    pub(crate) kind: Kind,
    /// The kinds of resources that it can declare.
    kinds: Registry,
    world: World,
    pub(crate) wishes: Vec<Wish>,
    pub(crate) drifts: Vec<Drift>,
    side_effects: Vec<PathBuf>,
    unreadable: Vec<&'static str>,
}

impl Subject {
    /// The kind `R`, on an empty machine, without wishes.
    ///
    /// # Panics
    /// If a default of the kind breaks the kind's own rules.
    pub fn of<R: Resource>() -> Self {
        Self::with(R::SCHEMA, Registry::add::<R>)
    }

    /// A kind that is defined at run time, on an empty machine, without wishes. All laws apply to it.
    ///
    /// # Panics
    /// If a default of the kind breaks the kind's own rules.
    pub fn defined(definition: Arc<dyn Definition>) -> Self {
        Self::with(definition.schema(), |registry| registry.define(definition))
    }

    /// A kind of a registry, on an empty machine where all kinds of the registry are known, without wishes: for a kind
    /// that declares resources of other kinds.
    ///
    /// # Panics
    /// If there is no such kind.
    pub fn among(kinds: &Registry, kind: &str) -> Self {
        let kind = kinds.get(kind).unwrap_or_else(|| panic!("no kind `{kind}` is registered")).clone();
        Self { kinds: kinds.clone(), ..Self::alone(kind) }
    }

    fn with(schema: &Schema, add: impl FnOnce(&mut Registry) -> Result<(), KindError>) -> Self {
        let mut registry = Registry::default();
        add(&mut registry).unwrap_or_else(|error| panic!("{error}"));
        Self::alone(registry.get(schema.kind).expect("it was added just now").clone())
    }

    fn alone(kind: Kind) -> Self {
        Self {
            kind,
            kinds: Registry::default(),
            world: Box::new(|host| host),
            wishes: Vec::new(),
            drifts: Vec::new(),
            side_effects: Vec::new(),
            unreadable: Vec::new(),
        }
    }

    /// Sets the machine that every test begins with.
    #[must_use]
    pub fn world(mut self, world: impl Fn(MemoryHost) -> MemoryHost + Send + Sync + 'static) -> Self {
        self.world = Box::new(world);
        self
    }

    /// Adds a block to test with.
    #[must_use]
    pub fn wish(mut self, wish: Wish) -> Self {
        self.wishes.push(wish);
        self
    }

    /// Adds a change from outside that must be detected after at least one of the wishes.
    #[must_use]
    pub fn drift(mut self, drift: impl Fn(&MemoryHost) + Send + Sync + 'static) -> Self {
        self.drifts.push(Box::new(drift));
        self
    }

    /// Adds a tree of files that are written besides the state, such as backups: no law requires that changes there are
    /// detected.
    #[must_use]
    pub fn side_effect(mut self, path: impl Into<PathBuf>) -> Self {
        self.side_effects.push(path.into());
        self
    }

    /// Adds a property that can be compared with a wish but not read without one, such as the target of a hard link.
    #[must_use]
    pub fn unreadable(mut self, property: &'static str) -> Self {
        self.unreadable.push(property);
        self
    }

    pub(crate) fn is_unreadable(&self, property: &str) -> bool {
        self.unreadable.contains(&property)
    }

    pub(crate) fn schema(&self) -> &'static Schema {
        self.kind.schema()
    }

    /// A fresh machine, whose journal is empty.
    pub(crate) fn host(&self) -> MemoryHost {
        let host = (self.world)(MemoryHost::new().kinds(&self.kinds));
        host.forget();
        host
    }

    pub(crate) fn is_side_effect(&self, path: &Path) -> bool {
        self.side_effects.iter().any(|top| path.starts_with(top))
    }

    /// The properties in this role, embedded ones included.
    pub(crate) fn in_role(&self, role: Role) -> impl Iterator<Item = &'static PropertySchema> {
        self.schema().all().into_iter().filter(move |property| property.role == role)
    }

    pub(crate) fn is_state(&self, property: &str) -> bool {
        let role = self.schema().property(property).map(|property| property.role);
        matches!(role, Some(Role::State | Role::EnforcedState))
    }

    /// Whether two properties are alternatives, of which only one can be set.
    pub(crate) fn exclude_each_other(&self, one: &str, other: &str) -> bool {
        self.schema().groups.iter().any(|group| {
            group.rule == GroupRule::Exclusive
                && group.properties.contains(&one)
                && group.properties.contains(&other)
        })
    }

    /// The wish for the same resource without any state, which can only be loaded.
    pub(crate) fn reader(&self, wish: &Wish) -> Wish {
        wish.only(|property| !self.is_state(property))
    }

    /// Every two wishes for one resource, in both orders.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&Wish, &Wish)> {
        let pairs =
            self.wishes.iter().flat_map(|first| self.wishes.iter().map(move |second| (first, second)));
        pairs.filter(|(first, second)| first != second && self.identity(first) == self.identity(second))
    }

    /// The wish with only the properties that identify the resource.
    fn identity(&self, wish: &Wish) -> Wish {
        let names = |property: &str| {
            let role = self.schema().property(property).map(|property| property.role);
            matches!(role, Some(Role::Name | Role::Identity))
        };
        wish.only(names)
    }
}

/// A block as a user would write it: a label, and the properties that are set.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    pub(crate) label: String,
    pub(crate) values: Vec<(Name, Value)>,
}

impl Wish {
    /// A block with this label and no properties.
    pub fn named(label: impl Into<String>) -> Self {
        Self { label: label.into(), values: Vec::new() }
    }

    /// Sets a property, or replaces its value.
    #[must_use]
    pub fn set(mut self, property: &str, value: impl Into<Value>) -> Self {
        self.values.retain(|(name, _)| **name != *property);
        self.values.push((property.into(), value.into()));
        self
    }

    /// The wish with only the properties for which `keep` is true.
    pub(crate) fn only(&self, keep: impl Fn(&str) -> bool) -> Self {
        let kept = self.values.iter().filter(|(name, _)| keep(name)).cloned();
        Self { label: self.label.clone(), values: kept.collect() }
    }

    pub(crate) fn sets(&self, property: &str) -> bool {
        self.values.iter().any(|(name, _)| **name == *property)
    }
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {{", self.label)?;
        for (at, (name, value)) in self.values.iter().enumerate() {
            write!(f, "{} {name} = {value}", if at == 0 { "" } else { "," })?;
        }
        f.write_str(if self.values.is_empty() { "}" } else { " }" })
    }
}
