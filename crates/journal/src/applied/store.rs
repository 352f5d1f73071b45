//! The file `applied`, and the log of changes since it was written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::lines::{AppliedLine, ConfigurationSet, LeftResource, ResourceLine};
use super::record::AppliedResource;
use crate::failure::{Attempt, Failure, Result};
use crate::format::FORMAT;
use crate::line::{Chain, Damage, Scan, VerifiedLine, damage, repair, scan, seal};
use crate::resource_key::ResourceKey;
use crate::runs::sha256;
use crate::storage::{AppendFile, Creation, Durability, Part, Storage, read_if_present};
use crate::time::Time;

const FILE: &str = "applied";
const LOG: &str = "applied.log";

/// The first line of `applied` and the last one of the log are shorter, with some hundred configurations.
const ONE_LINE: usize = 64 << 10;

/// A shorter log is not worth a new `applied`.
const LEAST_LOG: u64 = 4 << 10;

/// With more resources that are no longer declared, no set is stored: the line has to stay short.
const MOST_LEFT: usize = 100;

/// With more configurations, those that were applied least recently are forgotten: the sets have to fit in a short line.
const MOST_CONFIGURATIONS: usize = 100;

/// A set that was applied completely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastSet {
    /// Its digest.
    pub set: String,
    /// The resources that are no longer declared.
    pub left: Vec<LeftResource>,
}

/// The set that was applied last for a configuration. Reads one line, so that a run without changes needs no more.
pub(crate) fn last_set(storage: &dyn Storage, configuration: &str) -> Result<Option<LastSet>> {
    let end = read_if_present(storage, LOG, Part::End(ONE_LINE)).attempt("read", LOG)?;
    let start = if end.is_empty() {
        read_if_present(storage, FILE, Part::Start(ONE_LINE)).attempt("read", FILE)?
    } else {
        Vec::new()
    };
    // A torn last line belongs to a run that did not end, and does not verify.
    let line = lines(&start).next().or_else(|| lines(&end).next_back()).unwrap_or_default();
    let line = scan(line, Chain::None).lines.first().and_then(VerifiedLine::record);
    let Some(AppliedLine::Applied { sets, .. } | AppliedLine::Sets(sets)) = line else { return Ok(None) };
    let known = sets.into_iter().find(|known| known.name == configuration);
    Ok(known.and_then(|known| Some(LastSet { set: known.set?, left: known.left })))
}

/// The record of one resource. Lines about others are not parsed.
pub(crate) fn find(storage: &Arc<dyn Storage>, key: &ResourceKey) -> Result<Option<AppliedResource>> {
    let identity =
        serde_json::to_string(&key.identity).map_err(std::io::Error::from).attempt("encode", FILE)?;
    let needle = format!("\"i\":{identity}");
    let is_needed = |line: &&[u8]| {
        let is_record = line.starts_with(b"{\"put\":") || line.starts_with(b"{\"forget\":");
        !is_record || std::str::from_utf8(line).is_ok_and(|line| line.contains(&needle))
    };
    let needed =
        contents(&**storage)?.map(|content| lines(&content).filter(is_needed).flatten().copied().collect());
    let [file, log]: [Vec<u8>; 2] = needed;
    let scans = [scan(&file, Chain::None), scan(&log, Chain::None)];
    let applied = Applied::replay(Arc::clone(storage), scans.each_ref(), [0, 0]);
    Ok(applied.get(key).cloned())
}

/// The records of all applied resources.
///
/// Changes are written by [`Applied::finish`], and not synced: a lost record is learned again. After a failure to write,
/// records are in memory only, and [`Applied::failure`] has the reason.
pub struct Applied {
    storage: Arc<dyn Storage>,
    records: BTreeMap<ResourceKey, AppliedResource>,
    sets: Vec<ConfigurationSet>,
    file_length: u64,
    log_length: u64,
    log: Option<Box<dyn AppendFile>>,
    /// Lines for the log.
    unwritten: String,
    /// Whether the log has lines after the last sets.
    is_run_open: bool,
    failure: Option<Failure>,
}

