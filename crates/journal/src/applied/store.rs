//! The file `applied`, and the log of changes since it was written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::AppliedResource;
use super::lines::{AppliedLine, ConfigurationSet, LeftResource, SealedRecord};
use super::lookup::{FILE, LOG, contents, file_damage};
use super::lookup::{Lines, StoredRecord};
use crate::digest::hex_digest;
use crate::failure::{Attempt, Failure, Result};
use crate::format::FORMAT;
use crate::line::{Chain, Damage, Scan, VerifiedLine, damage, repair, scan};
use crate::resource_key::ResourceKey;
use crate::storage::{AppendFile, Creation, Durability, Storage};
use crate::time::Time;

/// A shorter log is not worth a new `applied`.
const LEAST_LOG: u64 = 4 << 10;

/// No line of the log is shorter.
const LEAST_LINE: u64 = 76;

/// With more resources that are no longer declared, no set is stored: the line has to stay short.
const MOST_LEFT: usize = 100;

/// With more configurations, those that were applied least recently are forgotten: the sets have to fit in a short line.
const MOST_CONFIGURATIONS: usize = 100;

/// The records of all applied resources.
///
/// Changes are written by [`Applied::finish`], and not synced: a lost record is learned again. After a failure to write,
/// records are in memory only, and [`Applied::failure`] has the reason.
pub struct Applied {
    storage: Arc<dyn Storage>,
    records: BTreeSet<StoredRecord>,
    /// Resources whose record was removed since the log was written.
    forgotten: BTreeSet<ResourceKey>,
    /// How many records were replaced since then.
    replaced: u64,
    /// The number of the next write, from 1.
    writes: u64,
    sets: Vec<ConfigurationSet>,
    /// Configurations that the log does not name yet.
    unnamed: Vec<u32>,
    file_length: u64,
    log_length: u64,
    log: Option<Box<dyn AppendFile>>,
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
                    applied.failure = applied.failure.take().or(applied.fold(&[]).err());
                }
                Err(failure) => applied.failure = Some(failure),
            }
        }
        Ok((applied, found))
    }

    pub(super) fn replay(storage: Arc<dyn Storage>, scans: [&Scan<'_>; 2], lengths: [usize; 2]) -> Self {
        let mut applied = Self {
            storage,
            records: BTreeSet::new(),
            forgotten: BTreeSet::new(),
            replaced: 0,
            writes: 1,
            sets: Vec::new(),
            unnamed: Vec::new(),
            file_length: lengths[0] as u64,
            log_length: lengths[1] as u64,
            log: None,
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
                    self.records.replace(StoredRecord { resource: line.into_resource(&name), write: 0 });
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
        self.records.get(key).map(|record| &record.resource)
    }

    /// All records.
    pub fn all(&self) -> impl Iterator<Item = &AppliedResource> {
        self.records.iter().map(|record| &record.resource)
    }

    /// The records of a configuration, in the order of kind and identity.
    pub fn of_configuration(&self, configuration: &str) -> impl Iterator<Item = &AppliedResource> {
        let start = ResourceKey::new(configuration, "", "");
        self.records
            .range(start..)
            .map(|record| &record.resource)
            .take_while(move |record| record.key.configuration == configuration)
    }

    /// Whether a configuration has a record.
    pub fn has_record_of(&self, configuration: &str) -> bool {
        self.of_configuration(configuration).next().is_some()
    }

    /// Replaces the record of a resource, unless it says the same.
    pub fn put(&mut self, resource: AppliedResource) {
        if self.get(&resource.key).is_some_and(|known| known.is_equivalent(&resource)) {
            return;
        }
        self.number(&resource.key.configuration);
        self.forgotten.remove(&resource.key);
        self.records.replace(StoredRecord { resource, write: self.writes });
        self.replaced += 1;
        self.is_run_open = true;
    }

    /// The number that lines of a configuration have.
    pub fn number_of(&self, configuration: &str) -> u32 {
        let known = self.sets.iter().find(|known| known.name == configuration).map(|known| known.g);
        known.unwrap_or_else(|| self.sets.iter().map(|known| known.g).max().unwrap_or(0) + 1)
    }

    /// Removes the record of a resource. Returns whether there was one.
    pub fn forget(&mut self, key: &ResourceKey) -> bool {
        if !self.records.remove(key) {
            return false;
        }
        self.number(&key.configuration);
        self.forgotten.insert(key.clone());
        self.is_run_open = true;
        true
    }

    /// Moves a record to another key and address, for a resource that was renamed.
    pub fn rename(&mut self, from: &ResourceKey, to: ResourceKey, address: &str) {
        let Some(record) = self.get(from).cloned() else { return };
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
        self.store(is_pruned, &[]);
    }

    /// The same for the first run of a configuration, whose records are lines already. Returns why they could not be written,
    /// if they could not.
    pub fn finish_first(
        mut self,
        configuration: &str,
        set: Option<&str>,
        new: &[SealedRecord],
    ) -> Option<Failure> {
        let g = self.number(configuration);
        if new.is_empty() || new.iter().any(|record| record.configuration() != g) {
            // They are learned again by the next run.
            self.finish(configuration, None);
            return self.failure;
        }
        if let Some(known) = self.sets.iter_mut().find(|known| known.g == g) {
            known.set = set.map(str::to_owned);
        }
        let is_pruned = self.prune(configuration);
        self.store(is_pruned, new);
        self.failure
    }

    fn store(&mut self, is_pruned: bool, new: &[SealedRecord]) {
        self.is_run_open = false;
        let most = (self.file_length / 2).max(LEAST_LOG);
        let is_long = |length: u64| self.log_length + length > most;
        let changes = self.replaced + (self.forgotten.len() + new.len()) as u64;
        // Lines that would be folded at once are not made.
        let lines = if is_pruned || is_long(LEAST_LINE * changes) {
            None
        } else {
            self.log_lines(new).ok().filter(|lines| !is_long(lines.len() as u64))
        };
        let stored = match lines {
            Some(lines) => self.write(&lines),
            None => self.fold(new),
        };
        if let Err(failure) = stored {
            self.failure.get_or_insert(failure);
        }
    }

    /// Forgets the configurations that were applied least recently, if there are too many. Returns whether it did.
    fn prune(&mut self, current: &str) -> bool {
        if self.sets.len() <= MOST_CONFIGURATIONS {
            return false;
        }
        let mut last: BTreeMap<&str, Time> = self.sets.iter().map(|known| (&*known.name, Time(0))).collect();
        for StoredRecord { resource, .. } in &self.records {
            let last = last.entry(&resource.key.configuration).or_insert(resource.time);
            *last = resource.time.max(*last);
        }
        let mut by_time: Vec<(Time, &str)> = last.into_iter().map(|(name, time)| (time, name)).collect();
        by_time.sort_unstable();
        // Some more than necessary, so that not every run has to do this.
        let oldest = by_time.iter().take(by_time.len() - MOST_CONFIGURATIONS * 3 / 4);
        let oldest: BTreeSet<String> =
            oldest.map(|(_, name)| (*name).to_owned()).filter(|name| name != current).collect();
        self.records.retain(|record| !oldest.contains(&record.resource.key.configuration));
        self.sets.retain(|known| !oldest.contains(&known.name));
        true
    }

    /// The first failure to write.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// The number of a configuration. A new one is named in the log first.
    fn number(&mut self, configuration: &str) -> u32 {
        let g = self.number_of(configuration);
        if self.sets.iter().any(|known| known.g == g) {
            return g;
        }
        let name = configuration.to_owned();
        self.sets.push(ConfigurationSet { g, name, set: None, left: Vec::new() });
        self.unnamed.push(g);
        self.is_run_open = true;
        g
    }

    /// After damage no set is known to be applied completely.
    fn forget_sets(&mut self) {
        for known in &mut self.sets {
            known.set = None;
        }
    }

    /// The lines of all changes, and of the sets.
    fn log_lines(&self, new: &[SealedRecord]) -> std::io::Result<String> {
        let mut lines = Lines::default();
        for known in self.sets.iter().filter(|known| self.unnamed.contains(&known.g)) {
            lines.add(&AppliedLine::Name { g: known.g, name: known.name.clone() })?;
        }
        let numbers = self.numbers();
        for key in &self.forgotten {
            let Some(g) = numbers.get(key.configuration.as_str()).copied() else { continue };
            let (k, i) = (key.kind.clone(), key.identity.clone());
            lines.add(&AppliedLine::Forget { g, k, i })?;
        }
        for record in self.records.iter().filter(|record| record.write == self.writes) {
            lines.add_record(record, &numbers);
        }
        lines.add_sealed(new);
        lines.add(&AppliedLine::Sets(self.sets.clone()))?;
        Ok(lines.text)
    }

    /// The number of each configuration.
    fn numbers(&self) -> BTreeMap<&str, u32> {
        self.sets.iter().map(|known| (known.name.as_str(), known.g)).collect()
    }

    fn write(&mut self, lines: &str) -> Result<()> {
        if self.log.is_none() {
            self.log = Some(self.storage.append_to(LOG, Creation::IfMissing).attempt("open", LOG)?);
        }
        if let Some(log) = &self.log {
            log.append(lines.as_bytes()).attempt("append to", LOG)?;
        }
        self.log_length += lines.len() as u64;
        self.note_written();
        Ok(())
    }

    fn note_written(&mut self) {
        self.writes += 1;
        self.replaced = 0;
        self.forgotten.clear();
        self.unnamed.clear();
    }

    /// Writes `applied`, then empties the log. Killed in between, the whole log is replayed again, with the same result.
    fn fold(&mut self, new: &[SealedRecord]) -> Result<()> {
        let content = self.content(new).attempt("encode", FILE)?;
        self.storage.replace(FILE, content.as_bytes(), Durability::Synced).attempt("replace", FILE)?;
        self.file_length = content.len() as u64;
        let log = self.storage.append_to(LOG, Creation::IfMissing).attempt("open", LOG)?;
        log.cut(0).attempt("empty", LOG)?;
        self.log_length = 0;
        self.note_written();
        self.log = Some(log);
        Ok(())
    }

    /// The content of `applied`. `new` are records of a configuration that has no others; the next fold sorts them, too.
    fn content(&self, new: &[SealedRecord]) -> std::io::Result<String> {
        let (sets, count) = (self.sets.clone(), self.records.len() + new.len());
        let mut lines = Lines::default();
        lines.add(&AppliedLine::Applied { format: FORMAT, count, sets: sets.clone() })?;
        let numbers = self.numbers();
        self.records.iter().for_each(|record| lines.add_record(record, &numbers));
        lines.add_sealed(new);
        let blake3 = hex_digest(lines.text.as_bytes());
        lines.add(&AppliedLine::End { blake3, sets })?;
        Ok(lines.text)
    }
}
