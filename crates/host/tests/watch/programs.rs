//! Processes of a program.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use uphold_resource::{Interest, WatchEvent};

use super::scene::{Scene, none};

/// Longer than the interval between listings.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Starts a shell by another name: the kernel names a process by the file that it executes.
fn begin(scene: &Scene, name: &str) -> Child {
    let program = scene.path(name);
    if !program.is_symlink() {
        std::os::unix::fs::symlink("/bin/sh", &program).unwrap();
    }
    let mut command = Command::new(program);
    command.args(["-c", "read -r _"]).stdin(Stdio::piped()).spawn().unwrap()
}

fn tokens(reports: &[WatchEvent], name: &str) -> bool {
    let expected = WatchEvent::Changed { token: 1, what: Interest::Process(name.into()) };
    reports == [expected]
}

#[test]
fn reports_start_and_end_of_a_process() {
    let scene = Scene::new();
    let name = "uphold-one";
    let mut first = begin(&scene, name);
    scene.watch(1, Interest::Process(name.into()));
    assert_eq!(scene.tokens(), none());
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(tokens(&scene.reports(), name), "the end is reported immediately");

    let mut second = begin(&scene, name);
    assert!(tokens(&scene.next(TIMEOUT), name), "the start");
    assert_eq!(scene.next(Duration::from_millis(2500)), [], "it is reported once");
    // It is not reaped: a zombie does not count as running.
    second.kill().unwrap();
    assert!(tokens(&scene.next(TIMEOUT), name), "the end");
    assert_eq!(scene.next(Duration::from_millis(2500)), [], "it is not found again");
    second.wait().unwrap();
    scene.watcher.arm(1, &[]).unwrap();
    let mut third = begin(&scene, name);
    assert_eq!(scene.next(Duration::from_millis(2500)), [], "no token is interested");
    third.kill().unwrap();
    third.wait().unwrap();
}

/// Also a start that is found because another token becomes interested in another program.
#[test]
fn recognises_a_truncated_name() {
    let scene = Scene::new();
    let name = "uphold-with-a-very-long-name";
    scene.watch(1, Interest::Process(name.into()));
    let mut process = begin(&scene, name);
    scene.watch(2, Interest::Process("uphold-no-such".into()));
    assert!(tokens(&scene.next(TIMEOUT), name));
    process.kill().unwrap();
    process.wait().unwrap();
}
