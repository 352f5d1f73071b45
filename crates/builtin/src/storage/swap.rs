//! The kind `swap`.

mod observed;
mod steps;

use std::path::PathBuf;

use observed::Observed;
use uphold_kit::machine;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Error, ErrorKind, Found, Interest, Look, Previous, Reading,
    Resource, Result, Seen, Size, Step, Value, Want, Watching,
};

use super::fstab::FSTAB;

/// The priority that leaves the order to the kernel.
const AUTOMATIC: i32 = -1;

/// Swap space in a file or on a device, now and at boot.
///
/// A file is created with `size`, readable by root only. If the size changes, it is deactivated and created again,
/// which needs enough free memory. Existing data that is not swap space is never overwritten unless `force = true`
/// is set; without it, that is an error, also in a plan.
///
/// Removing it deactivates it, removes its entry in `/etc/fstab`, and removes a file. A device keeps its content.
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
    /// File or device; defaults to the block's label.
    #[also("device", "file")]
    #[name]
    pub path: AbsolutePath,
    /// Size of the file, as in `"1GiB"`; required for a new file. Not for a device.
    #[check(is_large_enough, "must be at least 40 KiB")]
    pub size: Want<Size>,
    /// Priority: swap space with a higher one is used first; -1 leaves it to the kernel.
    #[also("pri")]
    #[range(-1..=32767)]
    #[on_create(AUTOMATIC)]
    pub priority: Want<i32>,
    /// Label.
    #[check(is_label, "must have at most 15 bytes and no control characters")]
    pub label: Want<String>,
    /// Whether it is in use now.
    #[also("state", "enabled")]
    #[enforce(true)]
    pub active: Want<bool>,
    /// Whether it is in `/etc/fstab`.
    #[also("persist", "boot", "fstab")]
    #[enforce(true)]
    pub in_fstab: Want<bool>,
    /// Allow existing data at the path to be destroyed.
    #[default(false)]
    pub force: bool,
    /// UUID.
    pub uuid: Seen<Option<String>>,
}

fn is_label(value: &Value) -> bool {
    const LONGEST: usize = 15;
    matches!(value, Value::Text(text) if text.len() <= LONGEST && !text.chars().any(char::is_control))
}

fn is_large_enough(value: &Value) -> bool {
    matches!(value, Value::Int(bytes) if u64::try_from(*bytes).is_ok_and(|bytes| bytes >= steps::SMALLEST))
}

impl Resource for Swap {
    fn prepare(&self, look: &Look<'_>) -> Result<SwapWishes> {
        let active = machine::live_default(&self.active, "`active = true`", look)?;
        let observed = Observed::of(self, look)?;
        if observed.is_device && self.size.is_set() {
            let what = format!("{} is a device, so its size cannot be set", self.path);
            return Err(Error::new(ErrorKind::Invalid, what).hint("remove `size`"));
        }
        observed.must_be_free(self)?;
        Ok(SwapWishes { active, ..SwapWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(Observed::load(self, look)?.state(self).into())
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        let observed = Observed::of(self, look)?;
        if self.size.is_set() || observed.is_device { Ok(()) } else { Err(steps::no_size(&self.path)) }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => steps::converge(self, goal, host),
            Step::Remove { .. } => steps::remove(self, host),
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Update { change, .. } if change.size.is_some() || change.label.is_some() => {
                Previous::none("the previous swap space was overwritten")
            }
            Step::Remove { .. } => Previous::none("the removed swap space is not kept"),
            _ => Previous::without(&["force"]),
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
    /// When a file is deactivated, the kernel closes it, which is reported. For a device there are no events.
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(PathBuf::from(FSTAB)));
        interests.push(Interest::Interval(machine::LIVE));
    }
}
