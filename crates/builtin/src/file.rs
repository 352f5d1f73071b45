//! The kind `file`.

mod content;

use std::path::Path;

use uphold_kit::digest::Digest;
use uphold_kit::ownership::{Ownership, OwnershipState, OwnershipWishes};
use uphold_kit::verification::Verification;
use uphold_kit::{backup, machine, parent, regular_file};
use uphold_resource::{
    AbsolutePath, Access, Act, Claiming, Claims, EntryKind, Error, ErrorKind, Found, Look, Mode, NewFile,
    Other, Previous, Problem, Properties, Property, Reading, Resource, Result, Seen, SourceFile, Step, Verbs,
    Want, Wish,
};

pub use content::Content;

/// Set-user-ID and set-group-ID.
const SET_ID: u32 = 0o6000;

/// Settings that concern a change, not the state after it.
const OF_THE_CHANGE: &[&str] =
    &["source", "backups", "verify", "verify_timeout", "create_if_missing", "force", "checksum"];

/// The maximum size of a file that is loaded into memory: a `source`, or a file that is rewritten.
const REWRITE_LIMIT: u64 = 256 << 20;

/// A regular file.
///
/// The file is replaced atomically: a process that opens it gets either the old or the new file, complete, with its
/// final owner and mode. A change of mode alone does not replace it. A change of owner or group does, because a
/// process that has the old file open could still write to it. Set-id bits are not kept for a new owner unless
/// `mode` sets them. The parent directory must exist. A `source`, and a file that gets another owner without
/// `content`, may have at most 256 MiB. A file that is a mount point, as `/etc/hosts` is in many containers, cannot
/// be replaced: it is written in place, not atomically.
///
/// Removing it removes a regular file only. Anything else at the path is an error unless `force` is set; a
/// directory is always an error.
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
    requires(verify, content, source),
    claims,
    verbs(touch = "Update its modification time; create it as declared if it does not exist.")
)]
pub struct File {
    /// Path of the file; defaults to the block's label.
    #[also("dest", "destination")]
    #[name]
    pub path: AbsolutePath,
    /// Content. If neither this nor `source` is set, an existing file keeps its content, and a new one is empty.
    #[load(Self::current_content)]
    pub content: Want<Content>,
    /// File to copy the content from, instead of `content`. A relative path is a file next to the configuration
    /// file that declares the block, also with `--root`. An absolute path is a file on the machine.
    #[also("src")]
    pub source: Option<SourceFile>,
    /// Mode. If it is not set, an existing file keeps its own, and a new file that contains a secret gets 0600.
    #[also("permissions", "perms")]
    #[on_create(content::NEW)]
    pub mode: Want<Mode>,
    /// Owner and group.
    #[flatten(state)]
    pub ownership: Ownership,
    /// Number of old versions to keep next to the file, as `.NAME.uphold-backup-N`; 1 is the newest. One is made
    /// whenever the content changes and before the file is removed. They have no set-id bits.
    #[also("backup")]
    #[default(0)]
    #[range(0..=1000)]
    pub backups: u32,
    /// Check of the new file.
    #[flatten(settings)]
    pub verification: Verification,
    /// Only create the file: an existing file is not changed, whatever its content, mode and owner. Another type of
    /// file at the path is still an error, or is replaced with `force`.
    #[default(false)]
    pub create_if_missing: bool,
    /// Replace whatever is at the path, even if it is not a regular file: a link, a pipe, a device, or a directory
    /// with all its content.
    #[default(false)]
    pub force: bool,
    /// SHA-256 checksum that `content` or `source` must have; if it does not match, nothing is changed.
    pub checksum: Option<Digest>,
    /// SHA-256 checksum of the file.
    #[load(Self::current_digest)]
    pub sha256: Seen<Option<Digest>>,
    /// Size of the file in bytes.
    pub size: Seen<u64>,
}

impl Claiming for File {
    fn add_claims(&self, claims: &mut Claims) {
        let declares_content = self.content.is_set() || self.source.is_some();
        if declares_content && !self.create_if_missing {
            claims.declare_whole_content();
        }
    }
}

impl Resource for File {
    fn validate(&self) -> Result<(), Problem> {
        self.check_digest(self.content.get()).map_err(|error| Problem::from(error).inside("content"))
    }

