//! A whole machine in memory.

mod answer;
mod edits;
mod facts;
mod journal;
mod look;
mod program;
mod setup;
mod shell;
mod site;
mod state;
mod tamper;
mod units;
mod watch;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard, OnceLock};
use std::time::{Duration, SystemTime};

use journal::Fault;
use program::Program;
use site::Site;
use state::State;
use uphold_model::{Attribute, Declaration, ResourceId};
use uphold_resource::{
    Act, Around, Clock, Interest, Level, Machine, Mutex, NestedNotification, Predictor, Random, Reading,
    Registry, Result, RunView, Stop, Watcher, Watchers,
};
use watch::{MemoryWatcher, WatchMailbox};

use super::overlay::Overlay;

pub use answer::{Answer, CommandLine};
pub use journal::{Before, Edit, Write};
pub use program::Call;
pub use setup::Fixture;
pub use site::Reply;
pub use state::Snapshot;
pub use units::MemoryUnit;
pub use watch::Trouble;

// The machine in memory, and its history.

/// A machine in memory: files, accounts, a clock that only a test moves, and commands that are Rust functions.
///
/// # Guarantees
/// - It has the guarantees of the local host, with errors of the same kinds. Permissions are stored, not enforced.
/// - Two machines that were set up and used alike are equal: nothing depends on the time, on random numbers or on the real
///   machine.
/// - Every successful write is in the journal; every path that was read is known.
///
/// Not made for speed: each write keeps the previous content.
pub struct MemoryHost {
    state: Arc<Mutex<State>>,
    pub(crate) programs: Arc<BTreeMap<String, Arc<Program>>>,
    pub(crate) sites: Arc<BTreeMap<String, Arc<Site>>>,
    pub(crate) mailbox: Arc<WatchMailbox>,
    pub(crate) run: Option<Arc<StubRun>>,
    /// Created at the first use of this handle.
    pub(crate) machine: OnceLock<Machine>,
}

impl MemoryHost {
    /// A machine with an empty `/`, the user and the group `root`, and a `/bin/sh` with a few commands.
    pub fn new() -> Self {
        let mailbox = Arc::new(WatchMailbox::default());
        let state = Arc::new(Mutex::new(State::new(Arc::clone(&mailbox))));
        let (programs, sites) = (Arc::default(), Arc::default());
        let host = Self { state, programs, sites, mailbox, run: None, machine: OnceLock::new() };
        host.group("root", 0).user("root", 0)
    }

    /// Another handle of the same machine.
    fn handle(&self) -> Self {
        let Self { state, programs, sites, mailbox, run, .. } = self;
        let (state, programs, sites) = (Arc::clone(state), Arc::clone(programs), Arc::clone(sites));
        let (mailbox, run) = (Arc::clone(mailbox), run.clone());
        Self { state, programs, sites, mailbox, run, machine: OnceLock::new() }
    }

    /// Its interfaces. Programs, sites and kinds that are added later are not part of them.
    pub fn machine(&self) -> &Machine {
        self.machine.get_or_init(|| Machine::new(Arc::new(self.handle())))
    }

    /// A view for reading, in a run whose [needed](Self::need_only) properties and [managed](Self::managing) paths are those of
    /// this machine.
    pub fn reading(&self) -> Reading<'_> {
        *self.act()
    }

    /// A view for changing, in the same run.
    pub fn act(&self) -> Act<'_> {
        Act::new(self.machine(), None, self)
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// The writes since the start or the last [`forget`](Self::forget), in order.
    pub fn writes(&self) -> Vec<Write> {
        self.lock().journal.clone()
    }

    /// Every path that was read or listed through the interfaces, sorted. Paths that commands read are not included.
    pub fn read_paths(&self) -> BTreeSet<PathBuf> {
        self.lock().looked.clone()
    }

    /// The messages that were reported to the user.
    pub fn said(&self) -> Vec<(Level, String)> {
        self.lock().said.clone()
    }

    /// Clears the journal, and the records of read paths, messages and armed interests. The machine stays as it is.
    pub fn forget(&self) {
        let mut state = self.lock();
        state.journal.clear();
        state.looked.clear();
        state.said.clear();
        self.mailbox.forget();
    }

    /// The current files, accounts and units.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { world: self.lock().world.clone() }
    }

    /// Restores files, accounts and units. The clock, the journal and pending faults stay.
    pub fn restore(&self, snapshot: &Snapshot) {
        let mut state = self.lock();
        state.world = snapshot.world.clone();
        state.report(Path::new("/"));
        self.mailbox.changed(&Interest::Accounts);
    }

    /// Makes one write fail, without a change, after `writes` more successful ones: `fail_after(0)` affects the very next.
    /// Starting a command counts as a write, and so does each write of a command of the built-in shell.
    pub fn fail_after(&self, writes: usize) {
        self.lock().fault = Some(Fault { left: writes, lasting: false });
    }

    /// Makes all writes fail after `writes` more successful ones, until [`heal`](Self::heal): as if the run was killed there.
    pub fn stop_after(&self, writes: usize) {
        self.lock().fault = Some(Fault { left: writes, lasting: true });
    }

    /// Removes a pending or lasting fault.
    pub fn heal(&self) {
        self.lock().fault = None;
    }

    /// Makes these the only needed properties; see [`Look::needs`](uphold_resource::Look::needs).
    pub fn need_only<P: Into<String>>(&self, properties: impl IntoIterator<Item = P>) {
        self.lock().needed = Some(properties.into_iter().map(Into::into).collect());
    }

    /// Makes all properties needed, as on a new machine.
    pub fn need_all(&self) {
        self.lock().needed = None;
    }

    /// Sets the clock.
    pub fn set_now(&self, now: SystemTime) {
        self.lock().now = now;
    }

    /// Advances the clock and [`Clock::elapsed`].
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
        self.run.as_deref().map(|run| run as &dyn Around)
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
    /// One at a time: a new watcher has nothing armed.
    fn watcher(&self) -> Result<Arc<dyn Watcher>> {
        self.mailbox.clear();
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

/// A run that knows kinds, but no other resource.
pub(crate) struct StubRun {
    kinds: Registry,
    stop: Stop,
}

impl MemoryHost {
    /// Makes these kinds available to kinds that declare nested resources, without a run.
    #[must_use]
    pub fn kinds(mut self, kinds: &Registry) -> Self {
        self.machine.take();
        self.run = Some(StubRun { kinds: kinds.clone(), stop: Stop::default() }.into());
        self
    }
}

impl Around for StubRun {
    fn kinds(&self) -> &Registry {
        &self.kinds
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn depth(&self) -> usize {
        0
    }

    fn find(&self, _: &ResourceId) -> Option<Declaration> {
        None
    }

    fn edit(&self, _: &ResourceId, _: Vec<Attribute>) -> Result<bool> {
        Ok(false)
    }

    fn notify(&self, _: &NestedNotification<'_>) -> Result<bool> {
        Ok(false)
    }
}
