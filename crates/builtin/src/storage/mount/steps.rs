//! Mounting, mounting anew, unmounting, and fstab.

use std::path::Path;

use uphold_resource::{Access, Act, Result};

use super::effect::Deviation;
use super::options::MountOptions;
use super::resource::{Mount, MountGoal};
use super::sight::{Sight, is_at};
use crate::storage::fstab::{self, FstabEntry};
use crate::tool;

/// What a mount point gets that nobody declared.
const NEW_POINT: u32 = 0o755;

/// Makes the goal so. What is mounted comes first: an entry for something that cannot be mounted could
/// keep the machine from starting.
pub(super) fn converge(mount: &Mount, goal: &MountGoal, host: &Act<'_>) -> Result<()> {
    let sight = Sight::of(&mount.point, host)?;
    let asked =
        Asked { point: &mount.point, device: &goal.device, fstype: &goal.fstype, options: &goal.options };
    match (goal.mounted, &sight.mounted) {
        (true, None) => asked.mount(host)?,
        (true, Some(_)) => asked.correct(mount, &sight, host)?,
        (false, Some(_)) => unmount(&mount.point, host)?,
        (false, None) => {}
    }
    match goal.in_fstab {
        true => asked.note(goal, &sight, host),
        false if sight.entry.is_some() => fstab::remove(|entry| is_at(entry, &mount.point), host),
        false => Ok(()),
    }
}

/// Takes both away.
pub(super) fn remove(mount: &Mount, host: &Act<'_>) -> Result<()> {
    let sight = Sight::of(&mount.point, host)?;
    if sight.mounted.is_some() {
        unmount(&mount.point, host)?;
    }
    match sight.entry {
        Some(_) => fstab::remove(|entry| is_at(entry, &mount.point), host),
        None => Ok(()),
    }
}

/// What is to be mounted.
struct Asked<'a> {
    point: &'a Path,
    device: &'a str,
    fstype: &'a str,
    options: &'a MountOptions,
}

impl Asked<'_> {
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

    /// Something is mounted. Another device or type is mounted anew, other options are asked of what is
    /// there; what nobody asked for is left as it is.
    fn correct(&self, mount: &Mount, sight: &Sight, host: &Act<'_>) -> Result<()> {
        let device = sight.is_device(self.device, self.options, host)?;
        let fstype = !mount.fstype.is_set() || sight.is_fstype(self.fstype);
        if !device || !fstype {
            unmount(self.point, host)?;
            return self.mount(host);
        }
        let Some(mounted) = sight.mounted.as_ref().filter(|_| mount.options.is_set()) else { return Ok(()) };
        match Deviation::of(self.options, &mounted.options) {
            deviation if deviation.is_empty() => Ok(()),
            deviation => self.remount(&mounted.source, &deviation.remedy(self.options), host),
        }
    }

    fn remount(&self, source: &str, options: &MountOptions, host: &Act<'_>) -> Result<()> {
        let options = format!("remount,{}", options.text());
        let point = self.point.display().to_string();
        let what = format!("cannot give {point} other options while it is mounted");
        let command = tool::command("mount", ["-o", &options, source, &point]);
        let hint = "unmount it: some options need a new mount";
        tool::run(&command, &what, host).map(drop).map_err(|error| error.hint(hint))
    }

    fn note(&self, goal: &MountGoal, sight: &Sight, host: &Act<'_>) -> Result<()> {
        let mut entry = FstabEntry {
            device: self.device.to_owned(),
            point: self.point.display().to_string(),
            fstype: self.fstype.to_owned(),
            options: self.options.text(),
            dump: goal.dump,
            pass: goal.pass,
        };
        if let Some(found) = &sight.entry {
            // Their order does not count: a line that says the same stays as it was written.
            if MountOptions::parse(&found.options) == *self.options {
                entry.options.clone_from(&found.options);
            }
            entry.point.clone_from(&found.point);
        }
        match sight.entry.as_ref() == Some(&entry) {
            true => Ok(()),
            false => fstab::put(&entry, |found| is_at(found, self.point), host),
        }
    }
}

fn unmount(point: &Path, host: &Act<'_>) -> Result<()> {
    let point = point.display().to_string();
    let command = tool::command("umount", [point.as_str()]);
    let hint = format!("see who uses it: fuser -vm {point}");
    tool::run(&command, &format!("cannot unmount {point}"), host).map(drop).map_err(|error| error.hint(hint))
}

/// A mount point that nobody declared is made, with the directories above it, as systemd would.
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
