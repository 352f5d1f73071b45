//! Edges of a program as they are drawn: with those to actions that run only when notified.

use rustc_hash::FxHashMap;

use super::component;
use super::edge::{Edge, NodeIndex, Reason};
use crate::program::Program;
use crate::program::set::ResourceIndex;

impl Program {
    /// All edges between actions, sorted: those of the graph, and one from each notifier to the action that it notifies. A run
    /// does not wait along the latter, because a notified action runs as soon as one of its notifiers changed. They make no
    /// loop: a notification that leads back to its notifier is left out. For drawing, not for walking.
    pub fn edges(&self) -> Vec<Edge> {
        let notifications = self.notification_edges();
        if notifications.is_empty() {
            return self.graph.edges();
        }
        let graph = self.graph.clone().with(notifications);
        component::without_loops(graph, |edge| edge.reason == Reason::Notifies).edges()
    }

    fn notification_edges(&self) -> Vec<Edge> {
        let notifiers = self.notifiers();
        let of_resources = self.notifications.pairs().flat_map(|(by, notice)| {
            let nodes = notifiers.get(&by).into_iter().flatten();
            nodes.map(move |node| (*node, notice.target))
        });
        let of_groups = (0..).zip(self.list.iter()).flat_map(|(node, entry)| {
            let notices =
                self.list.groups().around(entry.group).flat_map(|group| self.notifications.of_group(group));
            notices.map(move |notice| (node, notice.target))
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
