//! The kind `filesystem`.

mod maker;

use maker::Recipe;
use uphold_kit::tool;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Error, ErrorKind, Found, Look, Previous, Resource, Result,
    Step, Value, Want,
};

use super::signature::Signature;

/// A file system on a device, or in an image file.
///
/// A blank device is formatted. **A device with existing data is never formatted** unless `force = true` is set:
/// another file system, swap space or a partition table on it is an error, also in a plan. The signatures on the
/// device are read at each check. The `label` and `uuid` of an existing file system are changed in place.
///
/// Removing it erases the signatures, so that the device is blank; this also requires `force = true`.
///
/// ```hcl
/// filesystem "/dev/vdb1" {
///   fstype = "ext4"
///   label  = "data"
/// }
///
/// mount "/srv/data" {
///   device = "UUID=${filesystem["/dev/vdb1"].uuid}"
///   fstype = "ext4"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "filesystem", also("fs", "mkfs"), claims)]
pub struct Filesystem {
    /// Device or image file, which must exist; defaults to the block's label.
    #[also("dev", "path")]
    #[name]
    #[claim(none)]
    pub device: AbsolutePath,
    /// Type, as in `mkfs.TYPE`.
    #[also("type", "fs_type")]
    #[pattern("^[a-z0-9_]+$")]
    #[required]
    pub fstype: Want<String>,
    /// Label; empty for none.
    #[check(is_label, "must not contain control characters")]
    pub label: Want<String>,
    /// UUID. If it is not set, the current one can be read here.
    #[pattern("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]
    pub uuid: Want<String>,
    /// Additional arguments for `mkfs`, one string each.
    #[also("opts", "mkfs_options")]
    #[default(Vec::new())]
    pub options: Vec<String>,
    /// Allow existing data on the device to be destroyed.
    #[default(false)]
    pub force: bool,
}

fn is_label(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.chars().any(char::is_control))
}

impl Resource for Filesystem {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let path = self.device.to_path_buf();
        super::check(&path, look)?;
        if look.files().look(&path)?.is_none() {
            return if look.provides(&path) { Ok(Found::Absent) } else { Err(self.no_device()) };
        }
        let Some(found) = Signature::of(&path, look)? else { return Ok(Found::Absent) };
        if let Some(declared) = self.fstype.get()
            && !self.force
            && found.fstype() != Some(declared)
        {
            return Err(self.occupied(&found));
        }
        Ok(Found::This(FilesystemState {
            fstype: found.fstype().unwrap_or_default().to_owned(),
            label: found.label().unwrap_or_default().to_owned(),
            uuid: found.uuid().unwrap_or_default().to_owned(),
        }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.make(goal, false, host),
            Step::Update { goal, change, .. } if change.fstype.is_some() => self.make(goal, true, host),
            Step::Update { goal, change, .. } => self.rename(goal, change, host),
            Step::Remove { .. } => self.wipe(host),
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Update { change, .. } if change.fstype.is_none() => {
                Previous::without(&["force", "options"])
            }
            Step::Create { .. } => Previous::VALUES,
            _ => Previous::none("the data of the previous file system is not kept"),
        }
    }
}

impl Claiming for Filesystem {
    /// Only one resource may manage the file system on a device. It depends on the device, which is not created here.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("file system on", self.path().into()));
        claims.need(Claim::Path(self.device.to_path_buf()));
        claims.own(self.device.to_path_buf());
    }
}

impl Filesystem {
    fn path(&self) -> String {
        self.device.to_string()
    }

    /// Creates the file system. An undeclared label and UUID are kept, if the new type supports them.
    fn make(&self, goal: &FilesystemGoal, over: bool, host: &Act<'_>) -> Result<()> {
        let label = goal.label.as_deref().filter(|label| !label.is_empty());
        let is_kept = |uuid: &&str| self.uuid.is_set() || maker::takes_uuid(&goal.fstype, uuid);
        let uuid = goal.uuid.as_deref().filter(is_kept);
        let recipe = Recipe { fstype: &goal.fstype, label, uuid, options: &self.options, over };
        let what = format!("cannot create a file system of type {} on {}", goal.fstype, self.path());
        tool::run(&recipe.command(&self.path())?, &what, host).map(drop)
    }

    fn rename(&self, goal: &FilesystemGoal, change: &FilesystemChange, host: &Act<'_>) -> Result<()> {
        let device = self.path();
        if let Some(label) = &change.label {
            let command = maker::relabel(&goal.fstype, &device, &label.to)?;
            tool::run(&command, &format!("cannot label the file system on {device}"), host)?;
        }
        if let Some(uuid) = &change.uuid {
            let command = maker::renumber(&goal.fstype, &device, &uuid.to)?;
            let hint = "unmount the file system first: most types require it";
            let what = format!("cannot change the UUID of the file system on {device}");
            tool::run(&command, &what, host).map_err(|error| error.hint(hint))?;
        }
        Ok(())
    }

    fn wipe(&self, host: &Act<'_>) -> Result<()> {
        if !self.force {
            let what = format!("removing the file system on {} would destroy its data", self.path());
            return Err(Error::new(ErrorKind::Rejected, what)
                .hint("check that its data is not needed before you set `force = true`"));
        }
        let command = tool::command("wipefs", ["--all".to_owned(), self.path()]);
        tool::run(&command, &format!("cannot erase the signatures on {}", self.path()), host).map(drop)
    }

    fn no_device(&self) -> Error {
        let what = format!("cannot read the file system: the device {} does not exist", self.path());
        Error::new(ErrorKind::Missing, what).hint("list the devices with `lsblk`, and correct `device`")
    }

    fn occupied(&self, found: &Signature) -> Error {
        let what = format!("{} is not blank: it contains {}", self.path(), found.words());
        Error::new(ErrorKind::Rejected, what)
            .hint("correct `device` or `fstype`; `force = true` would destroy the existing data")
    }
}
