//! A remembered content is the real one, whatever another process does to the file.

use std::collections::HashMap;
use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use uphold_host::LocalHost;
use uphold_resource::{Entry, FileEdits, Files, KnownContents};

use super::ground::Ground;

/// Longer than a file must be unchanged before it is remembered.
const SETTLED: Duration = Duration::from_millis(2100);

/// Files by device and inode, with all their attributes.
type Known<T> = Mutex<HashMap<(u64, u64), (Entry, T)>>;

/// A memory that answers by device, inode and all attributes, and counts.
#[derive(Default)]
struct Memory {
    contents: Known<Vec<u8>>,
    digests: Known<[u8; 32]>,
    hits: Mutex<usize>,
}

impl Memory {
    fn find<T: Clone>(&self, known: &Known<T>, seen: &Entry) -> Option<T> {
        let known = known.lock().unwrap();
        let (_, value) = known.get(&seen.identity).filter(|(entry, _)| entry == seen)?;
        *self.hits.lock().unwrap() += 1;
        Some(value.clone())
    }

    /// The numbers of remembered contents and digests.
    fn count(&self) -> (usize, usize) {
        (self.contents.lock().unwrap().len(), self.digests.lock().unwrap().len())
    }
}

impl KnownContents for Memory {
    fn contains(&self, seen: &Entry, content: &[u8]) -> bool {
        self.find(&self.contents, seen).is_some_and(|known| known == content)
    }

    fn sha256(&self, seen: &Entry) -> Option<[u8; 32]> {
        self.find(&self.digests, seen)
    }

    fn remember(&self, seen: &Entry, content: &[u8]) {
        self.contents.lock().unwrap().insert(seen.identity, (seen.clone(), content.to_vec()));
    }

    fn remember_sha256(&self, seen: &Entry, digest: [u8; 32]) {
        self.digests.lock().unwrap().insert(seen.identity, (seen.clone(), digest));
    }
}

fn remembering() -> (LocalHost, Arc<Memory>) {
    let memory = Arc::new(Memory::default());
    (LocalHost::new().remembering(memory.clone()), memory)
}

fn contains(host: &LocalHost, path: &Path, content: &[u8]) -> bool {
    host.look(path).unwrap().is_some_and(|seen| host.contains(path, &seen, content).unwrap())
}

fn hits(memory: &Memory) -> usize {
    *memory.hits.lock().unwrap()
}

#[test]
fn a_file_is_read_until_it_is_settled_and_then_known() {
    let ground = Ground::new();
    let path = ground.file("a", "content", 0o644);
    let (host, memory) = remembering();
    assert!(contains(&host, &path, b"content"));
    assert!(contains(&host, &path, b"content"));
    assert_eq!(hits(&memory), 0, "it has just changed");
    std::thread::sleep(SETTLED);
    assert!(contains(&host, &path, b"content"), "read and remembered");
    assert_eq!(hits(&memory), 0);
    assert!(contains(&host, &path, b"content"));
    assert!(!contains(&host, &path, b"CONTENT"));
    assert_eq!(hits(&memory), 2);
    host.sha256(&path).unwrap();
    assert_eq!(hits(&memory), 2, "read and remembered apart from the content");
    let digest = host.sha256(&path).unwrap();
    assert_eq!(hits(&memory), 3);
    assert_eq!(digest, remembering().0.sha256(&path).unwrap(), "the digest that reading gives");
}

#[test]
fn a_file_that_is_open_for_writing_is_not_remembered() {
    let ground = Ground::new();
    let path = ground.file("a", "content", 0o644);
    let writer = OpenOptions::new().write(true).open(&path).unwrap();
    std::thread::sleep(SETTLED);
    let (host, memory) = remembering();
    assert!(contains(&host, &path, b"content"));
    host.sha256(&path).unwrap();
    assert_eq!(memory.count(), (0, 0));
    drop(writer);
    assert!(contains(&host, &path, b"content"));
    assert_eq!(memory.count(), (1, 0));
}

#[test]
fn a_file_system_without_change_times_is_not_remembered() {
    let path = Path::new("/proc/sys/kernel/ostype");
    let (host, memory) = remembering();
    host.sha256(path).unwrap();
    host.sha256(path).unwrap();
    assert_eq!(memory.count(), (0, 0));
}

/// What an adversary does to a file of 8 bytes. None changes its size.
#[derive(Clone, Copy, Debug)]
enum Attack {
    Nothing,
    Overwrite,
    OverwriteAndRestoreTime,
    OverwriteByOpenHandle,
    TruncateAndWrite,
    ReplaceByRename,
    ReplaceByRenameWithTime,
    ExchangeWithNext,
    OverwriteThroughHardLink,
    ChangeMode,
    OverwriteAndBack,
    RemoveAndCreate,
}

const ATTACKS: [Attack; 12] = [
    Attack::Nothing,
    Attack::Overwrite,
    Attack::OverwriteAndRestoreTime,
    Attack::OverwriteByOpenHandle,
    Attack::TruncateAndWrite,
    Attack::ReplaceByRename,
    Attack::ReplaceByRenameWithTime,
    Attack::ExchangeWithNext,
    Attack::OverwriteThroughHardLink,
    Attack::ChangeMode,
    Attack::OverwriteAndBack,
    Attack::RemoveAndCreate,
];

