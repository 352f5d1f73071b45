//! A layer over another machine.

use std::ffi::OsString;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::SystemTime;

use uphold_resource::{
    Access, Command, Commands, Entry, EntryKind, Error, ErrorKind, FileEdits, Files, Gathered, Machine,
    NewFile, OpenFile, Output, Predictor, Random, Receiver, Request, Response, Result, Sink, UnitEdits,
    UnitFileChange, UnitJob, Watchers, replaced, wrong_type,
};

use super::tree::{
    Body, Change, Content, Directory, Inode, Location, Maker, Owner, Stop, Tree, Trust, Unknown, looping,
    unlistable, unreachable_parent, within,
};

// The overlay, and its queries of the base machine.

/// The limit for received files in memory: 256 MiB. Larger ones are not predicted.
const ROOM: u64 = 256 * 1024 * 1024;

/// The device number of new files of the first overlay; one less for each overlay over it. No real device has it.
const DEVICE: u64 = u64::MAX;

/// A layer over another machine: writes stay in memory, and are visible through the overlay. The base machine is only read.
///
/// # Guarantees
/// - Files behave as on the base machine, with errors of the same kinds; but permissions and free space are not checked,
///   mounts are unknown, and a hard link to another file system succeeds.
/// - Files that were not written are as they are on the base machine now. Only the directories on the path to files that were
///   read, and changed files, are remembered.
/// - Accounts, facts, the clock and probes are those of the base machine. Commands and jobs of units fail as
///   [`ErrorKind::Unpredictable`], so that nothing runs; a new file is not verified.
/// - It can be used by many threads. No lock is held while files of the base machine are read.
///
/// # Costs
/// Written content is stored once; of large files that are received in pieces, 256 MiB at most. A file that is copied, or whose
/// owner or mode changes, is not read. `look` costs a short lock and one `look` at the base, and one more for each new
/// directory in the path. Listing a directory is linear in its names.
///
/// # Assumptions
/// Paths are absolute. Removing a directory does not visit its content: a file in it with a hard link elsewhere still counts
/// the removed link.
pub struct Overlay {
    base: Machine,
    process: Owner,
    device: u64,
    /// Created at first use: many overlays are never used.
    tree: OnceLock<RwLock<Tree>>,
    /// How many bytes of received files may still be stored.
    room: AtomicU64,
}

/// An exclusively locked tree, and the result of a query of it.
type Locked<'a, T> = (RwLockWriteGuard<'a, Tree>, Result<T, Stop>);

impl Overlay {
    /// An overlay of `base`. New files belong to this user and group: those of the process that would really create them.
    pub fn new(base: &Machine, uid: u32, gid: u32) -> Self {
        Self::on(base, Owner { uid, gid }, DEVICE)
    }

    fn on(base: &Machine, process: Owner, device: u64) -> Self {
        Self { base: base.clone(), process, device, tree: OnceLock::new(), room: AtomicU64::new(ROOM) }
    }

    /// The base machine with the interfaces of the overlay.
    pub fn machine(self) -> Machine {
        let mut machine = self.base.clone();
        let overlay = Arc::new(self);
        machine.files = overlay.clone();
        machine.edits = overlay.clone();
        machine.commands = overlay.clone();
        machine.unit_edits = overlay.clone();
        machine.random = overlay.clone();
        machine.watchers = overlay.clone();
        machine.predictor = overlay;
        machine
    }

    fn shared_tree(&self) -> &RwLock<Tree> {
        self.tree.get_or_init(|| {
            // An error is reported by the next access.
            let root = self.base.files.look(Path::new("/")).ok().flatten().unwrap_or_else(usual_root);
            RwLock::new(Tree::over(self.device, &root))
        })
    }

