//! The minimal watch of one directory: on each event it checks the files and rewrites those that differ.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};

use super::{below, check_file, owner, write_directory, write_file};
use crate::bench::configuration::{Content, DIRECTORIES, directory_path, file_path};

/// All changes to the files of the directory, and a move of the directory itself.
const CHANGES: WatchFlags = WatchFlags::MODIFY
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVE_SELF);

/// Room for a few dozen events.
const BUFFER: usize = 4096;

/// Writes the first directory with its share of `count` files, notifies readiness, and repairs them until killed.
pub(super) fn watch(root: &Path, count: usize) -> io::Result<()> {
    let inotify = inotify::init(CreateFlags::CLOEXEC)?;
    let mut directory = WatchedDirectory::new(root, count)?;
    directory.make(&inotify)?;
    notify_ready()?;
    let mut buffer = [MaybeUninit::uninit(); BUFFER];
    let mut reader = Reader::new(&inotify, &mut buffer);
    loop {
        let mut changes = reader.next()?.events();
        while !reader.is_buffer_empty() {
            changes |= reader.next()?.events();
        }
        // Checks before it writes: otherwise its own writes would cause an endless loop.
        let moved = changes.contains(ReadFlags::MOVE_SELF);
        match if moved { directory.make(&inotify) } else { directory.repair() } {
            // The directory was moved during the write; the next event reports that.
            Err(error) if !moved && error.kind() == io::ErrorKind::NotFound => {}
            done => done?,
        }
    }
}

/// Notifies readiness by the protocol of systemd.
fn notify_ready() -> io::Result<()> {
    let Some(socket) = std::env::var_os("NOTIFY_SOCKET") else { return Ok(()) };
    UnixDatagram::unbound()?.send_to(b"READY=1\n", socket).map(drop)
}

struct WatchedDirectory {
    directory: PathBuf,
    files: Vec<(PathBuf, String)>,
    owner: (u32, u32),
    /// The descriptor of the watch of the directory.
    watch: Option<i32>,
}

impl WatchedDirectory {
    fn new(root: &Path, count: usize) -> io::Result<Self> {
        let mut content = Content::new();
        let file = |index| (below(root, &file_path(index)), content.of(index).to_owned());
        let files = (0..count).step_by(DIRECTORIES).map(file).collect();
        Ok(Self { directory: below(root, &directory_path(0)), files, owner: owner()?, watch: None })
    }

    /// Makes the directory, watches it, and writes all files.
    fn make(&mut self, inotify: &OwnedFd) -> io::Result<()> {
        write_directory(&self.directory, self.owner)?;
        let watch = inotify::add_watch(inotify, &self.directory, CHANGES)?;
        if let Some(gone) = self.watch.replace(watch) {
            inotify::remove_watch(inotify, gone)?;
        }
        self.files.iter().try_for_each(|(path, content)| write_file(path, content, self.owner))
    }

    /// Writes the files that differ.
    fn repair(&self) -> io::Result<()> {
        let wrong = |(path, content): &&(PathBuf, String)| check_file(path, content, self.owner).is_err();
        self.files.iter().filter(wrong).try_for_each(|(path, content)| write_file(path, content, self.owner))
    }
}
