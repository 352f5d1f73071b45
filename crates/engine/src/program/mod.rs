//! A configuration that was checked: set, list, decoded resources and graph.

pub(crate) mod check;
pub(crate) mod condition;
pub(crate) mod decode;
pub(crate) mod did_you_mean;
mod from_statements;
pub(crate) mod groups;
pub(crate) mod list;
pub(crate) mod managed;
mod or_else;
pub(crate) mod outputs;
pub(crate) mod real_path;
pub(crate) mod run_nodes;
pub(crate) mod scope;
pub(crate) mod secret_paths;
pub(crate) mod set;

use std::sync::{Mutex, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{
    Action, Claims, Diagnostics, Few, Name, Output, PropertySchema, Role, Statement, Type, shed,
};
use uphold_resource::{Instance, Reading, Registry};

use crate::graph::{Graph, NodeIndex, Nodes, build};
use crate::notifications::{NotificationTable, TableReader};
use crate::program::check::{
    Instances, check_handling, check_wanted, claims, nodes_of_resources, nodes_with_readers, secret_paths,
    warn_of_outlines,
};
use crate::program::decode::Tools;
use crate::program::from_statements::FromStatements;
use crate::program::list::{ActionEntry, ActionList};
use crate::program::managed::Managed;
use crate::program::outputs::check_outputs;
use crate::program::run_nodes::{RunNode, is_run_node};
use crate::program::secret_paths::SecretPaths;
use crate::program::set::{ResourceIndex, ResourceSet};

/// What can be planned and applied: nothing in it is wrong, as far as can be told without
/// looking at the machine.
pub struct Program {
    pub(crate) set: ResourceSet,
    pub(crate) list: ActionList,
    pub(crate) graph: Graph,
    pub(crate) nodes: Vec<Node>,
    pub(crate) notifications: NotificationTable,
    pub(crate) outputs: Vec<Output>,
    /// The kinds that it was checked with.
    pub(crate) registry: Registry,
    managed: Managed,
    pub(crate) secret_paths: SecretPaths,
    /// Written actions that may bring along anything that is missing.
    pub(crate) bringers: FxHashSet<NodeIndex>,
    /// The nodes of each resource; made for the first notification of an action without a place in the list.
    of_resources: OnceLock<FxHashMap<ResourceIndex, Vec<NodeIndex>>>,
}

/// How much of what was declared a program keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All of it, for a plan that is saved.
    All,
    /// Less memory, for a long watch. A saved plan would lack the declared values.
    ForWatch,
}

/// One entry of the list, ready to be visited.
pub(crate) struct Node {
    /// Decoded, unless it reads values of other resources: then it is decoded when it is visited.
    pub(crate) instance: Mutex<Option<Box<dyn Instance>>>,
    /// Properties that others read, each once.
    pub(crate) read_by_others: Few<Name>,
}

/// Whether a nested resource may notify any action of any resource: a kind that is not compiled in may declare resources of
/// its own. Then what was declared is needed again.
fn has_nested(set: &ResourceSet, registry: &Registry) -> bool {
    set.iter().any(|(_, declared)| {
        registry.get(&declared.declaration.id.kind).is_some_and(|kind| !kind.is_compiled())
    })
}

/// Written actions that may bring along anything, and do not remove it.
fn bringers(claims: &[Claims], list: &ActionList) -> FxHashSet<NodeIndex> {
    let written = (0..).zip(claims).take(list.len()).filter(|(_, claims)| claims.brings_more);
    let kept = written.filter(|(node, _)| *list.get(*node as usize).action() == Action::Converge);
    kept.map(|(node, _)| node).collect()
}