    fn tree(&self) -> RwLockReadGuard<'_, Tree> {
        self.shared_tree().read().unwrap_or_else(PoisonError::into_inner)
    }

    fn tree_mut(&self) -> RwLockWriteGuard<'_, Tree> {
        self.shared_tree().write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queries the base machine about a name, and remembers the answer.
    fn learn(&self, unknown: &Unknown) -> Result<()> {
        let entry = self.base.files.look(&unknown.path)?;
        self.tree_mut().learn(unknown, entry.as_ref());
        Ok(())
    }

    /// The result of `ask`, after all names that it needs were learned from the base machine.
    fn resolve<T>(&self, ask: impl Fn(&Tree) -> Result<T, Stop>) -> Result<Result<T, Stop>> {
        loop {
            let asked = ask(&self.tree());
            match asked {
                Err(Stop::Unknown(unknown)) => self.learn(&unknown)?,
                resolved => return Ok(resolved),
            }
        }
    }

    /// Like [`resolve`](Self::resolve), and keeps the tree locked for a change.
    fn lock_resolved<T>(&self, ask: impl Fn(&Tree) -> Result<T, Stop>) -> Result<Locked<'_, T>> {
        loop {
            let tree = self.tree_mut();
            match ask(&tree) {
                Err(Stop::Unknown(unknown)) => {
                    drop(tree);
                    self.learn(&unknown)?;
                }
                resolved => return Ok((tree, resolved)),
            }
        }
    }
}

fn usual_root() -> Entry {
    Entry {
        kind: EntryKind::Directory,
        mode: 0o755,
        uid: 0,
        gid: 0,
        size: 0,
        links: 2,
        identity: (0, 0),
        modified: SystemTime::UNIX_EPOCH,
        changed: SystemTime::UNIX_EPOCH,
    }
}

impl Predictor for Overlay {
    fn over(&self, machine: &Machine) -> Machine {
        Overlay::on(machine, self.process, self.device - 1).machine()
    }
}

impl Watchers for Overlay {}

impl Random for Overlay {
    fn fill_random(&self, bytes: &mut [u8]) -> Result<()> {
        let _ = bytes;
        Err(Error::new(ErrorKind::Unpredictable, "random bytes cannot be predicted"))
    }
}

impl Commands for Overlay {
    fn run(&self, command: &Command) -> Result<Output> {
        let what = format!("the effects of {} cannot be predicted", command.program);
        Err(Error::new(ErrorKind::Unpredictable, what))
    }

    fn send(&self, request: &Request, _: &mut Sink<'_>) -> Result<Response> {
        let what = format!("the response of {} cannot be predicted", request.url.without_secrets());
        Err(Error::new(ErrorKind::Unpredictable, what))
    }
}

impl UnitEdits for Overlay {
    fn run_job(&self, job: &UnitJob) -> Result<()> {
        Err(unpredictable(&format!("{} {}", job.verb.word(), job.unit)))
    }

    fn change_files(&self, change: UnitFileChange, unit: &str) -> Result<()> {
        Err(unpredictable(&format!("{} {unit}", change.word())))
    }

    /// Does nothing: the state of a unit after a reload is read from its files.
    fn reload_units(&self) -> Result<()> {
        Ok(())
    }
}

fn unpredictable(what: &str) -> Error {
    Error::new(ErrorKind::Unpredictable, format!("the effects of `systemctl {what}` cannot be predicted"))
}

// Reading files through an overlay.

/// The source of a path.
enum Source<T> {
    /// The tree.
    Tree(T),
    /// It was not changed: this path of the base machine.
    Base(PathBuf),
}

impl Overlay {
    /// Calls `read` with the node at `path`. All names but the last are learned.
    fn find<T>(
        &self,
        path: &Path,
        trust: Trust<'_>,
        read: impl Fn(&Tree, Inode) -> T,
    ) -> Result<Result<Source<T>, Stop>> {
        self.resolve(|tree| match tree.find_trusting(path, trust) {
            Ok(inode) => Ok(Source::Tree(read(tree, inode))),
            Err(Stop::Below(path)) => Ok(Source::Base(path)),
            Err(stop) => Err(stop),
        })
    }

