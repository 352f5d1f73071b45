//! A valid configuration: set, list, decoded resources and graph.

mod building;
pub(crate) mod claims;
pub(crate) mod condition;
pub(crate) mod decode;
pub(crate) mod did_you_mean;
pub(crate) mod digest;
mod from_statements;
pub(crate) mod identity;
pub(crate) mod list;
pub(crate) mod managed;
pub(crate) mod nodes_by_resource;
mod other_statements;
pub(crate) mod outputs;
mod parts;
pub(crate) mod real_names;
pub(crate) mod scope;
pub(crate) mod secret_paths;
pub(crate) mod set;
mod unconditional;
mod verified_groups;

use std::num::NonZeroUsize;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{
    Action, Claims, Diagnostics, Handling, InactiveBlock, Name, Output, PropertySchema, ResourceId, Role,
    Settings, Statement, ThinVec, Type,
};
use uphold_resource::{Instance, Kind, Reading, Registry};

use crate::graph::{Edge, Graph, NodeIndex, Nodes, Reason, build, without_loops};
use crate::notifications::{NotificationTable, TableReader};
use crate::program::claims::claims;
use crate::program::condition::{check_conditions, check_handling};
use crate::program::decode::{Tools, warn_of_outlines};
use crate::program::digest::SetDigest;
use crate::program::from_statements::FromStatements;
use crate::program::list::{ActionEntry, ActionList, GroupIndex, RunNode, is_run_node};
use crate::program::managed::Managed;
use crate::program::other_statements::OtherStatements;
use crate::program::outputs::check_outputs;
use crate::program::secret_paths::{SecretPaths, secret_paths};
use crate::program::set::{Declared, ResourceIndex, ResourceSet};
pub use building::Keep;
use building::{Building, has_nested};
use claims::{Instances, nodes_of_resources, nodes_with_readers};

/// A program that can be planned and applied: it is valid, as far as is known without the machine.
pub struct Program {
    pub(crate) set: ResourceSet,
    pub(crate) list: ActionList,
    pub(crate) graph: Graph,
    pub(crate) nodes: Vec<Node>,
    pub(crate) notifications: NotificationTable,
    pub(crate) outputs: Vec<Output>,
    others: OtherStatements,
    /// The number of declared resources. Those after them are no longer declared.
    declared: usize,
    /// The kinds that it was checked with.
    pub(crate) registry: Registry,
    /// The paths that belong to resources.
    pub(crate) managed: Managed,
    pub(crate) secret_paths: SecretPaths,
    /// Written actions that may install any missing file or account: packages.
    pub(crate) installers: FxHashSet<NodeIndex>,
    /// The nodes of each resource; made for the first notification of an action without a place in the list.
    of_resources: OnceLock<FxHashMap<ResourceIndex, Vec<NodeIndex>>>,
    /// Made when it is needed, or before declared values are dropped.
    digest: OnceLock<SetDigest>,
}

/// One entry of the list, ready to be visited.
pub(crate) struct Node {
    /// Decoded, unless it reads values of other resources: then it is decoded when it is visited.
    pub(crate) instance: Option<Box<dyn Instance>>,
    /// Properties that others read, each once.
    pub(crate) read_by_others: ThinVec<Name>,
}

/// Written actions that may install anything, and do not remove it.
fn installers(claims: &[Claims], list: &ActionList) -> FxHashSet<NodeIndex> {
    let written = (0..).zip(claims).take(list.len()).filter(|(_, claims)| claims.brings_more);
    let kept = written.filter(|(node, _)| *list.get(*node as usize).action() == Action::Converge);
    kept.map(|(node, _)| node).collect()
}

impl Program {
    /// Checks statements: everything that can be known without the machine. Only home directories are read from `observe`.
    pub fn check(
        statements: Vec<Statement>,
        registry: &Registry,
        observe: &Reading<'_>,
        keep: Keep,
    ) -> (Option<Program>, Diagnostics) {
        Self::check_on(NonZeroUsize::MIN, statements, registry, (observe, keep))
    }

