//! Mounts over watched paths.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use uphold_resource::Interest;

use super::alone::alone_in_namespaces;
use super::scene::{Scene, none, only};

/// A separate file system for the scenes.
const FRESH: &str = "mount -t tmpfs none /dev/shm";

#[test]
fn reports_mounts_over_watched_paths() {
    alone_in_namespaces("mounts::reports_mounts_over_watched_paths", &["--mount"], FRESH, in_its_own_mounts);
}

#[test]
fn reports_mounts_below_a_root() {
    let check = || check(&Scene::rooted(), "/".as_ref());
    alone_in_namespaces("mounts::reports_mounts_below_a_root", &["--mount"], FRESH, check);
}

fn run(scene: &Scene, command: &str) {
    let mut words = command.split(' ');
    let status = Command::new(words.next().unwrap()).args(words).current_dir(scene.top()).status().unwrap();
    assert!(status.success(), "{command}");
}

/// `f` in the directory that is mounted over, by its own path and by a link.
fn check(scene: &Scene, top: &std::path::Path) {
    scene.write("d/sub/f", "");
    symlink("d", scene.path("l")).unwrap();
    scene.watch(1, Interest::Path(top.join("d/sub/f")));
    scene.watch(2, Interest::Path(top.join("l/sub/f")));
    let both = || [1, 2].into();
    run(scene, "mount -t tmpfs none d/sub");
    assert_eq!(scene.tokens(), both(), "mounted");
    scene.write("d/sub/f", "");
    assert_eq!(scene.tokens(), both(), "in the mounted file system");
    run(scene, "umount d/sub");
    assert_eq!(scene.tokens(), both(), "unmounted");
    scene.write("d/sub/f", "x");
    assert_eq!(scene.tokens(), both(), "in the original directory");
    run(scene, "mount -t tmpfs none l");
    assert_eq!(scene.tokens(), both(), "further up");
    run(scene, "umount d");
    assert_eq!(scene.tokens(), both());
    fs::create_dir(scene.path("elsewhere")).unwrap();
    run(scene, "mount -t tmpfs none elsewhere");
    assert_eq!(scene.tokens(), none(), "elsewhere");
}

fn in_its_own_mounts() {
    let scene = Scene::new();
    check(&scene, scene.top());
    single_files(&scene);
    // A wait sees it, and the next collection reports it.
    run(&scene, "mount -t tmpfs none d");
    scene.watcher.wait(None);
    assert_eq!(scene.tokens(), [1, 2].into());
}

/// As in containers: a single file is mounted, and its directory does not see its changes.
fn single_files(scene: &Scene) {
    let file = scene.write("etc/hosts", "");
    scene.write("source/hosts", "");
    scene.watch(3, Interest::Path(file.clone()));
    run(scene, "mount --bind source/hosts etc/hosts");
    assert_eq!(scene.tokens(), only(3), "mounted");
    scene.write("source/hosts", "x");
    assert_eq!(scene.tokens(), only(3), "changed by its other path");
    scene.watch(4, Interest::Path(file));
    scene.write("etc/hosts", "y");
    assert_eq!(scene.tokens(), [3, 4].into(), "changed by its own path");
    run(scene, "umount etc/hosts");
    assert_eq!(scene.tokens(), [3, 4].into());
    scene.write("source/hosts", "z");
    assert_eq!(scene.tokens(), none());
}
