//! Whether what is mounted is what was asked for.

use std::path::{Component, Path, PathBuf};

use uphold_resource::{EntryKind, Observe, Result};

use super::options::MountOptions;
use super::table::{MountTable, Mounted};
use crate::tool;

/// What a device can be named by, besides its path.
const TAGS: &[&str] = &["UUID=", "LABEL=", "PARTUUID=", "PARTLABEL=", "ID="];

/// What something is mounted from, as it is written in fstab.
pub(super) struct Device<'a> {
    pub(super) name: &'a str,
    pub(super) options: &'a MountOptions,
}

impl Device<'_> {
    /// Its path, if it is named by one.
    pub(super) fn path(&self) -> Option<PathBuf> {
        self.name.starts_with('/').then(|| PathBuf::from(self.name))
    }

    /// Whether `mounted` is this device, by whatever name.
    pub(super) fn is(&self, mounted: &Mounted, table: &MountTable, host: &dyn Observe) -> Result<bool> {
        if self.name == mounted.source {
            return Ok(true);
        }
        if let Some(path) = self.path() {
            if self.options.has("bind") || self.options.has("rbind") {
                return Ok(table.is_bound(mounted, &path));
            }
            return Ok(backing_file(&mounted.source, host)? == Some(path.clone())
                || led_to(&path, host)? == Path::new(&mounted.source));
        }
        match TAGS.iter().any(|tag| self.name.starts_with(tag)) {
            true => Ok(found_by_tag(self.name, host)?.as_deref() == Some(&*mounted.source)),
            false => Ok(false),
        }
    }
}

/// The file that a loop device shows.
fn backing_file(source: &str, host: &dyn Observe) -> Result<Option<PathBuf>> {
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

/// Where a name such as `/dev/disk/by-id/x` leads: one link, as the device manager makes them.
fn led_to(path: &Path, host: &dyn Observe) -> Result<PathBuf> {
    let target = match host.files().look(path)?.map(|entry| entry.kind) {
        Some(EntryKind::Link(target)) => target,
        _ => return Ok(path.to_owned()),
    };
    let joined = path.parent().unwrap_or(Path::new("/")).join(target);
    let mut plain = PathBuf::new();
    for component in joined.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    Ok(plain)
}

/// The device of this tag; none if there is none.
fn found_by_tag(tag: &str, host: &dyn Observe) -> Result<Option<String>> {
    let find = tool::command("findfs", [tag]);
    let output = tool::probe(&find, &format!("cannot look for {tag}"), host)?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(output.success().then_some(said))
}
