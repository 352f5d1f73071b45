//! Links: their targets, and everything on the route.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use uphold_resource::Interest;

use super::scene::{Scene, none, only};

/// Watches `/way/f`, where `way` is a link to `/one/real`.
#[track_caller]
fn check_on(scene: &Scene, top: &Path, target: &Path, act: &dyn Fn(&Path), wakes: bool) {
    scene.write("one/real/f", "");
    scene.write("two/real/f", "");
    symlink(target, scene.path("way")).unwrap();
    scene.watch(1, Interest::Path(top.join("way/f")));
    assert_eq!(scene.tokens(), none());
    act(scene.top());
    assert_eq!(scene.tokens(), if wakes { only(1) } else { none() });
    assert_eq!(scene.tokens(), none());
    if scene.path("way/f").exists() {
        fs::write(scene.path("way/f"), "after").unwrap();
        assert_eq!(scene.tokens(), only(1), "it is watched as before");
    }
}

#[track_caller]
fn check(act: impl Fn(&Path), wakes: bool) {
    let relative = Path::new("one/real");
    let scene = Scene::new();
    check_on(&scene, scene.top(), relative, &act, wakes);
    let scene = Scene::new();
    check_on(&scene, scene.top(), &scene.path("one/real"), &act, wakes);
    let scene = Scene::rooted();
    check_on(&scene, Path::new("/"), relative, &act, wakes);
    // An absolute link stays inside the root.
    let scene = Scene::rooted();
    check_on(&scene, Path::new("/"), Path::new("/one/real"), &act, wakes);
}

fn retarget(top: &Path, target: &str) {
    symlink(target, top.join("new")).unwrap();
    fs::rename(top.join("new"), top.join("way")).unwrap();
}

#[test]
fn watches_a_link_in_the_path() {
    check(|top| fs::write(top.join("one/real/f"), "content").unwrap(), true);
    check(|top| fs::remove_file(top.join("one/real/f")).unwrap(), true);
    check(|top| fs::write(top.join("two/real/f"), "another").unwrap(), false);
    check(|top| retarget(top, "two/real"), true);
    check(|top| retarget(top, "nowhere"), true);
    check(|top| fs::remove_file(top.join("way")).unwrap(), true);
    check(|top| fs::rename(top.join("one/real"), top.join("one/away")).unwrap(), true);
    check(|top| fs::rename(top.join("one"), top.join("away")).unwrap(), true);
    check(
        |top| {
            fs::rename(top.join("one"), top.join("away")).unwrap();
            fs::rename(top.join("two"), top.join("one")).unwrap();
        },
        true,
    );
}

/// The previous target of a link is not watched any more.
#[test]
fn does_not_watch_the_previous_target() {
    let scene = Scene::new();
    scene.write("one/f", "");
    scene.write("two/f", "");
    symlink("one", scene.path("way")).unwrap();
    scene.watch(1, Interest::Path(scene.path("way/f")));
    retarget(scene.top(), "two");
    assert_eq!(scene.tokens(), only(1));
    scene.write("one/f", "old");
    assert_eq!(scene.tokens(), none());
    fs::rename(scene.path("one"), scene.path("gone")).unwrap();
    assert_eq!(scene.tokens(), none());
    scene.write("two/f", "new");
    assert_eq!(scene.tokens(), only(1));
}

#[test]
fn watches_links_to_links() {
    let scene = Scene::new();
    scene.write("deep/down/f", "");
    symlink("down", scene.path("deep/up")).unwrap();
    symlink("deep", scene.path("a")).unwrap();
    symlink("a/up", scene.path("b")).unwrap();
    symlink("./c/../b", scene.path("c2")).unwrap();
    fs::create_dir(scene.path("c")).unwrap();
    scene.watch(1, Interest::Path(scene.path("c2/f")));
    scene.write("deep/down/f", "x");
    assert_eq!(scene.tokens(), only(1));
    scene.write("other/f", "");
    for (link, target) in [("deep/up", "../other"), ("a", "elsewhere"), ("a", "deep"), ("b", "other")] {
        symlink(target, scene.path("new")).unwrap();
        fs::rename(scene.path("new"), scene.path(link)).unwrap();
        assert_eq!(scene.tokens(), only(1), "{link} leads to {target}");
    }
    scene.write("other/f", "y");
    assert_eq!(scene.tokens(), only(1));
}

