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

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use highway::{HighwayHash as _, HighwayHasher};
use rustix::time::{ClockId, clock_gettime};
use uphold_resource::{Entry, KnownContents};

use crate::process_id::boot;
use crate::secret_key::SecretKey;
use crate::storage::{Durability, Part, Storage};

/// The file of the table.
const FILE: &str = "contents";

/// The first bytes of the file, with the version of its format.
const MAGIC: &[u8; 16] = b"uphold contents2";

/// The bytes of a record: the attributes of a file, its digest, and how many tables were written since it was used.
const RECORD: usize = 96;
/// The device, the inode and the kind of digest: the records are in their order.
const KEY: usize = 17;
/// The attributes, with the key.
const ATTRIBUTES: usize = 61;
const DIGEST: usize = ATTRIBUTES + 32;
/// Where the mode begins.
const MODE: usize = 49;
const OTHERS_READ: u32 = 0o004;

/// The keyed digest, for the comparison with a content.
const KEYED: u8 = 0;
/// The SHA-256 digest.
const SHA256: u8 = 1;

/// After how many written tables an unused record is dropped: a machine may have several configurations.
const MOST_UNUSED: u8 = 16;

/// The clock may be set back by so much: a file that is remembered has not changed for longer.
const SET_BACK: Duration = Duration::from_secs(1);

type Record = [u8; RECORD];

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

/// The records of earlier runs.
#[derive(Default)]
struct Table {
    records: Vec<Record>,
    is_used: Vec<AtomicBool>,
}

impl StoredContents {
    pub(crate) fn on(storage: Arc<dyn Storage>, is_kept: bool) -> Self {
        Self { storage, is_kept, table: OnceLock::new(), keys: OnceLock::new(), fresh: Mutex::default() }
    }

    fn table(&self) -> &Table {
        self.table.get_or_init(|| {
            let content = self.storage.read(FILE, Part::All).unwrap_or_default();
            let records = Moment::now().and_then(|now| parse(&content, &now)).unwrap_or_default();
            let is_used = records.iter().map(|_| AtomicBool::new(false)).collect();
            Table { records, is_used }
        })
    }

    /// Writes what this run remembered, if there is something new. Errors do not matter: the next run reads more files.
    pub fn save(&self) {
        let fresh = std::mem::take(&mut *self.fresh.lock().unwrap_or_else(PoisonError::into_inner));
        let Some(now) = Moment::now().filter(|_| !fresh.is_empty()) else { return };
        let records = merged(self.table(), fresh);
        let _ = self.storage.replace(FILE, &encode(&records, &now), Durability::Unsynced);
    }

    fn keys(&self) -> Option<&Keys> {
        let read = || match self.is_kept {
            true => SecretKey::open(&*self.storage).ok(),
            false => SecretKey::existing(&*self.storage),
        };
        self.keys.get_or_init(|| read().map(Keys::of)).as_ref()
    }

    /// The record of a file with exactly these attributes.
    fn find(&self, attributes: &[u8; ATTRIBUTES]) -> Option<&Record> {
        let table = self.table();
        let at = table.records.binary_search_by(|record| record[..KEY].cmp(&attributes[..KEY])).ok()?;
        let record = Some(&table.records[at]).filter(|record| record[..ATTRIBUTES] == *attributes)?;
        table.is_used[at].store(true, Ordering::Relaxed);
        Some(record)
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
        let found =
            attributes(seen, KEYED).and_then(|attributes| Some((self.find(&attributes)?, self.keys()?)));
        found.is_some_and(|(record, keys)| record[ATTRIBUTES..DIGEST] == keys.digest(content))
    }

