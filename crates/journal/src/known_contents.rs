//! The contents of files by digest, so that a run does not read files that did not change: a table in one file of the journal.
//!
//! It is a cache. One that is missing, damaged, of another version or of another boot is empty, and nothing is reported. It is
//! written without waiting for the disk: a checksum finds a file that a power loss left incomplete.
//!
//! A content is known by a keyed digest that costs less than reading a small file (HighwayHash). The SHA-256 digest of a file,
//! which some callers need, is a record of its own.
//!
//! The digest of a short secret would help to guess it. So the key of the state directory is part of the first kind of digest,
//! and the second kind is encrypted with it if not all users can read the file.

mod table;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use highway::{HighwayHash as _, HighwayHasher};
use uphold_resource::{Entry, KnownContents};

use crate::secret_key::SecretKey;
use crate::storage::{Durability, Part, Storage};
use table::{ATTRIBUTES, DIGEST, Moment, RECORD, Record, Table, encode};

/// The file of the table.
const FILE: &str = "contents";

/// The keyed digest, for the comparison with a content.
const KEYED: u8 = 0;
/// The SHA-256 digest.
const SHA256: u8 = 1;

/// Where the mode begins.
const MODE: usize = 49;
const OTHERS_READ: u32 = 0o004;

/// The digests of files that earlier runs remembered, and those of this run.
pub struct StoredContents {
    storage: Arc<dyn Storage>,
    /// Whether this run remembers more: then the key is created if there is none.
    is_kept: bool,
    /// Read at the first question.
    table: OnceLock<Table>,
    /// Read at the first digest that needs it.
    keys: OnceLock<Option<Keys>>,
    fresh: Mutex<Vec<Record>>,
}

/// The key of the state directory, and the key of digests that is made from it.
struct Keys {
    secret: SecretKey,
    digest: highway::Key,
}

impl Keys {
    fn of(secret: SecretKey) -> Self {
        let bytes = secret.hmac(b"contents");
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at * 8 + byte]));
        let digest = highway::Key(std::array::from_fn(word));
        Self { secret, digest }
    }

    fn digest(&self, content: &[u8]) -> [u8; 32] {
        let words = HighwayHasher::new(self.digest).hash256(content);
        std::array::from_fn(|at| words[at / 8].to_le_bytes()[at % 8])
    }
}

impl StoredContents {
    pub(crate) fn on(storage: Arc<dyn Storage>, is_kept: bool) -> Self {
        Self { storage, is_kept, table: OnceLock::new(), keys: OnceLock::new(), fresh: Mutex::default() }
    }

    fn table(&self) -> &Table {
        self.table.get_or_init(|| {
            let content = self.storage.read(FILE, Part::All).unwrap_or_default();
            Moment::now().map(|now| Table::parse(content, &now)).unwrap_or_default()
        })
    }

    /// Writes what this run remembered, if there is something new. Errors do not matter: the next run reads more files.
    pub fn save(&self) {
        let fresh = std::mem::take(&mut *self.fresh.lock().unwrap_or_else(PoisonError::into_inner));
        let Some(now) = Moment::now().filter(|_| !fresh.is_empty()) else { return };
        let records = self.table().merged(fresh);
        let _ = self.storage.replace(FILE, &encode(&records, &now), Durability::Unsynced);
    }

    fn keys(&self) -> Option<&Keys> {
        let read = || match self.is_kept {
            true => SecretKey::open(&*self.storage).ok(),
            false => SecretKey::existing(&*self.storage),
        };
        self.keys.get_or_init(|| read().map(Keys::of)).as_ref()
    }

    fn add(&self, attributes: &[u8; ATTRIBUTES], digest: &[u8; 32]) {
        let mut record = [0; RECORD];
        record[..ATTRIBUTES].copy_from_slice(attributes);
        record[ATTRIBUTES..DIGEST].copy_from_slice(digest);
        self.fresh.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }

