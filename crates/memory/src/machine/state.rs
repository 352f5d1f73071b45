//! The state of a machine in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold_resource::{Group, Level, Result, User, Value, is_private_group};

use crate::tree::{Body, Directory, Inode, Location, Maker, Node, Owner, ROOT, Tree, unreachable_parent};

use super::answer::Answers;
use super::journal::{Before, Edit, Fault, Was, Write, cancelled};
use super::units::MemoryUnit;
use super::watch::WatchMailbox;

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

// The state of a machine at one moment, and differences of two states.

/// The state of a machine at one moment. Cheap: it shares all content with the machine.
///
/// Two snapshots are equal if they have the same paths with the same content, owner, mode and attributes, the same hard links,
/// accounts and units. Times and inode numbers are not compared.
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) world: World,
}

impl Snapshot {
    /// The differences to `later`, one line each: `- ` for this snapshot, `+ ` for the later one.
    pub fn diff(&self, later: &Snapshot) -> Vec<String> {
        let (here, there) = (self.lines(), later.lines());
        let mut keys: Vec<_> = here.keys().chain(there.keys()).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut diff = Vec::new();
        for key in keys.into_iter().filter(|key| here.get(*key) != there.get(*key)) {
            diff.extend(here.get(key).map(|line| format!("- {key} {line}")));
            diff.extend(there.get(key).map(|line| format!("+ {key} {line}")));
        }
        diff
    }

    /// The paths that differ from `later`, sorted.
    pub fn changed_paths(&self, later: &Snapshot) -> Vec<PathBuf> {
        let (here, there) = (self.described(), later.described());
        let mut paths: Vec<_> = here.keys().chain(there.keys()).cloned().collect();
        paths.sort_unstable();
        paths.dedup();
        paths.retain(|path| here.get(path) != there.get(path));
        paths
    }

    /// The content of the regular file at `path`.
    pub fn content(&self, path: &Path) -> Option<&[u8]> {
        self.world.tree.get(self.world.tree.find(path).ok()?).bytes()
    }

    /// A description of the entry at `path` in one line; `None` if it does not exist.
    pub fn describe(&self, path: &Path) -> Option<String> {
        let inode = self.world.tree.find(path).ok()?;
        Some(line(self.world.tree.get(inode)))
    }

    fn lines(&self) -> BTreeMap<String, String> {
        let paths = self.described().into_iter().map(|(path, line)| (path.display().to_string(), line));
        let users = self.world.users.iter().map(|(name, user)| (format!("user {name}"), format!("{user:?}")));
        let groups =
            self.world.groups.iter().map(|(name, group)| (format!("group {name}"), format!("{group:?}")));
        let units = self.world.units.iter().map(|(name, unit)| (format!("unit {name}"), format!("{unit:?}")));
        paths.chain(users).chain(groups).chain(units).collect()
    }

    /// Every path with its description; further hard links of a file refer to the first.
    fn described(&self) -> BTreeMap<PathBuf, String> {
        let mut first: BTreeMap<Inode, PathBuf> = BTreeMap::new();
        let describe = |(path, inode): (PathBuf, Inode)| {
            let node = self.world.tree.get(inode);
            let line = match first.get(&inode) {
                Some(other) => format!("the same file as {}", other.display()),
                None => line(node),
            };
            first.entry(inode).or_insert_with(|| path.clone());
            (path, line)
        };
        self.paths().into_iter().map(describe).collect()
    }

    /// Every path with its inode, sorted.
    fn paths(&self) -> BTreeMap<PathBuf, Inode> {
        let mut paths = BTreeMap::new();
        let mut ahead = vec![(PathBuf::from("/"), ROOT)];
        while let Some((path, inode)) = ahead.pop() {
            let children = self.world.tree.get(inode).directory().into_iter().flat_map(Directory::children);
            ahead.extend(children.map(|(name, child)| (path.join(name), child)));
            paths.insert(path, inode);
        }
        paths
    }
}

fn line(node: &Node) -> String {
    let mut line = format!("{} {:04o} {}:{}", node.words(), node.mode, node.uid, node.gid);
    if let Some(content) = node.bytes() {
        line += &format!(" {:?}", String::from_utf8_lossy(content));
    }
    if let Body::Link(target) = &node.body {
        line += &format!(" -> {}", target.display());
    }
    for (name, value) in &node.attributes {
        line += &format!(" {name}={:?}", String::from_utf8_lossy(value));
    }
    line
}

impl PartialEq for Snapshot {
    fn eq(&self, other: &Self) -> bool {
        self.lines() == other.lines()
    }
}

/// One line for each path, account and unit.
impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines().iter().try_for_each(|(key, line)| writeln!(f, "{key} {line}"))
    }
}
