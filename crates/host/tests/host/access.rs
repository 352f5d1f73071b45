use std::os::unix::fs::{MetadataExt, chown, symlink};
use std::path::Path;

use uphold_resource::{Access, ErrorKind, FileEdits};

use crate::ground::{Ground, SOMEBODY, chmod, is_root, mode, owner, refused, watched};

const fn mode_only(mode: u32) -> Access {
    Access { mode: Some(mode), uid: None, gid: None }
}

#[test]
fn mode_is_set_on_what_is_there() {
    let ground = Ground::new();
    let path = ground.file("file", "", 0o000);
    ground.host.set_access(&path, &mode_only(0o4711)).unwrap();
    assert_eq!(mode(&path), 0o4711);
    ground.host.set_access(&path, &Access::default()).unwrap();
    assert_eq!(mode(&path), 0o4711);
    let directory = ground.directory("directory", 0o700);
    ground.host.set_access(&directory, &mode_only(0o3770)).unwrap();
    assert_eq!(mode(&directory), 0o3770);
    refused(ground.host.set_access(&ground.path("none"), &mode_only(0o600)), ErrorKind::Missing);
    ground.host.set_access(Path::new("/"), &Access::default()).unwrap();
}

#[test]
fn final_link_is_not_followed() {
    let ground = Ground::new();
    let target = ground.file("target", "", 0o600);
    symlink(&target, ground.path("link")).unwrap();
    ground.host.set_access(&ground.path("link"), &mode_only(0o777)).unwrap();
    assert_eq!(mode(&target), 0o600);
    if is_root("the owner in final_link_is_not_followed") {
        let access = Access { uid: Some(SOMEBODY), ..Access::default() };
        ground.host.set_access(&ground.path("link"), &access).unwrap();
        assert_eq!((owner(&ground.path("link")).0, owner(&target).0), (SOMEBODY, 0));
    }
}

#[test]
fn owner_changes_and_set_id_bits_do_not_change_hands() {
    if !is_root("owner_changes_and_set_id_bits_do_not_change_hands") {
        return;
    }
    let ground = Ground::new();
    let check = |old: u32, access: Access, expected: (u32, u32, u32)| {
        let path = ground.file("file", "", 0o600);
        chown(&path, Some(0), Some(0)).unwrap();
        chmod(&path, old);
        ground.host.set_access(&path, &access).unwrap();
        assert_eq!((owner(&path).0, owner(&path).1, mode(&path)), expected, "{old:o} {access:?}");
    };
    let access = |uid, gid, mode| Access { uid, gid, mode };
    check(0o6755, access(Some(SOMEBODY), None, None), (SOMEBODY, 0, 0o2755));
    check(0o6755, access(None, Some(SOMEBODY), None), (0, SOMEBODY, 0o4755));
    check(0o6755, access(Some(0), Some(0), None), (0, 0, 0o6755));
    check(0o6755, access(Some(SOMEBODY), Some(SOMEBODY), Some(0o6711)), (SOMEBODY, SOMEBODY, 0o6711));
    check(0o640, access(Some(SOMEBODY), Some(SOMEBODY), Some(0o604)), (SOMEBODY, SOMEBODY, 0o604));
}

#[test]
fn no_moment_allows_more_than_before_and_after() {
    if !is_root("no_moment_allows_more_than_before_and_after") {
        return;
    }
    let ground = Ground::new();
    let path = ground.file("file", "", 0o640);
    let check = || {
        let metadata = path.symlink_metadata().unwrap();
        let (gid, mode) = (metadata.gid(), metadata.mode() & 0o7777);
        assert!(gid == 0 || mode & 0o040 == 0, "group {gid} got {mode:o}");
    };
    watched(check, || {
        for _ in 0..10_000 {
            let away = Access { mode: Some(0o604), uid: None, gid: Some(SOMEBODY) };
            ground.host.set_access(&path, &away).unwrap();
            let back = Access { mode: Some(0o640), uid: None, gid: Some(0) };
            ground.host.set_access(&path, &back).unwrap();
        }
    });
}

#[test]
fn directory_is_made_with_its_access() {
    let ground = Ground::new();
    ground.host.make_directory(&ground.path("a"), &Access::default()).unwrap();
    assert_eq!(mode(&ground.path("a")), 0o700);
    ground.host.make_directory(&ground.path("a/b"), &mode_only(0o3777)).unwrap();
    assert_eq!(mode(&ground.path("a/b")), 0o3777);
    refused(ground.host.make_directory(&ground.path("x/y"), &mode_only(0o755)), ErrorKind::ParentMissing);
    refused(ground.host.make_directory(&ground.path("a"), &mode_only(0o755)), ErrorKind::Failed);
    assert_eq!(mode(&ground.path("a")), 0o700);
    ground.file("file", "", 0o600);
    assert_eq!(ground.names(), ["a", "file"], "no temporary one may stay");
    refused(ground.host.make_directory(&ground.path("file"), &mode_only(0o755)), ErrorKind::WrongType);
    if is_root("the owner in directory_is_made_with_its_access") {
        let access = Access { mode: Some(0o2750), uid: Some(SOMEBODY), gid: Some(SOMEBODY) };
        ground.host.make_directory(&ground.path("owned"), &access).unwrap();
        assert_eq!(
            (owner(&ground.path("owned")), mode(&ground.path("owned"))),
            ((SOMEBODY, SOMEBODY), 0o2750)
        );
    }
}

#[test]
fn directory_never_has_a_wrong_mode() {
    let ground = Ground::new();
    let path = ground.path("directory");
    let check = || {
        if let Ok(metadata) = path.symlink_metadata() {
            assert_eq!(metadata.mode() & 0o7777, 0o755);
        }
    };
    watched(check, || {
        for _ in 0..5_000 {
            ground.host.make_directory(&path, &mode_only(0o755)).unwrap();
            std::fs::remove_dir(&path).unwrap();
        }
    });
}
