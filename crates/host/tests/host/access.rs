use std::os::unix::fs::{MetadataExt, chown, symlink};
use std::path::Path;

use uphold_host::LocalHost;
use uphold_resource::{Access, ErrorKind, FileEdits, Files};

use super::ground::{Ground, OTHER_USER, chmod, is_root, mode, owner, refused, set_access, watched};

const fn mode_only(mode: u32) -> Access {
    Access { mode: Some(mode), uid: None, gid: None }
}

#[test]
fn sets_the_mode() {
    let ground = Ground::new();
    let path = ground.file("file", "", 0o000);
    set_access(&ground.host, &path, &mode_only(0o4711)).unwrap();
    assert_eq!(mode(&path), 0o4711);
    set_access(&ground.host, &path, &Access::default()).unwrap();
    assert_eq!(mode(&path), 0o4711);
    let directory = ground.directory("directory", 0o700);
    set_access(&ground.host, &directory, &mode_only(0o3770)).unwrap();
    assert_eq!(mode(&directory), 0o3770);
    refused(set_access(&ground.host, &ground.path("none"), &mode_only(0o600)), ErrorKind::Missing);
    set_access(&ground.host, Path::new("/"), &Access::default()).unwrap();
}

#[test]
fn does_not_follow_a_final_link() {
    let ground = Ground::new();
    let target = ground.file("target", "", 0o600);
    symlink(&target, ground.path("link")).unwrap();
    set_access(&ground.host, &ground.path("link"), &mode_only(0o777)).unwrap();
    assert_eq!(mode(&target), 0o600);
    if is_root("the owner in does_not_follow_a_final_link") {
        let access = Access { uid: Some(OTHER_USER), ..Access::default() };
        set_access(&ground.host, &ground.path("link"), &access).unwrap();
        assert_eq!((owner(&ground.path("link")).0, owner(&target).0), (OTHER_USER, 0));
    }
}

#[test]
fn a_change_of_owner_drops_set_id_bits() {
    if !is_root("a_change_of_owner_drops_set_id_bits") {
        return;
    }
    let ground = Ground::new();
    let check = |old: u32, access: Access, expected: (u32, u32, u32)| {
        let path = ground.file("file", "", 0o600);
        chown(&path, Some(0), Some(0)).unwrap();
        chmod(&path, old);
        set_access(&ground.host, &path, &access).unwrap();
        assert_eq!((owner(&path).0, owner(&path).1, mode(&path)), expected, "{old:o} {access:?}");
    };
    let access = |uid, gid, mode| Access { uid, gid, mode };
    check(0o6755, access(Some(OTHER_USER), None, None), (OTHER_USER, 0, 0o2755));
    check(0o6755, access(None, Some(OTHER_USER), None), (0, OTHER_USER, 0o4755));
    check(0o6755, access(Some(0), Some(0), None), (0, 0, 0o6755));
    check(0o6755, access(Some(OTHER_USER), Some(OTHER_USER), Some(0o6711)), (OTHER_USER, OTHER_USER, 0o6711));
    check(0o640, access(Some(OTHER_USER), Some(OTHER_USER), Some(0o604)), (OTHER_USER, OTHER_USER, 0o604));
}

#[test]
fn no_intermediate_state_allows_more() {
    if !is_root("no_intermediate_state_allows_more") {
        return;
    }
    let ground = Ground::new();
    let path = ground.file("file", "", 0o640);
    let check = || {
        // The kernel reads group and mode one after the other: only values that are read twice were set at the same time.
        let look = || {
            let metadata = path.symlink_metadata().unwrap();
            (metadata.gid(), metadata.mode() & 0o7777, metadata.ctime_nsec())
        };
        let (seen, again) = (look(), look());
        let (gid, mode, _) = seen;
        assert!(seen != again || gid == 0 || mode & 0o040 == 0, "group {gid} got {mode:o}");
    };
    watched(check, || {
        for _ in 0..10_000 {
            let away = Access { mode: Some(0o604), uid: None, gid: Some(OTHER_USER) };
            set_access(&ground.host, &path, &away).unwrap();
            let back = Access { mode: Some(0o640), uid: None, gid: Some(0) };
            set_access(&ground.host, &path, &back).unwrap();
        }
    });
}

#[test]
fn creates_a_directory_with_its_access() {
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
    if is_root("the owner in creates_a_directory_with_its_access") {
        let access = Access { mode: Some(0o2750), uid: Some(OTHER_USER), gid: Some(OTHER_USER) };
        ground.host.make_directory(&ground.path("owned"), &access).unwrap();
        assert_eq!(
            (owner(&ground.path("owned")), mode(&ground.path("owned"))),
            ((OTHER_USER, OTHER_USER), 0o2750)
        );
    }
}

#[test]
fn a_new_directory_never_has_a_wrong_mode() {
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

/// A user with write permission in a directory can swap an entry between the check and the change.
#[test]
fn changes_only_the_entry_that_was_checked() {
    let ground = Ground::new();
    let secret = ground.file("secret", "", 0o600);
    let directory = ground.directory("d", 0o700);
    let file = ground.file("file", "", 0o640);
    for (path, other) in [(&directory, &secret), (&file, &secret), (&file, &directory)] {
        let seen = ground.host.look(path).unwrap().unwrap();
        exchange(path, other);
        let error = refused(ground.host.set_access(path, &seen, &mode_only(0o755)), ErrorKind::UnsafeLink);
        assert!(error.to_string().contains("was replaced by another process"), "{error}");
        exchange(path, other);
    }
    assert_eq!((mode(&secret), mode(&directory), mode(&file)), (0o600, 0o700, 0o640));
}

/// The same while another thread swaps entries continuously.
#[test]
fn concurrent_swaps_change_no_other_entry() {
    let ground = Ground::new();
    let secret = ground.file("secret", "", 0o600);
    let directory = ground.directory("d", 0o700);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                exchange(&directory, &secret);
            }
        });
        let machine = LocalHost::new().machine();
        for round in 0..2_000 {
            let access = mode_only(if round % 2 == 0 { 0o755 } else { 0o711 });
            let _ = uphold_resource::set_access(&directory, "a directory", &access, &machine.act());
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let file = [&secret, &directory].into_iter().find(|path| path.is_file()).unwrap();
    assert_eq!(mode(file), 0o600);
}

fn exchange(one: &Path, other: &Path) {
    let (here, flags) = (rustix::fs::CWD, rustix::fs::RenameFlags::EXCHANGE);
    rustix::fs::renameat_with(here, one, here, other, flags).unwrap();
}