impl Program {
    /// Checks statements: everything that can be known without touching the machine. `observe`
    /// is asked for home directories only.
    pub fn check(
        statements: Vec<Statement>,
        registry: &Registry,
        observe: &Reading<'_>,
        keep: Keep,
    ) -> (Option<Program>, Diagnostics) {
        let mut diagnostics = Diagnostics::default();
        let FromStatements { mut set, mut list, outputs } = FromStatements::of(statements, &mut diagnostics);
        warn_of_outlines(&set, registry, &mut diagnostics);
        let notifications = TableReader::new(&set, registry, &mut diagnostics).read(&mut list);
        let of_resource = nodes_of_resources(&set, &list);
        let tools = Tools { list: &list, registry, observe };
        let lean = keep == Keep::ForWatch && !has_nested(&set, registry);
        let instances = Instances::decode(&mut set, &tools, &of_resource, lean, &mut diagnostics);
        let decoder = tools.decoder(&set);
        let mut managed = Managed::default();
        instances.check_undone(&decoder, &mut managed, &mut diagnostics);
        let scope = instances.scope(&decoder);
        let wanted = check_wanted(&decoder, &scope, &mut diagnostics);
        check_handling(&decoder, &scope, &mut diagnostics);
        check_outputs(&outputs, &scope, &mut diagnostics);
        let (claims, needs, hidden) = claims(&decoder, &instances, &wanted, &mut managed);
        let nodes = Nodes {
            set: &set,
            list: &list,
            claims: &claims,
            needs: &needs,
            hidden: &hidden,
            of_resource: &of_resource,
            wanted: &wanted,
            notifications: &notifications,
        };
        let graph = build(&nodes, &mut diagnostics);
        let bringers = bringers(&claims, &list);
        let secret_paths = secret_paths(&decoder, &instances);
        shed(claims);
        if diagnostics.has_errors() {
            diagnostics.cap();
            return (None, diagnostics);
        }
        let nodes = nodes_with_readers(&set, &list, &outputs, instances.of_nodes);
        let registry = registry.clone();
        let program = Program {
            set,
            list,
            graph,
            nodes,
            notifications,
            outputs,
            registry,
            managed,
            secret_paths,
            bringers,
            of_resources: OnceLock::new(),
        };
        (Some(if keep == Keep::ForWatch { program.lean() } else { program }), diagnostics)
    }

    fn lean(mut self) -> Self {
        if !has_nested(&self.set, &self.registry) {
            self.set.forget_known();
        }
        self.list.shrink();
        self.nodes.shrink_to_fit();
        self.managed.shrink();
        self
    }

    /// The kinds that it was checked with, and is run with.
    pub fn kinds(&self) -> &Registry {
        &self.registry
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

    /// The outputs, in written order.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// Whether a resource is of a kind that is named by a path.
    pub(crate) fn is_named_by_path(&self, resource: ResourceIndex) -> bool {
        let kind = self.registry.get(&self.set.id(resource).kind);
        let is_path = |property: &&PropertySchema| {
            property.role == Role::Name && matches!(property.ty, Type::Named { name: "path", .. })
        };
        kind.is_some_and(|kind| kind.schema().all().iter().any(is_path))
    }

    /// The node of an action that a nested resource notifies.
    pub(crate) fn target(&self, resource: ResourceIndex, action: &Action) -> NodeIndex {
        let listed = self.notifications.target(resource, action);
        listed.unwrap_or_else(|| {
            let make = || {
                let sibling = self.nodes_of(resource).first().map(|node| self.node(*node));
                let read_by_others = sibling.map(|node| node.read_by_others.clone()).unwrap_or_default();
                let declared = self.set.entry(resource);
                let entry = ActionEntry::new(resource, action.clone());
                let entry = ActionEntry { group: declared.group, place: declared.declaration.place, ..entry };
                RunNode { entry, node: Node { instance: Mutex::new(None), read_by_others } }
            };
            self.list.run_nodes.find_or_add(resource, action, make)
        })
    }

    /// The nodes of a resource in the list.
    pub(crate) fn nodes_of(&self, resource: ResourceIndex) -> &[NodeIndex] {
        let index = self.of_resources.get_or_init(|| {
            let mut index: FxHashMap<ResourceIndex, Vec<NodeIndex>> = FxHashMap::default();
            for (node, entry) in (0..).zip(self.list.all()) {
                index.entry(entry.resource).or_default().push(node);
            }
            index
        });
        index.get(&resource).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn node(&self, node: NodeIndex) -> &Node {
        if is_run_node(node) { &self.list.run_nodes.get(node).node } else { &self.nodes[node as usize] }
    }

    /// The paths that resources provide.
    pub(crate) fn managed(&self) -> &Managed {
        &self.managed
    }
}
