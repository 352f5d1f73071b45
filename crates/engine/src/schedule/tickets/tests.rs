//! The rules of nested notifications, as a table: locks and resources in a line, then steps and what follows.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use uphold_resource::Error;

use crate::graph::{Graph, NodeIndex};
use crate::notifications::TicketId;
use crate::schedule::permits::Permits;
use crate::schedule::{Pick, Schedule, Taken, Visit};

const NAMES: &str = "abcd";

/// Visits of the nodes `a` to `d`, with the tickets of those that are suspended.
struct Scene<'p> {
    schedule: Schedule<'p>,
    /// The ticket of each sender, by the visit that delivers it.
    tickets: BTreeMap<NodeIndex, (TicketId, NodeIndex)>,
}

impl Scene<'_> {
    /// The tickets of the senders that wait for a visit, the innermost first.
    fn chain(&self, node: NodeIndex) -> Vec<TicketId> {
        let next = |(_, sender): &(TicketId, NodeIndex)| self.tickets.get(sender).copied();
        let chain = std::iter::successors(self.tickets.get(&node).copied(), next);
        chain.map(|(ticket, _)| ticket).collect()
    }

    /// Makes a visit ready, and begins all visits that can begin.
    fn start(&mut self, node: NodeIndex) -> Vec<String> {
        self.schedule.ready.push(Visit::written(node));
        self.begin_ready()
    }

    fn begin_ready(&mut self) -> Vec<String> {
        let mut seen = Vec::new();
        while let Some(visit) = self.schedule.ready.pop(Pick::Any) {
            let chain = self.chain(visit.node);
            match self.schedule.take(visit, &chain) {
                Taken::Yes => {
                    self.schedule.begin(visit);
                    seen.push(format!("{} begins", name(visit.node)));
                }
                Taken::Parked => seen.push(format!("{} is parked", name(visit.node))),
                Taken::Cycle(holder) => {
                    seen.push(format!("{} is refused, {} waits for it", name(visit.node), name(holder.node)));
                    seen.extend(self.deliver(visit.node, Some(Error::failed("a cycle"))));
                }
            }
        }
        seen
    }

    fn suspend(&mut self, sender: NodeIndex, target: NodeIndex) -> Vec<String> {
        let ticket = TicketId::of_number(u32::try_from(self.tickets.len()).expect("few tickets") + 1);
        self.tickets.insert(target, (ticket, sender));
        self.schedule.suspend(ticket, &[Visit::written(sender)]);
        self.start(target)
    }

    fn end(&mut self, node: NodeIndex, error: Option<Error>) -> Vec<String> {
        let visit = Visit::written(node);
        self.schedule.end(visit);
        self.schedule.leave(visit);
        let resumed = self.deliver(node, error);
        resumed.into_iter().chain(self.begin_ready()).collect()
    }

    /// Answers the ticket of a target that is over.
    fn deliver(&mut self, target: NodeIndex, error: Option<Error>) -> Option<String> {
        let (ticket, sender) = *self.tickets.get(&target)?;
        if let Some(error) = error {
            self.schedule.tickets.fail(ticket, error);
        }
        self.schedule.tickets.deliver(ticket);
        if !self.schedule.can_resume(ticket) {
            return Some(format!("{} has to wait", name(sender)));
        }
        self.tickets.remove(&target);
        let answer = self.schedule.resume(ticket).err().map_or(String::new(), |error| format!(": {error}"));
        Some(format!("{} resumes{answer}", name(sender)))
    }

    fn resume(&mut self, sender: NodeIndex) -> Option<String> {
        let target = self.tickets.iter().find(|(_, (_, by))| *by == sender).map(|(target, _)| *target)?;
        self.deliver(target, None)
    }
}

fn name(node: NodeIndex) -> &'static str {
    &NAMES[node as usize..=node as usize]
}

fn node(name: &str) -> NodeIndex {
    NAMES.find(name).and_then(|node| node.try_into().ok()).expect("a, b, c or d")
}

