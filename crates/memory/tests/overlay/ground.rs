//! Machines for the tests.

use std::path::Path;

use tempfile::TempDir;
use uphold_host::LocalHost;
use uphold_memory::MemoryHost;
use uphold_resource::{Access, Act, Machine};

use super::{mode, new_file, set_access};

/// Creates entries of all types, through the interface that will change them.
pub(crate) fn furnish(host: &Act<'_>) {
    let edits = host.edits();
    let path = Path::new;
    for (directory, bits) in
        [("/a", 0o755), ("/a/b", 0o755), ("/a/b/c", 0o700), ("/b", 0o777), ("/c", 0o2755), ("/c/d", 0o755)]
    {
        edits.make_directory(path(directory), &mode(bits)).expect("it is created");
    }
    for file in ["/a/a", "/a/b/a", "/a/b/c/e", "/b/b", "/c/a", "/c/d/b", "/e"] {
        edits.write(path(file), &new_file(file)).expect("it is written");
        set_access(host, path(file), &mode(0o4755)).expect("it is ours");
    }
    for (link, target) in [("/l", "/a"), ("/a/l", "b"), ("/b/l", "/a"), ("/d", "/none"), ("/c/l", "../c/l")] {
        edits.make_link(path(link), path(target)).expect("it is created");
    }
    for (link, target) in [("/a/d", "/a/a"), ("/b/a", "/a/a"), ("/a/b/c/d", "/a/b/a"), ("/c/c", "/l")] {
        edits.make_hard_link(path(link), path(target)).expect("it is created");
    }
    if is_root(host) {
        let owner = Access { mode: None, uid: Some(1000), gid: Some(1) };
        set_access(host, path("/c"), &Access { mode: Some(0o2755), ..owner }).expect("we are root");
        set_access(host, path("/e"), &owner).expect("we are root");
    }
}

pub(crate) fn is_root(host: &Act<'_>) -> bool {
    host.accounts().current_uid() == 0
}

pub(crate) fn memory() -> MemoryHost {
    let host = MemoryHost::new().pipe("/p", 0o600);
    furnish(&host.act());
    host.forget();
    host
}

/// The real machine, below its own directory.
pub(crate) struct Local {
    root: TempDir,
    pub(crate) host: Machine,
}

impl Local {
    pub(crate) fn furnished() -> Self {
        let local = Self::empty();
        let path = local.root.path().join("p");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::from_raw_mode(0o600))
            .expect("it is new");
        furnish(&local.host.act());
        local
    }

    fn empty() -> Self {
        let root = TempDir::new().expect("there is room");
        let host = LocalHost::rooted(root.path()).expect("it was just made").machine();
        Self { root, host }
    }

    /// A copy. Creating it again would sync the disk many times.
    #[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test prepares real files")]
    pub(crate) fn copy(&self) -> Self {
        let copy = Self::empty();
        let (from, to) = (self.root.path().join("."), copy.root.path());
        let status = std::process::Command::new("cp").arg("-a").args([from.as_path(), to]).status();
        assert!(status.expect("every system has cp").success());
        copy
    }
}
