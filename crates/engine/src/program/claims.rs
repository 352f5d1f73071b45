//! The claims and needs of all nodes.

use std::borrow::Cow;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use uphold_model::{Action, Claim, Claims, Need, PropertySchema, Role, Type};
use uphold_resource::Instance;

use crate::graph::NodeIndex;
use crate::program::condition::Truth;
use crate::program::decode::Decoder;
use crate::program::instances::Instances;
use crate::program::list::ActionEntry;
use crate::program::managed::Managed;

/// The claims of each node, as far as they make edges, and apart from them its needs. Provided paths are managed in any
/// case; a node whose condition is false provides nothing, and one whose condition is not known guarantees nothing.
pub(crate) fn claims(
    decoder: &Decoder<'_>,
    instances: &Instances,
    conditions: &[Truth],
    managed: &mut Managed,
) -> (Vec<Claims>, Needs, HiddenClaims) {
    let Decoder { set, list, .. } = *decoder;
    let mut all = Vec::with_capacity(instances.of_nodes.len());
    let mut needs = Needs::default();
    let mut hidden = HiddenClaims::default();
    for (number, (entry, condition)) in (0..).zip(list.all().iter().zip(conditions)) {
        let node = number as usize;
        let on_request = node >= list.len();
        let mut claims = match (&instances.of_nodes[node], condition) {
            (_, Truth::False) => Claims::default(),
            // It has needs, and provides what its resource provides anyway.
            (instance, _) if on_request => {
                let needs = instance.as_ref().map(|instance| instance.claims().needs);
                Claims { needs: needs.unwrap_or_default(), ..Claims::default() }
            }
            (None, _) if !may_own_paths(decoder, entry) => Claims::default(),
            (None, _) => {
                managed.wait_for(number);
                Claims { leads: vec![Claim::ManagedPaths], ..Claims::default() }
            }
            (Some(instance), _) => {
                let claims = instance.claims();
                let resource = (entry.resource, &**set.id(entry.resource).label());
                let converged = *entry.action() != Action::Remove && *condition == Truth::True;
                managed.add(resource, &**instance, &claims, converged);
                claims
            }
        };
        if let Some(instance) = &instances.of_nodes[node] {
            hidden.add(&**instance, &claims);
        }
        let edges = !set.entry(entry.resource).declaration.meta.no_auto_edges;
        if edges {
            needs.add(number, std::mem::take(&mut claims.needs));
        }
        all.push(if edges { claims } else { Claims::default() });
    }
    (all, needs, hidden)
}

/// Whether a path may belong to a resource whose properties are not known yet: its kind makes claims, is named by a path, or
/// needs one.
fn may_own_paths(decoder: &Decoder<'_>, entry: &ActionEntry) -> bool {
    let kind = decoder.registry.get(&decoder.set.id(entry.resource).kind);
    let holds = |property: &PropertySchema| {
        let names = matches!(property.role, Role::Name | Role::Identity) || property.need == Need::Required;
        names && matches!(property.ty, Type::Named { name: "path", .. })
    };
    kind.is_none_or(|kind| kind.may_own() || kind.schema().all().into_iter().any(holds))
}

/// The needs of each node. Many nodes need the same, so that each claim is kept once.
#[derive(Default)]
pub(crate) struct Needs {
    /// Each node with the index of one of its claims.
    of_nodes: Vec<(NodeIndex, usize)>,
    claims: IndexSet<Claim, FxBuildHasher>,
}

impl Needs {
    pub(crate) fn add(&mut self, node: NodeIndex, needs: Vec<Claim>) {
        for need in needs {
            self.of_nodes.push((node, self.claims.insert_full(need).0));
        }
    }

    /// Each node with each of its needs, in the order in which they were added.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (NodeIndex, &Claim)> {
        self.of_nodes.iter().map(|(node, number)| (*node, &self.claims[*number]))
    }
}

/// The claims that come from a secret: no message and no graph may show them. Mostly there are none, and then a query costs
/// nothing.
#[derive(Default)]
pub(crate) struct HiddenClaims(FxHashSet<Claim>);

impl HiddenClaims {
    /// Adds those of a resource.
    fn add(&mut self, instance: &dyn Instance, claims: &Claims) {
        if !instance.is_tainted() {
            return;
        }
        // A name that only kinds agree upon may be composed of several properties in any way.
        let is_hidden = |claim: &&Claim| {
            matches!(claim, Claim::Other(..))
                || claim.name().is_some_and(|name| instance.may_show_secret(&name))
        };
        self.0.extend(claims.all().filter(is_hidden).cloned());
    }

    /// A claim as it may be shown.
    pub(crate) fn shown<'a>(&self, claim: &'a Claim) -> Cow<'a, Claim> {
        if self.0.contains(claim) { Cow::Owned(claim.hidden()) } else { Cow::Borrowed(claim) }
    }

    /// Whether it may not be shown.
    pub(crate) fn contains(&self, claim: &Claim) -> bool {
        self.0.contains(claim)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_that_many_need_is_kept_once() {
        let (path, user) = (Claim::Path("/srv".into()), Claim::User("ann".into()));
        let mut needs = Needs::default();
        needs.add(0, vec![path.clone(), user.clone()]);
        needs.add(1, Vec::new());
        needs.add(2, vec![path.clone()]);
        assert_eq!(needs.iter().collect::<Vec<_>>(), [(0, &path), (0, &user), (2, &path)]);
        assert_eq!(needs.claims.len(), 2);
    }
}
