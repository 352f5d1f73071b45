//! What is there of a mount: its entry in fstab, and what is mounted.

use std::path::Path;

use uphold_resource::{Reading, Result};

use super::device::Device;
use super::effect::{Deviation, flags};
use super::options::MountOptions;
use super::resource::{Mount, MountState};
use super::table::{MountTable, Mounted};
use crate::storage::fstab::{Fstab, FstabEntry};

/// These stand for whatever the file system turns out to be.
const ANY_FSTYPE: [&str; 2] = ["auto", "none"];

/// Both places where a mount can be found.
pub(super) struct Sight {
    pub(super) entry: Option<FstabEntry>,
    pub(super) mounted: Option<Mounted>,
    table: MountTable,
}

/// Whether an entry of fstab is the one of this mount point.
pub(super) fn is_at(entry: &FstabEntry, point: &Path) -> bool {
    Path::new(&entry.point).components().eq(point.components())
}

impl Sight {
    pub(super) fn of(point: &Path, host: &Reading<'_>) -> Result<Self> {
        let entry = Fstab::find(host, |entry| is_at(entry, point))?;
        let table = MountTable::read(host)?;
        Ok(Self { entry, mounted: table.at(point).cloned(), table })
    }

    /// What differs from the wish, wherever it does; where nothing was asked, what fstab says counts first.
    pub(super) fn state(&self, wish: &Mount, host: &Reading<'_>) -> Result<Option<MountState>> {
        if self.entry.is_none() && self.mounted.is_none() {
            return Ok(None);
        }
        Ok(Some(MountState {
            device: self.device(wish, host)?,
            fstype: self.fstype(wish),
            options: self.options(wish),
            dump: self.entry.as_ref().map_or(0, |entry| entry.dump),
            pass: self.entry.as_ref().map_or(0, |entry| entry.pass),
            mounted: self.mounted.is_some(),
            in_fstab: self.entry.is_some(),
            source: self.mounted.as_ref().map(|mounted| mounted.source.clone()),
        }))
    }

    fn device(&self, wish: &Mount, host: &Reading<'_>) -> Result<String> {
        let written = self.entry.as_ref().map(|entry| entry.device.clone());
        let wish_device = wish.device.get().cloned();
        match (wish_device, written, &self.mounted) {
            (Some(wish), Some(written), _) if wish != written => Ok(written),
            (Some(device), _, Some(mounted)) => {
                let is_it = self.is_device(&device, &self.options(wish), host)?;
                Ok(if is_it { device } else { mounted.source.clone() })
            }
            (Some(device), _, None) => Ok(device),
            (None, Some(written), _) => Ok(written),
            (None, None, mounted) => Ok(mounted.as_ref().map_or(String::new(), |found| found.source.clone())),
        }
    }

    /// Whether this device is what is mounted, if anything is.
    pub(super) fn is_device(&self, name: &str, options: &MountOptions, host: &Reading<'_>) -> Result<bool> {
        let Some(mounted) = &self.mounted else { return Ok(true) };
        Device { name, options }.is(mounted, &self.table, host)
    }

    fn fstype(&self, wish: &Mount) -> String {
        let written = self.entry.as_ref().map(|entry| entry.fstype.clone());
        let live = self.mounted.as_ref().map(|mounted| mounted.fstype.clone());
        match (wish.fstype.get().cloned(), written) {
            (Some(wish), Some(written)) if wish != written => written,
            (Some(wish), _) if self.is_fstype(&wish) => wish,
            (None, Some(written)) => written,
            (_, _) => live.unwrap_or_default(),
        }
    }

    /// Whether this is the type of what is mounted, if anything is.
    pub(super) fn is_fstype(&self, fstype: &str) -> bool {
        let live = self.mounted.as_ref().map(|mounted| mounted.fstype.as_str());
        ANY_FSTYPE.contains(&fstype) || live.is_none_or(|live| live == fstype)
    }

    fn options(&self, wish: &Mount) -> MountOptions {
        let written = self.entry.as_ref().map(|entry| MountOptions::parse(&entry.options));
        let shown = self.mounted.as_ref().map(|mounted| mounted.options.as_str());
        match (wish.options.get(), written) {
            (Some(wish), Some(written)) if *wish != written => written,
            (Some(wish), _) => shown.map_or(wish.clone(), |shown| Deviation::of(wish, shown).in_effect(wish)),
            (None, Some(written)) => written,
            (None, None) => shown.map(flags).unwrap_or_default(),
        }
    }
}
