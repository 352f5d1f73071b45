//! The resource set: each id once.

use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use uphold_model::{
    Attribute, Code, Declaration, Deferred, Diagnostic, Edit, Guard, Handling, Place, Reference, ResourceId,
    Scope, Term, Value,
};

use crate::program::decode::also_at;
use crate::program::did_you_mean;
use crate::program::list::GroupIndex;

/// Number of a resource in the set.
pub type ResourceIndex = u32;

/// Every declared resource, found by its id. A second declaration of one id is an error.
#[derive(Debug, Default)]
pub struct ResourceSet {
    entries: Vec<Declared>,
    /// Finds a resource by its id, which is not kept twice.
    index: HashTable<ResourceIndex>,
    /// Which properties of resources were edited, and where. Few are.
    edits: FxHashMap<ResourceIndex, Vec<EditedBy>>,
    /// How often a suggestion was searched for a missing resource.
    searches: AtomicUsize,
}

/// A declared resource.
#[derive(Debug)]
pub struct Declared {
    /// The declaration, with all edits made.
    pub declaration: Declaration,
    /// The group that it was declared in.
    pub(crate) group: Option<GroupIndex>,
    /// Whether a property is an expression over other resources: many passes ask, and the properties are far apart in
    /// memory.
    reads_others: bool,
}

/// The provenance of an edit.
#[derive(Clone, Debug, PartialEq)]
pub struct EditedBy {
    /// The property that was edited.
    pub property: uphold_model::Name,
    /// Where the edit was written.
    pub place: Option<Place>,
}

impl ResourceSet {
    /// Makes room for this many more resources.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.entries.reserve(more);
        let hash_of = |index: &ResourceIndex| hash(&self.entries[*index as usize].declaration.id);
        self.index.reserve(more, hash_of);
    }

    /// Adds a resource.
    ///
    /// # Errors
    /// If its id is taken: the diagnostic shows both places.
    pub fn declare(&mut self, declaration: Declaration) -> Result<ResourceIndex, Diagnostic> {
        self.declare_in(None, declaration)
    }

    /// Adds a resource that is declared in a group.
    pub(crate) fn declare_in(
        &mut self,
        group: Option<GroupIndex>,
        declaration: Declaration,
    ) -> Result<ResourceIndex, Diagnostic> {
        if let Some(first) = self.find(&declaration.id) {
            return Err(duplicate(&declaration, &self.entry(first).declaration));
        }
        let index = u32::try_from(self.entries.len()).expect("fewer than 2^32 resources");
        let hash_of = |index: &ResourceIndex| hash(&self.entries[*index as usize].declaration.id);
        self.index.insert_unique(hash(&declaration.id), index, hash_of);
        let reads_others = has_deferred(&declaration.attributes);
        self.entries.push(Declared { declaration, group, reads_others });
        Ok(index)
    }

    /// Changes a declared resource: values of the edit replace earlier ones.
    ///
    /// # Errors
    /// If there is no such resource.
    pub fn edit(&mut self, edit: Edit) -> Result<ResourceIndex, Diagnostic> {
        let index = self.find(&edit.id).ok_or_else(|| self.missing(&edit.id, edit.place, "edited"))?;
        let entry = &mut self.entries[index as usize];
        let edits = self.edits.entry(index).or_default();
        let mut attributes = std::mem::take(&mut entry.declaration.attributes).into_vec();
        for attribute in edit.attributes {
            edits.push(EditedBy { property: attribute.name.clone(), place: edit.place });
            set(&mut attributes, attribute);
        }
        entry.reads_others = has_deferred(&attributes);
        entry.declaration.attributes = attributes.into();
        Ok(index)
    }

    /// Keeps the first resources.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.index.retain(|index| (*index as usize) < length);
        self.entries.truncate(length);
    }

    /// Forgets the values of a resource that is decoded: they are not evaluated again.
    pub(crate) fn forget(&mut self, index: ResourceIndex) {
        self.entries[index as usize].declaration.attributes = Box::default();
    }

    /// The same of all resources that need no other.
    pub(crate) fn forget_known(&mut self) {
        for declared in self.entries.iter_mut().filter(|declared| !declared.reads_others()) {
            declared.declaration.attributes = Box::default();
        }
        self.entries.shrink_to_fit();
    }

    /// The resource of this id.
    pub fn find(&self, id: &ResourceId) -> Option<ResourceIndex> {
        let is_it = |index: &ResourceIndex| self.entries[*index as usize].declaration.id == *id;
        self.index.find(hash(id), is_it).copied()
    }

    /// The resource with this number.
    pub fn entry(&self, index: ResourceIndex) -> &Declared {
        &self.entries[index as usize]
    }

    /// The id of the resource with this number.
    pub fn id(&self, index: ResourceIndex) -> &ResourceId {
        &self.entry(index).declaration.id
    }

    /// Which properties of the resource with this number were edited, and where.
    pub fn edits(&self, index: ResourceIndex) -> &[EditedBy] {
        self.edits.get(&index).map_or(&[], Vec::as_slice)
    }

    /// All resources, in declared order.
    pub fn iter(&self) -> impl Iterator<Item = (ResourceIndex, &Declared)> {
        (0..).zip(&self.entries)
    }

    /// The ids of all resources, in written order.
    pub fn ids(&self) -> impl Iterator<Item = &ResourceId> {
        self.entries.iter().map(|one| &one.declaration.id)
    }

    /// How many resources there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The diagnostic for an id that is not declared. A suggestion costs a walk over all names, so that only the first ones
    /// get one.
    pub(crate) fn missing(&self, id: &ResourceId, place: Option<Place>, role: &str) -> Diagnostic {
        self.missing_of(id, place, role, true)
    }

    /// The same; `is_kind` says whether the kind exists.
    pub(crate) fn missing_of(
        &self,
        id: &ResourceId,
        place: Option<Place>,
        role: &str,
        is_kind: bool,
    ) -> Diagnostic {
        const MOST_SEARCHES: usize = 100;
        let search = self.searches.fetch_add(1, Ordering::Relaxed) < MOST_SEARCHES;
        let diagnostic =
            Diagnostic::new(Code::UnknownResource, format!("{id} is {role}, but not declared")).at(place);
        match search.then(|| did_you_mean::nearest(self, id, place)).flatten() {
            Some(near) => diagnostic.fix(format!("did you mean {near}?")),
            None if is_kind && search && did_you_mean::is_inside(self, id, place) => {
                let declare = format!("declare it in the same module: {} {:?} {{ … }}", id.kind, id.name);
                diagnostic.fix(format!("{declare}; a resource of the caller is `parent.{}…`", id.kind))
            }
            None => diagnostic.fix(self.how_to_declare(id, search && role == "referred to", is_kind)),
        }
    }

    /// The hint for an id that has no similar one. A kind that occurs nowhere else may be a string without quotes, or the
    /// name of a resource without its kind.
    fn how_to_declare(&self, id: &ResourceId, search: bool, is_kind: bool) -> String {
        let declare = if is_kind {
            format!("declare it: {} {:?} {{ … }}", id.kind, id.name)
        } else {
            format!("there is no kind `{}`: a fact is `host.…`, an input `param.…`", id.kind)
        };
        if !search || self.ids().any(|other| other.kind == id.kind) {
            return declare;
        }
        match self.ids().find(|other| other.name == id.kind && other.module() == id.module()) {
            Some(named) => format!("did you mean {named}.{}?", id.name),
            None => format!("{declare}; or write a string, in quotes"),
        }
    }
}