    /// The entry of the base machine at `path`; as changed here, if another hard link of it was changed.
    fn look_at_base(&self, path: &Path) -> Result<Option<Entry>> {
        let Some(entry) = self.base.files.look(path)? else { return Ok(None) };
        let tree = self.tree();
        Ok(Some(tree.known(&entry).map_or(entry, |inode| tree.entry(inode))))
    }
}

impl Files for Overlay {
    fn root(&self) -> Option<&Path> {
        self.base.files.root()
    }

    fn look(&self, path: &Path) -> Result<Option<Entry>> {
        match self.find(path, Trust::Anyone, Tree::entry)? {
            Ok(Source::Tree(entry)) => Ok(Some(entry)),
            Ok(Source::Base(path)) => self.look_at_base(&path),
            Err(Stop::Missing | Stop::NotDirectory) => Ok(None),
            Err(_) => Err(looping("read the attributes of", path)),
        }
    }

    fn read_within(&self, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>> {
        match self.find_content(path)? {
            Source::Base(path) => self.base.files.read_within(&path, size, limit),
            Source::Tree(Content::InMemory(content)) => within(path, &content, limit).map(<[u8]>::to_vec),
            Source::Tree(Content::Below { path, size }) => self.base.files.read_within(&path, size, limit),
        }
    }

    fn contains(&self, path: &Path, seen: &Entry, content: &[u8]) -> Result<bool> {
        match self.find_content(path)? {
            Source::Base(path) => self.base.files.contains(&path, seen, content),
            Source::Tree(Content::InMemory(now)) => Ok(*now == *content),
            // Its attributes were changed here, so the base machine cannot know them.
            Source::Tree(Content::Below { path, size }) => {
                Ok(seen.size == content.len() as u64 && self.base.files.read(&path, size)? == content)
            }
        }
    }

    fn sha256(&self, path: &Path) -> Result<Option<[u8; 32]>> {
        match self.find_content(path)? {
            Source::Base(path) => self.base.files.sha256(&path),
            Source::Tree(Content::Below { path, .. }) => self.base.files.sha256(&path),
            Source::Tree(Content::InMemory(_)) => Ok(None),
        }
    }

    fn open(&self, path: &Path) -> Result<Box<dyn OpenFile>> {
        match self.find_content(path)? {
            Source::Base(path) => self.base.files.open(&path),
            Source::Tree(Content::InMemory(content)) => Ok(Box::new(Cursor::new(content))),
            Source::Tree(Content::Below { path, .. }) => self.base.files.open(&path),
        }
    }

    fn list(&self, path: &Path) -> Result<Vec<OsString>> {
        let directory = |tree: &Tree, inode: Inode| tree.get(inode).directory().cloned();
        let source =
            self.find(path, Trust::Anyone, directory)?.map_err(|stop| unlistable(path, Some(&stop)))?;
        match source {
            Source::Base(path) => self.base.files.list(&path),
            Source::Tree(directory) => {
                let directory = directory.ok_or_else(|| unlistable(path, None))?;
                Ok(directory.merged(self.names_below(&directory)?))
            }
        }
    }
}

impl Overlay {
    /// The source of the content of the regular file at `path`.
    fn find_content(&self, path: &Path) -> Result<Source<Content>> {
        let content = |tree: &Tree, inode: Inode| match &tree.get(inode).body {
            Body::File(content) => Ok(content.clone()),
            _ => Err(wrong_type(path, tree.get(inode).words(), "a regular file")),
        };
        let accounts = &self.base.accounts;
        let is_private_group = |owner, gid| accounts.is_private_group(owner, gid).unwrap_or(false);
        let trust = Trust::Reading { uid: self.process.uid, is_private_group: &is_private_group };
        match self.find(path, trust, content)?.map_err(|stop| stop.cannot("read", path))? {
            Source::Base(path) => Ok(Source::Base(path)),
            Source::Tree(content) => content.map(Source::Tree),
        }
    }

