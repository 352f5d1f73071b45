//! Swap space in a file or on a device.

use std::path::PathBuf;

use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Error, ErrorKind, Interest, Reading, Resource, Result, Seen,
    Size, Step, Value, Want, Watching,
};

use super::making;
use super::sight::Sight;
use crate::machine;
use crate::storage::fstab::FSTAB;

/// The priority of those that the kernel orders itself.
pub(super) const AUTOMATIC: i32 = -1;

/// Swap space in a file or on a device, now and whenever the machine starts.
///
/// A file is made with `size`, readable by root alone. Another size makes it anew: the kernel lets go of it
/// for that moment, which needs enough free memory. What is there already and is no swap space is never
/// overwritten unless `force = true` is set; that is an error, in a plan, too.
///
/// Removing it stops the kernel from using it, takes its entry out of `/etc/fstab`, and removes a file. A
/// device keeps what is on it.
///
/// ```hcl
/// swap "/swapfile" {
///   size     = "1GiB"
///   priority = 10
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "swap", also("swap_file", "swapfile"), claims, interests)]
pub struct Swap {
    /// The file or device; the block's label unless set.
    #[also("device", "file")]
    #[name]
    pub path: AbsolutePath,
    /// The size of the file, which has to be set unless there is one. Not for a device.
    #[check(is_large_enough, "must be 40 KiB at least")]
    pub size: Want<Size>,
    /// Space with a higher priority is used first; -1 leaves it to the kernel.
    #[also("pri")]
    #[range(-1..=32767)]
    #[on_create(AUTOMATIC)]
    pub priority: Want<i32>,
    /// Its label.
    #[check(is_label, "must be text of 15 bytes at most")]
    pub label: Want<String>,
    /// Whether the kernel uses it now.
    #[also("state", "enabled")]
    #[enforce(true)]
    pub active: Want<bool>,
    /// Whether it is in `/etc/fstab`.
    #[also("persist", "boot", "fstab")]
    #[enforce(true)]
    pub in_fstab: Want<bool>,
    /// Whether what is there instead may be destroyed.
    #[default(false)]
    pub force: bool,
    /// Its identifier.
    pub uuid: Seen<Option<String>>,
}

fn is_label(value: &Value) -> bool {
    const LONGEST: usize = 15;
    matches!(value, Value::Text(text) if text.len() <= LONGEST && !text.chars().any(char::is_control))
}

fn is_large_enough(value: &Value) -> bool {
    matches!(value, Value::Int(bytes) if u64::try_from(*bytes).is_ok_and(|bytes| bytes >= making::SMALLEST))
}

impl Resource for Swap {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        machine::complete(&mut self.active, "`active = true`", host)?;
        let sight = Sight::of(self, host)?;
        if sight.is_device && self.size.is_set() {
            let what = format!("{} is a device, whose size cannot be set", self.path);
            return Err(Error::new(ErrorKind::Invalid, what).hint("leave `size` out"));
        }
        sight.must_be_free(self)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<SwapState>> {
        Ok(Sight::of(self, host)?.state(self))
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        let sight = Sight::of(self, host)?;
        match self.size.is_set() || sight.is_device {
            true => Ok(()),
            false => Err(making::no_size(&self.path)),
        }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => making::converge(self, goal, host),
            Step::Remove { .. } => making::remove(self, host),
        }
    }
}

impl Claiming for Swap {
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("file system on", self.path.to_string().into()));
        claims.edit(Claim::Path(PathBuf::from(FSTAB)));
    }
}

impl Watching for Swap {
    /// When the kernel lets go of a file, it closes it, and that is reported. Of a device nobody hears.
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(PathBuf::from(FSTAB)));
        interests.push(Interest::Interval(machine::LIVE));
    }
}
