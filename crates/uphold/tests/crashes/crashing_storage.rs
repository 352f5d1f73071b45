//! A storage that remembers machine and journal at the moment of one of its writes.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use uphold::journal::{AppendFile, Creation, Durability, MemoryStorage, Part, Storage, StoredFile};
use uphold_memory::{MemoryHost, Snapshot};

use super::Dice;

/// Counts the writes of a journal. Right before one of them, the power fails: what follows never happened.
#[derive(Clone)]
pub(crate) struct CrashingStorage(Arc<Inner>);

struct Inner {
    disk: MemoryStorage,
    host: Arc<MemoryHost>,
    crash: Option<usize>,
    /// Decides which unsynced writes survive. All do if only the process is killed.
    fate: Option<u64>,
    writes: AtomicUsize,
    crashed: Mutex<Option<(Snapshot, MemoryStorage)>>,
}

impl CrashingStorage {
    pub(crate) fn new(
        disk: MemoryStorage,
        crash: Option<usize>,
        fate: Option<u64>,
        host: Arc<MemoryHost>,
    ) -> Self {
        let (writes, crashed) = Default::default();
        Self(Arc::new(Inner { disk, host, crash, fate, writes, crashed }))
    }

    /// The machine and the disk when the power failed.
    pub(crate) fn crashed(&self) -> Option<(Snapshot, MemoryStorage)> {
        self.0.crashed.lock().expect("no panic").take()
    }

    fn step(&self) {
        if Some(self.0.writes.fetch_add(1, Ordering::Relaxed)) == self.0.crash {
            let mut dice = self.0.fate.map(Dice);
            let disk = self.0.disk.after_power_loss(|| match dice.as_mut().map_or(2, |dice| dice.roll(3)) {
                0 => None,
                1 => Some(dice.as_mut()?.roll(200) as usize),
                _ => Some(usize::MAX),
            });
            *self.0.crashed.lock().expect("no panic") = Some((self.0.host.snapshot(), disk));
        }
    }
}

impl Storage for CrashingStorage {
    fn read(&self, name: &str, part: Part) -> io::Result<Vec<u8>> {
        self.0.disk.read(name, part)
    }

    fn append_to(&self, name: &str, creation: Creation) -> io::Result<Box<dyn AppendFile>> {
        self.step();
        let file = self.0.disk.append_to(name, creation)?;
        Ok(Box::new(CrashingFile { storage: self.clone(), file }))
    }

    fn replace(&self, name: &str, content: &[u8], durability: Durability) -> io::Result<()> {
        self.step();
        self.0.disk.replace(name, content, durability)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.step();
        self.0.disk.remove(name)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<StoredFile>> {
        self.0.disk.list(folder)
    }
}

struct CrashingFile {
    storage: CrashingStorage,
    file: Box<dyn AppendFile>,
}

impl AppendFile for CrashingFile {
    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        self.storage.step();
        self.file.append(bytes)
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.storage.step();
        self.file.cut(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.storage.step();
        self.file.sync()
    }
}
