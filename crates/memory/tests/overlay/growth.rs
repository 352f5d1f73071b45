//! The cost of an overlay, in queries of the base machine.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use uphold_memory::{MemoryHost, Overlay};
use uphold_resource::{Entry, FileEdits, Files, Result};

use super::{mode, new_file};

/// The files of a machine, with a count of each type of access.
struct Counting {
    inner: Arc<dyn Files>,
    looks: AtomicUsize,
    reads: AtomicUsize,
    lists: AtomicUsize,
}

impl Counting {
    /// The counts of looks, reads and lists since the last call.
    fn counts(&self) -> (usize, usize, usize) {
        let take = |count: &AtomicUsize| count.swap(0, Ordering::Relaxed);
        (take(&self.looks), take(&self.reads), take(&self.lists))
    }
}

impl Files for Counting {
    fn look(&self, path: &Path) -> Result<Option<Entry>> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.inner.look(path)
    }
    fn read_within(&self, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.inner.read_within(path, size, limit)
    }
    fn list(&self, path: &Path) -> Result<Vec<OsString>> {
        self.lists.fetch_add(1, Ordering::Relaxed);
        self.inner.list(path)
    }
}

/// An overlay, and the counts of its base machine.
fn counting() -> (Arc<Counting>, Overlay) {
    let host = MemoryHost::new().directory("/srv", 0o755).directory("/srv/www", 0o755);
    let mut machine = host.file("/srv/www/old", "old", 0o644).machine().clone();
    let none = AtomicUsize::default;
    let base = Arc::new(Counting { inner: machine.files, looks: none(), reads: none(), lists: none() });
    machine.files = base.clone();
    (base, Overlay::new(&machine, 0, 0))
}

#[test]
fn queries_parent_directories_once() {
    let (base, overlay) = counting();
    assert_eq!(base.counts(), (0, 0, 0), "an unused overlay makes no query");
    overlay.look(Path::new("/")).expect("it can be read");
    assert_eq!(base.counts(), (1, 0, 0), "the root");
    for path in ["/srv/www/old", "/srv/www/old", "/srv/www/none"] {
        overlay.look(Path::new(path)).expect("it can be read");
    }
    assert_eq!(base.counts(), (2 + 3, 0, 0), "two directories, then one look for each look");
    overlay.read(Path::new("/srv/www/old"), 3).expect("it can be read");
    assert_eq!(base.counts(), (0, 1, 0));
}

#[test]
fn a_change_of_owner_or_a_copy_reads_nothing() {
    let (base, overlay) = counting();
    overlay.look(Path::new("/")).expect("it can be read");
    base.counts();
    overlay.copy(Path::new("/srv/www/old"), Path::new("/srv/www/new")).expect("there is room");
    let old = Path::new("/srv/www/old");
    let seen = overlay.look(old).expect("it can be read").expect("it exists");
    overlay.set_access(old, &seen, &mode(0o600)).expect("it exists");
    overlay.make_hard_link(Path::new("/srv/www/third"), Path::new("/srv/www/old")).expect("there is room");
    assert_eq!(base.counts(), (2 + 3, 0, 0), "two directories and three names");
    overlay.remove_tree(Path::new("/srv")).expect("it exists");
    assert_eq!(base.counts(), (0, 0, 0));
}

/// However many files exist, one more costs one query, and a listing costs one.
#[test]
fn many_files_in_one_directory_are_linear() {
    const FILES: usize = 20_000;
    let (base, overlay) = counting();
    overlay.look(Path::new("/")).expect("it can be read");
    base.counts();
    for number in 0..FILES {
        let path = format!("/srv/www/{number:06}");
        overlay.write(Path::new(&path), &new_file("x")).expect("there is room");
    }
    assert_eq!(base.counts(), (2 + FILES, 0, 0), "two directories, then each name once");
    for number in 0..FILES {
        let path = format!("/srv/www/{number:06}");
        let entry = overlay.look(Path::new(&path)).expect("it can be read").expect("it exists");
        assert_eq!(entry.size, 1);
    }
    assert_eq!(base.counts(), (0, 0, 0), "written files are not queried again");
    let names = overlay.list(Path::new("/srv/www")).expect("it is a directory");
    assert_eq!((names.len(), base.counts()), (FILES + 1, (0, 0, 1)));
    assert!(names.is_sorted());
    overlay.look(Path::new("/srv/www")).expect("it can be read");
    overlay.remove_tree(Path::new("/srv/www")).expect("it exists");
    assert_eq!(base.counts(), (0, 0, 0));
}
