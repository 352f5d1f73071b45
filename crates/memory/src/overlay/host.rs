//! The machine, and asking the one below.

use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::SystemTime;

use uphold_resource::{
    Command, Commands, Entry, EntryKind, Error, ErrorKind, Machine, Output, Predictor, Random, Request,
    Response, Result, Sink, UnitEdits, UnitFileChange, UnitJob, Watchers,
};

use crate::tree::{Owner, Stop, Tree, Unknown};

/// What a plan may hold of large files: 256 MiB. More of them is not predicted.
const ROOM: u64 = 256 * 1024 * 1024;

/// The number of the device that new files of the first overlay are on; one less for each that lies
/// over it. No real device has it.
const DEVICE: u64 = u64::MAX;

/// A machine laid over another one: what is written stays in memory, and is seen by whoever looks
/// through the overlay. The machine below is only looked at.
///
/// # Guarantees
/// - Files behave as on the machine below, with the same sorts of errors; but nothing is refused for
///   want of permission or of space, mounts are not known, and a hard link to another file system
///   succeeds.
/// - What nobody wrote is as it is below, now. Only directories on the way to something that was
///   looked at, and what was changed, are remembered.
/// - Accounts, facts, the clock and probes are those of the machine below. Commands and jobs of
///   units fail as [`ErrorKind::Unpredictable`], and so nothing runs; the check of a new file is not called.
/// - Many threads can use it at once. No lock is held while files of the machine below are looked at.
///
/// # Costs
/// Content that is written is held once, and of large files that come piece by piece 256 MiB at most; what is copied or changed in owner or mode alone is not read
/// at all. A look costs a short lock and one look below, and one more for each directory on the way
/// that is met for the first time. Listing a directory is linear in its names.
///
/// # Assumptions
/// Paths are absolute. When a directory is removed with all that is inside, nobody looks inside: a
/// file there that has names elsewhere still counts the name that went.
pub struct Overlay {
    pub(super) base: Machine,
    pub(super) process: Owner,
    device: u64,
    /// Made at first use: many overlays are never used.
    tree: OnceLock<RwLock<Tree>>,
    /// How much of what comes piece by piece may still be held.
    pub(super) room: AtomicU64,
}

/// A tree that nobody else can use, and what was found in it.
pub(super) type Held<'a, T> = (RwLockWriteGuard<'a, Tree>, Result<T, Stop>);

impl Overlay {
    /// Over `base`. What is made belongs to this user and group: those of the process that would really
    /// make it.
    pub fn new(base: &Machine, uid: u32, gid: u32) -> Self {
        Self::on(base, Owner { uid, gid }, DEVICE)
    }

    fn on(base: &Machine, process: Owner, device: u64) -> Self {
        Self { base: base.clone(), process, device, tree: OnceLock::new(), room: AtomicU64::new(ROOM) }
    }

    /// The machine below with the doors of the overlay.
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
            // An error is reported when something else is looked at.
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

    /// Asks the machine below about a name, and remembers the answer.
    fn learn(&self, unknown: &Unknown) -> Result<()> {
        let entry = self.base.files.look(&unknown.path)?;
        self.tree_mut().learn(unknown, entry.as_ref());
        Ok(())
    }

    /// What `ask` finds in the tree, once the machine below has told all names that it needs.
    pub(super) fn settle<T>(&self, ask: impl Fn(&Tree) -> Result<T, Stop>) -> Result<Result<T, Stop>> {
        loop {
            let asked = ask(&self.tree());
            match asked {
                Err(Stop::Unknown(unknown)) => self.learn(&unknown)?,
                settled => return Ok(settled),
            }
        }
    }

    /// The same, and the tree as it was found, to change it.
    pub(super) fn hold<T>(&self, ask: impl Fn(&Tree) -> Result<T, Stop>) -> Result<Held<'_, T>> {
        loop {
            let tree = self.tree_mut();
            match ask(&tree) {
                Err(Stop::Unknown(unknown)) => {
                    drop(tree);
                    self.learn(&unknown)?;
                }
                settled => return Ok((tree, settled)),
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
        Err(Error::new(ErrorKind::Unpredictable, "only doing it can tell what chance gives"))
    }
}

impl Commands for Overlay {
    fn run(&self, command: &Command) -> Result<Output> {
        let what = format!("only running {} can tell what it does", command.program);
        Err(Error::new(ErrorKind::Unpredictable, what))
    }

    fn send(&self, request: &Request, _: &mut Sink<'_>) -> Result<Response> {
        let what = format!("only asking {} can tell what it answers", request.url.without_secrets());
        Err(Error::new(ErrorKind::Unpredictable, what))
    }
}

impl UnitEdits for Overlay {
    fn run_job(&self, job: &UnitJob) -> Result<()> {
        Err(unpredictable(&format!("to {} {}", job.verb.word(), job.unit)))
    }

    fn change_files(&self, change: UnitFileChange, unit: &str) -> Result<()> {
        Err(unpredictable(&format!("to {} {unit}", change.word())))
    }

    /// What a unit is after it was read again shows when it is looked at.
    fn reload_units(&self) -> Result<()> {
        Ok(())
    }
}

fn unpredictable(what: &str) -> Error {
    Error::new(ErrorKind::Unpredictable, format!("only trying {what} can tell what comes of it"))
}
