//! This machine behind all interfaces.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use uphold_memory::Overlay;
use uphold_resource::{
    Access, Accounts, Command, Commands, Entry, FileEdits, Files, Group, KnownContents, Machine, NewFile,
    OpenFile, Output, Predictor, Probes, READ_LIMIT, Random, Receiver, Request, Response, Result, Sink,
    StagedFile, Stop, Unit, UnitEdits, UnitFileChange, UnitJob, Units, User, Watcher, Watchers,
};

use crate::accounts::AccountFiles;
use crate::facts::FactCache;
use crate::known_contents::Knowledge;
use crate::root::Root;
use crate::staged::Staging;
use crate::temporary::Leftovers;
use crate::units::Systemd;
use crate::watch::LocalWatcher;
use crate::web::{Gauge, Web};
use crate::{access, clock, directory, link, look, port, process, random, receive, tree, write};

/// The machine that Uphold runs on, or a system below another root directory.
///
/// Creating one costs nothing. It can be shared between threads; only lookups of accounts and facts lock. Facts are read at
/// their first use and then cached.
pub struct LocalHost {
    pub(crate) root: Root,
    pub(crate) accounts: AccountFiles,
    pub(crate) started: Instant,
    pub(crate) facts: FactCache,
    systemd: Systemd,
    web: Web,
    leftovers: Leftovers,
    staging: Staging,
    /// Set if digests of files are remembered.
    known: Option<Knowledge>,
    stop: Stop,
}

impl LocalHost {
    /// This machine.
    #[expect(clippy::new_without_default, reason = "the machine is a place, not a default value")]
    pub fn new() -> Self {
        Self::with(Root::machine())
    }

    /// The system below the directory `root`: every path, link, account and command is resolved inside. `..` and absolute links
    /// cannot leave it.
    ///
    /// # Errors
    /// If `root` is not a directory that can be opened. Commands need root's permission, and report that.
    pub fn rooted(root: &Path) -> Result<Self> {
        Root::at(root).map(Self::with)
    }

    pub(crate) fn with(root: Root) -> Self {
        Self {
            root,
            accounts: AccountFiles::default(),
            started: clock::start(),
            facts: FactCache::default(),
            systemd: Systemd::default(),
            web: Web::default(),
            leftovers: Leftovers::default(),
            staging: Staging::default(),
            known: None,
            stop: Stop::default(),
        }
    }

    /// Writes a file for the user of Uphold, such as a saved plan, in one step: a new file of this user with mode 0600, whatever
    /// owner, mode and access list the replaced file had.
    ///
    /// # Errors
    /// As [`FileEdits::write`]; something other than a regular file is not replaced.
    pub fn write_private(&self, path: &Path, content: &[u8]) -> Result<()> {
        write::write_private(self.root_for(path), path, content)
    }

    /// The same machine; a request of this stop ends running commands and transfers.
    #[must_use]
    pub fn stopped_by(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// The same machine; `gauge` shows the progress of its transfers.
    #[must_use]
    pub fn measured_by(mut self, gauge: Gauge) -> Self {
        self.web.gauge = gauge;
        self
    }

    /// The same machine; a file that did not change since its digest was remembered is not read.
    #[must_use]
    pub fn remembering(self, contents: Arc<dyn KnownContents>) -> Self {
        Self { known: Some(Knowledge::new(contents)), ..self }
    }

    /// The same machine; the directories of files that are looked at stay open for some milliseconds, unless something runs
    /// that may move them. For a run that ends, not for one that watches the machine.
    #[must_use]
    pub fn keeping_directories(self) -> Self {
        Self { root: self.root.keeping_directories(), ..self }
    }

    /// Its interfaces.
    pub fn machine(self) -> Machine {
        self.into()
    }

    /// The root, for a write at `path`. Before the first write in a directory, leftovers of earlier runs are removed there.
    fn root_for(&self, path: &Path) -> &Root {
        if let Some(directory) = path.parent() {
            self.leftovers.remove_once(&self.root, directory, self.known.as_ref());
        }
        &self.root
    }

    /// Passes on the result of a change that may have touched the account files.
    fn changed<T>(&self, result: T) -> T {
        self.accounts.invalidate();
        result
    }

    /// Does something by which directories may be moved, or their file systems unmounted, here or by another process.
    fn paused<T>(&self, work: impl FnOnce() -> T) -> T {
        let _pause = self.root.pause();
        work()
    }

    /// Writes a file. Only one that replaces something else may replace a directory.
    fn writing<T>(&self, file: &NewFile<'_>, work: impl FnOnce() -> T) -> T {
        if file.replace_other { self.paused(work) } else { work() }
    }
}

impl From<LocalHost> for Machine {
    fn from(host: LocalHost) -> Self {
        Machine::new(Arc::new(host))
    }
}

impl Predictor for LocalHost {
    fn over(&self, machine: &Machine) -> Machine {
        let gid = rustix::process::getegid().as_raw();
        Overlay::new(machine, self.current_uid(), gid).machine()
    }
}

impl Random for LocalHost {
    fn fill_random(&self, bytes: &mut [u8]) -> Result<()> {
        random::fill(bytes)
    }
}

impl Watchers for LocalHost {
    fn watcher(&self) -> Result<Arc<dyn Watcher>> {
        Ok(Arc::new(LocalWatcher::new(self.root.again()?)?))
    }
}

impl Files for LocalHost {
    fn root(&self) -> Option<&Path> {
        self.root.under().map(|under| &*under.path)
    }

    fn look(&self, path: &Path) -> Result<Option<Entry>> {
        look::look(&self.root, path)
    }

