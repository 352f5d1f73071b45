//! Files of a journal in memory, which can lose power: the simulation for tests of the write-ahead rule.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, MutexGuard};

use uphold_model::Mutex;

use super::{AppendFile, Creation, Durability, Part, Storage, StoredFile};
use crate::time::Time;

/// A change that a power loss may undo.
#[derive(Clone, Debug)]
enum Unsynced {
    Write { offset: usize, bytes: Vec<u8> },
    Cut(usize),
    Replace(Vec<u8>),
    Remove,
}

/// A file: its durable content, the changes since, and the content that processes see. `None` is a missing file.
#[derive(Clone, Debug, Default)]
struct File {
    durable: Option<Vec<u8>>,
    unsynced: Vec<Unsynced>,
    current: Option<Vec<u8>>,
    modified: Time,
}

impl File {
    fn change(&mut self, change: Unsynced) {
        self.current = change.applied(self.current.take(), usize::MAX);
        self.unsynced.push(change);
    }

    fn sync(&mut self) {
        self.durable = self.current.clone();
        self.unsynced.clear();
    }
}

impl Unsynced {
    /// The content after this change, of which only the first `kept` bytes reached the disk.
    fn applied(&self, content: Option<Vec<u8>>, kept: usize) -> Option<Vec<u8>> {
        match self {
            Self::Write { offset, bytes } => {
                let mut content = content.unwrap_or_default();
                // A lost write before this one leaves zeros, as on disk.
                content.resize(content.len().max(offset + bytes.len()), 0);
                let kept = kept.min(bytes.len());
                content[*offset..offset + kept].copy_from_slice(&bytes[..kept]);
                Some(content)
            }
            Self::Cut(length) => {
                let mut content = content.unwrap_or_default();
                content.truncate(*length);
                Some(content)
            }
            Self::Replace(bytes) => Some(bytes[..kept.min(bytes.len())].to_vec()),
            Self::Remove => None,
        }
    }
}

#[derive(Debug, Default)]
struct Disk {
    files: BTreeMap<String, File>,
    now: Time,
    /// Every write fails with this error.
    failure: Option<io::ErrorKind>,
    syncs: usize,
    lists: usize,
}

/// The files of a journal in memory. Clones share the files.
#[derive(Clone, Debug, Default)]
pub struct MemoryStorage(Arc<Mutex<Disk>>);

impl MemoryStorage {
    /// The disk after a power loss now: of each unsynced change, `fate` says whether it is kept (`None`: dropped; `Some(n)`:
    /// its first `n` bytes). Handles that are open continue to write to the old disk.
    #[must_use]
    pub fn after_power_loss(&self, mut fate: impl FnMut() -> Option<usize>) -> Self {
        let disk = self.disk();
        let mut files = BTreeMap::new();
        for (name, file) in &disk.files {
            let kept = file.unsynced.iter().fold(file.durable.clone(), |content, change| match fate() {
                Some(kept) => change.applied(content, kept),
                None => content,
            });
            if let Some(kept) = kept {
                let (durable, current) = (Some(kept.clone()), Some(kept));
                let file = File { durable, unsynced: Vec::new(), current, modified: file.modified };
                files.insert(name.clone(), file);
            }
        }
        Self(Arc::new(Mutex::new(Disk { files, now: disk.now, failure: None, syncs: 0, lists: 0 })))
    }

    /// Lets every write fail from now on, or succeed again.
    pub fn fail_writes(&self, failure: Option<io::ErrorKind>) {
        self.disk().failure = failure;
    }

    /// Sets the time that changed files get.
    pub fn set_time(&self, now: Time) {
        self.disk().now = now;
    }

    /// How often a caller waited for the disk.
    pub fn syncs(&self) -> usize {
        self.disk().syncs
    }

    /// How often a folder was listed.
    pub fn lists(&self) -> usize {
        self.disk().lists
    }

    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.0.lock()
    }

    fn change<T>(&self, name: &str, change: impl FnOnce(&mut File) -> T) -> io::Result<T> {
        let mut disk = self.disk();
        if let Some(kind) = disk.failure {
            return Err(kind.into());
        }
        let now = disk.now;
        let file = disk.files.entry(name.to_owned()).or_default();
        file.modified = now;
        Ok(change(file))
    }

    fn content(&self, name: &str) -> Option<Vec<u8>> {
        self.disk().files.get(name)?.current.clone()
    }
}

