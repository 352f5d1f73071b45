//! The guarantees of every watcher.

use std::fs;
use std::time::{Duration, Instant};

use uphold_resource::Interest;

use super::scene::{Scene, none, only};

#[test]
fn collects_earlier_changes_immediately() {
    let scene = Scene::new();
    let file = scene.write("f", "");
    scene.watch(1, Interest::Path(file.clone()));
    for round in 0..1000 {
        fs::write(&file, "x").unwrap();
        assert_eq!(scene.tokens(), only(1), "{round}");
        assert_eq!(scene.tokens(), none(), "{round}");
    }
}

#[test]
fn reports_a_burst_once() {
    let scene = Scene::new();
    let file = scene.write("f", "");
    scene.watch(1, Interest::Path(file.clone()));
    for round in 0..1000 {
        fs::write(&file, format!("{round}")).unwrap();
    }
    assert_eq!(scene.reports().len(), 1);
}

/// However often a directory was moved, its entries are probed once.
#[test]
fn a_burst_costs_little() {
    let scene = Scene::new();
    for token in 0..2000 {
        scene.watch(token, Interest::Path(scene.path(&format!("d/{token}"))));
    }
    fs::create_dir(scene.path("d")).unwrap();
    scene.tokens();
    for _ in 0..2000 {
        fs::rename(scene.path("d"), scene.path("away")).unwrap();
        fs::rename(scene.path("away"), scene.path("d")).unwrap();
    }
    let begin = Instant::now();
    assert_eq!(scene.tokens().len(), 2000);
    // Probing eight million files would take much longer.
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    scene.write("d/7", "");
    assert_eq!(scene.tokens(), only(7));
}

#[test]
fn arming_replaces_earlier_interests() {
    let scene = Scene::new();
    let (one, two) = (scene.write("one", ""), scene.write("two", ""));
    scene.watch(1, Interest::Path(one.clone()));
    scene.watch(1, Interest::Path(two.clone()));
    fs::write(&one, "x").unwrap();
    assert_eq!(scene.tokens(), none());
    fs::write(&two, "x").unwrap();
    assert_eq!(scene.tokens(), only(1));
    scene.watcher.arm(1, &[]).unwrap();
    fs::write(&two, "y").unwrap();
    assert_eq!(scene.tokens(), none());
}

#[test]
fn many_tokens_watch_one_path() {
    let scene = Scene::new();
    let file = scene.write("f", "");
    for token in 0..10 {
        scene.watch(token, Interest::Path(file.clone()));
    }
    fs::write(&file, "x").unwrap();
    assert_eq!(scene.tokens(), (0..10).collect());
    for token in 0..9 {
        scene.watcher.arm(token, &[]).unwrap();
    }
    fs::write(&file, "y").unwrap();
    assert_eq!(scene.tokens(), only(9));
}

#[test]
fn a_wait_ends_with_a_change() {
    let scene = Scene::new();
    let file = scene.write("f", "");
    scene.watch(1, Interest::Path(file.clone()));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            fs::write(&file, "x").unwrap();
        });
        let begin = Instant::now();
        assert_eq!(scene.next(Duration::from_secs(30)).len(), 1);
        assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    });
}

#[test]
fn a_wait_ends_after_its_span() {
    let scene = Scene::new();
    let begin = Instant::now();
    // Nothing is watched, so nothing else can end it.
    scene.watcher.wait(Some(Duration::from_millis(30)));
    assert!(begin.elapsed() >= Duration::from_millis(30));
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_nudge_ends_a_wait_or_the_next_one() {
    let scene = Scene::new();
    scene.watcher.nudge();
    scene.watcher.nudge();
    // A collection must not clear it.
    assert_eq!(scene.tokens(), none());
    let begin = Instant::now();
    scene.watcher.wait(Some(Duration::from_secs(30)));
    assert!(begin.elapsed() < Duration::from_secs(10), "the next one");
    scene.watcher.wait(Some(Duration::from_millis(30)));
    assert!(begin.elapsed() >= Duration::from_millis(30), "only one");
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| scene.watcher.wait(None));
        std::thread::sleep(Duration::from_millis(50));
        scene.watcher.nudge();
        waiting.join().unwrap();
    });
}

#[test]
fn ignores_intervals() {
    let scene = Scene::new();
    scene.watch(1, Interest::Interval(Duration::from_millis(1)));
    scene.watcher.wait(Some(Duration::from_millis(20)));
    assert_eq!(scene.tokens(), none());
}
