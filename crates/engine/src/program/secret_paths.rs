//! The paths at which the resources of a program put secrets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Claim, Claims, Mutex, PropertySchema, Reference, Role};
use uphold_resource::{Instance, Reading};

use super::claims::Instances;
use crate::program::decode::Decoder;
use crate::program::managed::path_of;
use crate::program::real_names::real_path;
use crate::program::set::ResourceIndex;

/// The paths at which resources put secrets. Mostly there are none, and then a query costs nothing.
#[derive(Default)]
pub(crate) struct SecretPaths {
    declared: SecretPathSet,
    /// Paths that are only known at a visit: of resources that read others, and behind symbolic links.
    learned: Mutex<SecretPathSet>,
    has_learned: AtomicBool,
}

/// Paths with secrets, each with the resource that puts one there.
#[derive(Default)]
struct SecretPathSet {
    /// None if there are several resources.
    by: FxHashMap<PathBuf, Option<ResourceIndex>>,
    /// The paths and all directories above them.
    above: FxHashSet<PathBuf>,
}

/// The paths whose content a resource decides on, in whole or in part. A directory whose contents belong to others, and
/// paths that only come with it, such as a home directory, are not among them.
pub(crate) fn filled(claims: &Claims) -> impl IntoIterator<Item = &Path> {
    let held = claims.holds.iter().filter_map(path_of);
    let held = held.filter(|path| !claims.open.iter().any(|open| open == path));
    held.chain(claims.edits.iter().filter_map(path_of))
}

/// The paths that a resource depends on and may read. A file of which it edits a part is not among them: no more than this
/// part is shown.
pub(crate) fn needed(claims: &Claims) -> impl Iterator<Item = &Path> {
    let needs = claims.needs.iter().filter(|need| !claims.edits.contains(need));
    needs.filter_map(path_of).chain(claims.reads.iter().map(PathBuf::as_path))
}

/// The paths that a resource replaces as a whole: the old content is shown.
fn held(claims: &Claims) -> impl Iterator<Item = &Path> {
    claims.holds.iter().filter_map(path_of)
}

impl SecretPathSet {
    /// Returns whether the path is new.
    fn insert(&mut self, path: &Path, by: ResourceIndex) -> bool {
        if let Some(known) = self.by.get_mut(path) {
            *known = known.filter(|known| *known == by);
            return false;
        }
        self.by.insert(path.to_owned(), Some(by));
        for path in path.ancestors() {
            if !self.above.insert(path.to_owned()) {
                break;
            }
        }
        true
    }

    fn is_empty(&self) -> bool {
        self.by.is_empty()
    }

    /// Whether a resource other than `reader` puts a secret at this very path.
    fn is_of_other(&self, path: &Path, reader: ResourceIndex) -> bool {
        self.by.get(path).is_some_and(|by| *by != Some(reader))
    }

    /// Whether `reader` gets a secret of another resource through a path that it needs, packs or replaces.
    fn reaches(&self, claims: &Claims, reader: ResourceIndex) -> bool {
        let inside = |path: &Path| path.ancestors().any(|path| self.is_of_other(path, reader));
        needed(claims).any(inside)
            || held(claims).any(|path| self.is_of_other(path, reader))
            || claims.reads.iter().any(|path| self.above.contains(path))
    }
}

impl SecretPaths {
    pub(crate) fn is_empty(&self) -> bool {
        self.declared.is_empty() && !self.has_learned.load(Ordering::Acquire)
    }

    /// Whether there is a secret at `path`, or may be because a resource fills a directory above it.
    pub(crate) fn contains(&self, path: &Path) -> bool {
        !self.is_empty() && self.any(|set| path.ancestors().any(|path| set.by.contains_key(path)))
    }

    /// Whether `reader` gets a secret of another resource through a path that it needs, packs or replaces. Symbolic links are
    /// followed.
    pub(crate) fn reaches(&self, claims: &Claims, reader: ResourceIndex, host: &Reading<'_>) -> bool {
        if self.is_empty() {
            return false;
        }
        if self.any(|set| set.reaches(claims, reader)) {
            return true;
        }
        let real = |path: &PathBuf| real_path(path, host).unwrap_or_else(|_| path.clone());
        let needs = needed(claims).map(|path| Claim::Path(real(&path.to_owned()))).collect();
        let reads = claims.reads.iter().map(real).collect();
        let real = Claims { needs, reads, ..Claims::default() };
        self.any(|set| set.reaches(&real, reader))
    }