    fn prepare(&self, look: &Look<'_>) -> Result<FileWishes> {
        if self.create_if_missing && is_file(&self.path, look)? {
            // Its accounts and source are only needed for a creation.
            let ownership = OwnershipWishes { owner: Wish::OnCreate, group: Wish::OnCreate };
            return Ok(FileWishes { content: Wish::OnCreate, mode: Wish::OnCreate, ownership });
        }
        self.ownership.must_exist(look)?;
        let content = match &self.source {
            Some(source) => Wish::Set(read_source(source, look)?),
            None => Wish::Declared,
        };
        self.check_digest(if let Wish::Set(content) = &content {
            Some(content)
        } else {
            self.content.get()
        })?;
        Ok(FileWishes { content, ..FileWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        content::load(self, look)
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.path, look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.create(goal, host),
            Step::Update { goal, change, current } if change.content.is_some() => {
                self.put(bytes(goal), self.new_mode(goal, change, current), self.backups, host)
            }
            Step::Update { goal, change, current } if changes_owner(change) => {
                self.renew(self.new_mode(goal, change, current), host)
            }
            Step::Update { goal, .. } => {
                let access = Access { mode: Some(goal.mode.bits()), ..Access::default() };
                uphold_resource::set_access(&self.path, "a regular file", &access, host)
            }
            Step::Remove { .. } => self.remove(host),
        }
    }

    fn ends_with_write(&self) -> bool {
        // Commands and backups of several files run at the same time only if each is written for itself.
        !self.verification.is_set() && self.backups == 0
    }

    fn replaces_other(&self) -> bool {
        self.force
    }

    fn remove_other(&self, other: &Other, host: &Act<'_>) -> Result<()> {
        if other.words() == EntryKind::Directory.words() {
            let hint =
                "if the directory is to be removed, declare it as a `directory` with `action = \"remove\"`";
            return Err(other.error().hint(hint));
        }
        self.remove(host)
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Update { current, .. } if current.mode.bits() & SET_ID != 0 => {
                // With another owner, the program would run with the rights of that one.
                let OwnershipState { owner, group } = &current.ownership;
                Previous::without(OF_THE_CHANGE)
                    .with("owner", owner.to_value())
                    .with("group", group.to_value())
            }
            _ => Previous::without(OF_THE_CHANGE),
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
    /// The mode of a file that replaces another. Undeclared set-id bits are not kept for a new owner, as with
    /// `chown`.
    fn new_mode(&self, goal: &FileGoal, change: &FileChange, current: &FileState) -> u32 {
        if !changes_owner(change) {
            return goal.mode.bits();
        }
        let plain = Mode::new(current.mode.bits() & !SET_ID);
        self.mode.goal(Some(&plain)).unwrap_or(plain).bits()
    }

    /// Verifies and writes a file, and keeps the old version. The old version is kept only after the new one was
    /// verified, so that a rejected one displaces nothing.
    fn put(&self, content: &[u8], mode: u32, backups: u32, host: &Act<'_>) -> Result<()> {
        let inspect = |candidate: &Path| {
            self.verification.run(candidate, host)?;
            backup::keep(&self.path, backups, host)
        };
        let inspected = self.verification.is_set() || backups > 0;
        let access = self.ownership.access(Some(mode), host)?;
        let file = NewFile {
            verify: inspected.then_some(&inspect),
            replace_other: self.force,
            ..NewFile::new(content, access)
        };
        host.edits().write(&self.path, &file)
    }

    /// Replaces a file that has the right content by a new one with the right owner: another process may have the
    /// old one open for writing.
    fn renew(&self, mode: u32, host: &Act<'_>) -> Result<()> {
        match self.content.get().and_then(Content::bytes) {
            Some(content) => self.put(content, mode, 0, host),
            None => self.put(&host.edits().content(&self.path, REWRITE_LIMIT)?, mode, 0, host),
        }
    }

    /// Creates the declared file. If it existed at the last check, its source was not read.
    fn create(&self, goal: &FileGoal, host: &Act<'_>) -> Result<()> {
        let (None, Some(source)) = (&goal.content, &self.source) else {
            return self.put(bytes(goal), goal.mode.bits(), self.backups, host);
        };
        let content = read_source(source, host)?;
        self.check_digest(Some(&content))?;
        self.put(content.bytes().unwrap_or_default(), goal.mode.bits(), self.backups, host)
    }

    fn remove(&self, host: &Act<'_>) -> Result<()> {
        backup::keep(&self.path, self.backups, host)?;
        host.edits().remove_file(&self.path)
    }

    /// Writes the same content again, which updates the modification time.
    fn touch(&self, host: &Act<'_>) -> Result<()> {
        if regular_file::look(&self.path, host)?.is_none() {
            return self.create(&self.goal(None), host);
        }
        let content = host.edits().content(&self.path, REWRITE_LIMIT)?;
        host.edits().write(&self.path, &NewFile::new(&content, Access::default()))
    }

    fn check_digest(&self, content: Option<&Content>) -> Result<()> {
        let (Some(wanted), Some(content)) = (&self.checksum, content.and_then(Content::bytes)) else {
            return Ok(());
        };
        match Digest::of(content) {
            found if found == *wanted => Ok(()),
            found => {
                let what = format!("the new content of {} has the wrong checksum {found}", self.path);
                Err(Error::new(ErrorKind::Rejected, what)
                    .hint(format!("`checksum` is {wanted}; check the content and the checksum")))
            }
        }
    }
}

/// The content of a goal; empty if none is declared.
fn bytes(goal: &FileGoal) -> &[u8] {
    goal.content.as_ref().and_then(Content::bytes).unwrap_or_default()
}

fn is_file(path: &Path, host: &Reading<'_>) -> Result<bool> {
    Ok(host.files().look(path)?.is_some_and(|entry| entry.kind == EntryKind::File))
}

fn changes_owner(change: &FileChange) -> bool {
    change.ownership.is_any()
}

fn read_source(source: &SourceFile, host: &Reading<'_>) -> Result<Content> {
    let read = source.read(host, REWRITE_LIMIT).map(Content::from);
    read.map_err(|error| match error.kind() {
        ErrorKind::Missing => {
            let what = format!("the source {source} does not exist {}", machine::location(host));
            let hint =
                "correct the path, or create the file with another resource; a file next to the configuration has a relative path";
            Error::new(ErrorKind::Missing, what).hint(hint)
        }
        _ => error,
    })
}
