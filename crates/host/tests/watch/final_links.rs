//! Links at the end of a path, which only some interests follow.

use std::fs;
use std::os::unix::fs::{PermissionsExt, lchown, symlink};
use std::path::PathBuf;

use uphold_resource::Interest;

use super::scene::{Scene, none, only};

fn retarget(scene: &Scene, link: &str, target: &str) {
    symlink(target, scene.path("new")).unwrap();
    fs::rename(scene.path("new"), scene.path(link)).unwrap();
}

/// An interest in the path of a link is about the link, not its target.
#[test]
fn a_path_interest_does_not_follow_a_final_link() {
    for target in ["t/file", "t", "chain", "nowhere/at/all"] {
        let scene = Scene::new();
        scene.write("t/file", "");
        symlink("t/file", scene.path("chain")).unwrap();
        symlink(target, scene.path("l")).unwrap();
        scene.watch(1, Interest::Path(scene.path("l")));
        let quiet = |what: &str| assert_eq!(scene.tokens(), none(), "{what} of {target}");
        scene.write("t/file", "content");
        quiet("content");
        fs::set_permissions(scene.path("t"), fs::Permissions::from_mode(0o700)).unwrap();
        quiet("attributes");
        scene.write("new", "");
        fs::rename(scene.path("new"), scene.path("t/file")).unwrap();
        quiet("replacement");
        fs::rename(scene.path("t"), scene.path("away")).unwrap();
        quiet("directory");
        scene.write("nowhere/at/all", "");
        quiet("creation");
        lchown(scene.path("l"), Some(rustix::process::geteuid().as_raw()), None).unwrap();
        assert_eq!(scene.tokens(), only(1), "its own attributes");
        retarget(&scene, "l", "elsewhere");
        assert_eq!(scene.tokens(), only(1), "its target");
        fs::remove_file(scene.path("l")).unwrap();
        assert_eq!(scene.tokens(), only(1), "it vanished");
    }
}

/// The same while other tokens follow the link, and afterwards.
#[test]
fn a_path_interest_beside_interests_that_follow() {
    let scene = Scene::new();
    scene.write("t/file", "");
    symlink("t", scene.path("l")).unwrap();
    symlink("l/file", scene.path("m")).unwrap();
    scene.watch(1, Interest::Path(scene.path("l")));
    scene.watch(2, Interest::Path(scene.path("l/file")));
    scene.watch(3, Interest::Entries(scene.path("l")));
    scene.watch(4, Interest::Path(scene.path("m")));
    scene.watch(5, Interest::Entries(scene.path("m")));
    scene.write("t/file", "content");
    assert_eq!(scene.tokens(), [2, 5].into());
    scene.write("t/other", "");
    assert_eq!(scene.tokens(), only(3));
    fs::set_permissions(scene.path("t"), fs::Permissions::from_mode(0o700)).unwrap();
    assert!(scene.tokens().is_disjoint(&[1, 4].into()), "attributes of its target");
    fs::rename(scene.path("t"), scene.path("away")).unwrap();
    assert_eq!(scene.tokens(), [2, 3, 5].into());
    fs::rename(scene.path("away"), scene.path("t")).unwrap();
    assert_eq!(scene.tokens(), [2, 3, 5].into());
    [2, 3, 5].iter().for_each(|token| scene.watcher.arm(*token, &[]).unwrap());
    scene.write("t/file", "again");
    assert_eq!(scene.tokens(), none());
    retarget(&scene, "l", "elsewhere");
    assert_eq!(scene.tokens(), only(1));
    // And the other way round: first the link itself, then its target.
    scene.watch(2, Interest::Entries(scene.path("m")));
    retarget(&scene, "l", "t");
    assert_eq!(scene.tokens(), [1, 2].into());
    scene.write("t/file", "once more");
    assert_eq!(scene.tokens(), only(2));
}

/// An interest in the entries of a link to a file is about the file: content, attributes and replacement.
#[test]
fn an_entries_interest_follows_a_final_link() {
    let interests: [fn(PathBuf) -> Interest; 2] = [Interest::Entries, Interest::Tree];
    for interest in interests {
        let scene = Scene::new();
        scene.write("t/file", "");
        symlink("t/file", scene.path("l")).unwrap();
        scene.watch(1, interest(scene.path("l")));
        scene.write("t/file", "content");
        assert_eq!(scene.tokens(), only(1), "its target");
        scene.write("t/neighbour", "");
        assert_eq!(scene.tokens(), none(), "beside it");
        fs::set_permissions(scene.path("t/file"), fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(scene.tokens(), only(1), "its attributes");
        scene.write("t/new", "");
        fs::rename(scene.path("t/new"), scene.path("t/file")).unwrap();
        assert_eq!(scene.tokens(), only(1), "another file");
        fs::rename(scene.path("t"), scene.path("away")).unwrap();
        assert_eq!(scene.tokens(), only(1), "the directory of its target");
        scene.write("t/file", "again");
        assert_eq!(scene.tokens(), only(1), "it is back");
        scene.write("t/file", "and again");
        assert_eq!(scene.tokens(), only(1), "it is watched as before");
    }
}