impl Attack {
    fn make(self, path: &Path, next: &Path, beside: &Path) {
        let times = || {
            let metadata = path.metadata().unwrap();
            let times = FileTimes::new();
            times.set_modified(metadata.modified().unwrap()).set_accessed(metadata.accessed().unwrap())
        };
        let write = |path: &Path| OpenOptions::new().write(true).open(path).unwrap();
        match self {
            Attack::Nothing => {}
            Attack::Overwrite => write(path).write_all(b"attacked").unwrap(),
            Attack::OverwriteAndRestoreTime => {
                let times = times();
                let mut file = write(path);
                file.write_all(b"attacked").unwrap();
                file.set_times(times).unwrap();
            }
            Attack::OverwriteByOpenHandle => {
                let file = write(path);
                file.write_at(b"at", 0).unwrap();
                file.write_at(b"tacked", 2).unwrap();
            }
            Attack::TruncateAndWrite => fs::write(path, "attacked").unwrap(),
            Attack::ReplaceByRename => {
                fs::write(beside, "attacked").unwrap();
                fs::rename(beside, path).unwrap();
            }
            Attack::ReplaceByRenameWithTime => {
                fs::write(beside, "attacked").unwrap();
                File::open(beside).unwrap().set_times(times()).unwrap();
                fs::rename(beside, path).unwrap();
            }
            Attack::ExchangeWithNext => {
                fs::rename(path, beside).unwrap();
                fs::rename(next, path).unwrap();
                fs::rename(beside, next).unwrap();
            }
            Attack::OverwriteThroughHardLink => {
                fs::hard_link(path, beside).unwrap();
                write(beside).write_all(b"attacked").unwrap();
                fs::remove_file(beside).unwrap();
            }
            Attack::ChangeMode => fs::set_permissions(path, Permissions::from_mode(0o664)).unwrap(),
            Attack::OverwriteAndBack => {
                let content = fs::read(path).unwrap();
                write(path).write_all(b"attacked").unwrap();
                write(path).write_all(&content).unwrap();
            }
            Attack::RemoveAndCreate => {
                fs::remove_file(path).unwrap();
                fs::write(path, "attacked").unwrap();
            }
        }
    }
}

#[test]
fn no_attack_makes_a_wrong_content_known() {
    const FILES: usize = 600;
    let ground = Ground::new();
    let paths: Vec<PathBuf> = (0..FILES).map(|index| ground.path(&index.to_string())).collect();
    let content = |index: usize| format!("{index:08}");
    for (index, path) in paths.iter().enumerate() {
        fs::write(path, content(index)).unwrap();
    }
    std::thread::sleep(SETTLED);
    let (host, memory) = remembering();
    for (index, path) in paths.iter().enumerate() {
        assert!(contains(&host, path, content(index).as_bytes()));
    }
    assert_eq!(memory.count(), (FILES, 0));
    // The same file is attacked several times, at once and after it was looked at.
    let attacks = proptest::collection::vec((0..FILES, proptest::sample::select(&ATTACKS[..])), 1..40);
    let mut runner = TestRunner::new(ProptestConfig { cases: 60, ..ProptestConfig::default() });
    let beside = ground.path("beside");
    runner
        .run(&attacks, |attacks| {
            for (index, attack) in attacks {
                let next = (index + 1) % FILES;
                attack.make(&paths[index], &paths[next], &beside);
                for index in [index, next] {
                    let real = fs::read(&paths[index]).unwrap();
                    for claimed in [content(index).into_bytes(), b"attacked".to_vec(), real.clone()] {
                        let known = contains(&host, &paths[index], &claimed);
                        prop_assert_eq!(known, real == claimed, "{:?} on {}", attack, index);
                    }
                }
            }
            Ok(())
        })
        .unwrap();
    assert!(hits(&memory) > 0);
}

#[test]
fn a_directory_without_leftovers_is_read_again_when_it_changes() {
    let ground = Ground::new();
    let directory = ground.directory("d", 0o750);
    ground.file("d/a", "", 0o644);
    let (host, memory) = remembering();
    host.remove_leftovers(&directory);
    assert_eq!(memory.count(), (0, 0), "it has just changed");
    std::thread::sleep(SETTLED);
    host.remove_leftovers(&directory);
    assert_eq!((memory.count(), hits(&memory)), ((0, 1), 0), "read and remembered");
    host.remove_leftovers(&directory);
    assert_eq!(hits(&memory), 1);
    let left = ground.file("d/.a.uphold-0123456789abcdef", "secret", 0o600);
    host.remove_leftovers(&directory);
    assert!(!left.exists());
    std::thread::sleep(SETTLED);
    let (host, memory) = remembering();
    let live = File::open(ground.file("d/.a.uphold-0123456789abcdef", "", 0o600)).unwrap();
    rustix::fs::flock(&live, rustix::fs::FlockOperation::NonBlockingLockShared).unwrap();
    std::thread::sleep(SETTLED);
    host.remove_leftovers(&directory);
    assert_eq!(memory.count(), (0, 0), "another run may be killed, and leave it");
}
