use std::os::unix::fs::symlink;

use rustix::fs::{AtFlags, Mode, OFlags};
use uphold_resource::{ErrorKind, FileEdits, NewFile};

use super::ground::{Ground, fifo, is_root, plain, refused, text};

#[test]
fn removes_everything_inside_and_nothing_outside() {
    let ground = Ground::new();
    let outside = ground.directory("outside", 0o755);
    let kept = ground.file("outside/file", "kept", 0o644);
    let tree = ground.directory("tree/a/b", 0o755);
    for count in 0..500 {
        ground.file(&format!("tree/a/file{count}"), "", 0o600);
        ground.directory(&format!("tree/d{count}/e"), 0o700);
    }
    symlink(&outside, tree.join("link")).unwrap();
    std::fs::hard_link(&kept, tree.join("hard")).unwrap();
    fifo(&tree.join("pipe"));
    ground.host.remove_tree(&ground.path("tree")).unwrap();
    assert_eq!((ground.names(), text(&kept)), (vec!["outside".to_owned()], "kept".into()));
    refused(ground.host.remove_tree(&ground.path("tree")), ErrorKind::Missing);
    ground.host.remove_tree(&kept).unwrap();
    refused(ground.host.remove_tree(&ground.path("none/tree")), ErrorKind::ParentMissing);
}

#[test]
fn removes_deep_trees_with_few_handles() {
    let ground = Ground::new();
    let top = ground.directory("tree", 0o700);
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut here = rustix::fs::open(&top, flags, Mode::empty()).unwrap();
    for _ in 0..5_000 {
        rustix::fs::mkdirat(&here, "d", Mode::RWXU).unwrap();
        here = rustix::fs::openat(&here, "d", flags, Mode::empty()).unwrap();
    }
    drop(here);
    ground.host.remove_tree(&top).unwrap();
    assert_eq!(ground.names(), [""; 0]);
}

#[test]
fn a_tree_that_grows_does_not_hang_the_removal() {
    let ground = Ground::new();
    let top = ground.directory("tree/sub", 0o700);
    std::thread::scope(|scope| {
        let writer = scope
            .spawn(|| (0..2_000).take_while(|n| std::fs::write(top.join(n.to_string()), "").is_ok()).count());
        let removed = ground.host.remove_tree(&ground.path("tree"));
        assert!(removed.is_ok() || ground.path("tree").exists());
        writer.join().unwrap();
    });
}

#[test]
fn does_not_enter_mount_points() {
    if !is_root("does_not_enter_mount_points") {
        return;
    }
    let ground = Ground::new();
    let (from, inside) = (ground.directory("from", 0o700), ground.directory("tree/inside", 0o700));
    let kept = ground.file("from/file", "kept", 0o600);
    let mount = |args: &[&str]| {
        std::process::Command::new(args[0]).args(&args[1..]).status().is_ok_and(|s| s.success())
    };
    if !mount(&["mount", "--bind", from.to_str().unwrap(), inside.to_str().unwrap()]) {
        crate::host::ground::skipped("does_not_enter_mount_points", "mount does not work here");
        return;
    }
    let result = ground.host.remove_tree(&ground.path("tree"));
    let unmounted = mount(&["umount", inside.to_str().unwrap()]);
    assert!(unmounted);
    assert!(refused(result, ErrorKind::Failed).chain().contains("mount point"));
    assert_eq!(text(&kept), "kept");
}

#[test]
fn does_not_replace_a_directory_with_a_mount_inside() {
    if !is_root("does_not_replace_a_directory_with_a_mount_inside") {
        return;
    }
    let ground = Ground::new();
    let check = |from: std::path::PathBuf, onto: std::path::PathBuf| {
        let mounted = std::process::Command::new("mount").arg("--bind").args([&from, &onto]).status();
        if !mounted.is_ok_and(|status| status.success()) {
            crate::host::ground::skipped(
                "does_not_replace_a_directory_with_a_mount_inside",
                "mount does not work here",
            );
            return;
        }
        let file = NewFile { replace_other: true, ..plain("x") };
        let result = ground.host.write(&ground.path("tree"), &file);
        let unmounted = std::process::Command::new("umount").arg(&onto).status();
        assert!(unmounted.is_ok_and(|status| status.success()));
        let error = refused(result, ErrorKind::Failed);
        assert!(error.chain().contains(onto.to_str().unwrap()), "{}", error.chain());
        assert_eq!(error.advice(), Some("unmount it first"));
        assert!(ground.path("tree/a b/file").exists());
        assert_eq!(ground.names(), ["from", "from-file", "tree"], "nothing may be left behind");
    };
    let (from, inside) = (ground.directory("from", 0o700), ground.directory("tree/a b/c", 0o700));
    let (from_file, file) = (ground.file("from-file", "", 0o600), ground.file("tree/a b/file", "", 0o600));
    check(from, inside);
    check(from_file, file);
}

#[test]
fn fails_for_a_directory_without_permission() {
    if rustix::process::geteuid().is_root() {
        crate::host::ground::skipped(
            "fails_for_a_directory_without_permission",
            "nothing is forbidden to root",
        );
        return;
    }
    let ground = Ground::new();
    let directory = ground.directory("tree/locked", 0o700);
    ground.file("tree/locked/file", "", 0o600);
    crate::host::ground::chmod(&directory, 0o500);
    refused(ground.host.remove_tree(&ground.path("tree")), ErrorKind::Denied);
    crate::host::ground::chmod(&directory, 0o700);
    let _ = rustix::fs::unlinkat(rustix::fs::CWD, directory.join("file"), AtFlags::empty());
}
