//! The interfaces to the machine. Uphold reads and changes it through nothing else.

mod accounts;
mod act;
mod facts;
mod files;
mod limits;
mod look;
mod parse_cache;
mod processes;
mod reading;
mod receiver;
mod run_view;
mod trusted_path;
mod units;
mod watcher;
mod web;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::error::{Error, ErrorKind, Result};

pub use accounts::{Accounts, Group, User, home, is_private_group};
pub use act::Act;
pub use facts::{FACTS, Facts, is_live_fact, unknown_fact};
pub use files::{
    Access, Entry, EntryKind, FileEdits, Files, KnownContents, NewFile, OpenFile, READ_LIMIT, StagedFile,
    Verify, set_access,
};
pub use limits::VisitLimits;
pub use look::Look;
pub use parse_cache::{ParseCache, Parsed};
pub use processes::{Command, Commands, Excess, Exit, Output, Probes, STDERR_LIMIT, STDOUT_LIMIT};
pub use reading::Reading;
pub use receiver::{Gathered, Place, Receiver};
pub use run_view::{Around, Level, NestedNotification, NoRun, RunView, sibling_name};
pub use trusted_path::{trusted_path, untrusted_words};
pub use units::{
    Activity, Unit, UnitEdits, UnitFileChange, UnitFileState, UnitJob, UnitPhase, UnitVerb, Units,
};
pub use watcher::{Token, WatchEvent, Watcher};
pub use web::{Flow, Request, Response, Sink};

// The machine: one field for each interface.

/// A machine: the interfaces to it, each of which can be replaced by assigning its field. Clones share the interfaces.
///
/// Kinds never get one: they get a [`Reading`] or an [`Act`] of it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Machine {
    /// Files and directories.
    pub files: Arc<dyn Files>,
    /// Changes of files and directories.
    pub edits: Arc<dyn FileEdits>,
    /// Commands and requests without side effects.
    pub probes: Arc<dyn Probes>,
    /// Commands and requests with side effects.
    pub commands: Arc<dyn Commands>,
    /// Users and groups.
    pub accounts: Arc<dyn Accounts>,
    /// systemd units.
    pub units: Arc<dyn Units>,
    /// Changes of units.
    pub unit_edits: Arc<dyn UnitEdits>,
    /// Facts.
    pub facts: Arc<dyn Facts>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Random bytes.
    pub random: Arc<dyn Random>,
    /// Watchers that report changes.
    pub watchers: Arc<dyn Watchers>,
    /// Overlays for plans.
    pub predictor: Arc<dyn Predictor>,
    /// Parsed files, so that each is read once.
    pub parsed: Arc<ParseCache>,
}

impl Machine {
    /// A machine whose interfaces are all implemented by one value.
    pub fn new<D>(doors: Arc<D>) -> Self
    where
        D: Files + FileEdits + Probes + Commands + Accounts + Units + UnitEdits + Facts + Clock + 'static,
        D: Random + Watchers + Predictor,
    {
        Self {
            files: doors.clone(),
            edits: doors.clone(),
            probes: doors.clone(),
            commands: doors.clone(),
            accounts: doors.clone(),
            units: doors.clone(),
            unit_edits: doors.clone(),
            facts: doors.clone(),
            clock: doors.clone(),
            random: doors.clone(),
            watchers: doors.clone(),
            predictor: doors,
            parsed: Arc::default(),
        }
    }

    /// An overlay of this machine for plans: changes of files stay in memory and are visible to later loads, and a command
    /// fails as [`Unpredictable`](ErrorKind::Unpredictable).
    #[must_use]
    pub fn overlay(&self) -> Self {
        self.predictor.over(self)
    }

    /// A view for reading, outside a run.
    pub fn reading(&self) -> Reading<'_> {
        *self.act()
    }

    /// A view for changing, outside a run.
    pub fn act(&self) -> Act<'_> {
        Act::new(self, None, &NoRun)
    }
}

impl From<&Machine> for Machine {
    fn from(machine: &Machine) -> Self {
        machine.clone()
    }
}

