//! The rules of the schedule, as a table: a program in a line, then steps and their results.

use rustc_hash::FxHashMap;

use super::*;
use crate::graph::{Edge, Graph, Reason};

/// `"a b c; c after a; lock x: b c"`: written nodes, then dependencies and locks.
fn graph_and_permits(program: &str) -> (Vec<String>, Graph, Permits) {
    let mut parts = program.split(';').map(str::trim);
    let names: Vec<String> = parts.next().unwrap_or_default().split(' ').map(str::to_owned).collect();
    let node = |name: &str| -> NodeIndex {
        let found = names.iter().position(|known| known == name).expect("a declared node");
        found.try_into().expect("few nodes")
    };
    let (mut edges, mut permits) = (Vec::new(), Permits::default());
    for part in parts {
        match (part.split_once(" after "), part.split_once(": ")) {
            (Some((after, before)), _) => {
                edges.push(Edge::new(node(before), node(after), Reason::DependsOn, None));
            }
            (None, Some((kind, holders))) => {
                permits.share(holders.split(' ').map(node), kind.starts_with("resource"));
            }
            (None, None) => panic!("{part:?} is neither a dependency nor a lock"),
        }
    }
    let graph = Graph::new(names.len(), 0, edges, FxHashMap::default());
    (names, graph, permits)
}

/// Steps: `next` begins the next visit, `done X` concludes one, `suspend X` lets it wait for another one, `unstick` lets a
/// parked one go on.
#[track_caller]
fn check(program: &str, steps: &[(&str, &str)]) {
    let (names, graph, permits) = graph_and_permits(program);
    let all = names.len().try_into().expect("few nodes");
    let mut schedule = Schedule { permits, ..Schedule::of_graph(&graph, all, None) };
    let mut first = schedule.walk.first();
    assert_eq!(schedule.set_free(&mut first), None);
    for (step, expected) in steps {
        let visit = |name: &str| {
            let node = names.iter().position(|known| known == name).expect("a declared node");
            Visit::written(node.try_into().expect("few nodes"))
        };
        let seen = match step.split_once(' ') {
            Some(("suspend", name)) => {
                schedule.suspend(ticket(visit(name)), &[visit(name)]);
                schedule.tickets.deliver(ticket(visit(name)));
                String::new()
            }
            Some(("resume", name)) if !schedule.can_resume(ticket(visit(name))) => "not yet".to_owned(),
            Some(("resume", name)) => {
                schedule.resume(ticket(visit(name))).expect("nothing failed");
                "it goes on".to_owned()
            }
            Some(("done", name)) => {
                let visit = visit(name);
                schedule.end(visit);
                schedule.leave(visit);
                schedule.conclude(visit.node);
                let mut freed = schedule.walk.release(visit.node, Downstream::default());
                let names: Vec<&str> = freed.iter().map(|freed| freed_name(&names, *freed)).collect();
                let text = names.join(" ");
                assert_eq!(schedule.set_free(&mut freed), None);
                text
            }
            _ if *step == "unstick" => schedule.unstick().to_string(),
            _ => next(&mut schedule, &names),
        };
        assert_eq!(seen, *expected, "{program}: {step}");
    }
}

fn ticket(visit: Visit) -> TicketId {
    TicketId::of_number(visit.node)
}

fn next(schedule: &mut Schedule<'_>, names: &[String]) -> String {
    while let Some(visit) = schedule.ready.pop(Pick::Any) {
        if schedule.take(visit, &[]) == Taken::Yes {
            schedule.begin(visit);
            return names[visit.node as usize].clone();
        }
    }
    "nothing".to_owned()
}

fn freed_name(names: &[String], freed: Freed) -> &str {
    match freed {
        Freed::Node(node) => &names[node as usize],
        Freed::GroupEnd(_) => "the end of a group",
    }
}

#[test]
fn dependents_wait_and_written_order_decides() {
    check("a b c; c after a; b after a", &[("next", "a"), ("next", "nothing"), ("done a", "b c")]);
    check("a b c; a after c", &[("next", "b"), ("next", "c"), ("done c", "a"), ("next", "a")]);
    check("a b c; c after a; c after b", &[("next", "a"), ("next", "b"), ("done b", ""), ("done a", "c")]);
}

#[test]
fn a_lock_is_held_by_one_visit_at_a_time() {
    let steps = [("next", "a"), ("next", "b"), ("next", "nothing"), ("done a", ""), ("next", "c")];
    check("a b c; lock x: a c", &steps);
    // All permits or none: b holds nothing while it waits for x.
    let steps =
        [("next", "a"), ("next", "c"), ("done a", ""), ("next", "nothing"), ("done c", ""), ("next", "b")];
    check("a b c; lock x: a b; lock y: b c", &steps);
}

#[test]
fn a_parked_visit_goes_on_when_nothing_else_can() {
    let steps = [
        ("next", "a"),
        ("next", "nothing"),
        ("suspend a", ""),
        ("unstick", "true"),
        ("next", "b"),
        ("resume a", "not yet"),
        ("done b", ""),
        ("resume a", "it goes on"),
    ];
    check("a b; lock x: a b", &steps);
    check("a", &[("next", "a"), ("unstick", "false")]);
}
