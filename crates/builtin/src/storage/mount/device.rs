//! Comparison of a declared device with the mounted one.

use std::path::{Path, PathBuf};

use uphold_resource::{Reading, Result};

use super::options::MountOptions;
use super::table::{MountTable, Mounted};
use crate::storage::alias::resolved;
use crate::storage::signature::Signature;

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