/// Random bytes.
pub trait Random: Send + Sync {
    /// Fills `bytes` with unpredictable bytes, for passwords, keys and salts. A machine in memory gives the same bytes in
    /// the same order; an overlay fails as [`Unpredictable`](ErrorKind::Unpredictable).
    ///
    /// # Errors
    /// If the machine cannot provide random bytes.
    fn fill_random(&self, bytes: &mut [u8]) -> Result<()>;
}

/// Creates watchers.
pub trait Watchers: Send + Sync {
    /// Starts to watch the machine.
    ///
    /// # Errors
    /// If it cannot be watched at all.
    fn watcher(&self) -> Result<Arc<dyn Watcher>> {
        Err(Error::new(ErrorKind::Unsupported, "this machine cannot be watched"))
    }
}

/// Creates overlays.
pub trait Predictor: Send + Sync {
    /// An overlay of `machine`. It shares all interfaces that read something else than files.
    fn over(&self, machine: &Machine) -> Machine;
}

// Time.

/// A clock. Tests use a simulated one.
pub trait Clock: Send + Sync {
    /// The time of day.
    fn now(&self) -> SystemTime;
    /// The time since some fixed moment. It never goes backwards.
    fn elapsed(&self) -> Duration;

    /// Advances a simulated clock by `span` at once and returns true. A real clock returns false: the caller has to wait.
    fn skip(&self, span: Duration) -> bool {
        let _ = span;
        false
    }
}

// Trust in files and directories, judged by their owner and mode.

const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// The users who are trusted to write something.
///
/// This is the only rule for content that acts with Uphold's permissions: a file or directory is trusted if it belongs to
/// one of these users, and neither its group nor others can write it. A group without other members is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writers(Option<[u32; 3]>);

/// The reason why a file or directory is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untrusted {
    /// It belongs to this user.
    Owner(u32),
    /// Users other than its owner can write it.
    Writable,
}

impl Writers {
    /// All users: for programs that run with no other permissions than their caller's.
    pub const ANY: Self = Self(None);

    /// Root and this user.
    pub fn root_and(uid: u32) -> Self {
        Self(Some([0, uid, uid]))
    }

    /// Adds another user.
    #[must_use]
    pub fn and(self, uid: u32) -> Self {
        Self(self.0.map(|[root, user, _]| [root, user, uid]))
    }

    /// The reason not to trust a file of this owner and mode; `None` if it is trusted. `is_private_group` is called only if
    /// it matters.
    pub fn doubt(&self, uid: u32, mode: u32, is_private_group: impl FnOnce() -> bool) -> Option<Untrusted> {
        if !self.0?.contains(&uid) {
            return Some(Untrusted::Owner(uid));
        }
        let is_open = mode & OTHERS_WRITE != 0 || (mode & GROUP_WRITES != 0 && !is_private_group());
        is_open.then_some(Untrusted::Writable)
    }
}

impl Untrusted {
    /// Whether a directory of this mode protects its entries all the same: in a sticky one, such as `/tmp`, only the owner of
    /// an entry can replace it. That does not protect against a link, which its owner can have moved there.
    pub fn spares_entries(self, mode: u32) -> bool {
        self == Untrusted::Writable && mode & STICKY != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distrusts_other_writers() {
        let check = |uid: u32, mode: u32, private: bool, expected: Option<Untrusted>| {
            let doubt = Writers::root_and(1000).and(1001).doubt(uid, mode, || private);
            assert_eq!(doubt, expected, "{uid} {mode:o} {private}");
        };
        check(0, 0o755, false, None);
        check(1000, 0o700, false, None);
        check(1001, 0o755, false, None);
        check(1002, 0o700, true, Some(Untrusted::Owner(1002)));
        check(1000, 0o775, true, None);
        check(1000, 0o775, false, Some(Untrusted::Writable));
        check(0, 0o777, true, Some(Untrusted::Writable));
        check(0, 0o1777, true, Some(Untrusted::Writable));
    }

    #[test]
    fn sticky_directories_protect_their_entries() {
        assert!(Untrusted::Writable.spares_entries(0o1777));
        assert!(!Untrusted::Writable.spares_entries(0o777));
        assert!(!Untrusted::Owner(7).spares_entries(0o1755));
    }
}
