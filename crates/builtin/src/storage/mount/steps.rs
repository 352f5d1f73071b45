//! Mounting, remounting and unmounting, and the entry in fstab.

use std::path::Path;

use uphold_kit::tool;
use uphold_resource::{Access, Act, Result};

use super::effect::Deviation;
use super::observed::{Observed, is_at};
use super::table::MountOptions;
use super::{Mount, MountGoal};
use crate::storage::fstab::{self, FstabEntry};

/// The mode of a new mount point.
const NEW_POINT: u32 = 0o755;

/// Applies the goal. The mount comes first: an entry for a file system that cannot be mounted could prevent the
/// machine from booting.
pub(super) fn converge(mount: &Mount, goal: &MountGoal, host: &Act<'_>) -> Result<()> {
    let observed = Observed::of(&mount.point, host)?;
    let request = MountRequest {
        point: &mount.point,
        device: &goal.device,
        fstype: &goal.fstype,
        options: &goal.options,
    };
    match (goal.mounted, &observed.mounted) {
        (true, None) => request.mount(host)?,
        (true, Some(_)) => request.correct(mount, &observed, host)?,
        (false, Some(_)) => unmount(&mount.point, host)?,
        (false, None) => {}
    }
    if goal.in_fstab {
        make_point(&mount.point, host)?;
        request.write_entry(goal, &observed, host)
    } else if observed.entry.is_some() {
        fstab::remove(|entry| is_at(entry, &mount.point), host)
    } else {
        Ok(())
    }
}

/// Unmounts and removes the entry.
pub(super) fn remove(mount: &Mount, host: &Act<'_>) -> Result<()> {
    let observed = Observed::of(&mount.point, host)?;
    if observed.mounted.is_some() {
        unmount(&mount.point, host)?;
    }
    match observed.entry {
        Some(_) => fstab::remove(|entry| is_at(entry, &mount.point), host),
        None => Ok(()),
    }
}

/// A mount to establish.
struct MountRequest<'a> {
    point: &'a Path,
    device: &'a str,
    fstype: &'a str,
    options: &'a MountOptions,
}

impl MountRequest<'_> {
    fn mount(&self, host: &Act<'_>) -> Result<()> {
        make_point(self.point, host)?;
        let mut args = vec!["-t".to_owned(), self.fstype.to_owned()];
        let options = self.options.text();
        if !options.is_empty() {
            args.extend(["-o".to_owned(), options]);
        }
        args.extend([self.device.to_owned(), self.point.display().to_string()]);
        let what = format!("cannot mount {} on {}", self.device, self.point.display());
        tool::run(&tool::command("mount", args), &what, host).map(drop)
    }

    /// Corrects an existing mount. For another device or type it is mounted again, other options are applied with a
    /// remount; undeclared properties are kept.
    fn correct(&self, mount: &Mount, observed: &Observed, host: &Act<'_>) -> Result<()> {
        let device = observed.is_device(self.device, self.options, host)?;
        let fstype = !mount.fstype.is_set() || observed.is_fstype(self.fstype);
        if !device || !fstype {
            unmount(self.point, host)?;
            return self.mount(host);
        }
        let Some(mounted) = observed.mounted.as_ref().filter(|_| mount.options.is_set()) else {
            return Ok(());
        };
        match Deviation::of(self.options, &mounted.options) {
            deviation if deviation.is_empty() => Ok(()),
            deviation => self.remount(&mounted.source, &deviation.remedy(self.options), host),
        }
    }

    fn remount(&self, source: &str, options: &MountOptions, host: &Act<'_>) -> Result<()> {
        let options = format!("remount,{}", options.text());
        let point = self.point.display().to_string();
        let what = format!("cannot change the options of {point} while it is mounted");
        let command = tool::command("mount", ["-o", &options, source, &point]);
        let hint = "unmount it first: some options cannot be changed by a remount";
        tool::run(&command, &what, host).map(drop).map_err(|error| error.hint(hint))
    }

    fn write_entry(&self, goal: &MountGoal, observed: &Observed, host: &Act<'_>) -> Result<()> {
        let mut entry = FstabEntry {
            device: self.device.to_owned(),
            point: self.point.display().to_string(),
            fstype: self.fstype.to_owned(),
            options: self.options.text(),
            dump: goal.dump,
            pass: goal.pass,
        };
        if let Some(found) = &observed.entry {
            // The order of options does not matter, so an equivalent line keeps its text.
            if MountOptions::parse(&found.options) == *self.options {
                entry.options.clone_from(&found.options);
            }
            entry.point.clone_from(&found.point);
        }
        if observed.entry.as_ref() == Some(&entry) {
            Ok(())
        } else {
            fstab::put(&entry, |found| is_at(found, self.point), host)
        }
    }
}

fn unmount(point: &Path, host: &Act<'_>) -> Result<()> {
    let point = point.display().to_string();
    let command = tool::command("umount", [point.as_str()]);
    let hint = format!("list the processes that use it with `fuser -vm {point}`");
    tool::run(&command, &format!("cannot unmount {point}"), host).map(drop).map_err(|error| error.hint(hint))
}

/// Creates a missing mount point with its parents, as systemd would.
fn make_point(point: &Path, host: &Act<'_>) -> Result<()> {
    let mut missing = Vec::new();
    for directory in point.ancestors() {
        if host.files().look(directory)?.is_some() {
            break;
        }
        missing.push(directory);
    }
    let access = Access { mode: Some(NEW_POINT), ..Access::default() };
    missing.into_iter().rev().try_for_each(|directory| host.edits().make_directory(directory, &access))
}
