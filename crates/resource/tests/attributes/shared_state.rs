//! The struct of state of `docs/authoring.md`.

use uphold_resource::{
    AbsolutePath, Access, Act, Entry, Found, Look, Mode, NewFile, Properties, Reading, Resource, Result,
    Step, UserName, Want, set_access,
};

/// Permissions of a file.
#[derive(Properties)]
pub struct Permissions {
    /// Permission bits.
    pub mode: Want<Mode>,
    /// Owner.
    pub owner: Want<UserName>,
}

impl Permissions {
    /// The permissions of an existing file.
    pub fn load(&self, entry: &Entry, host: &Reading<'_>) -> Result<PermissionsState> {
        let owner = UserName::found(entry.uid, self.owner.get(), host)?;
        Ok(PermissionsState { mode: Mode::new(entry.mode), owner })
    }
}

impl PermissionsGoal {
    /// The permissions of the file to write.
    pub fn access(&self, host: &Reading<'_>) -> Result<Access> {
        let uid = self.owner.as_ref().map(|owner| owner.id(host)).transpose()?;
        Ok(Access { mode: self.mode.as_ref().map(Mode::bits), uid, gid: None })
    }
}

/// A flag: an empty file with permissions.
#[derive(Resource)]
#[resource(kind = "flag")]
pub struct Flag {
    #[name]
    pub path: AbsolutePath,
    /// Permissions of the file.
    #[flatten(state, on_create(mode = "0600"), doc(owner = "Owner of the flag."))]
    pub permissions: Permissions,
}

impl Resource for Flag {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(entry) = look.files().look(&self.path)? else { return Ok(Found::Absent) };
        Ok(Found::This(FlagState { permissions: self.permissions.load(&entry, look)? }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => {
                let file = NewFile::new(b"", goal.permissions.access(host)?);
                host.edits().write(&self.path, &file)
            }
            Step::Update { goal, .. } => {
                set_access(&self.path, "a regular file", &goal.permissions.access(host)?, host)
            }
            Step::Remove { .. } => host.edits().remove_file(&self.path),
        }
    }
}

uphold_testkit::laws! {
    Flag,
    world: |host| host.directory("/etc", 0o755).user("ada", 1000),
    wishes: [
        { "/etc/flag" },
        { "/etc/flag", mode = "0444", owner = "root" },
        { "/etc/flag", mode = "g+w", owner = "ada" },
    ],
}
