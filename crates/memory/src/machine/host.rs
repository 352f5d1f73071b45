//! The machine itself, and what can be asked about its past.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use uphold_resource::{
    Act, Around, Clock, Interest, Level, Machine, Predictor, Random, Reading, Result, RunView, Watcher,
    Watchers,
};

use super::company::Company;
use super::journal::{Fault, Write};
use super::program::Program;
use super::site::Site;
use super::snapshot::Snapshot;
use super::state::State;
use super::watch::{MemoryWatcher, Post};
use crate::overlay::Overlay;

/// A machine in memory: files, accounts, a clock that stands still, and commands that are Rust
/// functions.
///
/// # Guarantees
/// - It keeps the contracts of the doors as the local host does, with the same sorts of errors.
///   Permissions are kept, not enforced.
/// - Two machines that were set up and used alike are alike: nothing depends on the time, on
///   chance or on the real machine.
/// - Every successful write is in the journal; every path that was looked at is known.
///
/// Not for speed: each write keeps what was there before.
pub struct MemoryHost {
    state: Arc<Mutex<State>>,
    pub(crate) programs: Arc<BTreeMap<String, Arc<Program>>>,
    pub(crate) sites: Arc<BTreeMap<String, Arc<Site>>>,
    pub(crate) post: Arc<Post>,
    pub(crate) company: Option<Arc<Company>>,
    /// Made at first use, of a handle that has none.
    pub(crate) machine: OnceLock<Machine>,
}

impl MemoryHost {
    /// A machine with an empty `/`, the user and the group `root`, and a `/bin/sh` that knows a
    /// few commands.
    pub fn new() -> Self {
        let post = Arc::new(Post::default());
        let state = Arc::new(Mutex::new(State::new(Arc::clone(&post))));
        let (programs, sites) = (Arc::default(), Arc::default());
        let host = Self { state, programs, sites, post, company: None, machine: OnceLock::new() };
        host.group("root", 0).user("root", 0)
    }

    /// The same machine.
    fn handle(&self) -> Self {
        let Self { state, programs, sites, post, company, .. } = self;
        let (state, programs, sites) = (Arc::clone(state), Arc::clone(programs), Arc::clone(sites));
        let (post, company) = (Arc::clone(post), company.clone());
        Self { state, programs, sites, post, company, machine: OnceLock::new() }
    }

    /// Its doors. Programs, sites and kinds that are added later are not behind them.
    pub fn machine(&self) -> &Machine {
        self.machine.get_or_init(|| Machine::new(Arc::new(self.handle())))
    }

    /// The machine to load from, in a run of which it is told what is [needed](Self::need_only) and
    /// [managed](Self::managing).
    pub fn reading(&self) -> Reading<'_> {
        *self.act()
    }

    /// The same, to change it.
    pub fn act(&self) -> Act<'_> {
        Act::new(self.machine(), None, self)
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was written since the start or the last [`forget`](Self::forget), in order.
    pub fn writes(&self) -> Vec<Write> {
        self.lock().journal.clone()
    }

    /// Every path that was looked at, read or listed through the doors, sorted. What a command
    /// looks at is not known.
    pub fn looked_at(&self) -> BTreeSet<PathBuf> {
        self.lock().looked.clone()
    }

    /// What was told to the user.
    pub fn said(&self) -> Vec<(Level, String)> {
        self.lock().said.clone()
    }

    /// Empties the journal, and forgets what was looked at, said and armed. The machine stays as it is.
    pub fn forget(&self) {
        let mut state = self.lock();
        state.journal.clear();
        state.looked.clear();
        state.said.clear();
        self.post.forget();
    }

    /// The whole world as it is now: files and accounts.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { world: self.lock().world.clone() }
    }

    /// Makes the world what it was. The clock, the journal and waiting faults stay.
    pub fn restore(&self, snapshot: &Snapshot) {
        let mut state = self.lock();
        state.world = snapshot.world.clone();
        state.report(Path::new("/"));
        self.post.changed(&Interest::Accounts);
    }

    /// After `writes` more writes that succeed, the next one fails, once, and changes nothing:
    /// `fail_after(0)` hits the very next. Starting a command counts as a write, and so does each
    /// thing that a command of the built-in shell writes.
    pub fn fail_after(&self, writes: usize) {
        self.lock().fault = Some(Fault { left: writes, lasting: false });
    }

    /// The same, but every write after that fails, too, until [`heal`](Self::heal): as if the run
    /// was killed there.
    pub fn stop_after(&self, writes: usize) {
        self.lock().fault = Some(Fault { left: writes, lasting: true });
    }

    /// Takes a waiting or lasting fault away.
    pub fn heal(&self) {
        self.lock().fault = None;
    }

    /// From now on these properties are all that anybody asked for; see [`Reading::needs`].
    pub fn need_only<P: Into<String>>(&self, properties: impl IntoIterator<Item = P>) {
        self.lock().needed = Some(properties.into_iter().map(Into::into).collect());
    }

    /// From now on somebody asks for every property, as on a new machine.
    pub fn need_all(&self) {
        self.lock().needed = None;
    }

    /// Sets the clock.
    pub fn set_now(&self, now: SystemTime) {
        self.lock().now = now;
    }

    /// Lets time pass, on the clock and for [`Clock::elapsed`].
    pub fn advance(&self, time: Duration) {
        let mut state = self.lock();
        state.now += time;
        state.elapsed += time;
    }
}

impl From<MemoryHost> for Machine {
    fn from(host: MemoryHost) -> Self {
        host.machine().clone()
    }
}

impl Default for MemoryHost {
    fn default() -> Self {
        Self::new()
    }
}

impl RunView for MemoryHost {
    fn report(&self, level: Level, text: &str) {
        self.lock().said.push((level, text.to_owned()));
    }

    fn needs(&self, property: &str) -> bool {
        self.lock().needed.as_ref().is_none_or(|needed| needed.contains(property))
    }

    fn around(&self) -> Option<&dyn Around> {
        self.company.as_deref().map(|company| company as &dyn Around)
    }

    fn manages(&self, path: &Path) -> bool {
        self.lock().managed.contains(path)
    }
}

impl Random for MemoryHost {
    fn fill_random(&self, bytes: &mut [u8]) -> Result<()> {
        self.lock().fill_random(bytes);
        Ok(())
    }
}

impl Watchers for MemoryHost {
    /// One at a time: a new one has nothing armed.
    fn watcher(&self) -> Result<Arc<dyn Watcher>> {
        self.post.clear();
        Ok(Arc::new(MemoryWatcher { host: self.handle() }))
    }
}

impl Predictor for MemoryHost {
    fn over(&self, machine: &Machine) -> Machine {
        let process = self.lock().process();
        Overlay::new(machine, process.uid, process.gid).machine()
    }
}

impl Clock for MemoryHost {
    fn now(&self) -> SystemTime {
        self.lock().now
    }

    fn elapsed(&self) -> Duration {
        self.lock().elapsed
    }

    fn skip(&self, span: Duration) -> bool {
        self.advance(span);
        true
    }
}