/// The target of a link can depend on two others that change at once.
#[test]
fn watches_two_links_in_a_replaced_directory() {
    let scene = Scene::new();
    for (set, targets) in [("s1", ["one", "sub"]), ("s2", ["two", "sub"])] {
        fs::create_dir(scene.path(set)).unwrap();
        symlink(format!("../{}", targets[0]), scene.path(set).join("x1")).unwrap();
        symlink(targets[1], scene.path(targets[0])).ok();
    }
    for path in ["one", "two"] {
        fs::remove_file(scene.path(path)).ok();
        scene.write(&format!("{path}/x2real/f"), "");
        symlink("x2real", scene.path(path).join("x2")).unwrap();
    }
    symlink("s1", scene.path("s")).unwrap();
    symlink("s/x1/x2", scene.path("way")).unwrap();
    scene.watch(1, Interest::Path(scene.path("way/f")));
    symlink("s2", scene.path("new")).unwrap();
    fs::rename(scene.path("new"), scene.path("s")).unwrap();
    assert_eq!(scene.tokens(), only(1));
    scene.write("two/x2real/f", "x");
    assert_eq!(scene.tokens(), only(1), "the new target");
    fs::rename(scene.path("two/x2real"), scene.path("two/away")).unwrap();
    assert_eq!(scene.tokens(), only(1), "the route to the new target");
    scene.write("one/x2real/f", "x");
    assert_eq!(scene.tokens(), none(), "the old target");
}

/// One link leads through the other, which changes its target: in any order of processing.
#[test]
fn watches_a_link_that_depends_on_another() {
    for round in 0..20 {
        let scene = Scene::new();
        for (directory, target) in [("d", "../one"), ("new", "../two")] {
            fs::create_dir(scene.path(directory)).unwrap();
            symlink("x2", scene.path(directory).join("x1")).unwrap();
            symlink(target, scene.path(directory).join("x2")).unwrap();
        }
        scene.write("one/sub/f", "");
        scene.write("two/sub/f", "");
        symlink("d/x1/sub", scene.path("way")).unwrap();
        scene.watch(1, Interest::Path(scene.path("way/f")));
        fs::rename(scene.path("d"), scene.path("old")).unwrap();
        fs::rename(scene.path("new"), scene.path("d")).unwrap();
        assert_eq!(scene.tokens(), only(1), "{round}");
        for (from, to) in [("two/sub", "two/away"), ("two/away", "two/sub"), ("two", "away"), ("away", "two")]
        {
            fs::rename(scene.path(from), scene.path(to)).unwrap();
            assert_eq!(scene.tokens(), only(1), "{round}: {from} becomes {to}");
        }
        fs::rename(scene.path("one"), scene.path("gone")).unwrap();
        assert_eq!(scene.tokens(), none(), "{round}: the old target");
    }
}

/// Circles and chains that are too long end, and their links are watched.
#[test]
fn watches_circles() {
    let scene = Scene::new();
    for (link, target) in
        [("a", "b"), ("b", "a"), ("self", "self"), ("in", "in/x"), ("x", "y/q"), ("y", "x/q")]
    {
        symlink(target, scene.path(link)).unwrap();
    }
    symlink(".", scene.path("dot")).unwrap();
    symlink("dot/b2", scene.path("b2")).unwrap();
    for (token, name) in (1..).zip(["a", "self/f", "in/x/f", "x/f", "b2", "dot/dot/b2/f", "dot/dot/dot/f"]) {
        scene.watch(token, Interest::Entries(scene.path(name)));
    }
    fs::remove_file(scene.path("b")).unwrap();
    scene.write("b", "no circle any more");
    assert_eq!(scene.tokens(), only(1));
    scene.write("f", "");
    assert_eq!(scene.tokens(), only(7));
    for token in 1..=7 {
        scene.watcher.arm(token, &[]).unwrap();
    }
}