impl Applied {
    /// Reads all records, for commands without a lock.
    pub(crate) fn read(storage: Arc<dyn Storage>) -> Result<(Self, Vec<Damage>)> {
        let [file, log] = contents(&*storage)?;
        let (file_scan, log_scan) = (scan(&file, Chain::None), scan(&log, Chain::None));
        let damage = [file_damage(&file, &file_scan), damage(LOG, &log_scan)].into_iter().flatten().collect();
        Ok((Self::replay(storage, [&file_scan, &log_scan], [file.len(), log.len()]), damage))
    }

    /// Reads all records and repairs the files, for the holder of the lock.
    pub(crate) fn open(storage: &Arc<dyn Storage>, now: Time) -> Result<(Self, Vec<Damage>)> {
        let [file, log] = contents(&**storage)?;
        let (file_scan, log_scan) = (scan(&file, Chain::None), scan(&log, Chain::None));
        let mut found = Vec::new();
        let mut applied = Self::replay(Arc::clone(storage), [&file_scan, &log_scan], [file.len(), log.len()]);
        match repair(&**storage, LOG, &log, &log_scan, now) {
            Ok(damage) => found.extend(damage),
            Err(failure) => applied.failure = Some(failure),
        }
        if let Some(damage) = file_damage(&file, &file_scan) {
            let copy = format!("{FILE}.damaged-{}", now.for_file_name());
            match storage.replace(&copy, &file, Durability::Synced).attempt("write", &copy) {
                Ok(()) => {
                    found.push(Damage { copy: Some(copy), ..damage });
                    applied.forget_sets();
                    applied.fold();
                }
                Err(failure) => applied.failure = Some(failure),
            }
        }
        Ok((applied, found))
    }

