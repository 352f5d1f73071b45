//! The machine in memory has the guarantees of the interfaces.

mod edits;
mod facts;
mod furnishing;
mod journal;
mod looking;
mod notes;
mod shell;
mod simulation;
mod sites;
mod waits;
mod watching;

use std::path::Path;

use uphold_memory::MemoryHost;
use uphold_resource::{Access, Act, Error, ErrorKind, FileEdits, NewFile, Result};

fn machine() -> MemoryHost {
    MemoryHost::new()
        .user("app", 1000)
        .directory("/etc", 0o755)
        .file("/etc/motd", "hello", 0o640)
        .owned("/etc/motd", 1000, 1000)
        .with_attribute("/etc/motd", "user.note", "kept")
        .hard_link("/etc/issue", "/etc/motd")
        .link("/etc/link", "motd")
        .link("/conf", "/etc")
        .pipe("/etc/pipe", 0o600)
        .directory("/tmp", 0o1777)
        .link("/tmp/etc", "/etc")
        .link("/loop", "/loop")
}

/// Sets the access of the entry at the path.
fn set_access(host: &Act<'_>, path: &Path, access: &Access) -> Result<()> {
    let missing = || Error::new(ErrorKind::Missing, "it does not exist");
    let seen = host.files().look(path)?.ok_or_else(missing)?;
    host.edits().set_access(path, &seen, access)
}

fn put(host: &MemoryHost, path: &str, content: &str) -> Result<()> {
    host.write(Path::new(path), &new_file(content))
}

fn new_file(content: &str) -> NewFile<'_> {
    NewFile::new(content.as_bytes(), Access::default())
}

fn mode(mode: u32) -> Access {
    Access { mode: Some(mode), ..Access::default() }
}

/// A description of the entry at `path`.
fn at(host: &MemoryHost, path: &str) -> String {
    host.snapshot().describe(Path::new(path)).unwrap_or("nothing".to_owned())
}

#[track_caller]
fn refused<T>(result: Result<T>, kind: ErrorKind) {
    match result {
        Ok(_) => panic!("it was not refused"),
        Err(error) => assert_eq!(error.kind(), kind, "{}", error.chain()),
    }
}