    fn sha256(&self, seen: &Entry) -> Option<[u8; 32]> {
        let attributes = attributes(seen, SHA256)?;
        let record = self.find(&attributes)?;
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

/// The records of a new table, in the order of their keys: those of this run, and earlier ones of other files that were used
/// not long ago.
fn merged(table: &Table, mut fresh: Vec<Record>) -> Vec<Record> {
    for (record, is_used) in table.records.iter().zip(&table.is_used) {
        let unused = if is_used.load(Ordering::Relaxed) { 0 } else { record[DIGEST].saturating_add(1) };
        if unused < MOST_UNUSED {
            let mut record = *record;
            record[DIGEST] = unused;
            fresh.push(record);
        }
    }
    // The sort is stable: of records with one key, the first is the one of this run.
    fresh.sort_by(|a, b| a[..KEY].cmp(&b[..KEY]));
    fresh.dedup_by(|later, first| later[..KEY] == first[..KEY]);
    fresh
}

// The format: magic, boot id, clock, checksum of everything else, records.

/// The boot, and by how much the clock is ahead of the time since then.
struct Moment {
    boot: [u8; 32],
    ahead: u64,
}

impl Moment {
    /// None if the boot is not known, because `/proc` is not mounted.
    fn now() -> Option<Self> {
        let boot = Some(boot()).filter(|boot| !boot.is_empty())?;
        let read = |clock| Duration::try_from(clock_gettime(clock)).ok();
        let ahead = read(ClockId::Realtime)?.checked_sub(read(ClockId::Boottime)?)?;
        Some(Self {
            boot: blake3::hash(boot.as_bytes()).into(),
            ahead: u64::try_from(ahead.as_nanos()).ok()?,
        })
    }

    /// Whether change times that were read at `earlier` can occur only once: the machine runs since, and its clock was not set
    /// back.
    fn follows(&self, earlier: &Moment) -> bool {
        let limit = Duration::from_nanos(self.ahead) + SET_BACK;
        self.boot == earlier.boot && limit >= Duration::from_nanos(earlier.ahead)
    }
}

const HEADER: usize = MAGIC.len() + 32 + 8 + 32;

fn encode(records: &[Record], now: &Moment) -> Vec<u8> {
    let body = records.as_flattened();
    let mut content = Vec::with_capacity(HEADER + body.len());
    content.extend_from_slice(MAGIC);
    content.extend_from_slice(&now.boot);
    content.extend_from_slice(&now.ahead.to_le_bytes());
    content.extend_from_slice(&checksum(now, body));
    content.extend_from_slice(body);
    content
}

fn parse(content: &[u8], now: &Moment) -> Option<Vec<Record>> {
    let rest = content.strip_prefix(MAGIC)?;
    let (boot, rest) = rest.split_first_chunk()?;
    let (ahead, rest) = rest.split_first_chunk()?;
    let (expected, body) = rest.split_first_chunk::<32>()?;
    let written = Moment { boot: *boot, ahead: u64::from_le_bytes(*ahead) };
    let (records, remainder) = body.as_chunks();
    let is_intact = remainder.is_empty() && checksum(&written, body) == *expected;
    (is_intact && now.follows(&written)).then(|| records.to_vec())
}

fn checksum(written: &Moment, body: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&written.boot);
    hasher.update(&written.ahead.to_le_bytes());
    hasher.update(body);
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use std::io;

    use uphold_resource::EntryKind;

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

    #[test]
    fn any_damage_makes_it_empty() {
        let now = Moment::now().unwrap();
        let whole = encode(&[[1; RECORD], [2; RECORD]], &now);
        assert_eq!(parse(&whole, &now).unwrap().len(), 2);
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert_eq!(parse(&damaged, &now), None, "byte {at}");
            assert_eq!(parse(&whole[..at], &now), None, "cut at {at}");
        }
        assert_eq!(parse(&[whole, vec![0]].concat(), &now), None);
    }

    #[test]
    fn another_boot_or_a_clock_that_was_set_back_makes_it_empty() {
        let second = 1_000_000_000;
        let written = Moment { boot: [1; 32], ahead: 100 * second };
        let content = encode(&[[1; RECORD]], &written);
        let check = |boot, ahead, expected: bool| {
            let parsed = parse(&content, &Moment { boot: [boot; 32], ahead });
            assert_eq!(parsed.is_some(), expected, "{boot} {ahead}");
        };
        check(1, 100 * second, true);
        check(1, 200 * second, true);
        check(1, 99 * second, true);
        check(1, 98 * second, false);
        check(2, 100 * second, false);
    }
}
