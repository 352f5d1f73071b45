//! The nodes that provide each claim, and those that provide what a node needs.

use std::collections::hash_map::Entry;
use std::ffi::OsStr;
use std::hash::Hash;
use std::path::PathBuf;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Claim, Claims};

use super::Nodes;
use super::edge::NodeIndex;

/// The nodes that provide each claim. Paths have their own index, because a need walks up through the parents; they are
/// normalized, so that they can be compared as strings.
#[derive(Default)]
pub(super) struct Providers<'a> {
    paths: FxHashMap<&'a OsStr, ProviderList>,
    others: FxHashMap<&'a Claim, ProviderList>,
}

/// The nodes that provide one claim: mostly one, which takes no memory of its own.
enum ProviderList {
    One([NodeIndex; 1]),
    Several(Vec<NodeIndex>),
}

impl ProviderList {
    fn as_slice(&self) -> &[NodeIndex] {
        match self {
            ProviderList::One(one) => one,
            ProviderList::Several(several) => several,
        }
    }

    /// Adds a node to the list of a claim.
    fn add<K: Eq + Hash>(lists: &mut FxHashMap<K, ProviderList>, claim: K, node: NodeIndex) {
        match lists.entry(claim) {
            Entry::Vacant(new) => _ = new.insert(ProviderList::One([node])),
            Entry::Occupied(mut known) => match known.get_mut() {
                ProviderList::One([first]) => *known.get_mut() = ProviderList::Several(vec![*first, node]),
                ProviderList::Several(several) => several.push(node),
            },
        }
    }
}

impl<'a> Providers<'a> {
    pub(super) fn index(all: &'a [Claims]) -> Self {
        let mut providers = Self::default();
        providers.paths.reserve(all.len());
        for (node, claims) in (0..).zip(all) {
            for claim in claims.provided() {
                match claim {
                    Claim::Path(path) => ProviderList::add(&mut providers.paths, path.as_os_str(), node),
                    other => ProviderList::add(&mut providers.others, other, node),
                }
            }
        }
        providers
    }

    /// The providers of each claim.
    pub(super) fn all(&self) -> impl Iterator<Item = &[NodeIndex]> {
        self.paths.values().chain(self.others.values()).map(ProviderList::as_slice)
    }

    /// The nodes that provide this very path.
    pub(super) fn exactly(&self, claim: &Claim) -> &[NodeIndex] {
        match claim {
            Claim::Path(path) => self.paths.get(path.as_os_str()).map_or(&[], ProviderList::as_slice),
            _ => &[],
        }
    }

    /// The providers of a need of `node`: for a path, of itself or the nearest parent that has one; for a resource, the one
    /// in the same module, if there is one of that name.
    fn of<'b>(
        &'b self,
        need: &Claim,
        node: NodeIndex,
        nodes: &'b Nodes<'_>,
    ) -> Option<(Claim, &'b [NodeIndex])> {
        match need {
            Claim::Path(path) => path.ancestors().find_map(|path| {
                let found = self.paths.get(path.as_os_str())?;
                Some((Claim::Path(PathBuf::from(path)), found.as_slice()))
            }),
            Claim::Resource(id) => {
                let module = nodes.id(node).module();
                let here = id.in_module(module.cloned());
                let index = nodes.set.find(&here).or_else(|| nodes.set.find(id))?;
                let found = nodes.set.id(index).clone();
                Some((Claim::Resource(found), &nodes.of_resource[index]))
            }
            other => Some((other.clone(), self.others.get(other)?.as_slice())),
        }
    }
}

/// What satisfies a need: the claim that is provided, and the nodes that provide it.
type Provided<'a> = Option<(Arc<Claim>, &'a [NodeIndex])>;

/// Finds the providers of needs, once for all nodes that need the same. Equal claims are shared.
pub(super) struct ProvidersOfNeeds<'a> {
    nodes: &'a Nodes<'a>,
    providers: &'a Providers<'a>,
    /// By the number of the need.
    known: Vec<Option<Provided<'a>>>,
    shared: FxHashSet<Arc<Claim>>,
}

impl<'a> ProvidersOfNeeds<'a> {
    pub(super) fn new(nodes: &'a Nodes<'a>, providers: &'a Providers<'a>) -> Self {
        Self { nodes, providers, known: vec![None; nodes.needs.distinct()], shared: FxHashSet::default() }
    }

    /// The providers of the need with this number, for this node.
    pub(super) fn find(&mut self, number: usize, node: NodeIndex) -> Provided<'a> {
        if let Some(known) = &self.known[number] {
            return known.clone();
        }
        let need = self.nodes.needs.claim(number);
        let found = self.providers.of(need, node, self.nodes);
        let found = found.map(|(claim, nodes)| (self.share(claim), nodes));
        // The resource that is meant depends on the module of the node.
        if !matches!(need, Claim::Resource(_)) {
            self.known[number] = Some(found.clone());
        }
        found
    }

    fn share(&mut self, claim: Claim) -> Arc<Claim> {
        if let Some(shared) = self.shared.get(&claim) {
            return shared.clone();
        }
        let claim = Arc::new(claim);
        self.shared.insert(claim.clone());
        claim
    }
}
