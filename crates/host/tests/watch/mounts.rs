//! What is mounted over what is watched.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use uphold_resource::Interest;

use crate::alone::alone_in_namespaces;
use crate::scene::{Scene, nobody, only};

/// A place of its own for the scenes.
const FRESH: &str = "mount -t tmpfs none /dev/shm";

#[test]
fn over_what_is_watched() {
    alone_in_namespaces("mounts::over_what_is_watched", &["--mount"], FRESH, in_its_own_mounts);
}

#[test]
fn below_a_root() {
    let check = || check(&Scene::rooted(), "/".as_ref());
    alone_in_namespaces("mounts::below_a_root", &["--mount"], FRESH, check);
}

fn run(scene: &Scene, command: &str) {
    let mut words = command.split(' ');
    let status = Command::new(words.next().unwrap()).args(words).current_dir(scene.top()).status().unwrap();
    assert!(status.success(), "{command}");
}

/// `f` in the directory that is mounted over, by its own way and by a link.
fn check(scene: &Scene, top: &std::path::Path) {
    scene.write("d/sub/f", "");
    symlink("d", scene.path("l")).unwrap();
    scene.watch(1, Interest::Path(top.join("d/sub/f")));
    scene.watch(2, Interest::Path(top.join("l/sub/f")));
    let both = || [1, 2].into();
    run(scene, "mount -t tmpfs none d/sub");
    assert_eq!(scene.told(), both(), "mounted");
    scene.write("d/sub/f", "");
    assert_eq!(scene.told(), both(), "in what is mounted");
    run(scene, "umount d/sub");
    assert_eq!(scene.told(), both(), "unmounted");
    scene.write("d/sub/f", "x");
    assert_eq!(scene.told(), both(), "in what was there before");
    run(scene, "mount -t tmpfs none l");
    assert_eq!(scene.told(), both(), "further up");
    run(scene, "umount d");
    assert_eq!(scene.told(), both());
    fs::create_dir(scene.path("elsewhere")).unwrap();
    run(scene, "mount -t tmpfs none elsewhere");
    assert_eq!(scene.told(), nobody(), "elsewhere");
}

fn in_its_own_mounts() {
    let scene = Scene::new();
    check(&scene, scene.top());
    single_files(&scene);
    // A wait hears of it, and the next collection tells.
    run(&scene, "mount -t tmpfs none d");
    scene.watcher.wait(None);
    assert_eq!(scene.told(), [1, 2].into());
}

/// As containers have it: a single file of another place is mounted, and the directory does not hear of changes.
fn single_files(scene: &Scene) {
    let file = scene.write("etc/hosts", "");
    scene.write("source/hosts", "");
    scene.watch(3, Interest::Path(file.clone()));
    run(scene, "mount --bind source/hosts etc/hosts");
    assert_eq!(scene.told(), only(3), "mounted");
    scene.write("source/hosts", "x");
    assert_eq!(scene.told(), only(3), "changed at its other place");
    scene.watch(4, Interest::Path(file));
    scene.write("etc/hosts", "y");
    assert_eq!(scene.told(), [3, 4].into(), "changed at its own place");
    run(scene, "umount etc/hosts");
    assert_eq!(scene.told(), [3, 4].into());
    scene.write("source/hosts", "z");
    assert_eq!(scene.told(), nobody());
}
