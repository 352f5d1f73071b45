use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use uphold_host::LocalHost;
use uphold_resource::{Access, ErrorKind, FileEdits, Files};

use super::ground::{Ground, OTHER_USER, fifo, is_root, refused, set_access, text};

#[test]
fn creates_and_replaces_symbolic_links() {
    let ground = Ground::new();
    let path = ground.path("link");
    let points_to = |target: &str| assert_eq!(std::fs::read_link(&path).unwrap(), Path::new(target));
    ground.host.make_link(&path, Path::new("nowhere")).unwrap();
    points_to("nowhere");
    ground.host.make_link(&path, Path::new("elsewhere")).unwrap();
    points_to("elsewhere");
    std::fs::remove_file(&path).unwrap();
    ground.file("link", "a file", 0o600);
    ground.host.make_link(&path, Path::new("/again")).unwrap();
    points_to("/again");
    ground.directory("d", 0o700);
    refused(ground.host.make_link(&ground.path("d"), Path::new("x")), ErrorKind::WrongType);
    fifo(&ground.path("pipe"));
    refused(ground.host.make_link(&ground.path("pipe"), Path::new("x")), ErrorKind::WrongType);
    assert_eq!(ground.names(), ["d", "link", "pipe"]);
}

#[test]
fn creates_and_replaces_hard_links() {
    let ground = Ground::new();
    let target = ground.file("target", "content", 0o600);
    let path = ground.path("name");
    for turn in 1..=3 {
        ground.host.make_hard_link(&path, &target).unwrap();
        assert_eq!(target.metadata().unwrap().nlink(), 2, "turn {turn}");
        assert_eq!(ground.names(), ["name", "target"], "turn {turn}");
    }
    ground.write(&path, "other").unwrap();
    ground.host.make_hard_link(&path, &target).unwrap();
    assert_eq!(text(&path), "content");
    refused(ground.host.make_hard_link(&path, &ground.path("none")), ErrorKind::Missing);
    refused(ground.host.make_hard_link(&path, &ground.path("")), ErrorKind::WrongType);
}

#[test]
fn follows_a_link_in_a_safe_directory() {
    let ground = Ground::new();
    ground.directory("real/deep", 0o755);
    let safe = ground.directory("safe", 0o755);
    symlink("../real", safe.join("relative")).unwrap();
    symlink(ground.path("real"), safe.join("absolute")).unwrap();
    symlink("relative", safe.join("chain")).unwrap();
    for name in ["relative", "absolute", "chain", "chain/../real"] {
        let path = safe.join(name).join("deep/file");
        ground.write(&path, name).unwrap();
        assert_eq!(text(&ground.path("real/deep/file")), name);
    }
}

#[test]
fn a_loop_of_links_is_an_error() {
    let ground = Ground::new();
    symlink("b", ground.path("a")).unwrap();
    symlink("a", ground.path("b")).unwrap();
    refused(ground.write(&ground.path("a/file"), "x"), ErrorKind::Failed);
}

#[test]
fn does_not_follow_planted_links() {
    let ground = Ground::new();
    let victim = ground.directory("victim", 0o755);
    let treasure = ground.file("victim/file", "treasure", 0o644);
    for mode in [0o777, 0o1777, 0o775, 0o2775] {
        let open = ground.directory(&format!("open-{mode:o}"), mode);
        symlink(&victim, open.join("sub")).unwrap();
        let path = open.join("sub/file");
        let access = Access { mode: Some(0o777), ..Access::default() };
        let error = refused(ground.write(&path, "x"), ErrorKind::UnsafeLink);
        assert!(error.advice().is_some() && error.chain().contains(open.join("sub").to_str().unwrap()));
        refused(ground.host.make_directory(&open.join("sub/new"), &access), ErrorKind::UnsafeLink);
        refused(ground.host.make_link(&path, Path::new("x")), ErrorKind::UnsafeLink);
        refused(ground.host.make_hard_link(&path, &treasure), ErrorKind::UnsafeLink);
        refused(ground.host.make_hard_link(&ground.path("n"), &path), ErrorKind::UnsafeLink);
        refused(set_access(&ground.host, &path, &access), ErrorKind::UnsafeLink);
        refused(ground.host.copy(&path, &ground.path("n")), ErrorKind::UnsafeLink);
        refused(ground.host.copy(&treasure, &path), ErrorKind::UnsafeLink);
        refused(ground.host.remove_file(&path), ErrorKind::UnsafeLink);
        refused(ground.host.remove_directory(&path), ErrorKind::UnsafeLink);
        refused(ground.host.remove_tree(&path), ErrorKind::UnsafeLink);
    }
    assert_eq!(text(&treasure), "treasure");
    assert_eq!(crate::host::ground::names(&victim), ["file"]);
    assert!(!ground.path("n").exists());
}

