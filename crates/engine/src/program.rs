//! A configuration that was checked: set, list, decoded resources and graph.

use std::sync::Mutex;

use uphold_model::{Action, Claims, Diagnostic, Diagnostics, Name, Statement, Term, Trigger};
use uphold_resource::{Instance, Observe, Registry};

use crate::decode::{Decoder, Outcome};
use crate::graph::{Graph, NodeIndex, Nodes, build};
use crate::list::{ActionEntry, ActionList};
use crate::managed::Managed;
use crate::scope::CheckScope;
use crate::set::ResourceSet;

/// What can be planned and applied: nothing in it is wrong, as far as can be told without
/// looking at the machine.
pub struct Program {
    pub(crate) set: ResourceSet,
    pub(crate) list: ActionList,
    pub(crate) graph: Graph,
    pub(crate) nodes: Vec<Node>,
    managed: Managed,
}

/// One entry of the list, ready to be visited.
pub(crate) struct Node {
    /// Decoded, unless it reads values of other resources: then it is decoded when it is visited.
    pub(crate) instance: Mutex<Option<Box<dyn Instance>>>,
    /// Properties of the resource that others read.
    pub(crate) read_by_others: Vec<Name>,
}

impl Program {
    /// Checks statements: everything that can be known without touching the machine. `observe`
    /// is asked for home directories only.
    pub fn check(
        statements: Vec<Statement>,
        registry: &Registry,
        observe: &dyn Observe,
    ) -> (Option<Program>, Diagnostics) {
        let mut diagnostics = Diagnostics::default();
        let (set, list) = collect(statements, &mut diagnostics);
        let of_resource = nodes_of_resources(&set, &list);
        let decoder = Decoder { set: &set, list: &list, registry, observe };
        let mut managed = Managed::default();
        let instances = decode_all(&decoder, &of_resource, &mut managed, &mut diagnostics);
        let claims = claims(&set, &list, &instances, &mut managed);
        let nodes = Nodes { set: &set, list: &list, claims: &claims, of_resource: &of_resource };
        let graph = build(&nodes, &mut diagnostics);
        if diagnostics.has_errors() {
            diagnostics.cap();
            return (None, diagnostics);
        }
        let nodes = nodes_with_readers(&set, &list, &of_resource, instances);
        (Some(Program { set, list, graph, nodes, managed }), diagnostics)
    }

    /// The resources.
    pub fn set(&self) -> &ResourceSet {
        &self.set
    }

    /// The actions.
    pub fn list(&self) -> &ActionList {
        &self.list
    }

    /// What comes before what.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The paths that resources provide.
    pub(crate) fn managed(&self) -> &Managed {
        &self.managed
    }
}

/// Puts the statements into set and list.
fn collect(statements: Vec<Statement>, diagnostics: &mut Diagnostics) -> (ResourceSet, ActionList) {
    let (mut set, mut list) = (ResourceSet::default(), ActionList::default());
    for statement in statements {
        let refused = match statement {
            Statement::Declare(declaration) => set.declare(declaration).err(),
            Statement::Edit(edit) => set.edit(edit).err(),
            Statement::Trigger(trigger) => put(trigger, &set, &mut list),
        };
        diagnostics.extend(refused);
    }
    (set, list)
}

fn put(trigger: Trigger, set: &ResourceSet, list: &mut ActionList) -> Option<Diagnostic> {
    let Some(resource) = set.find(&trigger.id) else {
        return Some(set.missing(&trigger.id, trigger.place, "triggered"));
    };
    let Trigger { action, place, depends_on, .. } = trigger;
    list.trigger(ActionEntry { resource, action, place, depends_on });
    None
}

fn nodes_of_resources(set: &ResourceSet, list: &ActionList) -> Vec<Vec<NodeIndex>> {
    let mut of_resource = vec![Vec::new(); set.numbers()];
    for (node, entry) in (0..).zip(list.iter()) {
        of_resource[entry.resource as usize].push(node);
    }
    of_resource
}

