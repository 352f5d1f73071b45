//! The lock of a run: one run changes a machine at a time.

mod holder;

use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fmt, io};

use rustix::fs::{FlockOperation, flock, fstatfs, ftruncate};
use rustix::io::{Errno, pread, pwrite, retry_on_intr};

use super::line::{Chain, scan, seal};
use super::storage::{DiskStorage, lock_file_at};

pub use holder::{Holder, OtherHolder};

// Taking the lock, and waiting for it.

const FILE: &str = "lock";

/// The first and the longest delay between two attempts.
const DELAYS: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(500));

/// The description of a holder is shorter.
const MOST_READ: usize = 64 << 10;

/// The lock of a run. Dropping it releases the lock; so does the kernel when the process ends.
///
/// The file is never removed: a second file of the same name would allow two locks.
#[derive(Debug)]
pub struct RunLock {
    file: OwnedFd,
    place: LockPlace,
}

/// Where a lock is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockPlace {
    /// In the state directory, on a local file system.
    Local,
    /// In the state directory, on this network file system: runs on other machines may not see it. A reason to warn.
    Network(&'static str),
    /// In the runtime directory, because the state directory is read-only.
    Runtime,
}

/// The reason why a lock was not taken.
#[derive(Debug)]
pub enum LockFailure {
    /// Another run held it for the whole time limit.
    TimedOut(OtherHolder),
    /// The callback ended the wait.
    Cancelled,
    /// There is no place for a lock file.
    Unavailable(io::Error),
}

impl RunLock {
    /// Takes the lock of a state directory, or one in `runtime` if the state directory cannot be written.
    ///
    /// While another run holds it, `waiting` is called before each delay of 50 to 500 ms with a description of that run;
    /// returning false ends the wait. Without a limit it waits for as long as `waiting` allows.
    pub(crate) fn take(
        storage: &DiskStorage,
        runtime: &Path,
        holder: &Holder,
        limit: Option<Duration>,
        waiting: &mut dyn FnMut(&OtherHolder) -> bool,
    ) -> Result<Self, LockFailure> {
        let (file, place) = match storage.lock_file(FILE) {
            Ok(file) => {
                let place = network_file_system(&file).map_or(LockPlace::Local, LockPlace::Network);
                (file, place)
            }
            Err(error) => (runtime_file(storage, runtime, error)?, LockPlace::Runtime),
        };
        wait(&file, limit, waiting)?;
        let lock = Self { file, place };
        lock.describe(holder);
        Ok(lock)
    }

    /// Where the lock is.
    pub fn place(&self) -> LockPlace {
        self.place
    }

    /// Writes another description of this run into the lock file, such as one with its number. A failure is ignored: the
    /// description is a hint.
    pub fn describe(&self, holder: &Holder) {
        if let Ok(line) = seal(holder) {
            let _ = ftruncate(&self.file, 0);
            let _ = retry_on_intr(|| pwrite(&self.file, line.as_bytes(), 0));
        }
    }
}

fn runtime_file(storage: &DiskStorage, runtime: &Path, error: io::Error) -> Result<OwnedFd, LockFailure> {
    let file = storage
        .identity()
        .and_then(|(device, inode)| lock_file_at(runtime, &format!("{device}-{inode}.lock")));
    // The state directory is the place that the user can fix.
    file.map_err(|_| LockFailure::Unavailable(error))
}

#[expect(clippy::disallowed_methods, reason = "no run has begun: there is no queue that could wait")]
fn wait(
    file: &OwnedFd,
    limit: Option<Duration>,
    waiting: &mut dyn FnMut(&OtherHolder) -> bool,
) -> Result<(), LockFailure> {
    let begin = Instant::now();
    let mut delay = DELAYS.0;
    loop {
        match retry_on_intr(|| flock(file, FlockOperation::NonBlockingLockExclusive)) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK) => {}
            Err(errno) => return Err(LockFailure::Unavailable(errno.into())),
        }
        let other = OtherHolder::of(read_holder(file));
        let left = limit.map(|limit| limit.saturating_sub(begin.elapsed()));
        if left == Some(Duration::ZERO) {
            return Err(LockFailure::TimedOut(other));
        }
        if !waiting(&other) {
            return Err(LockFailure::Cancelled);
        }
        std::thread::sleep(left.unwrap_or(delay).min(delay));
        delay = (delay * 2).min(DELAYS.1);
    }
}

fn read_holder(file: &OwnedFd) -> Option<Holder> {
    let mut content = vec![0; MOST_READ];
    let length = retry_on_intr(|| pread(file, &mut *content, 0)).ok()?;
    scan(&content[..length], Chain::None).lines.first()?.record()
}

/// The run that holds the lock now, for commands that only read. `None` if the lock file describes no running process.
pub(crate) fn current_holder(storage: &dyn super::storage::Storage) -> Option<Holder> {
    let content = storage.read(FILE, super::storage::Part::Start(MOST_READ)).ok()?;
    let holder = scan(&content, Chain::None).lines.first()?.record();
    match OtherHolder::of(holder) {
        OtherHolder::Known(holder) => Some(*holder),
        OtherHolder::Unseen => None,
    }
}

