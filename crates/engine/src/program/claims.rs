//! The claims and needs of all nodes.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashSet};
use uphold_model::{
    Action, Claim, Claims, Diagnostic, Diagnostics, Need, Output, PropertySchema, Reference, Role, Term,
    ThinVec, Type,
};
use uphold_resource::Instance;

use crate::graph::NodeIndex;
use crate::program::condition::Truth;
use crate::program::decode::Decoder;
use crate::program::list::ActionEntry;
use crate::program::managed::Managed;

use super::Node;
use super::decode::{Decoded, Tools};
use super::list::ActionList;
use super::nodes_by_resource::NodesByResource;
use super::parts;
use super::scope::CheckScope;
use super::set::ResourceSet;

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
    claims: IndexSet<NeededClaim, FxBuildHasher>,
}

/// A needed claim. Its path is compared as a string, which costs much less than part by part: a path that is written in
/// two ways is only kept twice.
#[derive(Eq)]
struct NeededClaim(Claim);

impl PartialEq for NeededClaim {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Claim::Path(path), Claim::Path(other)) => path.as_os_str() == other.as_os_str(),
            (claim, other) => claim == other,
        }
    }
}

impl Hash for NeededClaim {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Claim::Path(path) => path.as_os_str().hash(state),
            claim => claim.hash(state),
        }
    }
}

impl Needs {
    pub(crate) fn add(&mut self, node: NodeIndex, needs: Vec<Claim>) {
        for need in needs {
            self.of_nodes.push((node, self.claims.insert_full(NeededClaim(need)).0));
        }
    }

