//! Decoding every resource once, before the run.

use uphold_model::{Action, Claim, Claims, Diagnostic, Diagnostics, Need, PropertySchema, Role, Type};
use uphold_resource::Instance;

use super::hidden_claims::HiddenClaims;
use super::needs::Needs;
use super::wanted::Wanted;
use crate::graph::NodeIndex;
use crate::program::decode::{Decoder, Outcome, Tools};
use crate::program::list::{ActionEntry, ActionList};
use crate::program::managed::Managed;
use crate::program::scope::CheckScope;
use crate::program::set::ResourceSet;

/// What was decoded.
pub(crate) struct Instances {
    /// Of each node; none if it has problems, or waits for a value.
    pub(crate) of_nodes: Vec<Option<Box<dyn Instance>>>,
    /// The first node of each resource.
    node_of: Vec<Option<usize>>,
}

impl Instances {
    /// Decodes every node: first those that stand alone, then those that read others, so that
    /// names and settings of the former are known to the latter.
    ///
    /// With `lean`, what was declared of a resource is forgotten as soon as nobody will decode it again: what is
    /// decoded next takes its room.
    pub(crate) fn decode(
        set: &mut ResourceSet,
        tools: &Tools<'_>,
        of_resource: &[Vec<NodeIndex>],
        lean: bool,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let list = tools.list;
        let node_of = of_resource.iter().map(|nodes| nodes.first().map(|node| *node as usize)).collect();
        let mut instances = Self { of_nodes: Vec::new(), node_of };
        instances.of_nodes.resize_with(list.all().len(), || None);
        let mut left = uses(set, list);
        for reading in [false, true] {
            for (node, entry) in list.all().iter().enumerate() {
                if set.entry(entry.resource).reads_others() != reading {
                    continue;
                }
                let decoder = tools.decoder(set);
                let outcome = decoder.decode(entry, &instances.scope(&decoder));
                let again = node >= list.len() && !of_resource[entry.resource as usize].is_empty();
                let outcome = if again { without_known(outcome, diagnostics) } else { outcome };
                instances.of_nodes[node] = note(outcome, diagnostics);
                let left = &mut left[entry.resource as usize];
                *left -= 1;
                if lean && !reading && *left == 0 {
                    set.forget(entry.resource);
                }
            }
        }
        instances
    }

    /// What expressions are looked up in, as far as decoded yet.
    pub(crate) fn scope<'a>(&'a self, decoder: &Decoder<'a>) -> CheckScope<'a> {
        let Decoder { set, registry, .. } = *decoder;
        CheckScope { set, registry, instances: &self.of_nodes, node_of: &self.node_of }
    }

    /// A resource without an action is checked as far as looking at it goes. What it names is
    /// managed all the same.
    pub(crate) fn check_undone(
        &self,
        decoder: &Decoder<'_>,
        managed: &mut Managed,
        diagnostics: &mut Diagnostics,
    ) {
        let scope = self.scope(decoder);
        for (resource, declared) in
            decoder.set.iter().filter(|(index, _)| self.node_of[*index as usize].is_none())
        {
            if let Some(instance) = note(decoder.decode_unused(resource, &scope), diagnostics) {
                let label = declared.declaration.id.label();
                managed.add((resource, label), &*instance, &instance.claims(), false);
            }
        }
    }
}

/// How many actions there are on each resource.
fn uses(set: &ResourceSet, list: &ActionList) -> Vec<u32> {
    let mut uses = vec![0; set.numbers()];
    list.all().iter().for_each(|entry| uses[entry.resource as usize] += 1);
    uses
}

/// What was told of a written action is not told again of one that is done on request.
fn without_known(outcome: Outcome, told: &Diagnostics) -> Outcome {
    // Of a thousand problems nobody reads the last ones.
    const ENOUGH: usize = 1000;
    let is_new = |diagnostic: &Diagnostic| !told.iter().take(ENOUGH).any(|known| known == diagnostic);
    let mut diagnostics = Diagnostics::default();
    diagnostics.extend(outcome.diagnostics.into_iter().filter(is_new));
    Outcome { diagnostics, ..outcome }
}

fn note(outcome: Outcome, diagnostics: &mut Diagnostics) -> Option<Box<dyn Instance>> {
    diagnostics.extend(outcome.diagnostics);
    outcome.instance
}

/// The claims of each node, as far as they make edges, and apart from them what it stands on. What is provided is managed in any case;
/// what is not wanted provides nothing, and what is perhaps not wanted makes sure of nothing.
pub(crate) fn claims(
    decoder: &Decoder<'_>,
    instances: &Instances,
    wanted: &[Wanted],
    managed: &mut Managed,
) -> (Vec<Claims>, Needs, HiddenClaims) {
    let Decoder { set, list, .. } = *decoder;
    let mut all = Vec::with_capacity(instances.of_nodes.len());
    let mut needs = Needs::default();
    let mut hidden = HiddenClaims::default();
    for (number, (entry, wanted)) in (0..).zip(list.all().iter().zip(wanted)) {
        let node = number as usize;
        let on_request = node >= list.len();
        let mut claims = match (&instances.of_nodes[node], wanted) {
            (_, Wanted::No) => Claims::default(),
            // It stands on things, and provides what its resource provides anyway.
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
                let converged = *entry.action() != Action::Remove && *wanted == Wanted::Yes;
                managed.add(resource, &**instance, &claims, converged);
                claims
            }
        };
        instances.of_nodes[node].iter().for_each(|instance| hidden.add(&**instance, &claims));
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
