//! One regular file.

use std::path::Path;
use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Access, Act, Claiming, Claims, Described, EntryKind, Error, ErrorKind, GroupName, Mode,
    Name, NewFile, Reading, Resource, Result, Seen, SourceFile, Step, UserName, Verbs, Want, wrong_type,
};

use super::{Content, CreationOnly, Digest, backup, candidate, creation_only, state};
use crate::{ownership, parent, regular_file};

/// Set-user-id and set-group-id.
const SET_ID: u32 = 0o6000;

/// The largest file that passes through memory: a `source`, or a file that is written anew.
const REWRITE_LIMIT: u64 = 256 << 20;

/// One regular file.
///
/// It is replaced all at once: whoever opens it gets the old or the new file, whole, with its
/// final owner and mode. A change of mode alone does not replace it. A change of owner or group
/// does: whoever opened the old file could still write to it. Set-id bits do not pass to the new
/// owner unless `mode` asks for them. Its parent directory must exist. A `source`, and a file that
/// gets another owner without `content`, may have 256 MiB. Nothing can replace a file that is a mount
/// point, as `/etc/hosts` is in many containers: it is written in place, not all at once.
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
    also("copy", "template", "cookbook_file", "content"),
    exclusive(content, source),
    claims,
    verbs(touch = "Make it newer; create it as declared if it is not there.")
)]
pub struct File {
    /// Where it is; the block's label unless set.
    #[also("dest", "destination")]
    #[name]
    pub path: AbsolutePath,
    /// What it contains. An existing file keeps its content unless this or `source` is set; a
    /// new one is empty.
    pub content: Want<Content>,
    /// A file whose content it takes, instead of `content`. A relative path is a file beside the configuration: beside
    /// the file that declares the block, also below `--root`. An absolute path is a file on the machine.
    #[also("src")]
    pub source: Option<SourceFile>,
    /// Permission bits. An existing file keeps its own unless this is set. A new file that holds a
    /// secret gets 0600.
    #[also("permissions", "perms")]
    #[on_create(state::NEW)]
    pub mode: Want<Mode>,
    /// Its owner. An existing file keeps its own unless this is set.
    #[also("user")]
    pub owner: Want<UserName>,
    /// Its group. An existing file keeps its own unless this is set.
    pub group: Want<GroupName>,
    /// How many old versions are kept beside it, as `.NAME.uphold-backup-N`; 1 is the newest. One
    /// is made whenever the content changes and before the file is removed. They have no set-id
    /// bits.
    #[also("backup")]
    #[default(0)]
    #[range(0..=1000)]
    pub backups: u32,
    /// A shell command that looks at the new file before it is put in place; `{}` stands for its
    /// path. If it fails, nothing changes.
    #[also("validate", "validate_cmd")]
    pub verify: Option<Name>,
    /// How long `verify` may take. After that it is killed, and has failed.
    #[default("10m")]
    pub verify_timeout: Duration,
    /// Only create it: an existing file is left alone, whatever its content, mode and owner.
    /// Something else at the path is an error all the same, and counts as missing with `force`.
    #[default(CreationOnly::default())]
    pub create_if_missing: CreationOnly,
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

impl Claiming for File {
    fn add_claims(&self, claims: &mut Claims) {
        let declares_content = self.content.is_set() || self.source.is_some();
        if declares_content && !self.create_if_missing.is_set() {
            claims.declare_whole_content();
        }
    }
}

impl Resource for File {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        if creation_only::is_left_alone(self, host)? {
            return Ok(());
        }
        ownership::must_exist(&self.owner, &self.group, host)?;
        if let Some(source) = &self.source {
            self.content = Want::Set(read_source(source, host)?);
        }
        if self.force && !self.content.is_set() {
            self.content = Want::Set(Content::ANY);
        }
        self.check_digest()
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<FileState>> {
        state::load(self, host)
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        parent::check(&self.path, host)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            // It has gone since it was found, and with it the reason to leave it alone.
            Step::Create { .. } if self.create_if_missing.found_one() => self.create(host),
            Step::Create { goal } => self.put(bytes(goal), goal.mode.bits(), self.backups, host),
            Step::Update { goal, change, current } if change.content.is_some() => {
                self.put(bytes(goal), self.new_mode(goal, change, current), self.backups, host)
            }
            Step::Update { goal, change, current } if is_given_away(change) => {
                self.renew(self.new_mode(goal, change, current), host)
            }
            Step::Update { goal, .. } => {
                let access = Access { mode: Some(goal.mode.bits()), ..Access::default() };
                uphold_resource::set_access(&self.path, "a regular file", &access, host)
            }
            Step::Remove { current } => self.remove(current, host),
        }
    }
}

