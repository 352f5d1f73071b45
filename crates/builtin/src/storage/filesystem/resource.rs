//! A file system on a device or in an image.

use std::path::PathBuf;

use uphold_resource::{
    AbsolutePath, Act, Claim, Claims, Context, Error, ErrorKind, Interest, Problem, Property, Reading,
    Resource, Result, Role, Step, Type, Value, Want,
};

use super::maker::{self, Recipe};
use crate::storage::private_place;
use crate::storage::signature::Signature;
use crate::tool;

/// A file system on a device, or in an image that is a regular file.
///
/// A blank device is formatted. **What holds anything is never formatted** unless `force = true` is set: another
/// file system, swap space or a table of partitions there is an error, in a plan, too. The device is asked each
/// time, by the signatures on it. Another `label` or `uuid` is given to a file system as it is.
///
/// Removing it takes the signatures away, so that the device is blank; that needs `force = true`, too.
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
#[resource(kind = "filesystem", also("fs", "mkfs"))]
pub struct Filesystem {
    /// The device or image, which must exist; the block's label unless set.
    #[also("dev", "path")]
    #[name]
    pub device: BlockDevice,
    /// Its type, as in `mkfs.TYPE`.
    #[also("type", "fs_type")]
    #[pattern("^[a-z0-9_]+$")]
    #[required]
    pub fstype: Want<String>,
    /// Its label; empty for none.
    #[check(is_label, "must be text without control characters")]
    pub label: Want<String>,
    /// Its identifier. The one that it got when it was made can be read here.
    #[pattern("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")]
    pub uuid: Want<String>,
    /// More arguments for `mkfs`, each by itself.
    #[also("opts", "mkfs_options")]
    #[default(Vec::new())]
    pub options: Vec<String>,
    /// Whether whatever is on the device may be destroyed.
    #[default(false)]
    pub force: bool,
}

fn is_label(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.chars().any(char::is_control))
}

/// The path of a device, which somebody else makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockDevice(AbsolutePath);

impl Property for BlockDevice {
    const TYPE: &'static Type = AbsolutePath::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        AbsolutePath::from_value(value, context).map(Self)
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }

    /// It holds what is on the device, and stands on the device.
    fn claim(&self, _: Role, claims: &mut Claims) {
        claims.hold(Claim::Other("file system on", self.0.to_string().into()));
        claims.need(Claim::Path(self.0.to_path_buf()));
        claims.own(self.0.to_path_buf());
    }

    fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.0.watch(role, host, interests);
    }
}

impl Resource for Filesystem {
    fn load(&self, host: &Reading<'_>) -> Result<Option<FilesystemState>> {
        let path = PathBuf::from(&*self.device.0);
        private_place::check(&path, host)?;
        if host.files().look(&path)?.is_none() {
            return if host.provides(&path) { Ok(None) } else { Err(self.no_device()) };
        }
        let Some(found) = Signature::of(&path, host)? else { return Ok(None) };
        if let Some(wish) = self.fstype.get()
            && !self.force
            && found.fstype() != Some(wish)
        {
            return Err(self.occupied(&found));
        }
        Ok(Some(FilesystemState {
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
}

impl Filesystem {
    fn path(&self) -> String {
        self.device.0.to_string()
    }

    /// What nobody set is kept of what was there, as far as the new type can have it.
    fn make(&self, goal: &FilesystemGoal, over: bool, host: &Act<'_>) -> Result<()> {
        let label = goal.label.as_deref().filter(|label| !label.is_empty());
        let is_kept = |uuid: &&str| self.uuid.is_set() || maker::takes_uuid(&goal.fstype, uuid);
        let uuid = goal.uuid.as_deref().filter(is_kept);
        let recipe = Recipe { fstype: &goal.fstype, label, uuid, options: &self.options, over };
        let what = format!("cannot make a file system of type {} on {}", goal.fstype, self.path());
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
            let hint = "most file systems must not be mounted for that";
            let what = format!("cannot give the file system on {device} another identifier");
            tool::run(&command, &what, host).map_err(|error| error.hint(hint))?;
        }
        Ok(())
    }

    fn wipe(&self, host: &Act<'_>) -> Result<()> {
        if !self.force {
            let what = format!("removing the file system on {} would destroy what it holds", self.path());
            return Err(Error::new(ErrorKind::Rejected, what).hint("set `force = true` if that is meant"));
        }
        let command = tool::command("wipefs", ["--all".to_owned(), self.path()]);
        tool::run(&command, &format!("cannot remove what is on {}", self.path()), host).map(drop)
    }

    fn no_device(&self) -> Error {
        let what = format!("cannot look at the file system: {} does not exist", self.path());
        Error::new(ErrorKind::Missing, what).hint("see which devices there are: lsblk")
    }

    fn occupied(&self, found: &Signature) -> Error {
        let what = format!("{} is not blank: it holds {}", self.path(), found.words());
        Error::new(ErrorKind::Rejected, what)
            .hint("look what it is; set `force = true` if it may be destroyed, or correct `fstype`")
    }
}
