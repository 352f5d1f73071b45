//! Previous contents that are too large for a line, by their digest and compressed.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::Arc;

use flate2::read::GzDecoder;

use crate::digest::hex_digest;
use crate::failure::{Attempt, Result};
use crate::runs::{Content, compressed};
use crate::storage::{Durability, Storage, StoredFile};
use crate::time::{DAY, Time};

const FOLDER: &str = "objects";

/// Longer contents are objects; shorter ones are in the line of their action.
const MOST_INLINE: usize = 4 << 10;

/// Longer contents are not kept.
pub const MOST_OBJECT: usize = 16 << 20;

/// How long previous contents are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectBounds {
    /// Objects that were not used for longer are removed.
    pub days: u32,
    /// The oldest objects are removed until all together have at most so many bytes.
    pub bytes: u64,
}

impl Default for ObjectBounds {
    fn default() -> Self {
        Self { days: 90, bytes: 256 << 20 }
    }
}

/// The previous contents of a journal.
#[derive(Clone)]
pub struct Objects {
    pub(crate) storage: Arc<dyn Storage>,
}

/// The name of an object, and its folder.
fn name(digest: &str) -> Option<String> {
    let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_digest.then(|| format!("{FOLDER}/{}/{}.gz", &digest[..2], &digest[2..]))
}

impl Objects {
    /// Keeps a content: inline up to 4 KiB, else as an object, which is not synced on its own. None if it is over 16 MiB.
    ///
    /// # Errors
    /// If the object cannot be written; then the action cannot be undone.
    pub fn keep(&self, content: &[u8], now: Time) -> Result<Option<Content>> {
        if content.len() <= MOST_INLINE {
            return Ok(Some(Content::inline(content)));
        }
        if content.len() > MOST_OBJECT {
            return Ok(None);
        }
        let digest = hex_digest(content);
        if let Some(name) = name(&digest)
            && !self.is_recent(&digest, now)?
        {
            let compressed = compressed(content).attempt("compress", &name)?;
            self.storage.replace(&name, &compressed, Durability::Unsynced).attempt("write", &name)?;
        }
        Ok(Some(Content::Object { blake3: digest, size: content.len() as u64 }))
    }

    /// Whether the object exists and is less than a day old. An older one is written again, so that it is not pruned as old.
    fn is_recent(&self, digest: &str, now: Time) -> Result<bool> {
        let folder = format!("{FOLDER}/{}", &digest[..2]);
        let found = self.storage.list(&folder).attempt("list", &folder)?;
        let found = found.iter().find(|file| file.name.strip_suffix(".gz") == Some(&digest[2..]));
        Ok(found.is_some_and(|file| now.0.saturating_sub(file.modified.0) < DAY))
    }

    /// The bytes of a content. None if the object was pruned, or does not have its digest any more.
    pub fn get(&self, content: &Content) -> Option<Vec<u8>> {
        let Content::Object { blake3: digest, .. } = content else { return content.bytes() };
        let stored = self.storage.read(&name(digest)?, crate::storage::Part::All).ok()?;
        let mut bytes = Vec::new();
        GzDecoder::new(&*stored).take(MOST_OBJECT as u64 + 1).read_to_end(&mut bytes).ok()?;
        (hex_digest(&bytes) == *digest).then_some(bytes)
    }