impl Verbs for File {
    type Verb = FileVerb;

    fn run(&self, verb: FileVerb, host: &Act<'_>) -> Result<()> {
        match verb {
            FileVerb::Touch => self.touch(host),
        }
    }
}

impl File {
    /// The mode of a file that replaces another. Set-id bits that nobody asked for do not pass to
    /// another owner, as they do not with `chown`.
    fn new_mode(&self, goal: &FileGoal, change: &FileChange, current: &FileState) -> u32 {
        if !is_given_away(change) {
            return goal.mode.bits();
        }
        let plain = Mode::new(current.mode.bits() & !SET_ID);
        self.mode.goal(Some(&plain)).unwrap_or(plain).bits()
    }

    /// Puts a file in place: verified, and with the old version kept. The old version is kept only
    /// when the new one has passed, so that a refused one displaces nothing.
    fn put(&self, content: &[u8], mode: u32, backups: u32, host: &Act<'_>) -> Result<()> {
        let inspect = |candidate: &Path| {
            if let Some(verify) = &self.verify {
                candidate::verify(candidate, verify, self.verify_timeout, host)?;
            }
            backup::keep(&self.path, backups, host)
        };
        let inspected = self.verify.is_some() || backups > 0;
        let file = NewFile {
            content,
            access: ownership::access(Some(mode), &self.owner, &self.group, host)?,
            verify: inspected.then_some(&inspect),
            replace_other: self.force,
        };
        host.edits().write(&self.path, &file)
    }

    /// Puts a new file with the right owner in the place of one with the right content: the old
    /// one may be open for writing elsewhere, and would stay so.
    fn renew(&self, mode: u32, host: &Act<'_>) -> Result<()> {
        match self.content.get().and_then(Content::bytes) {
            Some(content) => self.put(content, mode, 0, host),
            None => self.put(&host.edits().content(&self.path, REWRITE_LIMIT)?, mode, 0, host),
        }
    }

    /// Puts the declared file where there is none, whatever was found before.
    fn create(&self, host: &Act<'_>) -> Result<()> {
        let mut complete = self.clone();
        complete.prepare(host)?;
        let goal = complete.goal(None);
        complete.put(bytes(&goal), goal.mode.bits(), complete.backups, host)
    }

    fn remove(&self, current: &FileState, host: &Act<'_>) -> Result<()> {
        if current.content.instead() == Some(EntryKind::Directory.words()) {
            let hint = "declare it as a `directory` and remove that";
            return Err(wrong_type(&*self.path, EntryKind::Directory.words(), "a file").hint(hint));
        }
        backup::keep(&self.path, self.backups, host)?;
        host.edits().remove_file(&self.path)
    }

    /// Writes the same content again, which is the one way to make it newer through the doors.
    fn touch(&self, host: &Act<'_>) -> Result<()> {
        if regular_file::look(&self.path, host)?.is_none() {
            return self.create(host);
        }
        let content = host.edits().content(&self.path, REWRITE_LIMIT)?;
        host.edits().write(&self.path, &NewFile::new(&content, Access::default()))
    }

    fn check_digest(&self) -> Result<()> {
        let content = self.content.get().and_then(Content::bytes);
        let (Some(wanted), Some(content)) = (&self.checksum, content) else { return Ok(()) };
        match Digest::of(content) {
            found if found == *wanted => Ok(()),
            found => {
                let what = format!("the new content of {} has the digest {found}", self.path);
                Err(Error::new(ErrorKind::Rejected, what).hint(format!("`checksum` demands {wanted}")))
            }
        }
    }
}

/// What a file of this goal contains; a new one nothing unless something was asked for.
fn bytes(goal: &FileGoal) -> &[u8] {
    goal.content.as_ref().and_then(Content::bytes).unwrap_or_default()
}

fn is_given_away(change: &FileChange) -> bool {
    change.owner.is_some() || change.group.is_some()
}

fn read_source(source: &SourceFile, host: &Reading<'_>) -> Result<Content> {
    let read = source.read(host, REWRITE_LIMIT).map(Content::from);
    read.map_err(|error| match error.kind() {
        ErrorKind::Missing => {
            let what = format!("the source {source} does not exist on the machine");
            let hint =
                "create it first, or correct the path; a file beside the configuration has a relative path";
            Error::new(ErrorKind::Missing, what).hint(hint)
        }
        _ => error,
    })
}
