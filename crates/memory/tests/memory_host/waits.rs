//! Waits for reports.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use uphold_memory::MemoryHost;
use uphold_resource::{Clock, Interest, Watcher};

use super::machine;

const MINUTE: Duration = Duration::from_secs(60);

fn watched() -> (MemoryHost, Arc<dyn Watcher>) {
    let host = machine();
    let watcher = host.machine().watchers.watcher().expect("it can be watched");
    watcher.arm(0, &[Interest::Path("/etc/motd".into())]).expect("there are watches");
    (host, watcher)
}

/// Counts the waits.
fn counted(host: &MemoryHost) -> Arc<AtomicUsize> {
    let waits = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&waits);
    host.on_wait(move |_, _| _ = count.fetch_add(1, Ordering::Relaxed));
    waits
}

#[test]
fn a_wait_advances_the_clock() {
    let (host, watcher) = watched();
    watcher.wait(Some(MINUTE));
    assert_eq!(host.elapsed(), MINUTE);
}

#[test]
#[should_panic(expected = "a wait without a limit would never end")]
fn a_wait_without_a_limit_panics() {
    watched().1.wait(None);
}

#[test]
fn a_wait_runs_its_script() {
    let (host, watcher) = watched();
    host.on_wait(|host, span| {
        host.advance(span.unwrap_or(MINUTE) / 2);
        host.tamper("/etc/motd", "tampered");
    });
    watcher.wait(None);
    assert_eq!(host.elapsed(), MINUTE / 2);
    let mut count = 0;
    watcher.collect(&mut |_| count += 1);
    assert_eq!(count, 1);
    assert_eq!(host.snapshot().content(Path::new("/etc/motd")), Some(b"tampered".as_slice()));
}

#[test]
fn does_not_wait_while_there_is_something_to_collect() {
    let (host, watcher) = watched();
    let waits = counted(&host);
    host.tamper("/etc/motd", "x");
    watcher.wait(None);
    watcher.wait(None);
    assert_eq!(waits.load(Ordering::Relaxed), 0);
    watcher.collect(&mut |_| {});
    watcher.wait(None);
    assert_eq!(waits.load(Ordering::Relaxed), 1);
}

#[test]
fn a_nudge_ends_one_wait() {
    let (host, watcher) = watched();
    let waits = counted(&host);
    watcher.nudge();
    watcher.nudge();
    watcher.wait(None);
    assert_eq!(waits.load(Ordering::Relaxed), 0);
    watcher.wait(None);
    assert_eq!(waits.load(Ordering::Relaxed), 1);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "another thread reports during the sleep")]
fn a_real_wait_ends_with_a_report() {
    let (host, watcher) = watched();
    host.wait_for_real();
    watcher.wait(Some(Duration::from_millis(1)));
    assert_eq!(host.elapsed(), Duration::from_millis(1), "it timed out");
    for action in [|host: &MemoryHost| host.tamper("/etc/motd", "x"), |host: &MemoryHost| host.lose_reports()]
    {
        std::thread::scope(|scope| {
            scope.spawn(|| action(&host));
            watcher.wait(None);
        });
        let mut count = 0;
        watcher.collect(&mut |_| count += 1);
        assert_eq!(count, 1);
    }
    assert_eq!(host.elapsed(), Duration::from_millis(1), "it did not time out again");
}
