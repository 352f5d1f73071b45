//! A machine that counts reads, in a run with declared needs and managed paths.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use uphold_resource::{Act, Entry, Files, Level, Machine, Result, RunView};

pub(crate) struct Spy {
    machine: Machine,
    counting: Arc<Counting>,
    needed: &'static [&'static str],
    managed: Vec<PathBuf>,
    reported: Mutex<Vec<String>>,
}

/// The files of a machine, with a count of each type of access.
struct Counting {
    inner: Arc<dyn Files>,
    looks: AtomicUsize,
    reads: AtomicUsize,
    lists: AtomicUsize,
}

impl Spy {
    /// Only these properties are needed.
    pub(crate) fn new(machine: &Machine, needed: &'static [&'static str]) -> Self {
        let none = AtomicUsize::default;
        let inner = machine.files.clone();
        let counting = Arc::new(Counting { inner, looks: none(), reads: none(), lists: none() });
        let mut machine = machine.clone();
        machine.files = counting.clone();
        Self { machine, counting, needed, managed: Vec::new(), reported: Mutex::default() }
    }

    /// Another resource provides this path.
    pub(crate) fn managing(mut self, path: PathBuf) -> Self {
        self.managed.push(path);
        self
    }

    pub(crate) fn act(&self) -> Act<'_> {
        Act::new(&self.machine, None, self)
    }

    /// All messages, in order.
    pub(crate) fn reported(&self) -> Vec<String> {
        self.reported.lock().expect("not poisoned").clone()
    }

    /// The number of `lstat` calls, reads and listings.
    pub(crate) fn counts(&self) -> (usize, usize, usize) {
        let get = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        (get(&self.counting.looks), get(&self.counting.reads), get(&self.counting.lists))
    }
}

impl RunView for Spy {
    fn report(&self, _: Level, text: &str) {
        self.reported.lock().expect("not poisoned").push(text.to_owned());
    }
    fn needs(&self, property: &str) -> bool {
        self.needed.contains(&property)
    }
    fn provides(&self, path: &Path) -> bool {
        self.managed.iter().any(|managed| managed == path)
    }
    fn manages_contents(&self, path: &Path) -> bool {
        self.provides(path)
    }
    fn manages(&self, path: &Path) -> bool {
        self.managed.iter().any(|managed| managed.starts_with(path))
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