impl Declared {
    /// All references: in its properties, in its condition, in its guards.
    pub(crate) fn references(&self) -> impl Iterator<Item = &Reference> {
        let Declaration { attributes, meta, .. } = &self.declaration;
        let attributes = if self.reads_others { &attributes[..] } else { &[] };
        let values = attributes.iter().map(|attribute| &attribute.value);
        let terms = values.chain(meta.when.as_deref()).chain(self.guards().map(|guard| &guard.condition));
        terms.flat_map(Term::references)
    }

    /// Whether it can only be decoded when others are visited.
    pub(crate) fn reads_others(&self) -> bool {
        self.reads_others
    }

    /// Whether one of its references is written at this place.
    pub(crate) fn names_at(&self, place: Option<Place>) -> bool {
        let notifications = self.handling().into_iter().flat_map(|handling| {
            handling.notifies.iter().chain(&handling.subscribes).map(|notification| &notification.other)
        });
        let mut all = self.references().chain(&self.declaration.meta.depends_on).chain(notifications);
        place.is_some() && all.any(|reference| reference.place == place)
    }

    /// The resources and module calls that it names as dependencies, or reads.
    pub fn dependencies(&self) -> impl Iterator<Item = &ResourceId> {
        self.references().chain(&self.declaration.meta.depends_on).map(|reference| &reference.target)
    }

    /// The meta arguments that change how a run handles it, if it has any.
    pub(crate) fn handling(&self) -> Option<&Handling> {
        self.declaration.meta.handling.as_deref()
    }

    /// Its guards, and the condition of its `not_until`.
    pub(crate) fn guards(&self) -> impl Iterator<Item = &Guard> {
        let waits = self.handling().and_then(|handling| handling.not_until.as_ref());
        let guards = self.handling().map_or(&[][..], |handling| &handling.guards);
        guards.iter().chain(waits.map(|waits| &waits.guard))
    }
}

fn has_deferred(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| matches!(attribute.value, Term::Deferred(_)))
}

fn hash(id: &ResourceId) -> u64 {
    FxBuildHasher.hash_one(id)
}

fn set(attributes: &mut Vec<Attribute>, attribute: Attribute) {
    match attributes.iter_mut().find(|old| old.name == attribute.name) {
        Some(old) if attribute.value.is_optional() => {
            let value = OrElse::term(attribute.value, old.value.clone());
            *old = Attribute { value, ..attribute };
        }
        Some(old) => *old = attribute,
        None => attributes.push(attribute),
    }
}

fn duplicate(second: &Declaration, first: &Declaration) -> Diagnostic {
    let detail = format!("{} is declared twice; each resource can be declared only once", second.id);
    let diagnostic = Diagnostic::new(Code::DuplicateResource, detail)
        .at(second.place)
        .fix("give one of them another name, or put all of it into one block");
    also_at(diagnostic, first.place, "first declared here")
}

/// The value of an optional edit, or the earlier value if that is null.
#[derive(Debug)]
struct OrElse {
    first: Term,
    second: Term,
    references: Box<[Reference]>,
}

impl OrElse {
    fn term(first: Term, second: Term) -> Term {
        let references = first.references().iter().chain(second.references()).cloned().collect();
        Term::Deferred(Arc::new(Self { first, second, references }))
    }
}

impl Deferred for OrElse {
    fn references(&self) -> &[Reference] {
        &self.references
    }

    fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic> {
        let value = self.first.evaluate(scope)?;
        if *value.reveal() == Value::Null { self.second.evaluate(scope) } else { Ok(value) }
    }

    fn is_optional(&self) -> bool {
        self.second.is_optional()
    }
}
