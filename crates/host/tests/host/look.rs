use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use uphold_resource::{EntryKind, ErrorKind, FileEdits, Files, READ_LIMIT};

use super::ground::{Ground, fifo, refused};

#[test]
fn look_returns_every_type() {
    let ground = Ground::new();
    ground.file("file", "12345", 0o4751);
    ground.directory("directory", 0o1700);
    symlink("nowhere", ground.path("link")).unwrap();
    fifo(&ground.path("pipe"));
    let _socket = UnixListener::bind(ground.path("socket")).unwrap();
    let check = |path: &Path, kind: EntryKind| {
        assert_eq!(ground.host.look(path).unwrap().unwrap().kind, kind, "{}", path.display());
    };
    check(&ground.path("file"), EntryKind::File);
    check(&ground.path("directory"), EntryKind::Directory);
    check(&ground.path("directory/"), EntryKind::Directory);
    check(&ground.path("link"), EntryKind::Link(PathBuf::from("nowhere")));
    check(&ground.path("link/"), EntryKind::Link(PathBuf::from("nowhere")));
    check(&ground.path("pipe"), EntryKind::Other("a named pipe"));
    check(&ground.path("socket"), EntryKind::Other("a socket"));
    check(Path::new("/dev/null"), EntryKind::Other("a character device"));
    assert_eq!(ground.host.look(&ground.path("none")).unwrap(), None);
    assert_eq!(ground.host.look(&ground.path("file/below")).unwrap(), None);
}

#[test]
fn look_returns_attributes() {
    let ground = Ground::new();
    let path = ground.file("file", "12345", 0o4751);
    std::fs::hard_link(&path, ground.path("other")).unwrap();
    let entry = ground.host.look(&path).unwrap().unwrap();
    assert_eq!((entry.mode, entry.size, entry.links), (0o4751, 5, 2));
    assert_eq!(entry.modified, path.metadata().unwrap().modified().unwrap());
    assert_eq!(entry.uid, rustix::process::geteuid().as_raw());
    assert_eq!(entry.identity, ground.host.look(&ground.path("other")).unwrap().unwrap().identity);
    let old = std::time::UNIX_EPOCH - std::time::Duration::from_millis(1500);
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
    assert_eq!(ground.host.look(&path).unwrap().unwrap().modified, old);
}

#[test]
fn read_works_with_any_size_hint() {
    let ground = Ground::new();
    for content in ["", "x", "some words", &"long ".repeat(30_000)] {
        let path = ground.file("file", content, 0o600);
        let length = content.len() as u64;
        for size in [0, 1, length.saturating_sub(1), length, length + 1, length * 2, length + 100_000] {
            let read = ground.host.read(&path, size).unwrap();
            assert!(read == content.as_bytes(), "{length} bytes with the hint {size}");
        }
    }
    assert!(!ground.host.read(Path::new("/proc/self/status"), 0).unwrap().is_empty());
}

#[test]
fn read_accepts_only_regular_files_and_never_waits() {
    let ground = Ground::new();
    ground.directory("directory", 0o700);
    ground.file("file", "x", 0o600);
    symlink("file", ground.path("link")).unwrap();
    fifo(&ground.path("pipe"));
    let _socket = UnixListener::bind(ground.path("socket")).unwrap();
    let check = |path: &Path, kind: ErrorKind| {
        for size in [0, 10] {
            refused(ground.host.read(path, size), kind);
        }
    };
    check(&ground.path("directory"), ErrorKind::WrongType);
    check(&ground.path("link"), ErrorKind::WrongType);
    check(&ground.path("pipe"), ErrorKind::WrongType);
    check(&ground.path("socket"), ErrorKind::WrongType);
    check(Path::new("/dev/null"), ErrorKind::WrongType);
    check(&ground.path("none"), ErrorKind::Missing);
}

#[test]
fn read_works_with_an_absurd_size_hint() {
    let ground = Ground::new();
    let path = ground.file("file", "x", 0o600);
    assert_eq!(ground.host.read(&path, u64::MAX).unwrap(), b"x");
}

#[test]
fn list_is_sorted_and_accepts_only_directories() {
    let ground = Ground::new();
    for name in ["b", "a", ".hidden", "c"] {
        ground.file(name, "", 0o600);
    }
    let listed = ground.host.list(&ground.path("")).unwrap();
    assert_eq!(listed, [".hidden", "a", "b", "c"]);
    refused(ground.host.list(&ground.path("a")), ErrorKind::WrongType);
    refused(ground.host.list(&ground.path("none")), ErrorKind::Missing);
}

/// A sparse file costs its owner nothing, so reading it must cost us nothing, either.
#[test]
fn refuses_a_file_over_the_limit_before_reading_it() {
    const SIZE: u64 = 1 << 50;
    let ground = Ground::new();
    let path = ground.file("huge", "", 0o600);
    std::fs::File::options().write(true).open(&path).unwrap().set_len(1 << 42).unwrap();
    let expected = format!(
        "cannot read {}: it has {} bytes, and the limit is {READ_LIMIT}",
        path.display(),
        1_u64 << 42
    );
    for size in [0, 1, READ_LIMIT, 1 << 42, SIZE] {
        assert_eq!(refused(ground.host.read(&path, size), ErrorKind::Invalid).chain(), expected);
    }
    assert_eq!(refused(ground.host.content(&path, READ_LIMIT), ErrorKind::Invalid).chain(), expected);
    let path = ground.file("small", "12345", 0o600);
    assert_eq!(ground.host.read_within(&path, 5, 5).unwrap(), b"12345");
    for size in [0, 4, 5, 6] {
        refused(ground.host.read_within(&path, size, 4), ErrorKind::Invalid);
    }
    // It reports no size, so only reading shows it.
    refused(ground.host.read_within(Path::new("/proc/self/status"), 0, 10), ErrorKind::Invalid);
}
