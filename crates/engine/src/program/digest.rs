//! A fast digest of everything that is declared, to find out whether a configuration is the one that was applied last.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};
use uphold_model::{InactiveBlock, ResourceId, Term, Value};

use crate::program::list::ActionList;
use crate::program::set::{Declared, ResourceSet};

/// A digest of all declarations.
///
/// It costs less than a microsecond a resource. It is no secret, so that it does not cover secrets; and values that are
/// known only during the run cannot be covered, either.
#[derive(Clone, Debug, Default)]
pub struct SetDigest {
    /// The digest. Another version of Uphold may compute another one.
    pub hash: u64,
    /// The resources with values that the hash does not cover.
    pub uncovered: FxHashSet<ResourceId>,
}

impl SetDigest {
    pub(crate) fn of(set: &ResourceSet, list: &ActionList, inactive: &[InactiveBlock]) -> Self {
        let (mut hasher, mut uncovered) = (FxHasher::default(), FxHashSet::default());
        for (_, declared) in set.iter() {
            if !feed(declared, &mut hasher) {
                uncovered.insert(declared.declaration.id.clone());
            }
        }
        for entry in list.all() {
            (entry.resource, entry.action()).hash(&mut hasher);
        }
        inactive.hash(&mut hasher);
        Self { hash: hasher.finish(), uncovered }
    }
}

/// Returns whether all of it is covered.
fn feed(declared: &Declared, hasher: &mut FxHasher) -> bool {
    let declaration = &declared.declaration;
    // A change of `on_removal` or `notifies` alone must be recorded, too.
    (&declaration.id, declaration.meta.on_removal).hash(hasher);
    for sent in declaration.meta.handling.iter().flat_map(|handling| &handling.notifies) {
        (&sent.other.target, &sent.action, sent.moment).hash(hasher);
    }
    if declaration.meta.sensitive {
        return false;
    }
    for dependency in &declaration.meta.depends_on {
        dependency.target.hash(hasher);
    }
    let mut is_covered = true;
    for attribute in &declaration.attributes {
        attribute.name.hash(hasher);
        is_covered &= match &attribute.value {
            Term::Known(value) => feed_value(value, hasher),
            Term::Deferred(_) => false,
        };
    }
    is_covered
}

/// Recurses into members, whose nesting is limited where they are written.
fn feed_value(value: &Value, hasher: &mut FxHasher) -> bool {
    let mut is_covered = true;
    std::mem::discriminant(value).hash(hasher);
    match value {
        Value::Null => {}
        Value::Bool(value) => value.hash(hasher),
        Value::Int(value) => value.hash(hasher),
        Value::Float(value) => value.to_bits().hash(hasher),
        Value::Text(value) => value.hash(hasher),
        Value::Bytes(value) => value.hash(hasher),
        Value::Reference(value) => value.hash(hasher),
        Value::Sensitive(_) | Value::Unknown(_) => is_covered = false,
        Value::List(items) => {
            items.len().hash(hasher);
            for item in items.iter() {
                is_covered &= feed_value(item, hasher);
            }
        }
        Value::Map(entries) => {
            entries.len().hash(hasher);
            for (name, value) in entries.iter() {
                name.hash(hasher);
                is_covered &= feed_value(value, hasher);
            }
        }
    }
    is_covered
}

#[cfg(test)]
mod tests {
    use uphold_model::{Action, Attribute, Declaration, Meta};

    use super::*;
    use crate::program::list::ActionEntry;

    fn digest(attributes: &[(&str, Value)], action: Action) -> SetDigest {
        let attributes =
            attributes.iter().map(|(name, value)| Attribute::known(*name, value.clone())).collect();
        let id = ResourceId::new("file", "/x");
        let mut set = ResourceSet::default();
        let index = set.declare(Declaration { id, place: None, attributes, meta: Meta::default() }).unwrap();
        let mut list = ActionList::default();
        list.trigger(ActionEntry::new(index, action));
        SetDigest::of(&set, &list, &[])
    }

    #[test]
    fn every_declared_value_counts() {
        let list = |items: &[&str]| Value::list(items.iter().map(|item| Value::text(*item)));
        let variants = [
            vec![],
            vec![("mode", Value::text("0644"))],
            vec![("mode", Value::text("0600"))],
            vec![("mode", Value::Int(644))],
            vec![("owner", Value::text("0644"))],
            vec![("tags", list(&["a", "b"]))],
            vec![("tags", list(&["ab"]))],
            vec![("tags", Value::map([("a", Value::text("b"))]))],
        ];
        let hashes: FxHashSet<u64> = variants
            .iter()
            .flat_map(|attributes| {
                [Action::Converge, Action::Remove].map(|action| digest(attributes, action).hash)
            })
            .collect();
        assert_eq!(hashes.len(), variants.len() * 2);
    }

    #[test]
    fn on_removal_counts() {
        let hashes = uphold_model::OnRemoval::ALL.map(|on_removal| {
            let id = ResourceId::new("file", "/x");
            let meta = Meta { on_removal, ..Meta::default() };
            let mut set = ResourceSet::default();
            set.declare(Declaration { id, place: None, attributes: Box::default(), meta }).unwrap();
            SetDigest::of(&set, &ActionList::default(), &[]).hash
        });
        assert_eq!(hashes.into_iter().collect::<FxHashSet<u64>>().len(), 3);
    }

    #[test]
    fn secrets_do_not_count_and_are_reported() {
        let secret = |text: &str| vec![("tags", Value::list([Value::text(text).sensitive()]))];
        let [one, other] = ["hunter1", "hunter2"].map(|text| digest(&secret(text), Action::Converge));
        assert_eq!((one.hash, one.uncovered.len()), (other.hash, 1));
    }
}