impl Storage for MemoryStorage {
    fn read(&self, name: &str, part: Part) -> io::Result<Vec<u8>> {
        let mut content = self.content(name).ok_or(io::ErrorKind::NotFound)?;
        match part {
            Part::All => {}
            Part::Start(most) => content.truncate(most),
            Part::End(most) => drop(content.drain(..content.len().saturating_sub(most))),
        }
        Ok(content)
    }

    fn append_to(&self, name: &str, creation: Creation) -> io::Result<Box<dyn AppendFile>> {
        let exists = self.content(name).is_some();
        if exists && creation == Creation::New {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        if !exists {
            self.change(name, |file| file.change(Unsynced::Write { offset: 0, bytes: Vec::new() }))?;
        }
        Ok(Box::new(MemoryFile { storage: self.clone(), name: name.to_owned() }))
    }

    fn replace(&self, name: &str, content: &[u8], durability: Durability) -> io::Result<()> {
        self.change(name, |file| {
            file.change(Unsynced::Replace(content.to_vec()));
            if durability == Durability::Synced {
                file.sync();
            }
        })?;
        self.disk().syncs += usize::from(durability == Durability::Synced);
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        if self.content(name).is_none() {
            return Ok(());
        }
        self.change(name, |file| file.change(Unsynced::Remove))
    }

    fn list(&self, folder: &str) -> io::Result<Vec<StoredFile>> {
        self.disk().lists += 1;
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut listed: BTreeMap<String, StoredFile> = BTreeMap::new();
        for (name, file) in &self.disk().files {
            let (Some(rest), Some(content)) = (name.strip_prefix(&prefix), &file.current) else { continue };
            let (name, is_folder) = rest.split_once('/').map_or((rest, false), |(folder, _)| (folder, true));
            let size = if is_folder { 0 } else { content.len() as u64 };
            let stored = StoredFile { name: name.to_owned(), size, modified: file.modified, is_folder };
            listed.insert(name.to_owned(), stored);
        }
        Ok(listed.into_values().collect())
    }
}

struct MemoryFile {
    storage: MemoryStorage,
    name: String,
}

impl AppendFile for MemoryFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.storage.content(&self.name).map_or(0, |content| content.len() as u64))
    }

    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        self.storage.change(&self.name, |file| {
            let offset = file.current.as_ref().map_or(0, Vec::len);
            file.change(Unsynced::Write { offset, bytes: bytes.to_vec() });
        })
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        self.storage.change(&self.name, |file| file.change(Unsynced::Cut(length)))
    }

    fn sync(&self) -> io::Result<()> {
        self.storage.change(&self.name, File::sync)?;
        self.storage.disk().syncs += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_loss_keeps_synced_writes_and_leaves_zeros_for_lost_ones() {
        let disk = MemoryStorage::default();
        let file = disk.append_to("a", Creation::IfMissing).unwrap();
        file.append(b"one").unwrap();
        file.sync().unwrap();
        file.append(b"two").unwrap();
        file.append(b"three").unwrap();
        let mut fates = [None, Some(2)].into_iter();
        let after = disk.after_power_loss(|| fates.next().unwrap());
        assert_eq!(after.read("a", Part::All).unwrap(), b"one\0\0\0th\0\0\0");
        assert_eq!(disk.read("a", Part::All).unwrap(), b"onetwothree");
        assert_eq!(disk.after_power_loss(|| None).read("a", Part::All).unwrap(), b"one");
        assert_eq!(disk.syncs(), 1);
    }

    #[test]
    fn a_file_that_was_never_synced_can_vanish() {
        let disk = MemoryStorage::default();
        disk.append_to("runs/1", Creation::New).unwrap().append(b"x").unwrap();
        assert_eq!(disk.after_power_loss(|| None).list("runs").unwrap(), []);
        assert_eq!(disk.list("").unwrap()[0].name, "runs");
        disk.replace("b", b"durable", Durability::Synced).unwrap();
        disk.remove("b").unwrap();
        assert!(disk.read("b", Part::All).is_err());
        assert_eq!(disk.after_power_loss(|| None).read("b", Part::All).unwrap(), b"durable");
    }
}
