//! Who reads what: so that a visit publishes what others read, and nothing else.

use std::sync::Mutex;

use uphold_model::{Few, Output, Reference, Term};
use uphold_resource::Instance;

use crate::graph::NodeIndex;
use crate::program::Node;
use crate::program::list::{ActionEntry, ActionList};
use crate::program::set::ResourceSet;

/// The nodes of each resource, in written order.
pub(crate) fn nodes_of_resources(set: &ResourceSet, list: &ActionList) -> Vec<Vec<NodeIndex>> {
    by_resource(set, &list.all()[..list.len()])
}

fn by_resource(set: &ResourceSet, entries: &[ActionEntry]) -> Vec<Vec<NodeIndex>> {
    let mut of_resource = vec![Vec::new(); set.numbers()];
    for (node, entry) in (0..).zip(entries) {
        of_resource[entry.resource as usize].push(node);
    }
    of_resource
}

/// Nodes that are ready to be visited.
pub(crate) fn nodes_with_readers(
    set: &ResourceSet,
    list: &ActionList,
    outputs: &[Output],
    instances: Vec<Option<Box<dyn Instance>>>,
) -> Vec<Node> {
    let of_resource = by_resource(set, list.all());
    let mut nodes: Vec<Node> = instances
        .into_iter()
        .zip(list.all())
        .map(|(instance, entry)| Node {
            instance: Mutex::new(instance.filter(|_| !set.entry(entry.resource).reads_others())),
            read_by_others: Few::default(),
        })
        .collect();
    let of_resources = set.iter().flat_map(|(_, declared)| declared.references());
    let of_actions = list.iter().filter_map(ActionEntry::when);
    let of_outputs = outputs.iter().map(|output| &output.value);
    let of_groups = list.groups().iter().flat_map(|(_, group)| group.guards()).map(|guard| &guard.condition);
    let of_terms = of_actions.chain(of_outputs).chain(of_groups).flat_map(Term::references);
    for reference in of_resources.chain(of_terms) {
        note(reference, set, &of_resource, &mut nodes);
    }
    nodes
}

fn note(reference: &Reference, set: &ResourceSet, of_resource: &[Vec<NodeIndex>], nodes: &mut [Node]) {
    let (Some(target), Some(field)) = (set.find(&reference.target), reference.path.first()) else { return };
    for &node in &of_resource[target as usize] {
        let known = &mut nodes[node as usize].read_by_others;
        if !known.contains(field) {
            known.push(field.clone());
        }
    }
}
