//! Reading files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use uphold_resource::{Accounts, Clock, EntryKind, ErrorKind, Files, Level, Look};

use super::{machine, refused};

#[test]
fn look_does_not_follow_a_final_link() {
    let host = machine();
    let check = |path: &str, kind: Option<EntryKind>| {
        assert_eq!(host.look(Path::new(path)).unwrap().map(|entry| entry.kind), kind, "{path}");
    };
    check("/", Some(EntryKind::Directory));
    check("/etc/", Some(EntryKind::Directory));
    check("/etc/motd", Some(EntryKind::File));
    check("/etc/link", Some(EntryKind::Link("motd".into())));
    check("/conf/motd", Some(EntryKind::File));
    check("/tmp/etc/../etc/motd", Some(EntryKind::File));
    check("/etc/pipe", Some(EntryKind::Other("a named pipe")));
    check("/etc/missing", None);
    check("/missing/motd", None);
    check("/etc/motd/below", None);
    check("/loop", Some(EntryKind::Link("/loop".into())));
    refused(host.look(Path::new("/loop/below")), ErrorKind::Failed);
}

#[test]
fn an_entry_has_all_attributes() {
    let host = machine();
    let entry = host.look(Path::new("/etc/motd")).unwrap().unwrap();
    let other = host.look(Path::new("/etc/issue")).unwrap().unwrap();
    assert_eq!((entry.mode, entry.uid, entry.gid, entry.size, entry.links), (0o640, 1000, 1000, 5, 2));
    assert_eq!((entry.identity, entry.modified), (other.identity, host.now()));
    assert_eq!(host.look(Path::new("/")).unwrap().unwrap().links, 4);
}

#[test]
fn reads_and_lists() {
    let host = machine();
    assert_eq!(host.read(Path::new("/conf/motd"), 0).unwrap(), b"hello");
    assert_eq!(host.list(Path::new("/etc")).unwrap(), ["issue", "link", "motd", "pipe"]);
    for path in ["/etc/link", "/etc", "/etc/pipe"] {
        refused(host.read(Path::new(path), 0), ErrorKind::WrongType);
    }
    refused(host.read(Path::new("/etc/missing"), 0), ErrorKind::Missing);
    refused(host.list(Path::new("/etc/missing")), ErrorKind::Missing);
    refused(host.list(Path::new("/etc/motd")), ErrorKind::WrongType);
    refused(host.list(Path::new("/conf")), ErrorKind::WrongType);
}

#[test]
fn records_read_paths() {
    let host = machine();
    let _ = host.look(Path::new("/etc/missing"));
    let _ = host.read(Path::new("/etc/motd"), 0);
    let _ = host.list(Path::new("/tmp/"));
    let paths: Vec<PathBuf> = host.read_paths().into_iter().collect();
    assert_eq!(paths, ["/etc/missing", "/etc/motd", "/tmp"].map(PathBuf::from));
    host.forget();
    assert!(host.read_paths().is_empty());
}

#[test]
fn has_accounts_a_clock_and_messages() {
    let host = machine().running_as(1000).managing("/srv");
    assert_eq!(Accounts::user(&host, "app").unwrap().unwrap().home, Path::new("/home/app"));
    assert_eq!(host.group_by_id(1000).unwrap().unwrap().name, "app");
    assert_eq!(host.user_by_id(0).unwrap().unwrap().name, "root");
    assert_eq!((host.user_by_id(7).unwrap(), host.current_uid()), (None, 1000));
    assert!(host.act().manages(Path::new("/srv")) && !host.act().manages(Path::new("/etc")));

    let start = host.now();
    assert_eq!(host.now(), start);
    host.advance(Duration::from_secs(60));
    assert_eq!((host.now(), host.elapsed()), (start + Duration::from_secs(60), Duration::from_secs(60)));
    host.set_now(start);
    assert_eq!((host.now(), host.elapsed()), (start, Duration::from_secs(60)));

    assert!(Look::to_read(&host.act()).needs("mode"));
    host.need_only(["text"]);
    assert!(Look::to_read(&host.act()).needs("text") && !Look::to_read(&host.act()).needs("mode"));
    host.need_all();
    assert!(Look::to_read(&host.act()).needs("mode"));

    host.act().report(Level::Warning, "look");
    assert_eq!(host.said(), [(Level::Warning, "look".to_owned())]);
}
