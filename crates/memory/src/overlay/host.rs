//! The overlay, and its queries of the base machine.

use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::SystemTime;

use uphold_resource::{
    Command, Commands, Entry, EntryKind, Error, ErrorKind, Machine, Output, Predictor, Random, Request,
    Response, Result, Sink, UnitEdits, UnitFileChange, UnitJob, Watchers,
};

use crate::tree::{Owner, Stop, Tree, Unknown};

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
    pub(super) base: Machine,
    pub(super) process: Owner,
    device: u64,
    /// Created at first use: many overlays are never used.
    tree: OnceLock<RwLock<Tree>>,
    /// How many bytes of received files may still be stored.
    pub(super) room: AtomicU64,
}

/// An exclusively locked tree, and the result of a query of it.
pub(super) type Locked<'a, T> = (RwLockWriteGuard<'a, Tree>, Result<T, Stop>);

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

    pub(super) fn tree(&self) -> RwLockReadGuard<'_, Tree> {
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
    pub(super) fn resolve<T>(&self, ask: impl Fn(&Tree) -> Result<T, Stop>) -> Result<Result<T, Stop>> {
        loop {
            let asked = ask(&self.tree());
            match asked {
                Err(Stop::Unknown(unknown)) => self.learn(&unknown)?,
                resolved => return Ok(resolved),
            }
        }
    }

    /// Like [`resolve`](Self::resolve), and keeps the tree locked for a change.
    pub(super) fn lock_resolved<T>(&self, ask: impl Fn(&Tree) -> Result<T, Stop>) -> Result<Locked<'_, T>> {
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
