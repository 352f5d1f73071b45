//! A machine that counts what is read, and knows what was asked for and what is managed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use uphold_resource::{Entry, Files, Host, Level, Observe, Result};

pub(crate) struct Spy<'a> {
    inner: &'a dyn Host,
    needed: &'static [&'static str],
    managed: Vec<PathBuf>,
    said: Mutex<Vec<String>>,
    looks: AtomicUsize,
    reads: AtomicUsize,
    lists: AtomicUsize,
}

impl<'a> Spy<'a> {
    /// Nobody asks for anything but these properties.
    pub(crate) fn new(inner: &'a dyn Host, needed: &'static [&'static str]) -> Self {
        let none = AtomicUsize::default;
        let said = Mutex::default();
        Self { inner, needed, managed: Vec::new(), said, looks: none(), reads: none(), lists: none() }
    }

    /// Another resource provides this path.
    pub(crate) fn managing(mut self, path: PathBuf) -> Self {
        self.managed.push(path);
        self
    }

    /// What was said, in order.
    pub(crate) fn said(&self) -> Vec<String> {
        self.said.lock().expect("nobody panicked while speaking").clone()
    }

    /// How many looks, reads and lists there were.
    pub(crate) fn counts(&self) -> (usize, usize, usize) {
        let get = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        (get(&self.looks), get(&self.reads), get(&self.lists))
    }
}

impl Observe for Spy<'_> {
    uphold_resource::delegate!(self => self.inner; overlay probes accounts clock facts units notes);

    fn files(&self) -> &dyn Files {
        self
    }
    fn say(&self, _: Level, text: &str) {
        self.said.lock().expect("nobody panicked while speaking").push(text.to_owned());
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

impl Host for Spy<'_> {
    uphold_resource::delegate!(self => self.inner; edits commands unit_edits fill_random);
}

impl Files for Spy<'_> {
    fn look(&self, path: &Path) -> Result<Option<Entry>> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.inner.files().look(path)
    }
    fn read_within(&self, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.inner.files().read_within(path, size, limit)
    }
    fn list(&self, path: &Path) -> Result<Vec<OsString>> {
        self.lists.fetch_add(1, Ordering::Relaxed);
        self.inner.files().list(path)
    }
}