impl fmt::Display for LockFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimedOut(_) => f.write_str("another run holds the lock"),
            Self::Cancelled => f.write_str("the wait for the lock was cancelled"),
            Self::Unavailable(_) => f.write_str("cannot create the lock file"),
        }
    }
}

impl std::error::Error for LockFailure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unavailable(error) => Some(error),
            Self::TimedOut(_) | Self::Cancelled => None,
        }
    }
}

// File systems on which a lock may not be seen by other machines, or by other containers.

/// Numbers of statfs(2), and their names.
const SHARED: &[(u64, &str)] = &[
    (0x6969, "NFS"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB"),
    (0x517b, "SMB"),
    (0x0102_1997, "9p"),
    (0x6573_5546, "FUSE"),
    (0x5346_414f, "AFS"),
    (0x00c3_6400, "Ceph"),
];

/// The name of the network file system that a file is on; `None` for local ones.
fn network_file_system(file: impl AsFd) -> Option<&'static str> {
    let number = fstatfs(file).ok()?.f_type;
    name(number as u64)
}

fn name(number: u64) -> Option<&'static str> {
    // The numbers have 32 bits; on some platforms the field is signed, and wider.
    let number = number & 0xffff_ffff;
    SHARED.iter().find(|(known, _)| *known == number).map(|(_, name)| *name)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test uses real files and threads")]
mod run_lock_tests {
    use super::*;
    use crate::process_id::ProcessId;
    use crate::storage::Location;

    struct Ground {
        directory: tempfile::TempDir,
        storage: DiskStorage,
    }

    impl Ground {
        fn new() -> Self {
            let directory = tempfile::TempDir::new().unwrap();
            let storage = DiskStorage::open(Location::Path(directory.path().join("state"))).unwrap();
            Self { directory, storage }
        }

        fn take(&self, limit: Duration) -> Result<RunLock, LockFailure> {
            let runtime = self.directory.path().join("run");
            RunLock::take(&self.storage, &runtime, &holder(), Some(limit), &mut |_| true)
        }
    }

    fn holder() -> Holder {
        Holder { process: ProcessId::current(), verb: "apply".into(), ..Holder::default() }
    }

    #[test]
    fn one_run_holds_it_and_others_see_which() {
        let ground = Ground::new();
        let lock = ground.take(Duration::ZERO).unwrap();
        assert_eq!(lock.place(), LockPlace::Local);
        lock.describe(&Holder { run: Some(812), ..holder() });
        let Err(LockFailure::TimedOut(OtherHolder::Known(other))) = ground.take(Duration::ZERO) else {
            panic!("it was taken twice");
        };
        assert_eq!((other.verb.as_str(), other.run), ("apply", Some(812)));
        assert_eq!(current_holder(&ground.storage).unwrap().run, Some(812));
        drop(lock);
        ground.take(Duration::ZERO).unwrap();
    }

    #[test]
    fn waits_until_it_is_free_or_the_caller_ends_the_wait() {
        let ground = Ground::new();
        let mut lock = Some(ground.take(Duration::ZERO).unwrap());
        let runtime = ground.directory.path().join("run");
        let cancelled = RunLock::take(&ground.storage, &runtime, &holder(), None, &mut |_| false);
        assert!(matches!(cancelled, Err(LockFailure::Cancelled)));
        let mut release = |_: &OtherHolder| {
            lock = None;
            true
        };
        RunLock::take(&ground.storage, &runtime, &holder(), None, &mut release).unwrap();
    }

    #[test]
    fn is_in_the_runtime_directory_if_the_state_directory_cannot_be_created() {
        let ground = Ground::new();
        std::fs::write(ground.directory.path().join("state"), "in the way").unwrap();
        let lock = ground.take(Duration::ZERO).unwrap();
        assert_eq!(lock.place(), LockPlace::Runtime);
        assert!(matches!(ground.take(Duration::ZERO), Err(LockFailure::TimedOut(_))));
        std::fs::write(ground.directory.path().join("run2"), "").unwrap();
        let none = RunLock::take(
            &ground.storage,
            &ground.directory.path().join("run2"),
            &holder(),
            None,
            &mut |_| true,
        );
        assert!(matches!(none, Err(LockFailure::Unavailable(_))));
    }
}

#[cfg(test)]
mod file_system_tests {
    use super::*;

    #[test]
    fn network_file_systems_are_known_by_number() {
        assert_eq!(name(0x6969), Some("NFS"));
        assert_eq!(name(0xffff_ffff_ff53_4d42), Some("CIFS"));
        assert_eq!(name(0xef53), None, "ext4");
        assert_eq!(name(0x0102_1994), None, "tmpfs");
    }
}