    /// The names that the base machine has in a directory, sorted.
    fn names_below(&self, directory: &Directory) -> Result<Vec<OsString>> {
        directory.below().map_or(Ok(Vec::new()), |path| self.base.files.list(path))
    }
}

// Changes of files in an overlay.

impl Overlay {
    /// Finds `path`, and calls `change`.
    fn edit(&self, path: &Path, change: impl FnOnce(&mut Change<'_>) -> Result<bool>) -> Result<()> {
        let maker = Maker { owner: self.process, now: self.base.clock.now() };
        let (mut tree, location) = self.lock_resolved(|tree| tree.locate(path, self.process.uid))?;
        let location = location.map_err(|stop| unreachable_parent(path, &stop))?;
        change(&mut Change { tree: &mut tree, location: &location, path, maker }).map(drop)
    }

    /// Calls `read` with the location of `path`, which is resolved as for a change.
    fn reach<T>(&self, path: &Path, read: impl Fn(&Tree, Location) -> T) -> Result<T> {
        let reached =
            self.resolve(|tree| tree.locate(path, self.process.uid).map(|location| read(tree, location)))?;
        reached.map_err(|stop| unreachable_parent(path, &stop))
    }

    /// The names that the base machine has in the directory at `path`, if the directory comes from it.
    fn hidden_names(&self, path: &Path) -> Result<Vec<OsString>> {
        let directory = |tree: &Tree, location: Location| tree.get(location.old?).directory().cloned();
        self.reach(path, directory)?.map_or(Ok(Vec::new()), |directory| self.names_below(&directory))
    }
}

impl FileEdits for Overlay {
    /// The file is not verified: a command cannot read a file that exists only here.
    fn write(&self, path: &Path, file: &NewFile<'_>) -> Result<()> {
        self.edit(path, |change| change.write(file))
    }

    /// It is stored in memory, within the limit, and not kept after the plan.
    fn receive<'a>(&'a self, path: &'a Path) -> Result<Box<dyn Receiver + 'a>> {
        Ok(Box::new(Gathered::new(self, path).within(&self.room)))
    }

    fn content(&self, path: &Path, limit: u64) -> Result<Vec<u8>> {
        self.reach(path, |_, _| ())?;
        self.read_within(path, 0, limit)
    }

    fn make_directory(&self, path: &Path, access: &Access) -> Result<()> {
        self.edit(path, |change| change.make_directory(access))
    }

    fn make_link(&self, path: &Path, target: &Path) -> Result<()> {
        self.edit(path, |change| change.make_link(target))
    }

    fn make_hard_link(&self, path: &Path, target: &Path) -> Result<()> {
        let inode = self.reach(target, |tree, location| tree.linkable(location.old, target))??;
        self.edit(path, |change| change.make_hard_link(inode, target))
    }

    fn set_access(&self, path: &Path, seen: &Entry, access: &Access) -> Result<()> {
        let (mut tree, found) = self.lock_resolved(|tree| tree.reach(path, self.process.uid))?;
        let found = found.map_err(|stop| unreachable_parent(path, &stop))?;
        let inode = found.ok_or_else(|| Stop::Missing.cannot("set the permissions of", path))?;
        if tree.entry(inode).kind != seen.kind {
            return Err(replaced(path));
        }
        tree.set_access(inode, access);
        Ok(())
    }

    fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        let source = self.reach(from, |tree, location| tree.copyable(location.old, from))??;
        self.edit(to, |change| change.copy(source))
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        self.edit(path, |change| change.remove(true))
    }

    fn remove_directory(&self, path: &Path) -> Result<()> {
        let below = self.hidden_names(path)?;
        self.edit(path, |change| change.remove_directory(&below))
    }

    fn remove_tree(&self, path: &Path) -> Result<()> {
        self.edit(path, |change| change.remove(false))
    }
}