/// Decodes every node: first those that stand alone, then those that read others, so that names
/// and settings of the former are known to the latter.
fn decode_all(
    decoder: &Decoder<'_>,
    of_resource: &[Vec<NodeIndex>],
    managed: &mut Managed,
    diagnostics: &mut Diagnostics,
) -> Vec<Option<Box<dyn Instance>>> {
    let node_of: Vec<Option<usize>> =
        of_resource.iter().map(|nodes| nodes.first().map(|node| *node as usize)).collect();
    let mut instances: Vec<Option<Box<dyn Instance>>> = Vec::new();
    instances.resize_with(decoder.list.len(), || None);
    for reading in [false, true] {
        for (node, entry) in decoder.list.iter().enumerate() {
            if reads_others(decoder.set, entry) != reading {
                continue;
            }
            let scope = CheckScope {
                set: decoder.set,
                registry: decoder.registry,
                instances: &instances,
                node_of: &node_of,
            };
            let outcome = decoder.decode(entry, &scope);
            instances[node] = note(outcome, diagnostics);
        }
    }
    let scope =
        CheckScope { set: decoder.set, registry: decoder.registry, instances: &instances, node_of: &node_of };
    check_undone(decoder, of_resource, &scope, managed, diagnostics);
    instances
}

/// A resource without an action is checked as far as looking at it goes. What it names is managed
/// all the same.
fn check_undone(
    decoder: &Decoder<'_>,
    of_resource: &[Vec<NodeIndex>],
    scope: &CheckScope<'_>,
    managed: &mut Managed,
    diagnostics: &mut Diagnostics,
) {
    for (resource, _) in decoder.set.iter().filter(|(index, _)| of_resource[*index as usize].is_empty()) {
        if let Some(instance) = note(decoder.decode_unused(resource, scope), diagnostics) {
            managed.add(&instance.claims(), false);
        }
    }
}

fn note(outcome: Outcome, diagnostics: &mut Diagnostics) -> Option<Box<dyn Instance>> {
    diagnostics.extend(outcome.diagnostics);
    outcome.instance
}

fn reads_others(set: &ResourceSet, entry: &ActionEntry) -> bool {
    let attributes = &set.entry(entry.resource).declaration.attributes;
    attributes.iter().any(|attribute| matches!(attribute.value, Term::Deferred(_)))
}

/// The claims of each node, as far as they make edges. What is provided is managed in any case.
fn claims(
    set: &ResourceSet,
    list: &ActionList,
    instances: &[Option<Box<dyn Instance>>],
    managed: &mut Managed,
) -> Vec<Claims> {
    let mut all = Vec::with_capacity(instances.len());
    for (node, (entry, instance)) in (0..).zip(list.iter().zip(instances)) {
        let Some(instance) = instance else {
            managed.wait_for(node);
            all.push(Claims::default());
            continue;
        };
        let claims = instance.claims();
        managed.add(&claims, entry.action != Action::Remove);
        let edges = !set.entry(entry.resource).declaration.meta.no_auto_edges;
        all.push(if edges { claims } else { Claims::default() });
    }
    all
}

fn nodes_with_readers(
    set: &ResourceSet,
    list: &ActionList,
    of_resource: &[Vec<NodeIndex>],
    instances: Vec<Option<Box<dyn Instance>>>,
) -> Vec<Node> {
    let mut nodes: Vec<Node> = instances
        .into_iter()
        .zip(list.iter())
        .map(|(instance, entry)| Node {
            instance: Mutex::new(instance.filter(|_| !reads_others(set, entry))),
            read_by_others: Vec::new(),
        })
        .collect();
    let attributes = set.iter().flat_map(|(_, declared)| &declared.declaration.attributes);
    for reference in attributes.flat_map(|attribute| attribute.value.references()) {
        let (Some(target), Some(field)) = (set.find(&reference.target), reference.path.first()) else {
            continue;
        };
        for &node in &of_resource[target as usize] {
            let readers = &mut nodes[node as usize].read_by_others;
            if !readers.contains(field) {
                readers.push(field.clone());
            }
        }
    }
    nodes
}
