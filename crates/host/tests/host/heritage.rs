//! What a new file takes over from the one that it replaces.

use uphold_resource::{Access, ErrorKind, FileEdits, NewFile};

use crate::ground::{
    Ground, SOMEBODY, chmod, fifo, is_root, mode, owner, plain, refused, set_access, text, with_mode,
};

#[test]
fn what_was_not_asked_for_is_kept() {
    let ground = Ground::new();
    let path = ground.file("file", "old", 0o6750);
    rustix::fs::setxattr(&path, "user.note", b"keep me", rustix::fs::XattrFlags::empty()).unwrap();
    ground.write(&path, "new").unwrap();
    assert_eq!((text(&path), mode(&path)), ("new".into(), 0o6750));
    let mut value = [0; 64];
    let length = rustix::fs::getxattr(&path, "user.note", &mut value).unwrap();
    assert_eq!(&value[..length], b"keep me");
}

#[test]
fn owner_is_kept_or_set() {
    if !is_root("owner_is_kept_or_set") {
        return;
    }
    let ground = Ground::new();
    let path = ground.file("file", "old", 0o640);
    std::os::unix::fs::chown(&path, Some(SOMEBODY), Some(SOMEBODY)).unwrap();
    ground.host.write(&path, &with_mode("new", 0o4755)).unwrap();
    assert_eq!((owner(&path), mode(&path)), ((SOMEBODY, SOMEBODY), 0o4755));
    let access = Access { uid: Some(0), ..Access::default() };
    ground.host.write(&path, &NewFile { access, ..plain("newer") }).unwrap();
    assert_eq!((owner(&path), mode(&path)), ((0, SOMEBODY), 0o755), "set-id bits do not change hands");
}

#[test]
fn set_id_bits_do_not_change_hands_with_the_content() {
    if !is_root("set_id_bits_do_not_change_hands_with_the_content") {
        return;
    }
    let ground = Ground::new();
    let check = |uid: Option<u32>, gid: Option<u32>, mode_asked: Option<u32>, expected: u32| {
        let path = ground.file("file", "", 0o600);
        std::os::unix::fs::chown(&path, Some(SOMEBODY), Some(SOMEBODY)).unwrap();
        chmod(&path, 0o6755);
        let access = Access { uid, gid, mode: mode_asked };
        ground.host.write(&path, &NewFile { access, ..plain("new") }).unwrap();
        assert_eq!(mode(&path), expected, "{access:?}");
        std::fs::remove_file(&path).unwrap();
    };
    check(Some(0), None, None, 0o2755);
    check(None, Some(0), None, 0o4755);
    check(Some(SOMEBODY), Some(SOMEBODY), None, 0o6755);
    check(Some(0), Some(0), Some(0o6711), 0o6711);
}

/// `u::rw-,u:12345:rw-,g::r--,m::rw-,o::r--`, as the kernel wants it.
const ACCESS_LIST: [u8; 44] = [
    2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 6, 0, 0x39, 0x30, 0, 0, 4, 0, 4, 0, 255, 255, 255, 255,
    0x10, 0, 6, 0, 255, 255, 255, 255, 0x20, 0, 4, 0, 255, 255, 255, 255,
];

#[test]
fn access_list_stays_with_the_owner_and_goes_with_another() {
    if !is_root("access_list_stays_with_the_owner_and_goes_with_another") {
        return;
    }
    let ground = Ground::new();
    let check = |uid: Option<u32>, kept: bool| {
        let path = ground.file("file", "old", 0o600);
        std::os::unix::fs::chown(&path, Some(SOMEBODY), None).unwrap();
        let (name, flags) = ("system.posix_acl_access", rustix::fs::XattrFlags::empty());
        rustix::fs::setxattr(&path, name, &ACCESS_LIST, flags).unwrap();
        rustix::fs::setxattr(&path, "user.note", b"n", flags).unwrap();
        let access = Access { uid, gid: None, mode: Some(0o664) };
        ground.host.write(&path, &NewFile { access, ..plain("new") }).unwrap();
        let mut value = [0; 64];
        let list = rustix::fs::getxattr(&path, name, &mut value).map(|length| value[..length].to_vec());
        assert_eq!(list, if kept { Ok(ACCESS_LIST.to_vec()) } else { Err(rustix::io::Errno::NODATA) });
        assert_eq!((mode(&path), rustix::fs::getxattr(&path, "user.note", &mut [0; 8])), (0o664, Ok(1)));
        std::fs::remove_file(&path).unwrap();
    };
    check(None, true);
    check(Some(SOMEBODY), true);
    check(Some(0), false);
}

#[test]
fn access_lists_of_a_directory_go_with_its_owner() {
    if !is_root("access_lists_of_a_directory_go_with_its_owner") {
        return;
    }
    let ground = Ground::new();
    let path = ground.directory("directory", 0o700);
    let lists = ["system.posix_acl_access", "system.posix_acl_default"];
    for name in lists {
        rustix::fs::setxattr(&path, name, &ACCESS_LIST, rustix::fs::XattrFlags::empty()).unwrap();
    }
    let seen = || lists.map(|name| rustix::fs::getxattr(&path, name, &mut [0; 64]).is_ok());
    set_access(&ground.host, &path, &Access { uid: Some(0), gid: None, mode: Some(0o775) }).unwrap();
    assert_eq!(seen(), [true, true], "the owner is the same");
    set_access(&ground.host, &path, &Access { uid: Some(SOMEBODY), gid: None, mode: None }).unwrap();
    assert_eq!((seen(), mode(&path)), ([false, false], 0o775));
}

#[test]
fn copy_takes_everything_along() {
    let ground = Ground::new();
    let from = ground.file("from", &"content ".repeat(100_000), 0o6751);
    rustix::fs::setxattr(&from, "user.note", b"n", rustix::fs::XattrFlags::empty()).unwrap();
    if is_root("the owner in copy_takes_everything_along") {
        std::os::unix::fs::chown(&from, Some(SOMEBODY), Some(SOMEBODY)).unwrap();
        chmod(&from, 0o6751);
    }
    let to = ground.file("to", "old", 0o777);
    ground.host.copy(&from, &to).unwrap();
    assert_eq!((text(&to), mode(&to), owner(&to)), (text(&from), 0o6751, owner(&from)));
    assert_eq!(rustix::fs::getxattr(&to, "user.note", &mut [0; 8]), Ok(1));
    fifo(&ground.path("pipe"));
    refused(ground.host.copy(&ground.path("pipe"), &to), ErrorKind::WrongType);
    refused(ground.host.copy(&ground.path("none"), &to), ErrorKind::Missing);
    refused(ground.host.copy(&from, &ground.path("pipe")), ErrorKind::WrongType);
    assert_eq!(ground.names(), ["from", "pipe", "to"]);
}