    /// Each node with each of its needs, in the order in which they were added.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (NodeIndex, &Claim)> {
        self.of_nodes.iter().map(|(node, number)| (*node, self.claim(*number)))
    }

    /// The same, with the number of each need.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (NodeIndex, usize)> {
        self.of_nodes.iter().copied()
    }

    /// The need with this number.
    pub(crate) fn claim(&self, number: usize) -> &Claim {
        &self.claims[number].0
    }

    /// The number of different needs.
    pub(crate) fn distinct(&self) -> usize {
        self.claims.len()
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

// Decoding every resource once, before the run; and the properties that others read, which a visit publishes.

/// A decoded resource, if there is one, and its problems.
type Outcome = (Option<Box<dyn Instance>>, Diagnostics);

/// The decoded resources.
pub(crate) struct Instances {
    /// The resource of each node; none if it has problems, or waits for a value.
    pub(crate) of_nodes: Vec<Option<Box<dyn Instance>>>,
    /// The first node of each resource.
    node_of: Vec<Option<usize>>,
}

impl Instances {
    /// Decodes every node: first those that read no others, then those that do, so that names and settings of the former are
    /// known to the latter.
    ///
    /// With `lean`, the declared values of a resource are forgotten as soon as it is not decoded again: the next decoded
    /// resource takes their memory.
    pub(crate) fn decode(
        set: &mut ResourceSet,
        tools: &Tools<'_>,
        of_resource: &NodesByResource,
        lean: bool,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let list = tools.list;
        let node_of = of_resource.iter().map(|nodes| nodes.first().map(|node| *node as usize)).collect();
        let mut instances = Self { of_nodes: Vec::new(), node_of };
        instances.of_nodes.resize_with(list.all().len(), || None);
        let reads_others = |entry: &ActionEntry| set.entry(entry.resource).reads_others();
        let (readers, others): (Vec<usize>, Vec<usize>) =
            (0..list.all().len()).partition(|node| reads_others(list.get(*node)));
        if lean {
            let mut left = uses(set, list);
            for node in others {
                let outcome = instances.outcome(node, &tools.decoder(set));
                instances.note(node, outcome, (list, of_resource), diagnostics);
                let resource = list.get(node).resource;
                left[resource as usize] -= 1;
                if left[resource as usize] == 0 {
                    set.forget(resource);
                }
            }
        } else {
            let decoder = tools.decoder(set);
            let mut outcomes = Vec::new();
            outcomes.resize_with(others.len(), Outcome::default);
            parts::fill(&mut outcomes, tools.threads, |index| instances.outcome(others[index], &decoder));
            for (node, outcome) in others.into_iter().zip(outcomes) {
                instances.note(node, outcome, (list, of_resource), diagnostics);
            }
        }
        for node in readers {
            let outcome = instances.outcome(node, &tools.decoder(set));
            instances.note(node, outcome, (list, of_resource), diagnostics);
        }
        instances
    }

    /// Decodes one node.
    fn outcome(&self, node: usize, decoder: &Decoder<'_>) -> Outcome {
        let Decoded { instance, diagnostics, .. } =
            decoder.decode(decoder.list.get(node), &self.scope(decoder));
        (instance, diagnostics)
    }

    /// Adds a decoded node, and its problems. Those of a resource are not reported again for its other actions.
    fn note(
        &mut self,
        node: usize,
        (instance, found): Outcome,
        (list, of_resource): (&ActionList, &NodesByResource),
        diagnostics: &mut Diagnostics,
    ) {
        self.of_nodes[node] = instance;
        let first = of_resource[list.get(node).resource].first();
        let again = first.is_some_and(|first| *first as usize != node);
        diagnostics.extend(if again { without_known(found, diagnostics) } else { found });
    }

    /// The scope of expressions, as far as resources are decoded.
    pub(crate) fn scope<'a>(&'a self, decoder: &Decoder<'a>) -> CheckScope<'a> {
        let Decoder { set, registry, .. } = *decoder;
        CheckScope { set, registry, instances: &self.of_nodes, node_of: &self.node_of }
    }

    /// Checks resources without an action, as far as a load needs. Their paths are managed all the same.
    pub(crate) fn check_unused(
        &self,
        decoder: &Decoder<'_>,
        managed: &mut Managed,
        diagnostics: &mut Diagnostics,
    ) {
        let scope = self.scope(decoder);
        for (resource, declared) in
            decoder.set.iter().filter(|(index, _)| self.node_of[*index as usize].is_none())
        {
            let outcome = decoder.decode_unused(resource, &scope);
            diagnostics.extend(outcome.diagnostics);
            if let Some(instance) = outcome.instance {
                let label = declared.declaration.id.label();
                managed.add((resource, label), &*instance, &instance.claims(), false);
            }
        }
    }
}

/// How many actions there are on each resource.
fn uses(set: &ResourceSet, list: &ActionList) -> Vec<u32> {
    let mut uses = vec![0; set.len()];
    list.all().iter().for_each(|entry| uses[entry.resource as usize] += 1);
    uses
}

/// The problems that were not reported yet.
fn without_known(found: Diagnostics, reported: &Diagnostics) -> Diagnostics {
    // A comparison with more of them would be slow, and a reader does not get that far.
    const ENOUGH: usize = 1000;
    let is_new = |diagnostic: &Diagnostic| !reported.iter().take(ENOUGH).any(|known| known == diagnostic);
    let mut new = Diagnostics::default();
    new.extend(found.into_iter().filter(is_new));
    new
}

/// The nodes of each resource among the written actions, in written order.
pub(crate) fn nodes_of_resources(set: &ResourceSet, list: &ActionList) -> NodesByResource {
    NodesByResource::new(set, &list.all()[..list.len()])
}

/// Nodes that are ready to be visited.
pub(crate) fn nodes_with_readers(
    set: &ResourceSet,
    list: &ActionList,
    outputs: &[Output],
    instances: Vec<Option<Box<dyn Instance>>>,
) -> Vec<Node> {
    let mut nodes: Vec<Node> = instances
        .into_iter()
        .zip(list.all())
        .map(|(instance, entry)| Node {
            instance: instance.filter(|_| !set.entry(entry.resource).reads_others()),
            read_by_others: ThinVec::default(),
        })
        .collect();
    let of_resources = set.iter().flat_map(|(_, declared)| declared.references());
    let of_actions = list.iter().filter_map(ActionEntry::when);
    let of_outputs = outputs.iter().map(|output| &output.value);
    let of_groups = list.groups.iter().flat_map(|(_, group)| group.guards()).map(|guard| &guard.condition);
    let of_terms = of_actions.chain(of_outputs).chain(of_groups).flat_map(Term::references);
    let mut references = of_resources.chain(of_terms).peekable();
    if references.peek().is_some() {
        let of_resource = NodesByResource::new(set, list.all());
        references.for_each(|reference| note_reader(reference, set, &of_resource, &mut nodes));
    }
    nodes
}

fn note_reader(reference: &Reference, set: &ResourceSet, of_resource: &NodesByResource, nodes: &mut [Node]) {
    let (Some(target), Some(field)) = (set.find(&reference.target), reference.path.first()) else { return };
    for &node in &of_resource[target] {
        let known = &mut nodes[node as usize].read_by_others;
        if !known.contains(field) {
            known.push(field.clone());
        }
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