#[test]
fn watches_a_chain_longer_than_the_kernel_follows() {
    let scene = Scene::new();
    for number in 0..3000 {
        symlink(format!("l{}", number + 1), scene.path(&format!("l{number}"))).unwrap();
    }
    scene.write("l3000", "");
    scene.watch(1, Interest::Entries(scene.path("l0")));
    scene.watch(2, Interest::Entries(scene.path("l2995")));
    for number in 30..45 {
        scene.watch(number, Interest::Entries(scene.path(&format!("l{number}"))));
    }
    scene.write("l3000", "x");
    assert_eq!(scene.tokens(), only(2));
    fs::remove_file(scene.path("l50")).unwrap();
    let tokens = scene.tokens();
    assert!((30..45).all(|number| tokens.contains(&number)), "as far as the kernel would follow: {tokens:?}");
}

#[test]
fn watches_a_long_chain_through_directories() {
    let scene = Scene::new();
    for number in 0..3000 {
        fs::create_dir(scene.path(&format!("d{number}"))).unwrap();
        symlink(format!("../d{}/l", number + 1), scene.path(&format!("d{number}/l"))).unwrap();
    }
    scene.write("d3000/l/f", "");
    scene.watch(1, Interest::Path(scene.path("d0/l/f")));
    scene.watch(2, Interest::Path(scene.path("d2970/l/f")));
    scene.write("d3000/l/f", "x");
    assert_eq!(scene.tokens(), only(2));
    fs::rename(scene.path("d2990"), scene.path("away")).unwrap();
    assert_eq!(scene.tokens(), only(2));
}

/// A file with another hard link can be changed by it, outside of the watched directory.
#[test]
fn watches_a_file_with_two_hard_links() {
    let scene = Scene::new();
    let file = scene.write("d/f", "");
    fs::create_dir(scene.path("e")).unwrap();
    fs::hard_link(&file, scene.path("e/other")).unwrap();
    scene.watch(1, Interest::Path(file.clone()));
    scene.write("e/other", "x");
    assert_eq!(scene.tokens(), only(1), "by its other name");
    fs::write(&file, "y").unwrap();
    assert_eq!(scene.tokens(), only(1), "by its own name");
    scene.write("d/new", "");
    fs::rename(scene.path("d/new"), &file).unwrap();
    assert_eq!(scene.tokens(), only(1), "replaced");
    scene.write("e/other", "z");
    assert_eq!(scene.tokens(), none(), "that is another file now");
    fs::remove_file(&file).unwrap();
    fs::hard_link(scene.path("e/other"), &file).unwrap();
    assert_eq!(scene.tokens(), only(1), "replaced by the other");
    scene.write("e/other", "again");
    assert_eq!(scene.tokens(), only(1), "which is the same again");
}

/// Two paths of one directory share an inotify watch; both are reported.
#[test]
fn watches_two_paths_of_one_directory() {
    let scene = Scene::new();
    let file = scene.write("d/f", "");
    symlink("d", scene.path("l")).unwrap();
    scene.watch(1, Interest::Path(file.clone()));
    scene.watch(2, Interest::Path(scene.path("l/f")));
    fs::write(&file, "x").unwrap();
    assert_eq!(scene.tokens().len(), 2);
    scene.watcher.arm(1, &[]).unwrap();
    fs::write(&file, "y").unwrap();
    assert_eq!(scene.tokens(), only(2));
}
