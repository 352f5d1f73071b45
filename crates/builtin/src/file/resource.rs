//! One regular file.

use std::path::Path;

use uphold_resource::{
    AbsolutePath, Access, Described, EntryKind, Error, ErrorKind, GroupName, Host, Mode, NewFile, Observe,
    Resource, Result, Seen, Step, UserName, Verbs, Want, wrong_type,
};

use super::{Content, Digest, backup, state, verification};
use crate::ownership;

/// One regular file.
///
/// It is replaced all at once: whoever opens it gets the old or the new file, whole, with its
/// final owner and mode. A change of mode, owner or group alone does not rewrite it. Its parent
/// directory must exist.
///
/// Removing it removes a regular file only; another thing at the path is an error unless `force`
/// is set, and a directory is an error even then.
///
/// ```hcl
/// file "/etc/motd" {
///   content = "Welcome.\n"
///   mode    = "0644"
///   owner   = "root"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "file",
    exclusive(content, source),
    verbs(touch = "Make it newer; create it as declared if it is not there.")
)]
pub struct File {
    /// Where it is; the block's label unless set.
    #[name]
    pub path: AbsolutePath,
    /// What it contains. An existing file keeps its content unless this or `source` is set; a
    /// new one is empty.
    pub content: Want<Content>,
    /// A file on this machine whose content it takes, instead of `content`.
    pub source: Option<AbsolutePath>,
    /// Permission bits. An existing file keeps its own unless this is set.
    #[on_create(state::NEW)]
    pub mode: Want<Mode>,
    /// Its owner. An existing file keeps its own unless this is set.
    pub owner: Want<UserName>,
    /// Its group. An existing file keeps its own unless this is set.
    pub group: Want<GroupName>,
    /// How many old versions are kept beside it, as `.NAME.uphold-backup-N`; 1 is the newest. One
    /// is made whenever the content changes and before the file is removed.
    #[default(0)]
    pub backups: u32,
    /// A shell command that looks at the new file before it is put in place; `{}` stands for its
    /// path. If it fails, nothing changes.
    pub verify: Option<String>,
    /// Only create it: an existing file is left alone, whatever its content, mode and owner.
    /// Something else at the path is an error all the same, and counts as missing with `force`.
    #[default(false)]
    pub create_if_missing: bool,
    /// Replace what is at the path even if it is not a regular file: a link, a pipe, a device, or
    /// a directory with all that is inside.
    #[default(false)]
    pub force: bool,
    /// The digest that `content` or `source` must have; nothing is touched if it does not.
    pub checksum: Option<Digest>,
    /// Digest of what is there.
    pub sha256: Seen<Option<Digest>>,
    /// Size in bytes of what is there.
    pub size: Seen<u64>,
}

impl Resource for File {
    fn prepare(&mut self, host: &dyn Observe) -> Result<()> {
        if let Some(source) = &self.source {
            self.content = Want::Set(read_source(source, host)?);
        }
        if self.force && !self.content.is_set() {
            self.content = Want::Set(Content::ANY);
        }
        self.check_digest()
    }

    fn load(&self, host: &dyn Observe) -> Result<Option<FileState>> {
        state::load(self, host)
    }

    fn apply(&self, step: Step<'_, Self>, host: &dyn Host) -> Result<()> {
        match step {
            Step::Create { goal } => self.put(goal, host),
            Step::Update { goal, change, .. } if change.content.is_some() => self.put(goal, host),
            // The mode is set again with the owner, whose change may take set-id bits away.
            Step::Update { goal, .. } => {
                let mode = self.mode.is_set().then(|| goal.mode.bits());
                host.edits().set_access(&self.path, &self.access(mode, host)?)
            }
            Step::Remove { current } => self.remove(current, host),
        }
    }
}

impl Verbs for File {
    type Verb = FileVerb;

    fn run(&self, verb: FileVerb, host: &dyn Host) -> Result<()> {
        match verb {
            FileVerb::Touch => self.touch(host),
        }
    }
}

impl File {
    fn access(&self, mode: Option<u32>, host: &dyn Host) -> Result<Access> {
        ownership::access(mode, &self.owner, &self.group, host)
    }

    /// Puts the file of the goal in place: verified, and with the old version kept. The old
    /// version is kept only when the new one has passed, so that a refused one displaces nothing.
    fn put(&self, goal: &FileGoal, host: &dyn Host) -> Result<()> {
        let inspect = |candidate: &Path| {
            if let Some(script) = &self.verify {
                verification::run(script, candidate, host)?;
            }
            backup::keep(&self.path, self.backups, host)
        };
        let inspected = self.verify.is_some() || self.backups > 0;
        let file = NewFile {
            content: goal.content.as_ref().and_then(Content::bytes).unwrap_or_default(),
            access: self.access(Some(goal.mode.bits()), host)?,
            verify: inspected.then_some(&inspect),
            replace_other: self.force,
        };
        host.edits().write(&self.path, &file)
    }

    fn remove(&self, current: &FileState, host: &dyn Host) -> Result<()> {
        if current.content.instead() == Some(EntryKind::Directory.words()) {
            let hint = "declare it as a `directory` and remove that";
            return Err(wrong_type(&*self.path, EntryKind::Directory.words(), "a file").hint(hint));
        }
        backup::keep(&self.path, self.backups, host)?;
        host.edits().remove_file(&self.path)
    }

    /// Writes the same content again, which is the one way to make it newer through the doors.
    fn touch(&self, host: &dyn Host) -> Result<()> {
        match host.files().look(&self.path)? {
            None => {
                let mut complete = self.clone();
                complete.prepare(host)?;
                complete.put(&complete.goal(None), host)
            }
            Some(entry) if entry.kind == EntryKind::File => {
                let content = host.files().read(&self.path, entry.size)?;
                let access = Access::default();
                let same = NewFile { content: &content, access, verify: None, replace_other: false };
                host.edits().write(&self.path, &same)
            }
            Some(entry) => Err(wrong_type(&*self.path, entry.kind.words(), "a regular file")),
        }
    }

    fn check_digest(&self) -> Result<()> {
        let content = self.content.get().and_then(Content::bytes);
        let (Some(wanted), Some(content)) = (self.checksum, content) else { return Ok(()) };
        match Digest::of(content) {
            found if found == wanted => Ok(()),
            found => {
                let what = format!("the new content of {} has the digest {found}", self.path);
                Err(Error::new(ErrorKind::Rejected, what).hint(format!("`checksum` demands {wanted}")))
            }
        }
    }
}

fn read_source(source: &Path, host: &dyn Observe) -> Result<Content> {
    let read = host.files().read(source, 0).map(Content::from);
    read.map_err(|error| match error.kind() {
        ErrorKind::Missing => {
            let what = format!("the source {} does not exist", source.display());
            Error::new(ErrorKind::Missing, what).hint("create it first, or correct the path")
        }
        _ => error,
    })
}