    /// Encrypts the SHA-256 digest of a file that not all users can read, or decrypts it. No two digests have the same pad: a
    /// file with the same attributes has the same content.
    fn crypt(&self, attributes: &[u8; ATTRIBUTES], mut digest: [u8; 32]) -> Option<[u8; 32]> {
        if is_private(attributes) {
            let pad = self.keys()?.secret.hmac(attributes);
            digest.iter_mut().zip(pad).for_each(|(byte, pad)| *byte ^= pad);
        }
        Some(digest)
    }
}

impl KnownContents for StoredContents {
    fn contains(&self, seen: &Entry, content: &[u8]) -> bool {
        let found = attributes(seen, KEYED)
            .and_then(|attributes| Some((self.table().find(&attributes)?, self.keys()?)));
        found.is_some_and(|(record, keys)| record[ATTRIBUTES..DIGEST] == keys.digest(content))
    }

    fn sha256(&self, seen: &Entry) -> Option<[u8; 32]> {
        let attributes = attributes(seen, SHA256)?;
        let record = self.table().find(&attributes)?;
        self.crypt(&attributes, record[ATTRIBUTES..DIGEST].try_into().ok()?)
    }

    fn remember(&self, seen: &Entry, content: &[u8]) {
        if let Some(attributes) = attributes(seen, KEYED).filter(|_| self.is_kept)
            && let Some(keys) = self.keys()
        {
            self.add(&attributes, &keys.digest(content));
        }
    }

    fn remember_sha256(&self, seen: &Entry, digest: [u8; 32]) {
        if let Some(attributes) = attributes(seen, SHA256).filter(|_| self.is_kept)
            && let Some(digest) = self.crypt(&attributes, digest)
        {
            self.add(&attributes, &digest);
        }
    }
}

/// The attributes of a file and the kind of its digest as bytes; none for a time before 1970.
fn attributes(seen: &Entry, kind: u8) -> Option<[u8; ATTRIBUTES]> {
    let mut bytes = [0; ATTRIBUTES];
    let mut rest = &mut bytes[..];
    let mut put = |field: &[u8]| {
        let (here, next) = std::mem::take(&mut rest).split_at_mut(field.len());
        here.copy_from_slice(field);
        rest = next;
    };
    // The key is compared as bytes.
    put(&seen.identity.0.to_be_bytes());
    put(&seen.identity.1.to_be_bytes());
    put(&[kind]);
    put(&seen.size.to_le_bytes());
    for time in [seen.modified, seen.changed] {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        put(&since.as_secs().to_le_bytes());
        put(&since.subsec_nanos().to_le_bytes());
    }
    put(&seen.mode.to_le_bytes());
    put(&seen.uid.to_le_bytes());
    put(&seen.gid.to_le_bytes());
    Some(bytes)
}

