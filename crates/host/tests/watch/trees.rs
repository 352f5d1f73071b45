//! Trees: everything below a directory.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use uphold_resource::Interest;

use super::scene::{Scene, none, only};

#[test]
fn reports_everything_below() {
    let scene = Scene::new();
    scene.write("t/a/b/f", "");
    scene.write("beside", "");
    scene.watch(1, Interest::Tree(scene.path("t")));
    scene.write("t/a/b/f", "content");
    assert_eq!(scene.changed_paths(), [scene.path("t/a/b/f")]);
    fs::set_permissions(scene.path("t/a"), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(scene.tokens(), only(1), "attributes");
    scene.write("t/new", "");
    assert_eq!(scene.tokens(), only(1), "a name");
    fs::create_dir_all(scene.path("t/x/y/z")).unwrap();
    assert_eq!(scene.tokens(), only(1), "directories");
    scene.write("t/x/y/z/f", "");
    assert_eq!(scene.tokens(), only(1), "in a new directory");
    scene.write("beside", "x");
    assert_eq!(scene.tokens(), none(), "beside it");
}

#[test]
fn reports_moved_directories() {
    let scene = Scene::new();
    scene.write("t/a/b/f", "");
    scene.write("out/c/f", "");
    scene.watch(1, Interest::Tree(scene.path("t")));
    fs::rename(scene.path("t/a"), scene.path("away")).unwrap();
    assert_eq!(scene.tokens(), only(1), "moved out");
    scene.write("away/b/f", "x");
    assert_eq!(scene.tokens(), none(), "the moved directory does not count");
    fs::rename(scene.path("out"), scene.path("t/in")).unwrap();
    assert_eq!(scene.tokens(), only(1), "moved in");
    scene.write("t/in/c/f", "x");
    assert_eq!(scene.changed_paths(), [scene.path("t/in/c/f")]);
    fs::rename(scene.path("t/in"), scene.path("t/renamed")).unwrap();
    assert_eq!(scene.tokens(), only(1), "renamed inside");
    scene.write("t/renamed/c/f", "y");
    assert_eq!(scene.changed_paths(), [scene.path("t/renamed/c/f")]);
    fs::remove_dir_all(scene.path("t")).unwrap();
    assert_eq!(scene.tokens(), only(1), "removed");
    scene.write("t/a/f", "");
    assert_eq!(scene.tokens(), only(1), "back again");
    scene.write("t/a/f", "x");
    assert_eq!(scene.tokens(), only(1), "and watched");
}

#[test]
fn does_not_follow_links_below_the_top() {
    let scene = Scene::new();
    scene.write("t/f", "");
    scene.write("out/f", "");
    symlink("../out", scene.path("t/l")).unwrap();
    symlink("t", scene.path("top")).unwrap();
    scene.watch(1, Interest::Tree(scene.path("top")));
    scene.write("out/f", "x");
    assert_eq!(scene.tokens(), none());
    scene.write("t/f", "x");
    assert_eq!(scene.tokens(), only(1), "the top itself may be a link");
    fs::create_dir(scene.path("t/d")).unwrap();
    assert_eq!(scene.tokens(), only(1));
    scene.write("t/d/f", "x");
    assert_eq!(scene.tokens(), only(1));
    fs::remove_file(scene.path("t/l")).unwrap();
    assert_eq!(scene.tokens(), only(1), "the link itself counts");
}

#[test]
fn does_not_follow_a_directory_that_becomes_a_link() {
    let scene = Scene::new();
    scene.write("t/d/f", "");
    scene.write("out/f", "");
    scene.watch(1, Interest::Tree(scene.path("t")));
    fs::rename(scene.path("t/d"), scene.path("away")).unwrap();
    symlink("../out", scene.path("t/d")).unwrap();
    assert_eq!(scene.tokens(), only(1));
    scene.write("out/f", "x");
    assert_eq!(scene.tokens(), none());
    fs::remove_file(scene.path("t/d")).unwrap();
    scene.write("t/d/f", "");
    assert_eq!(scene.tokens(), only(1));
    scene.write("t/d/f", "x");
    assert_eq!(scene.tokens(), only(1));
}

#[test]
fn watches_trees_and_paths_in_trees() {
    let scene = Scene::new();
    scene.write("t/a/b/f", "");
    scene.watch(1, Interest::Tree(scene.path("t")));
    scene.watch(2, Interest::Tree(scene.path("t/a")));
    scene.watch(3, Interest::Path(scene.path("t/a/b/f")));
    scene.write("t/a/b/f", "x");
    assert_eq!(scene.tokens(), (1..=3).collect());
    scene.watcher.arm(1, &[]).unwrap();
    scene.write("t/a/b/g", "x");
    assert_eq!(scene.tokens(), only(2));
    scene.write("t/h", "x");
    assert_eq!(scene.tokens(), none());
    scene.watch(1, Interest::Tree(scene.path("t")));
    scene.watcher.arm(2, &[]).unwrap();
    scene.write("t/a/b/f", "y");
    assert_eq!(scene.tokens(), [1, 3].into());
}

/// Directories are created and filled at once: the last write must be reported, or be visible after the last report.
#[test]
fn reports_a_tree_that_grows() {
    let scene = Scene::new();
    fs::create_dir(scene.path("t")).unwrap();
    scene.watch(1, Interest::Tree(scene.path("t")));
    for round in 0..200 {
        let file = scene.path(&format!("t/r{round}/x/y/f"));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, "").unwrap();
                fs::write(&file, "whole").unwrap();
            });
            while fs::read(&file).unwrap_or_default() != b"whole" {
                let reports = scene.next(std::time::Duration::from_secs(10));
                assert!(!reports.is_empty(), "round {round}: the last write was not reported");
            }
        });
        scene.tokens();
    }
}

#[test]
fn watches_a_tree_that_does_not_exist_yet() {
    let scene = Scene::new();
    scene.watch(1, Interest::Tree(scene.path("x/t")));
    scene.write("x/t/a/f", "");
    assert_eq!(scene.tokens(), only(1));
    scene.write("x/t/a/f", "x");
    assert_eq!(scene.tokens(), only(1));
}