/// Content that is read may be written to where others can read it.
#[test]
fn does_not_read_content_through_planted_links() {
    let ground = Ground::new();
    let victim = ground.directory("victim", 0o700);
    ground.file("victim/file", "treasure", 0o600);
    for mode in [0o777, 0o1777] {
        let open = ground.directory(&format!("open-{mode:o}"), mode);
        symlink(&victim, open.join("sub")).unwrap();
        let path = open.join("sub/file");
        let error = refused(ground.host.read(&path, 0), ErrorKind::UnsafeLink);
        assert!(error.chain().contains(open.join("sub").to_str().unwrap()), "{}", error.chain());
        assert!(!error.advice().unwrap().contains(victim.to_str().unwrap()));
        refused(ground.host.read(&path, 8), ErrorKind::UnsafeLink);
        refused(ground.host.open(&path).map(drop), ErrorKind::UnsafeLink);
        let overlay = LocalHost::new().machine().overlay();
        refused(overlay.files.read(&path, 0), ErrorKind::UnsafeLink);
        refused(overlay.files.open(&path).map(drop), ErrorKind::UnsafeLink);
    }
}

#[test]
fn reads_content_through_own_links() {
    let ground = Ground::new();
    ground.directory("real", 0o755);
    ground.file("real/file", "content", 0o644);
    // A group without other members is no danger.
    for mode in [0o755, 0o700, 0o775] {
        let own = ground.directory(&format!("own-{mode:o}"), mode);
        symlink("../real", own.join("sub")).unwrap();
        let path = own.join("sub/file");
        assert_eq!(ground.host.read(&path, 7).unwrap(), b"content", "{mode:o}");
        let overlay = LocalHost::new().machine().overlay();
        assert_eq!(overlay.files.read(&path, 0).unwrap(), b"content", "{mode:o}");
        ground.host.open(&path).map(drop).unwrap();
    }
    assert!(ground.host.read(Path::new("/proc/self/status"), 0).is_ok());
}

#[test]
fn does_not_read_content_through_links_of_others() {
    if !is_root("does_not_read_content_through_links_of_others") {
        return;
    }
    let ground = Ground::new();
    let victim = ground.directory("victim", 0o700);
    ground.file("victim/file", "treasure", 0o600);
    let home = ground.directory("home", 0o755);
    symlink(&victim, home.join("sub")).unwrap();
    ground.file("home/file", "no link, no danger", 0o644);
    std::os::unix::fs::chown(&home, Some(OTHER_USER), Some(OTHER_USER)).unwrap();
    refused(ground.host.read(&home.join("sub/file"), 0), ErrorKind::UnsafeLink);
    refused(ground.host.read(&home.join("sub/../sub/file"), 0), ErrorKind::UnsafeLink);
    ground.host.read(&home.join("file"), 0).unwrap();
}

#[test]
fn does_not_follow_a_link_in_a_directory_of_another_user() {
    if !is_root("does_not_follow_a_link_in_a_directory_of_another_user") {
        return;
    }
    let ground = Ground::new();
    let victim = ground.directory("victim", 0o755);
    let home = ground.directory("home", 0o755);
    symlink(&victim, home.join("sub")).unwrap();
    std::os::unix::fs::chown(&home, Some(OTHER_USER), Some(OTHER_USER)).unwrap();
    refused(ground.write(&home.join("sub/file"), "x"), ErrorKind::UnsafeLink);
    ground.write(&home.join("file"), "no link, no danger").unwrap();
}

#[test]
fn removes_a_final_link_without_following_it() {
    let ground = Ground::new();
    let target = ground.file("target", "x", 0o600);
    symlink(&target, ground.path("link")).unwrap();
    ground.host.remove_file(&ground.path("link")).unwrap();
    ground.directory("d", 0o700);
    symlink(ground.path("d"), ground.path("link")).unwrap();
    ground.host.remove_tree(&ground.path("link")).unwrap();
    assert_eq!(ground.names(), ["d", "target"]);
    refused(ground.host.remove_file(&ground.path("d")), ErrorKind::WrongType);
    refused(ground.host.remove_file(&ground.path("none")), ErrorKind::Missing);
    refused(ground.host.remove_directory(&target), ErrorKind::WrongType);
    ground.host.remove_directory(&ground.path("d")).unwrap();
    assert_eq!(ground.host.look(&ground.path("d")).unwrap(), None);
}