    fn read_within(&self, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>> {
        look::read(&self.root, path, size, limit)
    }

    fn contains(&self, path: &Path, seen: &Entry, content: &[u8]) -> Result<bool> {
        if seen.size != content.len() as u64 {
            return Ok(false);
        }
        match &self.known {
            Some(known) => known.contains(&self.root, path, seen, content),
            None => Ok(self.read_within(path, seen.size, seen.size.max(READ_LIMIT))? == content),
        }
    }

    fn sha256(&self, path: &Path) -> Result<Option<[u8; 32]>> {
        self.known.as_ref().map(|known| known.sha256(&self.root, path)).transpose()
    }

    fn list(&self, path: &Path) -> Result<Vec<OsString>> {
        look::list(&self.root, path)
    }

    fn open(&self, path: &Path) -> Result<Box<dyn OpenFile>> {
        Ok(Box::new(look::open(&self.root, path)?))
    }
}

impl FileEdits for LocalHost {
    fn write(&self, path: &Path, file: &NewFile<'_>) -> Result<()> {
        self.changed(self.writing(file, || write::write(self.root_for(path), path, file)))
    }

    fn write_over(&self, path: &Path, old: Option<&[u8]>, file: &NewFile<'_>) -> Result<bool> {
        self.changed(self.writing(file, || write::write_over(self.root_for(path), path, old, file)))
    }

    fn stage(&self, path: &Path, file: &NewFile<'_>) -> Result<Option<StagedFile>> {
        self.staging.stage(self.root_for(path), path, file)
    }

    fn put_staged(&self, files: Vec<StagedFile>) -> Vec<Result<()>> {
        self.changed(self.staging.put(files))
    }

    fn receive<'a>(&'a self, path: &'a Path) -> Result<Box<dyn Receiver + 'a>> {
        Ok(Box::new(receive::receive(self.root_for(path), path)?))
    }

    fn content(&self, path: &Path, limit: u64) -> Result<Vec<u8>> {
        write::content(&self.root, path, limit)
    }

    fn make_directory(&self, path: &Path, access: &Access) -> Result<()> {
        self.paused(|| directory::make(self.root_for(path), path, access))
    }

    fn make_link(&self, path: &Path, target: &Path) -> Result<()> {
        self.changed(self.paused(|| link::make_symbolic(self.root_for(path), path, target)))
    }

    fn make_hard_link(&self, path: &Path, target: &Path) -> Result<()> {
        self.changed(link::make_hard(self.root_for(path), path, target))
    }

    fn set_access(&self, path: &Path, seen: &Entry, access: &Access) -> Result<()> {
        self.paused(|| access::set(&self.root, path, seen, access))
    }

    fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        self.changed(write::copy(self.root_for(to), from, to))
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        self.changed(self.paused(|| link::remove_file(&self.root, path)))
    }

    fn remove_directory(&self, path: &Path) -> Result<()> {
        self.paused(|| link::remove_directory(&self.root, path))
    }

    fn remove_tree(&self, path: &Path) -> Result<()> {
        self.changed(self.paused(|| tree::remove_at(&self.root, path)))
    }

    fn remove_leftovers(&self, directory: &Path) {
        self.leftovers.remove(&self.root, directory, self.known.as_ref());
    }
}

impl Probes for LocalHost {
    fn probe(&self, command: &Command) -> Result<Output> {
        self.paused(|| process::run(&self.root, command, &self.stop))
    }

    fn listens(&self, host: &str, port: u16, timeout: Duration) -> Result<bool> {
        self.paused(|| port::listens(host, port, timeout))
    }

    fn fetch(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        self.paused(|| self.web.exchange(request, sink, &self.stop))
    }
}

impl Commands for LocalHost {
    fn run(&self, command: &Command) -> Result<Output> {
        self.changed(self.paused(|| process::run(&self.root, command, &self.stop)))
    }

    fn send(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response> {
        self.paused(|| self.web.exchange(request, sink, &self.stop))
    }
}

impl Accounts for LocalHost {
    fn user(&self, name: &str) -> Result<Option<User>> {
        self.accounts.user(&self.root, name)
    }

    fn user_by_id(&self, uid: u32) -> Result<Option<User>> {
        self.accounts.user_by_id(&self.root, uid)
    }

    fn group(&self, name: &str) -> Result<Option<Group>> {
        self.accounts.group(&self.root, name)
    }

    fn group_by_id(&self, gid: u32) -> Result<Option<Group>> {
        self.accounts.group_by_id(&self.root, gid)
    }

    fn is_private_group(&self, owner: u32, gid: u32) -> Result<bool> {
        self.accounts.is_private_group(&self.root, owner, gid)
    }

    fn current_uid(&self) -> u32 {
        rustix::process::geteuid().as_raw()
    }
}

impl Units for LocalHost {
    fn is_in_charge(&self) -> bool {
        Systemd::is_in_charge(&self.root)
    }

    fn unit(&self, name: &str) -> Result<Unit> {
        self.systemd.unit(&self.root, name, &self.stop)
    }
}

impl UnitEdits for LocalHost {
    fn run_job(&self, job: &UnitJob) -> Result<()> {
        self.paused(|| Systemd::run_job(&self.root, job, &self.stop))
    }

    fn change_files(&self, change: UnitFileChange, unit: &str) -> Result<()> {
        self.paused(|| self.systemd.change_files(&self.root, change, unit, &self.stop))
    }

    fn reload_units(&self) -> Result<()> {
        self.paused(|| self.systemd.reload(&self.root, &self.stop))
    }
}