    /// Notes the paths of a resource that holds a secret, and where they lead to.
    pub(crate) fn learn(&self, claims: &Claims, by: ResourceIndex, host: &Reading<'_>) {
        for path in filled(claims) {
            let real = real_path(path, host).ok().filter(|real| real != path);
            [Some(path), real.as_deref()].into_iter().flatten().for_each(|path| self.learn_path(path, by));
        }
    }

    fn learn_path(&self, path: &Path, by: ResourceIndex) {
        let is_known =
            |set: &SecretPathSet| set.by.get(path).is_some_and(|known| known.is_none_or(|known| known == by));
        if !self.any(is_known) {
            self.learned.lock().insert(path, by);
            self.has_learned.store(true, Ordering::Release);
        }
    }

    fn any(&self, is_so: impl Fn(&SecretPathSet) -> bool) -> bool {
        is_so(&self.declared) || is_so(&self.learned.lock())
    }
}

/// The paths at which resources put secrets, and those to which other resources copy them. Linear in the claims of
/// programs with secrets; in programs without, each resource is asked once.
pub(crate) fn secret_paths(decoder: &Decoder<'_>, instances: &Instances) -> SecretPaths {
    let sources: Vec<usize> =
        (0..instances.of_nodes.len()).filter(|node| is_source(decoder, instances, *node)).collect();
    if sources.is_empty() {
        return SecretPaths::default();
    }
    let mut flow = SecretFlow::new(decoder, instances);
    sources.into_iter().for_each(|node| flow.reach(node));
    while let Some(node) = flow.open.pop() {
        flow.follow(node);
    }
    SecretPaths { declared: flow.found, ..SecretPaths::default() }
}

/// Whether a secret comes into the program's files with this node: by its own properties, or from a resource whose property
/// is always secret.
fn is_source(decoder: &Decoder<'_>, instances: &Instances, node: usize) -> bool {
    let Decoder { set, list, .. } = *decoder;
    let declared = set.entry(list.get(node).resource);
    let always_secret =
        |reference: &Reference| property(decoder, reference).is_some_and(|property| property.ty.is_secret());
    declared.declaration.meta.sensitive
        || instances.of_nodes[node].as_ref().is_some_and(|instance| instance.is_tainted())
        || (declared.reads_others() && declared.references().any(always_secret))
}

