//! The rules of notifications, as a table: declared notifications, then steps and their effects.

use uphold_model::Action;

use super::*;
use crate::program::list::ActionEntry;

/// `"f now r; f delayed s; g on_success s"`: notifiers are written actions, targets run when they are notified.
struct Scene {
    names: Vec<String>,
    list: ActionList,
    table: NotificationTable,
}

impl Scene {
    fn new(declared: &str) -> Self {
        let rows: Vec<Vec<&str>> = declared.split("; ").map(|row| row.split(' ').collect()).collect();
        let mut names: Vec<String> = Vec::new();
        let mut list = ActionList::default();
        let mut written = 0;
        for name in rows.iter().map(|row| row[0]) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
                list.trigger(ActionEntry::new(written, Action::Converge));
                written += 1;
            }
        }
        for name in rows.iter().map(|row| row[2]) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
                let resource = u32::try_from(names.len() - 1).expect("few resources");
                list.on_request(ActionEntry::new(resource, Action::Converge));
            }
        }
        let node = |name: &str| -> NodeIndex {
            names
                .iter()
                .position(|known| known == name)
                .and_then(|node| node.try_into().ok())
                .expect("a name")
        };
        let notice =
            |row: &Vec<&str>| (node(row[0]), Notice { target: node(row[2]), moment: moment(row[1]) });
        let table = NotificationTable::of_pairs(rows.iter().map(notice));
        Self { names, list, table }
    }

    /// Steps: `changed X`, `unchanged X`, `finished X` for a notification run, `end run`, `watch all`.
    #[track_caller]
    fn check(&self, steps: &[(&str, &str)]) {
        let mut notifications = Notifications::new(&self.table, &self.list, None, self.names.len());
        let mut started: Vec<Visit> = Vec::new();
        for (step, expected) in steps {
            let (verb, name) = step.split_once(' ').expect("a verb and a name");
            let node = self.names.iter().position(|known| known == name).map_or(0, |node| node as u32);
            let (visit, none) = (Visit::written(node), Downstream::default());
            match verb {
                "changed" => notifications.changed(visit, true, &[], none),
                "unchanged" => notifications.settle(visit, None, none),
                "intends" => notifications.intends(visit, false),
                "end" => _ = notifications.end_run(),
                "watch" => notifications.watch(),
                "finished" | "failed" => {
                    let run = started.iter().rposition(|visit| visit.node == node).expect("it was started");
                    let failed = (verb == "failed").then_some(node);
                    notifications.settle(started.remove(run), failed, none);
                }
                _ => panic!("{verb:?} is no step"),
            }
            let out = notifications.take_effects();
            let shown: Vec<String> = out.iter().filter_map(|effect| self.shown(effect)).collect();
            started.extend(out.iter().filter_map(|effect| match effect {
                Effect::Start(visit) | Effect::StartWhenIdle(visit) => Some(*visit),
                _ => None,
            }));
            assert_eq!(shown.join(", "), *expected, "{step}");
        }
    }

    fn shown(&self, effect: &Effect) -> Option<String> {
        let name = |node: NodeIndex| &self.names[node as usize];
        Some(match effect {
            Effect::Start(visit) | Effect::StartWhenIdle(visit) => format!("start {}", name(visit.node)),
            Effect::Proceed(visit) => format!("proceed {}", name(visit.node)),
            Effect::Refuse(visit, root) => format!("refuse {} for {}", name(visit.node), name(*root)),
            Effect::Settle(visit, _) => format!("settle {}", name(visit.node)),
            Effect::GoAhead { .. } | Effect::Verified(..) | Effect::EndGroup(..) | Effect::Resume(_) => {
                return None;
            }
        })
    }
}

fn moment(word: &str) -> Moment {
    match word {
        "before" => Moment::Before,
        "now" => Moment::Immediately,
        "delayed" => Moment::Delayed,
        "on_success" => Moment::OnSuccess,
        _ => panic!("{word:?} is no moment"),
    }
}

/// A handler is skipped if a dependency of it failed: it has not begun, and must not swallow later notifications.
#[test]
fn a_skipped_handler_of_a_watch_is_notified_again() {
    Scene::new("f delayed s").check(&[
        ("watch all", ""),
        ("changed f", "start s, settle f"),
        ("failed s", ""),
        ("changed f", "start s, settle f"),
    ]);
}

#[test]
fn an_immediate_target_runs_before_its_notifier_settles() {
    Scene::new("f now r").check(&[("changed f", "start r"), ("finished r", "settle f")]);
    Scene::new("f now r; f now s").check(&[
        ("changed f", "start r"),
        ("finished r", "start s"),
        ("finished s", "settle f"),
    ]);
    Scene::new("f now r").check(&[("unchanged f", "settle f")]);
}

#[test]
fn a_delayed_target_runs_once_in_the_order_of_the_first_notification() {
    Scene::new("f delayed s; g delayed r; h on_success s").check(&[
        ("changed f", "settle f"),
        ("changed g", "settle g"),
        ("changed h", "settle h"),
        ("end run", "start s"),
        ("finished s", ""),
        ("end run", "start r"),
        ("finished r", ""),
        ("end run", ""),
    ]);
}

#[test]
fn a_change_waits_for_its_before_targets_and_is_refused_if_one_fails() {
    Scene::new("f before r").check(&[("intends f", "start r"), ("finished r", "proceed f")]);
    Scene::new("f before r").check(&[("intends f", "start r"), ("failed r", "refuse f for r")]);
    Scene::new("f now r").check(&[("intends f", "proceed f")]);
}
