//! Whether a file is open for writing anywhere on the machine.
//!
//! A process that has mapped a file for writing can change its content without any trace: once a page is dirty, a store
//! changes no time of the file, and no watch reports it. The kernel refuses a read lease while such a process exists, so a
//! lease that is taken and given back answers the question.

use std::io;
use std::os::fd::{AsFd, AsRawFd};

/// The command that chooses the signal of a lease: `asm-generic/fcntl.h` defines it, libc does not.
const F_SETSIG: libc::c_int = 10;

/// Whether some process has this file open or mapped for writing.
///
/// # Errors
/// If the kernel does not say: the file system has no leases, or the file belongs to another user and this one is not root.
pub fn is_open_for_writing(file: impl AsFd) -> io::Result<bool> {
    let file = file.as_fd();
    // A process that opens the file during the lease sends a signal, by default one that ends this process. This one is
    // ignored by default.
    control(&file, F_SETSIG, libc::SIGURG)?;
    match control(&file, libc::F_SETLEASE, libc::F_RDLCK) {
        Ok(()) => control(&file, libc::F_SETLEASE, libc::F_UNLCK).map(|()| false),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(true),
        Err(error) => Err(error),
    }
}

#[expect(unsafe_code, reason = "the standard library has no fcntl(2)")]
fn control(file: &impl AsFd, command: libc::c_int, argument: libc::c_int) -> io::Result<()> {
    let file = file.as_fd().as_raw_fd();
    loop {
        // SAFETY: the descriptor is open, because it is borrowed, and these commands take a number and access no memory.
        if unsafe { libc::fcntl(file, command, argument) } != -1 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests need real files")]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::io::Write;

    use super::*;

    #[test]
    fn writers_are_seen_until_they_close_and_unmap_the_file() {
        let ground = tempfile::TempDir::new().unwrap();
        let path = ground.path().join("a");
        let mut writer = OpenOptions::new().read(true).write(true).create_new(true).open(&path).unwrap();
        writer.write_all(b"content").unwrap();
        let file = File::open(&path).unwrap();
        assert!(is_open_for_writing(&file).unwrap());
        #[expect(unsafe_code, reason = "a mapping of a file that nothing else changes")]
        // SAFETY: no other process changes the file.
        let mapping = unsafe { memmap2::MmapMut::map_mut(&writer).unwrap() };
        drop(writer);
        assert!(is_open_for_writing(&file).unwrap(), "mapped");
        drop(mapping);
        assert!(!is_open_for_writing(&file).unwrap());
        assert!(!is_open_for_writing(&file).unwrap(), "the lease was given back");
        OpenOptions::new().write(true).open(&path).expect("nothing waits for a lease");
    }

    #[test]
    fn a_writer_during_the_lease_does_not_end_this_process() {
        let ground = tempfile::TempDir::new().unwrap();
        let path = ground.path().join("a");
        std::fs::write(&path, "content").unwrap();
        let file = File::open(&path).unwrap();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for _ in 0..2000 {
                    OpenOptions::new().write(true).open(&path).unwrap();
                }
            });
            while !writer.is_finished() {
                is_open_for_writing(&file).unwrap();
            }
        });
    }

    #[test]
    fn pipes_have_no_leases() {
        let (reader, _writer) = std::io::pipe().unwrap();
        is_open_for_writing(&reader).expect_err("not a file");
    }
}
