//! Something that is mounted, now and whenever the machine starts.

use std::path::PathBuf;

use uphold_resource::{
    Act, Claim, Claiming, Claims, Error, ErrorKind, Interest, Reading, Resource, Result, Seen, Step, Value,
    Want, Watching,
};

use super::device::Device;
use super::sight::Sight;
use super::{MountOptions, MountPoint, steps};
use crate::machine;
use crate::storage::fstab::FSTAB;

/// Something that is mounted, now and whenever the machine starts.
///
/// Both are looked at, and both are kept: the entry in `/etc/fstab`, which is edited in its place, and what
/// is mounted. `mounted = false` or `in_fstab = false` leaves one of them out; below another root nothing is mounted. A mount point that is missing
/// is made. Other options are asked of what is mounted; for another device or type it is unmounted and mounted anew.
///
/// Options are compared as a set. What the kernel adds by itself is no difference, and an option that it
/// does not show counts as being in effect. Where `options` is set, a mount that is read-only, `noexec` and
/// the like without being asked to be is a difference, too.
///
/// Whatever is declared below the mount point waits for the mount. Removing it unmounts it and takes the
/// entry out; the mount point stays.
///
/// ```hcl
/// mount "/srv/data" {
///   device  = "UUID=8f3e2b1c-6d0a-4f57-9a3e-2c1d5b7f9e04"
///   fstype  = "ext4"
///   options = ["noatime", "nodev"]
///   pass    = 2
/// }
///
/// mount "/var/cache/app" {
///   device  = "tmpfs"
///   fstype  = "tmpfs"
///   options = ["size=64m", "mode=0750"]
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "mount", claims, interests)]
pub struct Mount {
    /// Where it is mounted; the block's label unless set.
    #[also("path", "mount_point", "mountpoint", "where")]
    #[name]
    pub point: MountPoint,
    /// What is mounted: a path, `UUID=…`, `LABEL=…`, `host:/path`, or a word for what needs no device, such
    /// as `tmpfs`.
    #[also("src", "what", "dev", "spec")]
    #[check(is_word, "must be one line of text, and not empty")]
    #[required]
    pub device: Want<String>,
    /// Type of the file system; `auto` lets the kernel find out, `none` is for `bind`.
    #[also("type", "device_type", "vfstype")]
    #[check(is_word, "must be one line of text, and not empty")]
    #[on_create("auto")]
    pub fstype: Want<String>,
    /// Options, as a list, or as text with commas between them.
    #[also("opts")]
    #[on_create(MountOptions::default())]
    pub options: Want<MountOptions>,
    /// Whether `dump` backs it up: the fifth field of the entry.
    #[also("freq")]
    #[on_create(0)]
    pub dump: Want<u8>,
    /// When it is checked as the machine starts: 1 for the root, 2 for others, 0 for never. The sixth field of the entry.
    #[also("passno")]
    #[on_create(0)]
    pub pass: Want<u8>,
    /// Whether it is mounted now.
    #[also("ensure", "state")]
    #[enforce(true)]
    pub mounted: Want<bool>,
    /// Whether it is in `/etc/fstab`.
    #[also("boot", "enabled", "persist", "fstab")]
    #[enforce(true)]
    pub in_fstab: Want<bool>,
    /// What is mounted, as the kernel names it; null if nothing is.
    pub source: Seen<Option<String>>,
}

fn is_word(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.is_empty() && !text.contains(['\n', '\r']))
}

impl Resource for Mount {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        if self.mounted.get() == Some(&false) && self.in_fstab.get() == Some(&false) {
            let what = format!("{} would be neither mounted nor in fstab", self.point.display());
            return Err(Error::new(ErrorKind::Invalid, what).hint("remove it instead: action = \"remove\""));
        }
        machine::complete(&mut self.mounted, "`mounted = true`", host)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<MountState>> {
        Sight::of(&self.point, host)?.state(self, host)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => steps::converge(self, goal, host),
            Step::Remove { .. } => steps::remove(self, host),
        }
    }
}

impl Claiming for Mount {
    /// It stands on its device, and on the file system there.
    fn add_claims(&self, claims: &mut Claims) {
        claims.edit(Claim::Path(PathBuf::from(FSTAB)));
        if let Some(device) = self.device_path() {
            claims.need(Claim::Other("file system on", device.to_string_lossy().into()));
            claims.need(Claim::Path(device));
        }
    }
}

impl Watching for Mount {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(PathBuf::from(FSTAB)));
        interests.extend(self.device_path().map(Interest::Path));
    }
}

impl Mount {
    fn device_path(&self) -> Option<PathBuf> {
        Device { name: self.device.get()?, options: &MountOptions::default() }.path()
    }
}
