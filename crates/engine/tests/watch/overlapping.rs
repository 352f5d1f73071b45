//! Several visits at a time: never two of one resource.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use uphold_engine::{Cause, Event, EventKind, Verdict};
use uphold_testkit::MemoryHost;

use crate::stage::{Scene, Stage};
use crate::transcript::Told;

const NAMES: [&str; 4] = ["/d/a", "/d/b", "/d/c", "/d/e"];

/// Who is being visited.
#[derive(Default)]
struct Visitors {
    now: BTreeMap<String, usize>,
    most_of_one: usize,
    most: usize,
}

#[derive(Clone, Default)]
struct Gauge(Arc<(Mutex<Visitors>, Condvar)>);

/// Long enough for another worker to begin what it should not.
const SHORT: Duration = Duration::from_millis(5);
/// After this long nobody believes that another one will come.
const LONG: Duration = Duration::from_secs(5);

impl Gauge {
    fn begin(&self, name: &str) {
        let (visitors, bell) = &*self.0;
        let mut visitors = visitors.lock().unwrap_or_else(PoisonError::into_inner);
        let count = visitors.now.entry(name.to_owned()).or_default();
        *count += 1;
        let of_one = *count;
        visitors.most_of_one = visitors.most_of_one.max(of_one);
        visitors.most = visitors.most.max(visitors.now.values().sum());
        bell.notify_all();
    }

    /// Stays until so many are there, or nobody believes it.
    fn stay(&self, patience: Duration, wanted: usize) {
        let (visitors, bell) = &*self.0;
        let visitors = visitors.lock().unwrap_or_else(PoisonError::into_inner);
        drop(bell.wait_timeout_while(visitors, patience, |visitors| visitors.most < wanted));
    }

    fn end(&self, name: &str) {
        let mut visitors = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        visitors.now.entry(name.to_owned()).and_modify(|count| *count -= 1);
    }

    /// The most visits of one resource, and of all, at a time.
    fn read(&self) -> (usize, usize) {
        let visitors = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        (visitors.most_of_one, visitors.most)
    }
}

/// Stops when so many repairs were made.
fn until(repairs: usize) -> impl FnMut(&Event, &Scene<'_>) {
    let mut left = repairs;
    move |event, scene| match &event.kind {
        EventKind::Watching { .. } => NAMES.iter().for_each(|name| scene.host.tamper(name, "x")),
        EventKind::Finished { cause: Cause::Woken(_), verdict: Verdict::Changed(_), .. } => {
            left = left.saturating_sub(1);
            if left == 0 {
                scene.stop.request();
            }
        }
        _ => {}
    }
}

fn notes(more: &str) -> String {
    NAMES.map(|name| format!("note \"{name}\" {{\n text = \"1\"\n {more}\n}}\n")).concat()
}

/// While each is being looked at, something happens.
#[track_caller]
fn check_alone(happens: impl Fn(&MemoryHost, &str) + Send + Sync + 'static) {
    let gauge = Gauge::default();
    let seen = gauge.clone();
    let stage = Stage::new().jobs(4).answer(move |call, word, name| {
        match word {
            "look" => seen.begin(name),
            "looked" => {
                happens(call.host, name);
                seen.stay(SHORT, usize::MAX);
                seen.end(name);
            }
            _ => {}
        }
        call.succeed("")
    });
    let told = stage.watch_with(&notes(""), stop_after_visits(40));
    let (of_one, all) = gauge.read();
    assert_eq!(of_one, 1, "{:?}", told.lines);
    assert!(all > 1, "several are visited at a time");
    assert!(told.lines_of("~").len() > 20, "each change was noticed: {:?}", told.lines);
    assert!(told.unwatched.is_empty(), "{:?}", told.unwatched);
}

#[test]
fn never_two_visits_of_one_resource() {
    check_alone(|host, name| host.tamper(name, "y"));
}

/// Everything is woken then, also what is being visited.
#[test]
fn never_two_visits_of_one_resource_when_reports_are_lost() {
    check_alone(|host, name| {
        host.tamper(name, "y");
        host.lose_reports();
    });
}

fn stop_after_visits(visits: usize) -> impl FnMut(&Event, &Scene<'_>) {
    let mut left = visits;
    move |event, scene| {
        if matches!(event.kind, EventKind::Finished { .. }) {
            left = left.saturating_sub(1);
            if left == 0 {
                scene.stop.request();
            }
        }
    }
}

/// The most repairs at a time, of four that are tampered with at once.
fn most(more: &str, wanted: usize) -> (usize, Told) {
    let gauge = Gauge::default();
    let seen = gauge.clone();
    let stage = Stage::new().jobs(4).answer(move |call, word, name| {
        match word {
            "write" => {
                seen.begin(name);
                seen.stay(LONG, wanted);
                seen.stay(SHORT, wanted + 1);
            }
            "wrote" => seen.end(name),
            _ => {}
        }
        call.succeed("")
    });
    let told = stage.watch_with(&notes(more), until(4));
    (gauge.read().1, told)
}

#[test]
fn repairs_go_on_side_by_side() {
    let (most, told) = most("", 2);
    assert!(most >= 2, "{most}: {:?}", told.lines);
    NAMES.iter().for_each(|name| assert_eq!(told.text(name).as_deref(), Some("1"), "{name}"));
}

#[test]
fn a_lock_holds_across_repairs() {
    let (most, told) = most("lock = \"l\"", 1);
    assert_eq!(most, 1, "{:?}", told.lines);
    NAMES.iter().for_each(|name| assert_eq!(told.text(name).as_deref(), Some("1"), "{name}"));
}

#[test]
fn a_lock_for_two_lets_two_through() {
    assert_eq!(most("lock = { name = \"l\", most = 2 }", 2).0, 2);
}
