//! The providers of each claim.

use std::ffi::OsStr;
use std::path::PathBuf;

use rustc_hash::FxHashMap;
use uphold_model::{Claim, Claims};

use super::edge::NodeIndex;
use super::passes::Nodes;

/// The nodes that provide each claim. Paths have their own index, because a need walks up through the parents; they are
/// normalized, so that they can be compared as strings.
#[derive(Default)]
pub(super) struct Providers<'a> {
    paths: FxHashMap<&'a OsStr, Vec<NodeIndex>>,
    others: FxHashMap<&'a Claim, Vec<NodeIndex>>,
}

impl<'a> Providers<'a> {
    pub(super) fn index(all: &'a [Claims]) -> Self {
        let mut providers = Self::default();
        for (node, claims) in (0..).zip(all) {
            for claim in claims.provided() {
                match claim {
                    Claim::Path(path) => providers.paths.entry(path.as_os_str()).or_default().push(node),
                    other => providers.others.entry(other).or_default().push(node),
                }
            }
        }
        providers
    }

    /// The providers of each claim.
    pub(super) fn all(&self) -> impl Iterator<Item = &Vec<NodeIndex>> {
        self.paths.values().chain(self.others.values())
    }

    /// The nodes that provide this very path.
    pub(super) fn exactly(&self, claim: &Claim) -> &[NodeIndex] {
        match claim {
            Claim::Path(path) => self.paths.get(path.as_os_str()).map_or(&[], Vec::as_slice),
            _ => &[],
        }
    }

    /// The providers of a need of `node`: for a path, of itself or the nearest parent that has one; for a resource, the one in
    /// the same module, if there is one of that name.
    pub(super) fn of<'b>(
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
                let module = nodes.set.id(nodes.list.get(node as usize).resource).module();
                let here = id.in_module(module.cloned());
                let index = nodes.set.find(&here).or_else(|| nodes.set.find(id))?;
                let found = nodes.set.id(index).clone();
                Some((Claim::Resource(found), nodes.of_resource[index as usize].as_slice()))
            }
            other => Some((other.clone(), self.others.get(other)?.as_slice())),
        }
    }
}