fn property(decoder: &Decoder<'_>, reference: &Reference) -> Option<&'static PropertySchema> {
    decoder.registry.get(&reference.target.kind)?.schema().property(reference.path.first()?)
}

/// Whether a reference reads a name or an identity: those are no secrets.
fn is_name(decoder: &Decoder<'_>, reference: &Reference) -> bool {
    property(decoder, reference).is_some_and(|property| matches!(property.role, Role::Name | Role::Identity))
}

struct SecretFlow {
    resources: Vec<ResourceIndex>,
    claims: Vec<Claims>,
    /// The nodes that read a path.
    readers: BTreeMap<PathBuf, Vec<usize>>,
    /// The nodes that replace a path, and those that pack a directory with everything inside.
    holders: FxHashMap<PathBuf, Vec<usize>>,
    packers: FxHashMap<PathBuf, Vec<usize>>,
    /// The nodes that read values of a resource.
    referrers: FxHashMap<ResourceIndex, Vec<usize>>,
    reached: Vec<bool>,
    /// Nodes that were reached, and whose paths and readers were not followed.
    open: Vec<usize>,
    found: SecretPathSet,
}

impl SecretFlow {
    fn new(decoder: &Decoder<'_>, instances: &Instances) -> Self {
        let Decoder { set, list, .. } = *decoder;
        let claims = |instance: &Option<Box<dyn Instance>>| {
            instance.as_ref().map(|instance| instance.claims()).unwrap_or_default()
        };
        let claims: Vec<Claims> = instances.of_nodes.iter().map(claims).collect();
        let resources: Vec<ResourceIndex> = list.all().iter().map(|entry| entry.resource).collect();
        let mut flow = Self {
            readers: BTreeMap::new(),
            holders: FxHashMap::default(),
            packers: FxHashMap::default(),
            referrers: FxHashMap::default(),
            reached: vec![false; claims.len()],
            open: Vec::new(),
            found: SecretPathSet::default(),
            resources,
            claims,
        };
        for (node, claims) in flow.claims.iter().enumerate() {
            needed(claims).for_each(|path| flow.readers.entry(path.to_owned()).or_default().push(node));
            held(claims).for_each(|path| flow.holders.entry(path.to_owned()).or_default().push(node));
            claims.reads.iter().for_each(|path| flow.packers.entry(path.clone()).or_default().push(node));
            let declared = set.entry(flow.resources[node]);
            let read = declared
                .references()
                .filter(|reference| declared.reads_others() && !is_name(decoder, reference));
            let targets = read.filter_map(|reference| set.find(&reference.target));
            targets.for_each(|target| flow.referrers.entry(target).or_default().push(node));
        }
        flow
    }

    fn reach(&mut self, node: usize) {
        if !std::mem::replace(&mut self.reached[node], true) {
            self.open.push(node);
        }
    }

    /// A secret goes to the files of a node, from there to the nodes that read them, and with its values to the nodes that
    /// refer to it. Which of its values are secret is known when it is visited: until then, all of them may be.
    fn follow(&mut self, node: usize) {
        let resource = self.resources[node];
        let mut next = self.referrers.remove(&resource).unwrap_or_default();
        for path in filled(&self.claims[node]) {
            if !self.found.insert(path, resource) {
                continue;
            }
            let below =
                self.readers.range(path.to_owned()..).take_while(|(reader, _)| reader.starts_with(path));
            next.extend(below.flat_map(|(_, nodes)| nodes));
            next.extend(self.holders.get(path).into_iter().flatten());
            next.extend(path.ancestors().filter_map(|above| self.packers.get(above)).flatten());
        }
        next.into_iter().for_each(|node| self.reach(node));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(path: &str) -> Claim {
        Claim::Path(path.into())
    }

    #[test]
    fn a_secret_reaches_readers_and_replacers_of_its_path() {
        let mut set = SecretPathSet::default();
        assert!(set.insert(Path::new("/etc/app/conf"), 1));
        let check = |claims: Claims, reader: ResourceIndex, expected: bool| {
            assert_eq!(set.reaches(&claims, reader), expected, "{claims:?} of {reader}");
        };
        let needs = |need: &str| Claims { needs: vec![path(need)], ..Claims::default() };
        check(needs("/etc/app/conf"), 2, true);
        check(needs("/etc/app/conf/below"), 2, true);
        check(needs("/etc/app/conf"), 1, false);
        check(needs("/etc/app"), 2, false);
        check(Claims { reads: vec!["/etc".into()], ..Claims::default() }, 2, true);
        check(Claims { reads: vec!["/srv".into()], ..Claims::default() }, 2, false);
        check(Claims { holds: vec![path("/etc/app/conf")], ..Claims::default() }, 2, true);
        check(Claims { holds: vec![path("/etc/app")], ..Claims::default() }, 2, false);
        check(Claims { edits: vec![path("/etc/app/conf")], ..needs("/etc/app/conf") }, 2, false);
    }

    #[test]
    fn a_path_of_several_resources_is_a_secret_to_each_of_them() {
        let mut set = SecretPathSet::default();
        assert!(set.insert(Path::new("/conf"), 1) && !set.insert(Path::new("/conf"), 1));
        assert!(!set.is_of_other(Path::new("/conf"), 1));
        assert!(!set.insert(Path::new("/conf"), 2));
        assert!(set.is_of_other(Path::new("/conf"), 1) && set.is_of_other(Path::new("/conf"), 2));
    }

    #[test]
    fn only_paths_that_a_resource_fills_hold_its_secret() {
        let claims = Claims {
            holds: vec![path("/srv"), path("/srv/file"), Claim::User("ann".into())],
            provides: vec![path("/home/ann")],
            edits: vec![path("/etc/conf")],
            open: vec!["/srv".into()],
            ..Claims::default()
        };
        let found: Vec<&Path> = filled(&claims).into_iter().collect();
        assert_eq!(found, [Path::new("/srv/file"), Path::new("/etc/conf")]);
    }
}
