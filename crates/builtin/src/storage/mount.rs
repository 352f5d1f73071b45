//! The kind `mount`.

mod effect;
mod observed;
mod steps;
mod table;

use std::path::PathBuf;

use observed::{Device, Observed};
use uphold_kit::machine;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Found, Interest, Look, Problem, Reading, Resource, Result,
    Seen, Step, Value, Want, Watching,
};

use super::fstab::FSTAB;

pub use table::MountOptions;

/// A mounted file system, now and at boot.
///
/// Manages both the entry in `/etc/fstab` and the current mount; `mounted = false` or `in_fstab = false` excludes
/// one of them. A missing mount point is created. With `--root`, nothing is mounted. Changed options are applied
/// with a remount; for another device or type the file system is unmounted and mounted again.
///
/// Options are compared as a set. Options that the kernel adds by itself are ignored, and an option that it does
/// not show counts as set. If `options` is set, a flag such as read-only or `noexec` that is not declared is a
/// difference, too.
///
/// Resources below the mount point come after the mount. Removing it unmounts it and removes the entry; the mount
/// point is kept.
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
    /// Mount point; defaults to the block's label.
    #[also("path", "mount_point", "mountpoint", "where")]
    #[name]
    #[claim(none)]
    pub point: AbsolutePath,
    /// Device: a path, `UUID=…`, `LABEL=…`, `host:/path`, or the name of a virtual file system such as `tmpfs`.
    #[also("src", "what", "dev", "spec")]
    #[check(is_word, "must be a single line that is not empty")]
    #[required]
    pub device: Want<String>,
    /// Type of the file system. `auto` detects it, `none` is for `bind`.
    #[also("type", "device_type", "vfstype")]
    #[check(is_word, "must be a single line that is not empty")]
    #[on_create("auto")]
    pub fstype: Want<String>,
    /// Mount options: a list, or a string with commas.
    #[also("opts")]
    #[on_create(MountOptions::default())]
    pub options: Want<MountOptions>,
    /// Fifth field of the entry in fstab: whether `dump` backs it up.
    #[also("freq")]
    #[on_create(0)]
    pub dump: Want<u8>,
    /// Sixth field of the entry in fstab: order of the check at boot; 1 for the root, 2 for others, 0 for none.
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
    /// Mounted device in the words of the kernel; null if nothing is mounted.
    pub source: Seen<Option<String>>,
}

fn is_word(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.is_empty() && !text.contains(['\n', '\r']))
}

impl Resource for Mount {
    fn validate(&self) -> Result<(), Problem> {
        if self.mounted.get() == Some(&false) && self.in_fstab.get() == Some(&false) {
            let rule = "cannot be false if `in_fstab` is false, too";
            let fix = "to remove it, set `action = \"remove\"`";
            return Err(Problem::new(None, rule, fix).inside("mounted"));
        }
        Ok(())
    }

    fn prepare(&self, look: &Look<'_>) -> Result<MountWishes> {
        let mounted = machine::live_default(&self.mounted, "`mounted = true`", look)?;
        Ok(MountWishes { mounted, ..MountWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Observed::of(&self.point, look)?.state(self, look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => steps::converge(self, goal, host),
            Step::Remove { .. } => steps::remove(self, host),
        }
    }
}

impl Claiming for Mount {
    /// It depends on its device and the file system there, and on the directory and its parent. It provides the paths
    /// below. The path is not claimed exclusively, because a `directory` may manage the mount point's properties; the
    /// mount at this point is.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("mount point", self.point.to_string_lossy().into()));
        claims.provide(Claim::Path(self.point.to_path_buf()));
        claims.need(Claim::Path(self.point.to_path_buf()));
        claims.needs.extend(self.point.parent().map(|parent| Claim::Path(parent.to_owned())));
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