/// Whether some user cannot read the file.
fn is_private(attributes: &[u8; ATTRIBUTES]) -> bool {
    let mode = [MODE, MODE + 1, MODE + 2, MODE + 3].map(|at| attributes[at]);
    u32::from_le_bytes(mode) & OTHERS_READ == 0
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::time::Duration;

    use uphold_resource::EntryKind;

    use super::table::MOST_UNUSED;
    use super::*;
    use crate::storage::MemoryStorage;

    fn file(inode: u64) -> Entry {
        let time = SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000, 5);
        Entry {
            kind: EntryKind::File,
            mode: 0o644,
            uid: 0,
            gid: 0,
            size: 7,
            links: 1,
            identity: (1, inode),
            modified: time,
            changed: time,
        }
    }

    fn storage() -> Arc<dyn Storage> {
        Arc::new(MemoryStorage::default())
    }

    fn remember(storage: &Arc<dyn Storage>, files: impl IntoIterator<Item = (u64, u8)>) {
        let contents = StoredContents::on(Arc::clone(storage), true);
        for (inode, digest) in files {
            contents.remember_sha256(&file(inode), [digest; 32]);
            contents.remember(&file(inode), &[digest]);
        }
        contents.save();
    }

    /// The first byte of the digest, which is the content, too.
    fn digest(storage: &Arc<dyn Storage>, seen: &Entry) -> Option<u8> {
        let contents = StoredContents::on(Arc::clone(storage), false);
        let digest = contents.sha256(seen).map(|digest| digest[0]);
        let known: Vec<u8> = (0..=u8::MAX).filter(|content| contents.contains(seen, &[*content])).collect();
        assert_eq!(known, Vec::from_iter(digest));
        digest
    }

    #[test]
    fn a_later_run_knows_the_digests_of_an_earlier_one() {
        let storage = storage();
        remember(&storage, (0..100).map(|inode| (inode, inode as u8)));
        for inode in 0..100 {
            assert_eq!(digest(&storage, &file(inode)), Some(inode as u8));
        }
        assert_eq!(digest(&storage, &file(100)), None);
        remember(&storage, [(7, 70), (200, 9)]);
        assert_eq!(digest(&storage, &file(7)), Some(70), "the digest of this run counts");
        assert_eq!(digest(&storage, &file(8)), Some(8));
        assert_eq!(digest(&storage, &file(200)), Some(9));
    }

    #[test]
    fn the_digest_of_a_private_file_is_stored_encrypted() {
        let private = Entry { mode: 0o640, ..file(1) };
        let storage = storage();
        let contents = StoredContents::on(Arc::clone(&storage), true);
        contents.remember_sha256(&private, [0xaa; 32]);
        contents.remember(&private, &[0xaa]);
        contents.save();
        assert_eq!(digest(&storage, &private), Some(0xaa));
        let table = storage.read(FILE, Part::All).unwrap();
        assert!(!table.windows(8).any(|bytes| bytes == [0xaa; 8]), "stored in clear");
        storage.remove("key").unwrap();
        assert_eq!(digest(&storage, &private), None, "it needs the key");
        SecretKey::open(&*storage).unwrap();
        let contents = StoredContents::on(storage, false);
        assert_ne!(contents.sha256(&private), Some([0xaa; 32]), "of this journal");
        assert!(!contents.contains(&private, &[0xaa]));
    }

    #[test]
    fn each_attribute_counts() {
        let storage = storage();
        remember(&storage, [(1, 1)]);
        let seen = file(1);
        let tick = Duration::from_nanos(1);
        let others = [
            Entry { identity: (2, 1), ..seen.clone() },
            Entry { identity: (1, 2), ..seen.clone() },
            Entry { size: 8, ..seen.clone() },
            Entry { modified: seen.modified + tick, ..seen.clone() },
            Entry { changed: seen.changed + tick, ..seen.clone() },
            Entry { mode: 0o600, ..seen.clone() },
            Entry { uid: 1, ..seen.clone() },
            Entry { gid: 1, ..seen.clone() },
            Entry { changed: SystemTime::UNIX_EPOCH - tick, ..seen.clone() },
        ];
        for other in others {
            assert_eq!(digest(&storage, &other), None, "{other:?}");
        }
        assert_eq!(digest(&storage, &seen), Some(1));
    }

    #[test]
    fn unused_records_are_dropped_after_many_runs() {
        let storage = storage();
        remember(&storage, [(1, 1), (2, 2)]);
        for run in 0..MOST_UNUSED {
            let contents = StoredContents::on(Arc::clone(&storage), true);
            assert!(contents.sha256(&file(2)).is_some() && contents.contains(&file(2), &[2]));
            contents.remember(&file(1000 + u64::from(run)), b"");
            contents.save();
        }
        assert_eq!(digest(&storage, &file(1)), None);
        assert_eq!(digest(&storage, &file(2)), Some(2));
    }

    #[test]
    fn a_run_without_news_writes_nothing() {
        let storage = storage();
        remember(&storage, []);
        let plan = StoredContents::on(Arc::clone(&storage), false);
        plan.remember(&file(1), b"1");
        plan.remember_sha256(&file(1), [1; 32]);
        plan.save();
        assert_eq!(storage.read("key", Part::All).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert_eq!(storage.read(FILE, Part::All).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
