//! Processes of a program.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use uphold_resource::{Interest, News};

use crate::scene::{Scene, nobody};

/// Longer than the processes are listed again.
const PATIENCE: Duration = Duration::from_secs(20);

/// A shell by another name: the kernel calls a process by the name that it was started with.
fn begin(scene: &Scene, name: &str) -> Child {
    let program = scene.path(name);
    if !program.is_symlink() {
        std::os::unix::fs::symlink("/bin/sh", &program).unwrap();
    }
    let mut command = Command::new(program);
    command.args(["-c", "read -r _"]).stdin(Stdio::piped()).spawn().unwrap()
}

fn told(news: &[News], name: &str) -> bool {
    let expected = News::Changed { token: 1, what: Interest::Process(name.into()) };
    news == [expected]
}

#[test]
fn the_beginning_and_the_end() {
    let scene = Scene::new();
    let name = "uphold-one";
    let mut first = begin(&scene, name);
    scene.watch(1, Interest::Process(name.into()));
    assert_eq!(scene.told(), nobody());
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(told(&scene.news(), name), "the end is told at once");

    let mut second = begin(&scene, name);
    assert!(told(&scene.next(PATIENCE), name), "the beginning");
    assert_eq!(scene.next(Duration::from_millis(2500)), [], "it is told once");
    // It is not fetched: what is only a name does not count as running.
    second.kill().unwrap();
    assert!(told(&scene.next(PATIENCE), name), "the end");
    assert_eq!(scene.next(Duration::from_millis(2500)), [], "it is not found again");
    second.wait().unwrap();
    scene.watcher.arm(1, &[]).unwrap();
    let mut third = begin(&scene, name);
    assert_eq!(scene.next(Duration::from_millis(2500)), [], "nobody wants to know");
    third.kill().unwrap();
    third.wait().unwrap();
}

/// And a beginning that is found because somebody else becomes interested in something else.
#[test]
fn a_name_that_the_kernel_cuts_off() {
    let scene = Scene::new();
    let name = "uphold-with-a-very-long-name";
    scene.watch(1, Interest::Process(name.into()));
    let mut process = begin(&scene, name);
    scene.watch(2, Interest::Process("uphold-no-such".into()));
    assert!(told(&scene.next(PATIENCE), name));
    process.kill().unwrap();
    process.wait().unwrap();
}