    fn replay(storage: Arc<dyn Storage>, scans: [&Scan<'_>; 2], lengths: [usize; 2]) -> Self {
        let mut applied = Self {
            storage,
            records: BTreeMap::new(),
            sets: Vec::new(),
            file_length: lengths[0] as u64,
            log_length: lengths[1] as u64,
            log: None,
            unwritten: String::new(),
            is_run_open: false,
            failure: None,
        };
        if let Some(AppliedLine::End { sets, .. }) = scans[0].lines.last().and_then(VerifiedLine::record) {
            applied.sets = sets;
        }
        for line in scans.into_iter().flat_map(|scan| &scan.lines).filter_map(VerifiedLine::record) {
            applied.replay_line(line);
        }
        applied
    }

    fn replay_line(&mut self, line: AppliedLine) {
        self.is_run_open = !matches!(line, AppliedLine::Sets(_) | AppliedLine::End { .. });
        match line {
            AppliedLine::Applied { sets, .. } | AppliedLine::Sets(sets) => self.sets = sets,
            AppliedLine::Name { g, name } => {
                if !self.sets.iter().any(|known| known.g == g) {
                    self.sets.push(ConfigurationSet { g, name, set: None, left: Vec::new() });
                }
            }
            AppliedLine::Put(line) => {
                if let Some(name) = self.name(line.configuration()) {
                    let resource = line.into_resource(&name);
                    self.records.insert(resource.key.clone(), resource);
                }
            }
            AppliedLine::Forget { g, k, i } => {
                if let Some(name) = self.name(g) {
                    self.records.remove(&ResourceKey::new(name, k, i));
                }
            }
            AppliedLine::End { .. } => {}
        }
    }

    fn name(&self, g: u32) -> Option<String> {
        self.sets.iter().find(|known| known.g == g).map(|known| known.name.clone())
    }

    /// The record of a resource.
    pub fn get(&self, key: &ResourceKey) -> Option<&AppliedResource> {
        self.records.get(key)
    }

    /// All records.
    pub fn all(&self) -> impl Iterator<Item = &AppliedResource> {
        self.records.values()
    }

    /// The records of a configuration, in the order of kind and identity.
    pub fn of_configuration(&self, configuration: &str) -> impl Iterator<Item = &AppliedResource> {
        let start = ResourceKey::new(configuration, "", "");
        self.records
            .range(start..)
            .map(|(_, record)| record)
            .take_while(move |record| record.key.configuration == configuration)
    }

    /// Replaces the record of a resource, unless it says the same.
    pub fn put(&mut self, resource: AppliedResource) {
        if self.get(&resource.key).is_some_and(|known| known.is_equivalent(&resource)) {
            return;
        }
        let g = self.number(&resource.key.configuration);
        self.append(&AppliedLine::Put(ResourceLine::new(g, &resource)));
        self.records.insert(resource.key.clone(), resource);
    }

    /// Removes the record of a resource. Returns whether there was one.
    pub fn forget(&mut self, key: &ResourceKey) -> bool {
        if self.records.remove(key).is_none() {
            return false;
        }
        let ResourceKey { configuration, kind: k, identity: i } = key.clone();
        let g = self.number(&configuration);
        self.append(&AppliedLine::Forget { g, k, i });
        true
    }

    /// Moves a record to another key and address, for a resource that was renamed.
    pub fn rename(&mut self, from: &ResourceKey, to: ResourceKey, address: &str) {
        let Some(record) = self.records.get(from).cloned() else { return };
        self.forget(from);
        self.put(AppliedResource { key: to, address: address.to_owned(), ..record });
    }

    /// Marks the records of a configuration that are no longer declared, and no others.
    pub fn mark_left(&mut self, configuration: &str, is_declared: impl Fn(&AppliedResource) -> bool) {
        let is_wrong = |record: &&AppliedResource| record.is_left == is_declared(record);
        let wrong: Vec<AppliedResource> =
            self.of_configuration(configuration).filter(is_wrong).cloned().collect();
        for record in wrong {
            self.put(AppliedResource { is_left: !record.is_left, ..record });
        }
    }

    /// Writes the changes: appends them to the log, or replaces `applied` if the log would be larger than half of it. `set`
    /// is the set that was applied completely; none if not every resource was visited. Call it at the end of a run; without
    /// changes it writes nothing.
    pub fn finish(&mut self, configuration: &str, set: Option<&str>) {
        let left = self.of_configuration(configuration).filter(|record| record.is_left);
        let left: Vec<LeftResource> = left.map(LeftResource::from).collect();
        let (set, left) = if left.len() > MOST_LEFT { (None, Vec::new()) } else { (set, left) };
        let known = self.sets.iter().find(|known| known.name == configuration);
        let is_known = known.is_some_and(|known| known.set.as_deref() == set && known.left == left);
        if is_known && !self.is_run_open {
            return;
        }
        let g = self.number(configuration);
        if let Some(known) = self.sets.iter_mut().find(|known| known.g == g) {
            (known.set, known.left) = (set.map(str::to_owned), left);
        }
        let is_pruned = self.prune(configuration);
        let sets = self.sets.clone();
        self.append(&AppliedLine::Sets(sets));
        self.is_run_open = false;
        if is_pruned || self.log_length > (self.file_length / 2).max(LEAST_LOG) {
            self.fold();
        } else {
            self.write();
        }
    }

    /// Forgets the configurations that were applied least recently, if there are too many. Returns whether it did.
    fn prune(&mut self, current: &str) -> bool {
        if self.sets.len() <= MOST_CONFIGURATIONS {
            return false;
        }
        let mut last: BTreeMap<&str, Time> = self.sets.iter().map(|known| (&*known.name, Time(0))).collect();
        for (key, record) in &self.records {
            let last = last.entry(&key.configuration).or_insert(record.time);
            *last = record.time.max(*last);
        }
        let mut by_time: Vec<(Time, &str)> = last.into_iter().map(|(name, time)| (time, name)).collect();
        by_time.sort_unstable();
        // Some more than necessary, so that not every run has to do this.
        let oldest = by_time.iter().take(by_time.len() - MOST_CONFIGURATIONS * 3 / 4);
        let oldest: BTreeSet<String> =
            oldest.map(|(_, name)| (*name).to_owned()).filter(|name| name != current).collect();
        self.records.retain(|key, _| !oldest.contains(&key.configuration));
        self.sets.retain(|known| !oldest.contains(&known.name));
        true
    }

    /// The first failure to write.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// The number of a configuration. A new one is named in the log first.
    fn number(&mut self, configuration: &str) -> u32 {
        if let Some(known) = self.sets.iter().find(|known| known.name == configuration) {
            return known.g;
        }
        let g = self.sets.iter().map(|known| known.g).max().unwrap_or(0) + 1;
        let name = configuration.to_owned();
        self.sets.push(ConfigurationSet { g, name, set: None, left: Vec::new() });
        self.append(&AppliedLine::Name { g, name: configuration.to_owned() });
        g
    }

    /// After damage no set is known to be applied completely.
    fn forget_sets(&mut self) {
        for known in &mut self.sets {
            known.set = None;
        }
    }

    fn append(&mut self, line: &AppliedLine) {
        self.is_run_open = true;
        match seal(line, "").attempt("encode", LOG) {
            Ok(line) => {
                self.log_length += line.text.len() as u64;
                self.unwritten += &line.text;
            }
            Err(failure) => _ = self.failure.get_or_insert(failure),
        }
    }

    fn write(&mut self) {
        if let Err(failure) = self.try_write() {
            self.failure.get_or_insert(failure);
        }
    }

    fn try_write(&mut self) -> Result<()> {
        if self.log.is_none() {
            self.log = Some(self.storage.append_to(LOG, Creation::IfMissing).attempt("open", LOG)?);
        }
        if let Some(log) = &self.log {
            log.append(self.unwritten.as_bytes()).attempt("append to", LOG)?;
        }
        self.unwritten.clear();
        Ok(())
    }

    /// Writes `applied`, then empties the log. Killed in between, the whole log is replayed again, with the same result.
    fn fold(&mut self) {
        if let Err(failure) = self.try_fold() {
            self.failure.get_or_insert(failure);
        }
    }

    fn try_fold(&mut self) -> Result<()> {
        let content = self.content().attempt("encode", FILE)?;
        self.storage.replace(FILE, content.as_bytes(), Durability::Synced).attempt("replace", FILE)?;
        self.file_length = content.len() as u64;
        let log = self.storage.append_to(LOG, Creation::IfMissing).attempt("open", LOG)?;
        log.cut(0).attempt("empty", LOG)?;
        self.log_length = 0;
        self.unwritten.clear();
        self.log = Some(log);
        Ok(())
    }

    fn content(&self) -> std::io::Result<String> {
        let sets = self.sets.clone();
        let head = AppliedLine::Applied { format: FORMAT, count: self.records.len(), sets: sets.clone() };
        let mut content = seal(&head, "")?.text;
        let numbers: BTreeMap<&str, u32> =
            self.sets.iter().map(|known| (known.name.as_str(), known.g)).collect();
        for (key, resource) in &self.records {
            let g = numbers.get(key.configuration.as_str()).copied().unwrap_or_default();
            content += &seal(&AppliedLine::Put(ResourceLine::new(g, resource)), "")?.text;
        }
        let end = AppliedLine::End { sha256: sha256(content.as_bytes()), sets };
        content += &seal(&end, "")?.text;
        Ok(content)
    }
}

/// The lines of a file, each with its line break.
fn lines(content: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    content.split_inclusive(|byte| *byte == b'\n')
}

fn contents(storage: &dyn Storage) -> Result<[Vec<u8>; 2]> {
    let read = |name| read_if_present(storage, name, Part::All).attempt("read", name);
    // The log first: a run that folds it meanwhile leaves the same records in `applied`.
    let log = read(LOG)?;
    Ok([read(FILE)?, log])
}

/// The damage of `applied`, which is written in one step: its last line must be there, and cover all others.
fn file_damage(content: &[u8], scan: &Scan<'_>) -> Option<Damage> {
    if content.is_empty() {
        return None;
    }
    let mut lines = content.split_inclusive(|byte| *byte == b'\n');
    let last = lines.next_back().map_or(0, <[u8]>::len);
    let is_whole = match scan.lines.last().and_then(VerifiedLine::record) {
        Some(AppliedLine::End { sha256: found, .. }) => found == sha256(&content[..content.len() - last]),
        _ => false,
    };
    let whole = Damage { file: FILE.to_owned(), line: scan.lines.len() + 1, lost: 1, copy: None };
    if is_whole { None } else { damage(FILE, scan).or(Some(whole)) }
}