    /// The same on this many threads, if there are many resources. The result does not depend on them.
    pub(crate) fn check_on(
        threads: NonZeroUsize,
        statements: Vec<Statement>,
        registry: &Registry,
        (observe, keep): (&Reading<'_>, Keep),
    ) -> (Option<Program>, Diagnostics) {
        let mut diagnostics = Diagnostics::default();
        let read = FromStatements::of(statements, &mut diagnostics);
        read.others.check(&read.set, &mut diagnostics);
        warn_of_outlines(&read.set, registry, &mut diagnostics);
        let declared = read.set.len();
        let how = Building { observe, keep, threads };
        match Self::build(read, declared, registry, &how, &mut diagnostics) {
            Ok(program) => {
                diagnostics.merge_repeated();
                (Some(if keep == Keep::ForWatch { program.lean() } else { program }), diagnostics)
            }
            Err(_) => {
                diagnostics.cap();
                (None, diagnostics)
            }
        }
    }

    /// Decodes all resources and makes the graph. Resources from `declared` on are no longer declared.
    ///
    /// # Errors
    /// The parts, if there are errors.
    fn build(
        read: FromStatements,
        declared: usize,
        registry: &Registry,
        how: &Building<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<Program, Box<FromStatements>> {
        let Building { observe, keep, threads } = *how;
        let FromStatements { mut set, mut list, outputs, others } = read;
        let notifications = TableReader::new(&set, registry, diagnostics).read(&mut list);
        let of_resource = nodes_of_resources(&set, &list);
        let digest = how.digest(&set, &list, &others.inactive);
        let tools = Tools { list: &list, registry, observe, threads };
        let lean = keep == Keep::ForWatch && !has_nested(&set, registry);
        let instances = Instances::decode(&mut set, &tools, &of_resource, lean, diagnostics);
        let decoder = tools.decoder(&set);
        let mut managed = Managed::default();
        instances.check_unused(&decoder, &mut managed, diagnostics);
        let scope = instances.scope(&decoder);
        let conditions = check_conditions(&decoder, &scope, diagnostics);
        check_handling(&decoder, &scope, diagnostics);
        check_outputs(&outputs, &scope, diagnostics);
        let (claims, needs, hidden) = claims(&decoder, &instances, &conditions, &mut managed);
        let nodes = Nodes {
            set: &set,
            list: &list,
            declared,
            claims: &claims,
            needs: &needs,
            hidden: &hidden,
            of_resource: &of_resource,
            conditions: &conditions,
            notifications: &notifications,
        };
        let graph = build(&nodes, diagnostics);
        let installers = installers(&claims, &list);
        let secret_paths = secret_paths(&decoder, &instances);
        how.free(claims);
        if diagnostics.has_errors() {
            return Err(Box::new(FromStatements { set, list, outputs, others }));
        }
        Ok(Program {
            nodes: nodes_with_readers(&set, &list, &outputs, instances.of_nodes),
            set,
            list,
            graph,
            notifications,
            outputs,
            others,
            declared,
            registry: registry.clone(),
            managed,
            secret_paths,
            installers,
            of_resources: OnceLock::new(),
            digest,
        })
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

    /// The dependency graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// All actions in the order in which one worker visits them: each after its dependencies, else as written. Whether an
    /// action is written; if not, it runs only when it is notified.
    pub fn in_order(&self) -> impl Iterator<Item = (&ResourceId, &Action, bool)> {
        let describe = |node| (self.id(node), self.entry(node).action(), !self.list.is_on_request(node));
        self.graph.in_written_order().into_iter().map(describe)
    }

    /// A digest of everything that is declared.
    pub fn digest(&self) -> &SetDigest {
        self.digest.get_or_init(|| SetDigest::of(&self.set, &self.list, &self.others.inactive))
    }

    /// Resources, blocks and module calls whose `when` was false when the configuration was read.
    pub fn inactive(&self) -> &[InactiveBlock] {
        &self.others.inactive
    }

    /// The settings of the configuration.
    pub fn settings(&self) -> &Settings {
        &self.others.settings
    }

    /// The outputs, in written order.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    pub(crate) fn entry(&self, node: NodeIndex) -> &ActionEntry {
        self.list.get(node as usize)
    }

    pub(crate) fn declared(&self, node: NodeIndex) -> &Declared {
        self.set.entry(self.entry(node).resource)
    }

    pub(crate) fn id(&self, node: NodeIndex) -> &ResourceId {
        &self.declared(node).declaration.id
    }

    /// The kind of a node's resource.
    pub(crate) fn kind(&self, node: NodeIndex) -> Option<&Kind> {
        self.registry.get(&self.id(node).kind)
    }

    /// The meta arguments of a node's resource that change how a run handles it, if it has any.
    pub(crate) fn handling(&self, node: NodeIndex) -> Option<&Handling> {
        self.declared(node).handling()
    }

    /// Whether the meta arguments of a resource, or of a group around it, have a property.
    pub(crate) fn is_handled(
        &self,
        resource: ResourceIndex,
        group: Option<GroupIndex>,
        is_so: impl Fn(&Handling) -> bool,
    ) -> bool {
        let groups = &self.list.groups;
        let mut of_groups = groups.around(group).filter_map(|group| groups.get(group).handling.as_deref());
        self.set.entry(resource).handling().is_some_and(&is_so) || of_groups.any(is_so)
    }

    pub(crate) fn ignores_failure(&self, node: NodeIndex) -> bool {
        let entry = self.entry(node);
        self.is_handled(entry.resource, entry.group, |handling| handling.ignore_failure)
    }

    /// Whether a node removes a resource of a kind that is named by a path.
    pub(crate) fn removes_path(&self, node: NodeIndex) -> bool {
        let is_path = |property: &&PropertySchema| {
            property.role == Role::Name && matches!(property.ty, Type::Named { name: "path", .. })
        };
        *self.entry(node).action() == Action::Remove
            && self.kind(node).is_some_and(|kind| kind.schema().all().iter().any(is_path))
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
                RunNode { entry, node: Node { instance: None, read_by_others } }
            };
            self.list.run_nodes.find_or_add(resource, action, make)
        })
    }

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

    /// All edges between actions, sorted: those of the graph, and one from each notifier to the action that it notifies. A
    /// run does not wait along the latter, because a notified action runs as soon as one of its notifiers changed. They
    /// make no loop: a notification that leads back to its notifier is left out. For drawing, not for walking.
    pub fn edges(&self) -> Vec<Edge> {
        let notifications = self.notification_edges();
        if notifications.is_empty() {
            return self.graph.edges();
        }
        let graph = self.graph.clone().with(notifications);
        without_loops(graph, |edge| edge.reason == Reason::Notifies).edges()
    }

    fn notification_edges(&self) -> Vec<Edge> {
        let notifiers = self.notifiers();
        let of_resources = self.notifications.pairs().flat_map(|(by, notice)| {
            let nodes = notifiers.get(&by).into_iter().flatten();
            nodes.map(move |node| (*node, notice.target))
        });
        let of_groups = (0..).zip(self.list.iter()).flat_map(|(node, entry)| {
            let groups = self.list.groups.around(entry.group);
            let targets = groups.flat_map(|group| {
                let notified = self.notifications.of_group(group).iter().map(|notice| notice.target);
                notified.chain(self.notifications.verifier(group))
            });
            targets.map(move |target| (node, target))
        });
        let pairs = of_resources.chain(of_groups).filter(|(notifier, notified)| notifier != notified);
        let place = |node: NodeIndex| self.list.get(node as usize).place;
        pairs.map(|(before, after)| Edge::new(before, after, Reason::Notifies, place(after))).collect()
    }

    /// The actions of each resource that notify others: the last written one, and all that are notified themselves.
    fn notifiers(&self) -> FxHashMap<ResourceIndex, Vec<NodeIndex>> {
        let mut notifiers: FxHashMap<ResourceIndex, Vec<NodeIndex>> = FxHashMap::default();
        for (node, entry) in (0..).zip(self.list.all()) {
            let nodes = notifiers.entry(entry.resource).or_default();
            if !self.list.is_on_request(node) {
                nodes.clear();
            }
            nodes.push(node);
        }
        notifiers
    }
}