/// `shared`: `"lock: a b; resource: b c"`, each for one visit at a time. Steps: `start X`, `X notifies Y`, `end X`, `fail X`,
/// `resume X` if it had to wait, `unstick`.
#[track_caller]
fn check(shared: &str, steps: &[(&str, &str)]) {
    let mut permits = Permits::default();
    for (kind, nodes) in shared.split("; ").filter_map(|part| part.split_once(": ")) {
        permits.share(nodes.split(' ').map(node), kind == "resource");
    }
    let graph = Graph::new(NAMES.len(), 0, Vec::new(), FxHashMap::default());
    let schedule = Schedule { permits, ..Schedule::of_graph(&graph, 0, None) };
    let mut scene = Scene { schedule, tickets: BTreeMap::new() };
    for (step, expected) in steps {
        let words: Vec<&str> = step.split(' ').collect();
        let seen = match words[..] {
            ["start", name] => scene.start(node(name)),
            [sender, "notifies", target] => scene.suspend(node(sender), node(target)),
            ["end", name] => scene.end(node(name), None),
            ["fail", name] => scene.end(node(name), Some(Error::failed("broken"))),
            ["resume", name] => scene.resume(node(name)).into_iter().collect(),
            ["unstick"] if scene.schedule.unstick() => scene.begin_ready(),
            _ => vec!["nothing".to_owned()],
        };
        assert_eq!(seen.join(", "), *expected, "{shared}: {step}");
    }
}

#[test]
fn a_sender_is_suspended_until_its_target_is_over() {
    check(
        "",
        &[("start a", "a begins"), ("a notifies b", "b begins"), ("end b", "a resumes"), ("end a", "")],
    );
    check("", &[("start a", "a begins"), ("a notifies b", "b begins"), ("fail b", "a resumes: broken")]);
    let nested = [("start a", "a begins"), ("a notifies b", "b begins"), ("b notifies c", "c begins")];
    let ends = [("end c", "b resumes"), ("end b", "a resumes"), ("end a", "")];
    check("", &[nested, ends].concat());
}

#[test]
fn a_target_borrows_the_locks_of_all_its_senders() {
    let steps =
        [("start a", "a begins"), ("a notifies b", "b begins"), ("end b", "a resumes"), ("end a", "")];
    check("lock: a b", &steps);
    let nested = [("start a", "a begins"), ("a notifies b", "b begins"), ("b notifies c", "c begins")];
    check("lock: a c", &[&nested[..], &[("end c", "b resumes"), ("end b", "a resumes")]].concat());
    // Another visit does not.
    check(
        "lock: a b d",
        &[&steps[..2], &[("start d", "d is parked"), ("end b", "a resumes"), ("end a", "d begins")]].concat(),
    );
}

#[test]
fn a_target_waits_for_its_resource() {
    let steps = [
        ("start c", "c begins"),
        ("start a", "a begins"),
        ("a notifies b", "b is parked"),
        ("end c", "b begins"),
        ("end b", "a resumes"),
    ];
    check("resource: b c", &steps);
}

#[test]
fn a_target_that_its_holder_waits_for_is_refused() {
    // The resource of the sender itself.
    let own = "b is refused, a waits for it, a resumes: a cycle";
    check("resource: a b", &[("start a", "a begins"), ("a notifies b", own)]);
    // Of a sender further out.
    let steps = [
        ("start a", "a begins"),
        ("a notifies b", "b begins"),
        ("b notifies c", "c is refused, a waits for it, b resumes: a cycle"),
        ("end b", "a resumes"),
    ];
    check("resource: a c", &steps);
    // Two senders, each of which notifies the resource of the other: one of them is refused.
    let steps = [
        ("start a", "a begins"),
        ("start b", "b begins"),
        ("a notifies d", "d is parked"),
        ("b notifies c", "c is parked, d is refused, a waits for it, a resumes: a cycle"),
        ("end a", "c begins"),
        ("end c", "b resumes"),
    ];
    check("resource: a c; resource: b d", &steps);
}

#[test]
fn a_parked_target_goes_on_when_nothing_else_can() {
    // The lock of b is held by c, which waits for d, which needs the lock of a.
    let steps = [
        ("start a", "a begins"),
        ("start c", "c begins"),
        ("a notifies b", "b is parked"),
        ("c notifies d", "b is parked, d is parked"),
        ("unstick", "b begins"),
        ("end b", "a resumes"),
        ("end a", "d begins"),
        ("end d", "c resumes"),
        ("unstick", "nothing"),
    ];
    check("lock: a d; lock: b c", &steps);
}
