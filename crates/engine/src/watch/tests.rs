//! The rules of a watch, as a table: nodes in a line, then steps and their effects.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::ResourceId;
use uphold_resource::Interest;

use super::effect::{Admission, WatchEffect, WatchReport};
use super::health::{Ending, Settled};
use super::shape::{Predecessors, WakeIndex, WatchShape};
use super::state::WatchState;
use crate::event::Wake;
use crate::graph::{Edge, Graph, NodeIndex, Reason};
use crate::request::WatchRequest;
use crate::schedule::Visit;

/// Steps: `report X Y` says that something has changed, `admit X`, `begin X`, then how its visit ended: `well X`, `changed X`
/// or `failed X`; `settle X` when all consequences are over, `again X` if something was reported meanwhile; `wait 2s`.
/// `nodes`: `"d f; f after d"`. All of them are as declared, and watched.
#[track_caller]
fn check(nodes: &str, steps: &[(&str, &str)]) {
    let (names, edges) = nodes.split_once("; ").unwrap_or((nodes, ""));
    let names: Vec<&str> = names.split(' ').collect();
    let node = |name: &str| -> NodeIndex {
        let found = names.iter().position(|known| *known == name).expect("a declared node");
        found.try_into().expect("few nodes")
    };
    let edge = |(after, before): (&str, &str)| Edge::new(node(before), node(after), Reason::DependsOn, None);
    let edges = edges.split("; ").filter_map(|part| part.split_once(" after ")).map(edge).collect();
    let graph = Graph::new(names.len(), 0, edges, FxHashMap::default());
    let shape = WatchShape {
        graph: &graph,
        index: WakeIndex::of_nodes(names.len()),
        predecessors: Predecessors::of(&graph),
        polls: FxHashMap::default(),
        limits: FxHashMap::default(),
    };
    let (request, kept) = (WatchRequest::default(), vec![true; names.len()]);
    let mut now = Duration::ZERO;
    let mut state = WatchState::new(shape, &request, &kept, FxHashSet::default(), now, now);
    state.begin_watching(now);
    for (step, expected) in steps {
        let (verb, rest) = step.split_once(' ').expect("a verb and names");
        if verb == "wait" {
            now += Duration::from_secs(rest.trim_end_matches('s').parse().expect("seconds"));
            state.advance(false, now);
        }
        let visits = rest.split(' ').filter(|_| verb != "wait").map(|name| Visit::woken(node(name)));
        let visits: Vec<Visit> = visits.collect();
        let admissions = visits.into_iter().filter_map(|visit| take_step(&mut state, verb, visit, now));
        let mut seen: Vec<String> = admissions.map(|admission| admitted(admission, &names)).collect();
        seen.extend(state.take_effects().iter().map(|effect| shown(effect, &names)));
        assert_eq!(seen.join(", "), *expected, "{nodes}: {step}");
    }
}

fn take_step(state: &mut WatchState<'_>, verb: &str, visit: Visit, now: Duration) -> Option<Admission> {
    let report = || Interest::Path("/changed".into());
    match verb {
        "report" => state.wake(visit.node, Wake::Reported(report()), now),
        "admit" => return Some(state.admit(visit, None, false)),
        "begin" => state.began(visit),
        "well" => state.ended(visit, Ending::Well, None, now),
        "changed" => state.ended(visit, Ending::Changed, None, now),
        "failed" => state.ended(visit, Ending::Failed, None, now),
        "settle" | "again" => {
            let facts = Settled { values_changed: false, reported: (verb == "again").then(report) };
            let id = ResourceId::new("node", visit.node.to_string());
            state.settled(visit, (visit.node, &id), facts, now);
        }
        _ => panic!("{verb:?} is no step"),
    }
    None
}

fn admitted(admission: Admission, names: &[&str]) -> String {
    match admission {
        Admission::Take => "take".to_owned(),
        Admission::Aside => "aside".to_owned(),
        Admission::Block(root) => format!("blocked by {}", names[root as usize]),
    }
}

fn shown(effect: &WatchEffect, names: &[&str]) -> String {
    let name = |node: NodeIndex| names[node as usize];
    match effect {
        WatchEffect::Due(visit) => format!("due {}", name(visit.node)),
        WatchEffect::DueAt(visit, _) => format!("due {} later", name(visit.node)),
        WatchEffect::Hasten(node) => format!("hasten {}", name(*node)),
        WatchEffect::Report(WatchReport::BackingOff { node, failures, .. }) => {
            format!("{} backs off after {failures}", name(*node))
        }
        other => panic!("{other:?} is not part of these steps"),
    }
}

#[test]
fn a_reported_node_is_visited_once() {
    let steps = [
        ("report a", "due a"),
        ("report a", ""),
        ("admit a", "take"),
        ("begin a", ""),
        ("changed a", ""),
        ("settle a", ""),
        ("report a", "due a"),
    ];
    check("a", &steps);
}

#[test]
fn a_report_during_a_visit_is_not_lost() {
    let begun = [("report a", "due a"), ("admit a", "take"), ("begin a", "")];
    let woken = [("report a", ""), ("well a", ""), ("settle a", "due a")];
    check("a", &[begun, woken].concat());
    check("a", &[&begun[..], &[("well a", ""), ("again a", "due a")]].concat());
}

#[test]
fn a_woken_node_waits_for_woken_dependencies() {
    let steps = [
        ("report f d", "due f, due d"),
        ("admit f", "aside"),
        ("admit d", "take"),
        ("begin d", ""),
        ("changed d", ""),
        ("settle d", "due f"),
        ("admit f", "take"),
    ];
    check("d f; f after d", &steps);
    check("d f", &[("report f d", "due f, due d"), ("admit f", "take"), ("admit d", "take")]);
}

#[test]
fn a_failed_dependency_blocks_until_it_has_recovered() {
    let steps = [
        ("report f d", "due f, due d"),
        ("admit f", "aside"),
        ("admit d", "take"),
        ("begin d", ""),
        ("failed d", "d backs off after 1"),
        ("settle d", "due f"),
        ("admit f", "blocked by d"),
        ("settle f", ""),
        ("report f", ""),
        ("wait 2s", "due d"),
        ("admit d", "take"),
        ("begin d", ""),
        ("well d", ""),
        ("settle d", "due f"),
        ("admit f", "take"),
    ];
    check("d f; f after d", &steps);
}

#[test]
fn each_failure_backs_off_longer() {
    let fail =
        |count: &'static str| [("admit a", "take"), ("begin a", ""), ("failed a", count), ("settle a", "")];
    let mut steps = vec![("report a", "due a")];
    steps.extend(fail("a backs off after 1"));
    steps.push(("wait 2s", "due a"));
    steps.extend(fail("a backs off after 2"));
    steps.extend([("wait 1s", ""), ("wait 2s", "due a")]);
    check("a", &steps);
}
