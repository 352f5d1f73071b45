//! Attributes that a new file inherits from the one that it replaces.

use uphold_resource::{Access, ErrorKind, FileEdits, NewFile};

use super::ground::{
    Ground, OTHER_USER, chmod, fifo, is_root, mode, owner, plain, refused, set_access, text, with_mode,
};

#[test]
fn keeps_attributes_without_a_request() {
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
fn keeps_or_sets_the_owner() {
    if !is_root("keeps_or_sets_the_owner") {
        return;
    }
    let ground = Ground::new();
    let path = ground.file("file", "old", 0o640);
    std::os::unix::fs::chown(&path, Some(OTHER_USER), Some(OTHER_USER)).unwrap();
    ground.host.write(&path, &with_mode("new", 0o4755)).unwrap();
    assert_eq!((owner(&path), mode(&path)), ((OTHER_USER, OTHER_USER), 0o4755));
    let access = Access { uid: Some(0), ..Access::default() };
    ground.host.write(&path, &NewFile { access, ..plain("newer") }).unwrap();
    assert_eq!((owner(&path), mode(&path)), ((0, OTHER_USER), 0o755), "set-ID bits are lost");
}

#[test]
fn new_content_of_another_owner_has_no_set_id_bits() {
    if !is_root("new_content_of_another_owner_has_no_set_id_bits") {
        return;
    }
    let ground = Ground::new();
    let check = |uid: Option<u32>, gid: Option<u32>, mode_asked: Option<u32>, expected: u32| {
        let path = ground.file("file", "", 0o600);
        std::os::unix::fs::chown(&path, Some(OTHER_USER), Some(OTHER_USER)).unwrap();
        chmod(&path, 0o6755);
        let access = Access { uid, gid, mode: mode_asked };
        ground.host.write(&path, &NewFile { access, ..plain("new") }).unwrap();
        assert_eq!(mode(&path), expected, "{access:?}");
        std::fs::remove_file(&path).unwrap();
    };
    check(Some(0), None, None, 0o2755);
    check(None, Some(0), None, 0o4755);
    check(Some(OTHER_USER), Some(OTHER_USER), None, 0o6755);
    check(Some(0), Some(0), Some(0o6711), 0o6711);
}

/// `u::rw-,u:12345:rw-,g::r--,m::rw-,o::r--`, in the kernel's format.
const ACCESS_LIST: [u8; 44] = [
    2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 6, 0, 0x39, 0x30, 0, 0, 4, 0, 4, 0, 255, 255, 255, 255,
    0x10, 0, 6, 0, 255, 255, 255, 255, 0x20, 0, 4, 0, 255, 255, 255, 255,
];

#[test]
fn keeps_access_lists_for_the_same_owner_only() {
    if !is_root("keeps_access_lists_for_the_same_owner_only") {
        return;
    }
    let ground = Ground::new();
    let check = |uid: Option<u32>, kept: bool| {
        let path = ground.file("file", "old", 0o600);
        std::os::unix::fs::chown(&path, Some(OTHER_USER), None).unwrap();
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
    check(Some(OTHER_USER), true);
    check(Some(0), false);
}

#[test]
fn a_change_of_owner_drops_access_lists_of_a_directory() {
    if !is_root("a_change_of_owner_drops_access_lists_of_a_directory") {
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
    set_access(&ground.host, &path, &Access { uid: Some(OTHER_USER), gid: None, mode: None }).unwrap();
    assert_eq!((seen(), mode(&path)), ([false, false], 0o775));
}

#[test]
fn copies_all_attributes() {
    let ground = Ground::new();
    let from = ground.file("from", &"content ".repeat(100_000), 0o6751);
    rustix::fs::setxattr(&from, "user.note", b"n", rustix::fs::XattrFlags::empty()).unwrap();
    if is_root("the owner in copies_all_attributes") {
        std::os::unix::fs::chown(&from, Some(OTHER_USER), Some(OTHER_USER)).unwrap();
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
