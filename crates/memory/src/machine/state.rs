//! The state of a machine in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold_resource::{Group, Level, Result, User, Value, is_private_group};

use super::answer::Answers;
use super::journal::{Before, Edit, Fault, Was, Write, cancelled};
use super::units::MemoryUnit;
use super::watch::WatchMailbox;
use crate::tree::{Location, Maker, Owner, Tree, unreachable_parent};

/// The start of the clock: a round number.
const START: Duration = Duration::from_secs(1_700_000_000);

/// The number of the only device.
const DEVICE: u64 = 1;

/// The content of a snapshot.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) tree: Tree,
    pub(crate) users: BTreeMap<String, User>,
    pub(crate) groups: BTreeMap<String, Group>,
    pub(crate) units: BTreeMap<String, MemoryUnit>,
}

/// The machine, and its history.
pub(crate) struct State {
    pub(crate) world: World,
    pub(crate) now: SystemTime,
    pub(crate) elapsed: Duration,
    /// The user that Uphold runs as.
    pub(crate) uid: u32,
    pub(crate) journal: Vec<Write>,
    pub(crate) looked: BTreeSet<PathBuf>,
    pub(crate) managed: BTreeSet<PathBuf>,
    /// The needed properties; `None` for all.
    pub(crate) needed: Option<BTreeSet<String>>,
    /// Open ports.
    pub(crate) listening: BTreeSet<(String, u16)>,
    pub(crate) said: Vec<(Level, String)>,
    /// Facts that the test set.
    pub(crate) facts: BTreeMap<String, Value>,
    pub(crate) fault: Option<Fault>,
    /// Results of commands that are not programs.
    pub(crate) answers: Answers,
    /// The running programs, the innermost last.
    pub(crate) running: Vec<String>,
    pub(crate) seed: u64,
    /// Receives reports of changes.
    pub(crate) mailbox: Arc<WatchMailbox>,
}

impl State {
    pub(crate) fn new(mailbox: Arc<WatchMailbox>) -> Self {
        let now = SystemTime::UNIX_EPOCH + START;
        Self {
            world: World {
                tree: Tree::new(DEVICE, now),
                users: BTreeMap::new(),
                groups: BTreeMap::new(),
                units: BTreeMap::new(),
            },
            now,
            elapsed: Duration::ZERO,
            uid: 0,
            journal: Vec::new(),
            looked: BTreeSet::new(),
            managed: BTreeSet::new(),
            needed: None,
            listening: BTreeSet::new(),
            said: Vec::new(),
            facts: BTreeMap::new(),
            fault: None,
            answers: Answers::default(),
            running: Vec::new(),
            seed: 0,
            mailbox,
        }
    }

    /// The default owner of new files.
    pub(crate) fn process(&self) -> Owner {
        let user = self.world.users.values().find(|user| user.uid == self.uid);
        Owner { uid: self.uid, gid: user.map_or(0, |user| user.gid) }
    }

    /// The author and time of a change.
    pub(crate) fn maker(&self) -> Maker {
        Maker { owner: self.process(), now: self.now }
    }

    /// Whether the group can have no member but `owner`.
    pub(crate) fn is_private_group(&self, owner: u32, gid: u32) -> bool {
        let owner = self.world.users.values().find(|user| user.uid == owner);
        let group = self.world.groups.values().find(|group| group.gid == gid);
        let users: Vec<User> = self.world.users.values().cloned().collect();
        matches!((owner, group), (Some(owner), Some(group)) if is_private_group(owner, group, &users))
    }

    /// The location of `path`, for a change.
    pub(crate) fn locate(&self, path: &Path) -> Result<Location> {
        self.world.tree.locate(path, self.uid).map_err(|stop| unreachable_parent(path, &stop))
    }

    /// Fails if an injected failure affects this write.
    pub(crate) fn meet_fault(&mut self, what: Edit, path: &Path) -> Result<()> {
        match self.fault {
            Some(Fault { left: 0, lasting }) => {
                self.fault = self.fault.filter(|_| lasting);
                Err(cancelled(what, path))
            }
            _ => Ok(()),
        }
    }

    /// Reports that something changed at `path`.
    pub(crate) fn report(&self, path: &Path) {
        self.mailbox.path_changed(&self.world.tree.real(path));
    }

    /// Records a successful write, and reports it.
    pub(crate) fn record(&mut self, what: Edit, path: &Path, was: Was, needless: bool) {
        if let Some(fault) = &mut self.fault {
            fault.left -= 1;
        }
        if !matches!(what, Edit::Run | Edit::Send) {
            self.report(path);
            self.note_unit_file(path);
        }
        let by = self.running.last().cloned();
        let path = path.components().collect();
        self.journal.push(Write { what, path, before: Before(was), needless, by });
    }

    /// Fills `bytes` from a generator that depends only on the seed.
    pub(crate) fn fill_random(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(size_of::<u64>()) {
            self.seed = mix(self.seed);
            chunk.copy_from_slice(&self.seed.to_le_bytes()[..chunk.len()]);
        }
    }

    /// A temporary name beside `name` that depends only on the seed.
    pub(crate) fn temporary(&mut self, name: &OsStr) -> OsString {
        self.seed = mix(self.seed);
        let mut temporary = OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".uphold-{:016x}", self.seed));
        temporary
    }
}

/// One step of the splitmix64 generator.
pub(crate) fn mix(seed: u64) -> u64 {
    let z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
