//! The table of remembered contents: its records, how one is found, and the format of its file.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::process_id::boot;

/// The first bytes of the file, with the version of its format.
const MAGIC: &[u8; 16] = b"uphold contents2";

/// The bytes of a record: the attributes of a file, its digest, and how many tables were written since it was used.
pub(super) const RECORD: usize = 96;
/// The device, the inode and the kind of digest: the records are in their order.
const KEY: usize = 17;
/// The attributes, with the key.
pub(super) const ATTRIBUTES: usize = 61;
pub(super) const DIGEST: usize = ATTRIBUTES + 32;

/// After how many written tables an unused record is dropped: a machine may have several configurations.
pub(super) const MOST_UNUSED: u8 = 16;

/// The clock may be set back by so much: a file that is remembered has not changed for longer.
const SET_BACK: Duration = Duration::from_secs(1);

/// The attributes of a file, its digest, and its age.
pub(super) type Record = [u8; RECORD];

/// The records of earlier runs.
#[derive(Default)]
pub(super) struct Table {
    /// The file, as it was read: a copy of the records would cost as much as all lookups.
    content: Vec<u8>,
    is_used: Vec<AtomicBool>,
    /// The place after the record that was found last.
    next: AtomicUsize,
}

impl Table {
    /// The table in this content of the file; an empty one if it is damaged or too old.
    pub(super) fn parse(content: Vec<u8>, now: &Moment) -> Self {
        let count = parse(&content, now).map(<[Record]>::len).unwrap_or_default();
        let is_used = std::iter::repeat_with(|| AtomicBool::new(false)).take(count).collect();
        let content = if count == 0 { Vec::new() } else { content };
        Self { content, is_used, next: AtomicUsize::new(0) }
    }

    /// In the order of their keys.
    fn records(&self) -> &[Record] {
        self.content.get(HEADER..).unwrap_or_default().as_chunks().0
    }

    /// The record of a file with exactly these attributes.
    pub(super) fn find(&self, attributes: &[u8; ATTRIBUTES]) -> Option<&Record> {
        let at = self.place(&attributes[..KEY])?;
        let record = Some(&self.records()[at]).filter(|record| record[..ATTRIBUTES] == *attributes)?;
        self.is_used[at].store(true, Ordering::Relaxed);
        Some(record)
    }

    /// The place of the record with this key. Files that were created one after the other are visited so, too: the record is
    /// mostly near the previous one.
    fn place(&self, key: &[u8]) -> Option<usize> {
        let records = self.records();
        let start = self.next.load(Ordering::Relaxed).min(records.len());
        let is_before = |record: &Record| record[..KEY] < *key;
        let mut step = 1;
        let (from, to) = if records[..start].last().is_some_and(|previous| !is_before(previous)) {
            while step < start && !is_before(&records[start - step]) {
                step *= 2;
            }
            (start.saturating_sub(step), start)
        } else {
            while start + step <= records.len() && is_before(&records[start + step - 1]) {
                step *= 2;
            }
            (start, records.len().min(start + step))
        };
        let at = from + records[from..to].partition_point(is_before);
        records.get(at).filter(|record| record[..KEY] == *key)?;
        self.next.store(at + 1, Ordering::Relaxed);
        Some(at)
    }

    /// The records of a new table, in the order of their keys: those of this run, and earlier ones of other files that were used
    /// not long ago.
    pub(super) fn merged(&self, mut fresh: Vec<Record>) -> Vec<Record> {
        for (record, is_used) in self.records().iter().zip(&self.is_used) {
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
}

// The format: magic, boot id, clock, checksum of everything else, records.

/// The boot, and by how much the clock is ahead of the time since then.
pub(super) struct Moment {
    boot: [u8; 32],
    ahead: u64,
}

impl Moment {
    /// None if the boot is not known, because `/proc` is not mounted.
    pub(super) fn now() -> Option<Self> {
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

/// The content of the file with these records.
pub(super) fn encode(records: &[Record], now: &Moment) -> Vec<u8> {
    let body = records.as_flattened();
    let mut content = Vec::with_capacity(HEADER + body.len());
    content.extend_from_slice(MAGIC);
    content.extend_from_slice(&now.boot);
    content.extend_from_slice(&now.ahead.to_le_bytes());
    content.extend_from_slice(&checksum(now, body));
    content.extend_from_slice(body);
    content
}

fn parse<'c>(content: &'c [u8], now: &Moment) -> Option<&'c [Record]> {
    let rest = content.strip_prefix(MAGIC)?;
    let (boot, rest) = rest.split_first_chunk()?;
    let (ahead, rest) = rest.split_first_chunk()?;
    let (expected, body) = rest.split_first_chunk::<32>()?;
    let written = Moment { boot: *boot, ahead: u64::from_le_bytes(*ahead) };
    let (records, remainder) = body.as_chunks();
    let is_intact = remainder.is_empty() && checksum(&written, body) == *expected;
    (is_intact && now.follows(&written)).then_some(records)
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
    use super::*;

    #[test]
    fn each_record_is_found_from_each_place() {
        for count in [0, 1, 2, 3, 10, 33] {
            let records: Vec<Record> = (0..count).map(|number| [2 * number + 1; RECORD]).collect();
            let now = Moment::now().unwrap();
            let table = Table::parse(encode(&records, &now), &now);
            for (next, key) in
                (0..=usize::from(count) + 1).flat_map(|next| (0..=2 * count).map(move |key| (next, key)))
            {
                table.next.store(next, Ordering::Relaxed);
                let expected = records.iter().position(|record| record[0] == key);
                assert_eq!(table.place(&[key; KEY]), expected, "{key} of {count} from {next}");
            }
        }
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
