//! The current state of a mount: its entry in fstab, and the mounted file system.

use std::path::{Path, PathBuf};

use uphold_resource::{Found, Look, Reading, Result};

use crate::storage::fstab::{Fstab, FstabEntry};
use crate::storage::resolved;
use crate::storage::signature::Signature;

use super::effect::{Deviation, flags};
use super::table::{MountOptions, MountTable, Mounted};
use super::{Mount, MountState};

/// Types that match any file system.
const ANY_FSTYPE: [&str; 2] = ["auto", "none"];

/// The entry and the mount at a mount point.
pub(super) struct Observed {
    pub(super) entry: Option<FstabEntry>,
    pub(super) mounted: Option<Mounted>,
    table: MountTable,
}

/// Whether an entry of fstab has this mount point.
pub(super) fn is_at(entry: &FstabEntry, point: &Path) -> bool {
    Path::new(&entry.point).components().eq(point.components())
}

impl Observed {
    pub(super) fn of(point: &Path, host: &Reading<'_>) -> Result<Self> {
        let entry = Fstab::find(host, |entry| is_at(entry, point))?;
        let table = MountTable::read(host)?;
        Ok(Self { entry, mounted: table.at(point).cloned(), table })
    }

    /// The current state. Where fstab and the mount disagree, a difference from the declaration is reported; for
    /// undeclared properties, fstab takes precedence.
    pub(super) fn state(&self, declared: &Mount, look: &Look<'_>) -> Result<Found<Mount>> {
        if self.entry.is_none() && self.mounted.is_none() {
            return Ok(Found::Absent);
        }
        Ok(Found::This(MountState {
            device: self.device(declared, look)?,
            fstype: self.fstype(declared),
            options: self.options(declared),
            dump: self.entry.as_ref().map_or(0, |entry| entry.dump),
            pass: self.entry.as_ref().map_or(0, |entry| entry.pass),
            mounted: self.mounted.is_some(),
            in_fstab: self.entry.is_some(),
            source: self.mounted.as_ref().map(|mounted| mounted.source.clone()),
        }))
    }

    fn device(&self, declared: &Mount, host: &Reading<'_>) -> Result<String> {
        let written = self.entry.as_ref().map(|entry| entry.device.clone());
        let declared_device = declared.device.get().cloned();
        match (declared_device, written, &self.mounted) {
            (Some(declared), Some(written), _) if declared != written => Ok(written),
            (Some(device), _, Some(mounted)) => {
                let matches = self.is_device(&device, &self.options(declared), host)?;
                Ok(if matches { device } else { mounted.source.clone() })
            }
            (Some(device), _, None) => Ok(device),
            (None, Some(written), _) => Ok(written),
            (None, None, mounted) => Ok(mounted.as_ref().map_or(String::new(), |found| found.source.clone())),
        }
    }

    /// Whether this device is mounted, or nothing is.
    pub(super) fn is_device(&self, name: &str, options: &MountOptions, host: &Reading<'_>) -> Result<bool> {
        let Some(mounted) = &self.mounted else { return Ok(true) };
        Device { name, options }.is(mounted, &self.table, host)
    }

    fn fstype(&self, declared: &Mount) -> String {
        let written = self.entry.as_ref().map(|entry| entry.fstype.clone());
        let live = self.mounted.as_ref().map(|mounted| mounted.fstype.clone());
        match (declared.fstype.get().cloned(), written) {
            (Some(declared), Some(written)) if declared != written => written,
            (Some(declared), _) if self.is_fstype(&declared) => declared,
            (None, Some(written)) => written,
            (_, _) => live.unwrap_or_default(),
        }
    }

    /// Whether the mounted file system has this type, or nothing is mounted.
    pub(super) fn is_fstype(&self, fstype: &str) -> bool {
        let live = self.mounted.as_ref().map(|mounted| mounted.fstype.as_str());
        ANY_FSTYPE.contains(&fstype) || live.is_none_or(|live| live == fstype)
    }

    fn options(&self, declared: &Mount) -> MountOptions {
        let written = self.entry.as_ref().map(|entry| MountOptions::parse(&entry.options));
        let shown = self.mounted.as_ref().map(|mounted| mounted.options.as_str());
        match (declared.options.get(), written) {
            (Some(declared), Some(written)) if *declared != written => written,
            (Some(declared), _) => {
                shown.map_or(declared.clone(), |shown| Deviation::of(declared, shown).in_effect(declared))
            }
            (None, Some(written)) => written,
            (None, None) => shown.map(flags).unwrap_or_default(),
        }
    }
}

// Comparison of a declared device with the mounted one.

/// Tags that can name a device, and their names in the output of the probe.
const TAGS: &[(&str, &str)] = &[
    ("UUID", "UUID"),
    ("LABEL", "LABEL"),
    ("PARTUUID", "PART_ENTRY_UUID"),
    ("PARTLABEL", "PART_ENTRY_NAME"),
];

fn tag_on_device(tag: &str) -> Option<&'static str> {
    TAGS.iter().find(|(name, _)| *name == tag).map(|(_, found)| *found)
}

/// The declared source of a mount, as written in fstab.
pub(super) struct Device<'a> {
    pub(super) name: &'a str,
    pub(super) options: &'a MountOptions,
}

impl Device<'_> {
    /// The path, if the device is declared by one.
    pub(super) fn path(&self) -> Option<PathBuf> {
        self.name.starts_with('/').then(|| PathBuf::from(self.name))
    }

    /// Whether `mounted` is this device, under any name.
    pub(super) fn is(&self, mounted: &Mounted, table: &MountTable, host: &Reading<'_>) -> Result<bool> {
        if self.name == mounted.source {
            return Ok(true);
        }
        if let Some(path) = self.path() {
            if self.options.has("bind") || self.options.has("rbind") {
                return Ok(table.is_bound(mounted, &path));
            }
            return Ok(backing_file(&mounted.source, host)? == Some(path.clone())
                || resolved(&path, host)? == resolved(Path::new(&mounted.source), host)?);
        }
        let is_on_device = mounted.source.starts_with('/');
        match self.name.split_once('=').and_then(|(tag, value)| Some((tag_on_device(tag)?, value))) {
            Some((tag, value)) if is_on_device => {
                has_tag(&mounted.source, tag, value.trim_matches('"'), host)
            }
            _ => Ok(false),
        }
    }
}

/// The backing file of a loop device.
fn backing_file(source: &str, host: &Reading<'_>) -> Result<Option<PathBuf>> {
    let Some(name) = source.strip_prefix("/dev/").filter(|name| name.starts_with("loop")) else {
        return Ok(None);
    };
    let path = PathBuf::from(format!("/sys/block/{name}/loop/backing_file"));
    if host.files().look(&path)?.is_none() {
        return Ok(None);
    }
    let content = host.files().read(&path, 0)?;
    Ok(Some(PathBuf::from(String::from_utf8_lossy(&content).trim_end_matches('\n'))))
}

/// Whether a device has this tag, read from the device itself: another device with the same tag does not match.
fn has_tag(source: &str, tag: &str, value: &str, host: &Reading<'_>) -> Result<bool> {
    let found = Signature::of(Path::new(source), host)?;
    let found = found.and_then(|found| found.value(tag).map(ToOwned::to_owned));
    Ok(found.is_some_and(|found| found.eq_ignore_ascii_case(value)))
}