    /// Removes objects that are too old, then the oldest until the rest fits. Those in `needed`, by digest, go last. Only the
    /// holder of the lock may do this.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn prune(&self, bounds: &ObjectBounds, now: Time, needed: &BTreeSet<String>) -> Result<()> {
        let mut objects = self.all()?;
        objects.sort_by_key(|(digest, file)| (needed.contains(digest), file.modified));
        let mut total: u64 = objects.iter().map(|(_, file)| file.size).sum();
        let oldest = now.days_before(bounds.days);
        for (digest, file) in objects {
            let is_old = file.modified < oldest && !needed.contains(&digest);
            if (is_old || total > bounds.bytes)
                && let Some(name) = name(&digest)
            {
                self.storage.remove(&name).attempt("remove", &name)?;
                total -= file.size;
            }
        }
        Ok(())
    }

    fn all(&self) -> Result<Vec<(String, StoredFile)>> {
        let mut objects = Vec::new();
        for folder in self.storage.list(FOLDER).attempt("list", FOLDER)?.iter().filter(|file| file.is_folder)
        {
            let path = format!("{FOLDER}/{}", folder.name);
            for file in self.storage.list(&path).attempt("list", &path)? {
                let digest = format!("{}{}", folder.name, file.name.trim_end_matches(".gz"));
                if name(&digest).is_some() {
                    objects.push((digest, file));
                }
            }
        }
        Ok(objects)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{MemoryStorage, Part};

    const NOW: Time = Time(1_794_934_931_000);

    fn objects(disk: &MemoryStorage) -> Objects {
        disk.set_time(NOW);
        Objects { storage: Arc::new(disk.clone()) }
    }

    /// A content that does not compress to less than its number needs.
    fn content(number: usize) -> Vec<u8> {
        format!("{number} ").repeat(3000).into_bytes()
    }

    #[test]
    fn contents_are_kept_by_size() {
        let disk = MemoryStorage::default();
        let objects = objects(&disk);
        let small = objects.keep(b"\xff small", NOW).unwrap().unwrap();
        assert_eq!(small, Content::Base64("/yBzbWFsbA==".into()));
        assert_eq!(objects.get(&small).unwrap(), b"\xff small");
        let large = objects.keep(&content(1), NOW).unwrap().unwrap();
        assert!(matches!(large, Content::Object { size: 6000, .. }));
        assert_eq!(objects.get(&large).unwrap(), content(1));
        assert_eq!(objects.keep(&vec![0; MOST_OBJECT + 1], NOW).unwrap(), None);
        assert_eq!(disk.syncs(), 0);
    }

    #[test]
    fn a_damaged_object_is_missing() {
        let disk = MemoryStorage::default();
        let objects = objects(&disk);
        let kept = objects.keep(&content(1), NOW).unwrap().unwrap();
        let Content::Object { blake3, .. } = &kept else { panic!("not an object") };
        let name = name(blake3).unwrap();
        let stored = disk.read(&name, Part::All).unwrap();
        disk.replace(&name, &stored[..stored.len() / 2], Durability::Synced).unwrap();
        assert_eq!(objects.get(&kept), None);
        let other = Content::Object { blake3: "../../etc/passwd".into(), size: 1 };
        assert_eq!(objects.get(&other), None);
    }

    #[test]
    fn pruning_keeps_the_bounds_and_needed_objects_longest() {
        let disk = MemoryStorage::default();
        let objects = objects(&disk);
        let mut digests = Vec::new();
        for number in 0..10 {
            let now = Time(NOW.0 + i64::try_from(number).unwrap() * DAY);
            disk.set_time(now);
            let kept = objects.keep(&content(number), now).unwrap().unwrap();
            let Content::Object { blake3, .. } = kept else { panic!("not an object") };
            digests.push(blake3);
        }
        let left = || {
            let all: BTreeSet<String> =
                objects.all().unwrap().into_iter().map(|(digest, _)| digest).collect();
            digests.iter().map(|digest| all.contains(digest)).collect::<Vec<_>>()
        };
        let needed = BTreeSet::from([digests[0].clone()]);
        // The oldest is used again, and so is the second: it counts as new.
        let now = Time(NOW.0 + 9 * DAY);
        disk.set_time(now);
        objects.keep(&content(1), now).unwrap();
        objects.prune(&ObjectBounds { days: 4, bytes: 1 << 20 }, now, &needed).unwrap();
        assert_eq!(left(), [true, true, false, false, false, true, true, true, true, true]);
        let total: u64 = objects.all().unwrap().iter().map(|(_, file)| file.size).sum();
        objects.prune(&ObjectBounds { days: 4, bytes: total / 7 * 2 }, now, &needed).unwrap();
        assert!(left()[0], "the needed one goes last");
        assert!(left().iter().filter(|left| **left).count() <= 2);
    }
}
