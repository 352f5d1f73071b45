//! Several visits at the same time, but never two of one resource.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use uphold_engine::{Cause, Event, EventKind, Verdict};
use uphold_testkit::MemoryHost;

use super::stage::{Scene, Stage};
use super::transcript::Transcript;

const NAMES: [&str; 4] = ["/d/a", "/d/b", "/d/c", "/d/e"];

/// The resources that are being visited.
#[derive(Default)]
struct Visitors {
    now: BTreeMap<String, usize>,
    most_of_one: usize,
    most: usize,
}

#[derive(Clone, Default)]
struct Gauge(Arc<(Mutex<Visitors>, Condvar)>);

/// Long enough for another worker to start a visit that it must not start.
const SHORT: Duration = Duration::from_millis(5);
/// Timeout for another visit that is expected.
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

    /// Waits until this many visits are running, or the timeout.
    fn stay(&self, patience: Duration, wanted: usize) {
        let (visitors, bell) = &*self.0;
        let visitors = visitors.lock().unwrap_or_else(PoisonError::into_inner);
        drop(bell.wait_timeout_while(visitors, patience, |visitors| visitors.most < wanted));
    }

    fn end(&self, name: &str) {
        let mut visitors = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        visitors.now.entry(name.to_owned()).and_modify(|count| *count -= 1);
    }

    /// The most simultaneous visits of one resource, and of all.
    fn read(&self) -> (usize, usize) {
        let visitors = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        (visitors.most_of_one, visitors.most)
    }
}

/// Stops the watch after this many repairs.
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

/// While each is being loaded, an event arrives.
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
    let transcript = stage.watch_with(&notes(""), stop_after_visits(40));
    let (of_one, all) = gauge.read();
    assert_eq!(of_one, 1, "{:?}", transcript.lines);
    assert!(all > 1, "several are visited at a time");
    assert!(transcript.lines_of("~").len() > 20, "each change was noticed: {:?}", transcript.lines);
    assert!(transcript.unwatched.is_empty(), "{:?}", transcript.unwatched);
}

#[test]
fn never_two_visits_of_one_resource() {
    check_alone(|host, name| host.tamper(name, "y"));
}

/// All resources are woken, also those that are being visited.
#[test]
fn never_two_visits_of_one_resource_after_lost_events() {
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

/// The most simultaneous repairs, of four files that are changed at the same time.
fn most(more: &str, wanted: usize) -> (usize, Transcript) {
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
    let transcript = stage.watch_with(&notes(more), until(4));
    (gauge.read().1, transcript)
}

#[test]
fn repairs_run_in_parallel() {
    let (most, transcript) = most("", 2);
    assert!(most >= 2, "{most}: {:?}", transcript.lines);
    NAMES.iter().for_each(|name| assert_eq!(transcript.text(name).as_deref(), Some("1"), "{name}"));
}

#[test]
fn a_lock_limits_repairs() {
    let (most, transcript) = most("lock = \"l\"", 1);
    assert_eq!(most, 1, "{:?}", transcript.lines);
    NAMES.iter().for_each(|name| assert_eq!(transcript.text(name).as_deref(), Some("1"), "{name}"));
}

#[test]
fn a_lock_for_two_allows_two_repairs() {
    assert_eq!(most("lock = { name = \"l\", most = 2 }", 2).0, 2);
}
