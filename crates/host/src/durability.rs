//! Waiting until files are on the disk, for many at once.

use std::collections::BTreeMap;
use std::os::fd::AsFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::io::{Errno, Result};

use crate::{calls, clock};

/// From this number of files on, the whole file system is synced instead of each file.
const MANY: usize = 16;

/// If syncing the file system takes longer, other processes have written much to it: from then on each file is synced.
const LONG: Duration = Duration::from_secs(1);

/// File systems on which syncing the file system is known to make files and names durable: ext4, XFS, Btrfs, F2FS and
/// tmpfs, which has no disk. FUSE, for example, need not do anything.
const KNOWN: [u64; 5] = [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x0102_1994];

/// Waits for the disk.
#[derive(Default)]
pub(crate) struct Durability {
    /// Whether syncing a whole file system took long.
    is_slow: AtomicBool,
}

impl Durability {
    /// Waits until these files are on the disk, each with its device. One result each.
    pub(crate) fn sync(&self, files: &[(u64, impl AsFd)]) -> Vec<Result<()>> {
        let mut by_device: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (index, (device, _)) in files.iter().enumerate() {
            by_device.entry(*device).or_default().push(index);
        }
        let mut results = vec![Ok(()); files.len()];
        for group in by_device.values() {
            let is_synced = group.len() >= MANY && self.is_file_system_synced(&files[group[0]].1);
            // A file system reports that some file could not be written, but not which.
            for index in group.iter().filter(|_| !is_synced) {
                results[*index] = calls::fsync(&files[*index].1);
            }
        }
        results
    }

    /// The same for directories. Some file systems cannot sync one, and one that we may not read is open for lookups only.
    pub(crate) fn sync_directories(&self, directories: &[(u64, impl AsFd)]) -> Vec<Result<()>> {
        let mut results = self.sync(directories);
        for result in &mut results {
            if matches!(result, Err(Errno::INVAL | Errno::BADF | Errno::NOTSUP)) {
                *result = Ok(());
            }
        }
        results
    }

    /// Syncs the file system of a file; false if that is not possible, took long before, or failed.
    fn is_file_system_synced(&self, file: &impl AsFd) -> bool {
        if self.is_slow.load(Ordering::Relaxed) || !errors_are_reported() {
            return false;
        }
        let is_known = |kind: u64| KNOWN.contains(&kind);
        if !calls::file_system_type(file).is_ok_and(is_known) {
            return false;
        }
        let began = clock::start();
        let result = calls::syncfs(file);
        if began.elapsed() > LONG {
            self.is_slow.store(true, Ordering::Relaxed);
        }
        result.is_ok()
    }
}

/// Whether syncing a file system reports that files could not be written: from Linux 5.8 on.
fn errors_are_reported() -> bool {
    static REPORTED: OnceLock<bool> = OnceLock::new();
    *REPORTED.get_or_init(|| {
        let uname = rustix::system::uname();
        is_at_least(uname.release().to_str().unwrap_or_default(), (5, 8))
    })
}

fn is_at_least(release: &str, wanted: (u32, u32)) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_of_the_kernel_are_compared_by_number() {
        for (release, expected) in [
            ("5.8.0-1-amd64", true),
            ("5.10", true),
            ("6.1.0", true),
            ("5.7.19", false),
            ("4.19", false),
            ("", false),
        ] {
            assert_eq!(is_at_least(release, (5, 8)), expected, "{release}");
        }
    }

    #[test]
    fn few_and_many_files_are_synced() {
        let ground = tempfile::TempDir::new().unwrap();
        for count in [0, 1, MANY - 1, MANY, 3 * MANY] {
            let files: Vec<_> = (0..count)
                .map(|index| (0, std::fs::File::create(ground.path().join(index.to_string())).unwrap()))
                .collect();
            assert_eq!(Durability::default().sync(&files), vec![Ok(()); count]);
        }
    }

    #[test]
    fn a_file_that_cannot_be_synced_fails_alone() {
        let (reader, _writer) = rustix::pipe::pipe().unwrap();
        let file: rustix::fd::OwnedFd = tempfile::tempfile().unwrap().into();
        assert_eq!(Durability::default().sync(&[(0, file), (1, reader)]), [Ok(()), Err(Errno::INVAL)]);
    }
}
