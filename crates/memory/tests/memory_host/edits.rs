//! Changes of files.

use std::path::Path;

use uphold_memory::MemoryHost;
use uphold_resource::{Access, Error, ErrorKind, FileEdits, Files, NewFile};

use super::{at, machine, mode, new_file, put, refused, set_access};

#[test]
fn a_replaced_file_keeps_its_attributes() {
    let host = machine();
    put(&host, "/etc/motd", "new").unwrap();
    assert_eq!(at(&host, "/etc/motd"), r#"a regular file 0640 1000:1000 "new" user.note="kept""#);
    assert_eq!(at(&host, "/etc/issue"), r#"a regular file 0640 1000:1000 "hello" user.note="kept""#);
    let access = Access { mode: Some(0o600), uid: Some(0), gid: None };
    host.write(Path::new("/etc/motd"), &NewFile { access, ..new_file("newer") }).unwrap();
    assert_eq!(at(&host, "/etc/motd"), r#"a regular file 0600 0:1000 "newer" user.note="kept""#);
}

#[test]
fn new_entries_are_private_and_belong_to_the_user() {
    let host = machine().directory("/srv", 0o755).running_as(1000);
    put(&host, "/srv/new", "x").unwrap();
    host.make_directory(Path::new("/srv/dir"), &Access::default()).unwrap();
    host.make_link(Path::new("/srv/link"), Path::new("gone")).unwrap();
    assert_eq!(at(&host, "/srv/new"), r#"a regular file 0600 1000:1000 "x""#);
    assert_eq!(at(&host, "/srv/dir"), "a directory 0700 1000:1000");
    assert_eq!(at(&host, "/srv/link"), "a symbolic link 0777 1000:1000 -> gone");
}

#[test]
fn refuses_paths_that_cannot_be_written() {
    let host = machine();
    let check = |path: &str, kind| {
        let before = host.snapshot();
        refused(put(&host, path, "x"), kind);
        assert_eq!(host.snapshot(), before, "{path}");
    };
    check("/missing/file", ErrorKind::ParentMissing);
    check("/etc/motd/file", ErrorKind::WrongType);
    check("/", ErrorKind::Invalid);
    check("/etc", ErrorKind::WrongType);
    check("/etc/link", ErrorKind::WrongType);
    check("/etc/pipe", ErrorKind::WrongType);
    check("/tmp/etc/file", ErrorKind::UnsafeLink);
    check("/loop/file", ErrorKind::Failed);
    assert!(host.writes().is_empty());
    put(&host, "/conf/file", "through a link that only root can create").unwrap();
}

#[test]
fn replaces_other_types_if_requested() {
    let host = machine();
    for path in ["/etc/link", "/etc/pipe", "/tmp"] {
        host.write(Path::new(path), &NewFile { replace_other: true, ..new_file("x") }).unwrap();
        assert_eq!(at(&host, path), r#"a regular file 0600 0:0 "x""#);
    }
    assert_eq!(at(&host, "/etc/motd"), r#"a regular file 0640 1000:1000 "hello" user.note="kept""#);
}

#[test]
fn verification_gets_the_finished_file_and_may_reject_it() {
    let host = machine();
    let check = |verdict: &dyn Fn() -> Result<(), Error>| {
        let verify = |path: &Path| {
            assert_ne!(path, Path::new("/etc/motd"));
            assert_eq!(host.read(path, 0)?, b"new");
            assert_eq!(host.look(path)?.map(|entry| (entry.mode, entry.uid)), Some((0o600, 1000)));
            verdict()
        };
        let file = NewFile { verify: Some(&verify), access: mode(0o600), ..new_file("new") };
        host.write(Path::new("/etc/motd"), &file)
    };
    let before = host.snapshot();
    refused(check(&|| Err(Error::new(ErrorKind::Rejected, "no"))), ErrorKind::Rejected);
    assert_eq!((host.snapshot(), host.writes().len()), (before, 0));
    check(&|| Ok(())).unwrap();
    assert_eq!(host.list(Path::new("/etc")).unwrap(), ["issue", "link", "motd", "pipe"]);
    assert_eq!((host.read(Path::new("/etc/motd"), 0).unwrap(), host.writes().len()), (b"new".to_vec(), 1));
}

#[test]
fn links_replace_only_files_and_links() {
    let host = machine();
    host.make_link(Path::new("/etc/link"), Path::new("issue")).unwrap();
    assert_eq!(at(&host, "/etc/link"), "a symbolic link 0777 0:0 -> issue");
    host.make_hard_link(Path::new("/etc/link"), Path::new("/etc/motd")).unwrap();
    host.make_hard_link(Path::new("/etc/motd"), Path::new("/etc/motd")).unwrap();
    assert_eq!(host.look(Path::new("/etc/motd")).unwrap().unwrap().links, 3);
    refused(host.make_link(Path::new("/tmp"), Path::new("x")), ErrorKind::WrongType);
    refused(host.make_link(Path::new("/etc/pipe"), Path::new("x")), ErrorKind::WrongType);
    refused(host.make_hard_link(Path::new("/etc/new"), Path::new("/tmp")), ErrorKind::WrongType);
    refused(host.make_hard_link(Path::new("/etc/new"), Path::new("/etc/missing")), ErrorKind::Missing);
}

#[test]
fn sets_access_as_requested() {
    let host = machine().file("/etc/sudo", "", 0o4755);
    let owner = |uid, gid| Access { mode: None, uid, gid };
    set_access(&host.act(), Path::new("/etc/sudo"), &owner(None, Some(1000))).unwrap();
    assert_eq!(at(&host, "/etc/sudo"), r#"a regular file 4755 0:1000 """#);
    set_access(&host.act(), Path::new("/etc/sudo"), &owner(Some(1000), None)).unwrap();
    assert_eq!(at(&host, "/etc/sudo"), r#"a regular file 0755 1000:1000 """#);
    set_access(&host.act(), Path::new("/etc/link"), &Access { mode: Some(0), ..owner(Some(1000), None) })
        .unwrap();
    assert_eq!(at(&host, "/etc/link"), "a symbolic link 0777 1000:0 -> motd");
    set_access(&host.act(), Path::new("/"), &mode(0o700)).unwrap();
    assert_eq!(at(&host, "/"), "a directory 0700 0:0");
    refused(set_access(&host.act(), Path::new("/etc/missing"), &mode(0o700)), ErrorKind::Missing);
}

#[test]
fn copies_all_attributes() {
    let host = machine();
    host.copy(Path::new("/etc/motd"), Path::new("/etc/copy")).unwrap();
    assert_eq!(at(&host, "/etc/copy"), at(&host, "/etc/motd"));
    refused(host.copy(Path::new("/etc/link"), Path::new("/etc/copy")), ErrorKind::WrongType);
    refused(host.copy(Path::new("/etc/missing"), Path::new("/etc/copy")), ErrorKind::Missing);
    refused(host.copy(Path::new("/etc/motd"), Path::new("/etc/pipe")), ErrorKind::WrongType);
}

#[test]
fn creates_directories_and_removes_entries() {
    let host = machine();
    let made = |path: &str| host.make_directory(Path::new(path), &mode(0o755));
    made("/srv").unwrap();
    made("/srv/deep").unwrap();
    refused(made("/srv"), ErrorKind::Failed);
    refused(made("/etc/motd"), ErrorKind::WrongType);
    refused(made("/missing/dir"), ErrorKind::ParentMissing);
    refused(host.remove_directory(Path::new("/srv")), ErrorKind::Failed);
    refused(host.remove_directory(Path::new("/etc/motd")), ErrorKind::WrongType);
    refused(host.remove_directory(Path::new("/missing")), ErrorKind::Missing);
    refused(host.remove_file(Path::new("/srv")), ErrorKind::WrongType);
    refused(host.remove_file(Path::new("/missing")), ErrorKind::Missing);
    refused(host.remove_tree(Path::new("/missing")), ErrorKind::Missing);
    host.remove_directory(Path::new("/srv/deep")).unwrap();
    host.remove_file(Path::new("/etc/link")).unwrap();
    host.remove_tree(Path::new("/tmp")).unwrap();
    assert_eq!(host.list(Path::new("/etc")).unwrap(), ["issue", "motd", "pipe"]);
    assert_eq!(host.list(Path::new("/")).unwrap(), ["conf", "etc", "loop", "srv"]);
}

#[test]
fn temporary_names_depend_only_on_the_seed() {
    let name = |host: &MemoryHost| {
        let seen = std::cell::RefCell::new(None);
        let verify = |path: &Path| {
            *seen.borrow_mut() = path.file_name().map(ToOwned::to_owned);
            Ok(())
        };
        host.write(Path::new("/x"), &NewFile { verify: Some(&verify), ..new_file("") }).unwrap();
        seen.into_inner().unwrap()
    };
    assert_eq!(name(&machine().seed(1)), name(&machine().seed(1)));
    assert_ne!(name(&machine().seed(1)), name(&machine().seed(2)));
}
