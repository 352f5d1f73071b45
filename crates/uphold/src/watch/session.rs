//! A watch, from its first reading of the configuration to its end.
#![expect(
    clippy::disallowed_methods,
    reason = "the thread that reloads the configuration is no worker of the engine"
)]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use uphold_engine::{Control, Keep, Program, Summary, WatchRequest};
use uphold_host::{ConfigurationFiles, LocalHost};
use uphold_model::Mutex;
use uphold_resource::{Error, Machine, Watcher, Watchers};

use super::inputs::InputWatch;
use super::reader::{Generation, ReloadTrigger, RemovalsEnded, Stage, WatchReader};
use crate::Result;
use crate::configuration::{Checked, Rejected};
use crate::configuration_reader::ConfigurationReader;
use crate::input_log::InputLog;
use crate::journal::Removals;
use crate::surroundings::LocalSurroundings;

/// The default interval of polling.
const REFRESH: Duration = Duration::from_secs(10);

/// Applies a configuration, repairs drift, and reloads a changed configuration, until the engine is
/// [stopped](crate::EngineBuilder::stop). [`ConfigurationReader::watch`] returns one.
///
/// # Guarantees
/// - All inputs are watched: files, directories, modules, params, and files that functions read. A changed configuration
///   is reloaded; unchanged actions are not interrupted.
/// - An invalid configuration is reported, the previous one stays in force, and a fix is reloaded.
/// - Facts that can change, the time, and virtual files are polled; if one differs, the configuration is reloaded.
pub struct Watch {
    source: ConfigurationSource,
    request: WatchRequest,
    refresh: Duration,
    steering: Steering,
    followed: Option<FollowedFile>,
}

/// A file beside the configuration.
pub(super) struct FollowedFile {
    pub(super) path: PathBuf,
    pub(super) changed: Box<dyn Fn() + Send + Sync>,
}

/// How a watch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchOutcome {
    /// It never started: the configuration is invalid, which was reported.
    Refused,
    /// It was stopped, or met its request.
    Ended(Summary),
}

impl Watch {
    /// The configuration is read from this machine, even if the engine manages another.
    pub(crate) fn new(source: ConfigurationSource) -> Result<Self> {
        let watcher = LocalHost::new().watcher()?;
        let steering = Steering::new(watcher);
        Ok(Self { source, request: WatchRequest::default(), refresh: REFRESH, steering, followed: None })
    }

    /// Sets the options of the watch.
    #[must_use]
    pub fn request(self, request: WatchRequest) -> Self {
        Self { request, ..self }
    }

    /// Sets the interval of polling.
    #[must_use]
    pub fn refresh(self, refresh: Duration) -> Self {
        Self { refresh, ..self }
    }

    /// Calls `changed` whenever this file may have changed, from the thread that reloads the configuration. If the file
    /// cannot be watched, that is at the interval of polling.
    #[must_use]
    pub fn follow(self, path: PathBuf, changed: impl Fn() + Send + Sync + 'static) -> Self {
        Self { followed: Some(FollowedFile { path, changed: Box::new(changed) }), ..self }
    }

    /// Removes resources that are no longer declared, once for each configuration that it loads, as `plan` decides.
    #[must_use]
    pub fn removals(mut self, plan: impl Fn(&Program, &Machine) -> Removals + Send + Sync + 'static) -> Self {
        self.source.removals = Some(Box::new(plan));
        self
    }

    /// The control of the running watch.
    pub fn steering(&self) -> Steering {
        self.steering.clone()
    }

    /// Watches the machine until the end. Uses this thread, those of the engine, and one that reloads the configuration.
    ///
    /// # Errors
    /// If the configuration cannot be read at all, or the machine cannot be watched.
    pub fn run(&self, reader: &mut dyn WatchReader) -> Result<WatchOutcome> {
        let notes = Arc::<InputLog>::default();
        let first = match self.source.check(&notes, &ReloadTrigger::Start)? {
            Ok(checked) => {
                reader.checked(&ReloadTrigger::Start, checked.warnings(), checked.sources());
                Generation::new(checked)
            }
            Err(Rejected { diagnostics, sources }) => {
                reader.checked(&ReloadTrigger::Start, &diagnostics, &sources);
                return Ok(WatchOutcome::Refused);
            }
        };
        let program = first.program.clone();
        let stage = Stage::new(reader, first);
        let mut input_watch = InputWatch::new(&self.source, &stage, &self.steering, (self.refresh, notes))
            .following(self.followed.as_ref());
        thread::scope(|scope| {
            let _end = End(&self.steering);
            let inputs = thread::Builder::new().name("configuration".to_owned());
            let inputs = inputs.spawn_scoped(scope, move || input_watch.run());
            inputs.map_err(|error| Error::failed("cannot start a thread").because(error))?;
            let sink = &mut |event: &crate::Event| {
                if let Some(ended) = stage.event(event) {
                    self.steering.removals_ended(ended);
                }
            };
            let core = &self.source.reader.engine.core;
            core.watch(program, &self.request, &self.steering.control, sink).map(WatchOutcome::Ended)
        })
    }
}

/// Stops the reading thread when the engine ends, also by a panic.
struct End<'a>(&'a Steering);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The paths of a configuration, and its reader.
pub(crate) struct ConfigurationSource {
    paths: Vec<PathBuf>,
    reader: ConfigurationReader,
    removals: Option<Box<PlanRemovals>>,
}

/// Decides about resources that are no longer declared.
type PlanRemovals = dyn Fn(&Program, &Machine) -> Removals + Send + Sync;

impl ConfigurationSource {
    /// Reads standard input and pipes, once.
    ///
    /// # Errors
    /// If one of those cannot be read.
    pub(crate) fn new(mut reader: ConfigurationReader, paths: Vec<PathBuf>) -> Result<Self> {
        let files = ConfigurationFiles::new();
        let all: Vec<PathBuf> = paths.iter().chain(&reader.params_files).cloned().collect();
        for path in all.into_iter().filter(|path| files.is_stream(path)) {
            for (_, text) in files.configuration(&path)? {
                reader = reader.overlay(path.clone(), &*text);
            }
        }
        Ok(Self { paths, reader, removals: None })
    }

    /// Reads and checks the current configuration, and records its inputs. Resources that are no longer declared are removed,
    /// unless that was just done.
    pub(super) fn check(
        &self,
        notes: &Arc<InputLog>,
        occasion: &ReloadTrigger,
    ) -> Result<std::result::Result<Checked, Rejected>> {
        let checked = self.read(notes, Keep::ForWatch)?;
        let plan = self.removals.as_ref().filter(|_| *occasion != ReloadTrigger::Removed);
        let (checked, plan) = match (checked, plan) {
            (Ok(checked), Some(plan)) => (checked, plan),
            (checked, _) => return Ok(checked),
        };
        let removals = plan(&checked.program, checked.core.machine());
        if !removals.has_changes() {
            return Ok(Ok(checked.removing(removals, Keep::ForWatch)));
        }
        // The program of a watch does not keep what its extension needs, and seldom there is one.
        drop(checked);
        Ok(self.read(notes, Keep::All)?.map(|checked| {
            let removals = plan(&checked.program, checked.core.machine());
            checked.removing(removals, Keep::ForWatch)
        }))
    }

    fn read(&self, notes: &Arc<InputLog>, keep: Keep) -> Result<std::result::Result<Checked, Rejected>> {
        let mut reader = self.reader.clone().renewed()?;
        reader.log = Some(notes.clone());
        Ok(reader.read(&self.paths)?.check_keeping(keep))
    }

    /// The current environment of the configuration.
    pub(super) fn surroundings(&self) -> Result<LocalSurroundings> {
        self.reader.clone().renewed()?.surroundings(Arc::new(ConfigurationFiles::new()))
    }
}

/// Controls a running watch from any thread. Clones control the same one.
#[derive(Clone)]
pub struct Steering {
    pub(super) control: Control,
    requests: Arc<Requests>,
    /// The watcher of the inputs.
    pub(super) watcher: Arc<dyn Watcher>,
}

#[derive(Default)]
struct Requests {
    reload: AtomicBool,
    removals_ended: Mutex<Option<RemovalsEnded>>,
    pauses_changed: AtomicBool,
    end: AtomicBool,
}

impl Steering {
    pub(super) fn new(watcher: Arc<dyn Watcher>) -> Self {
        Self { control: Control::default(), requests: Arc::default(), watcher }
    }

    /// Reloads the configuration, even if nothing changed.
    pub fn reload(&self) {
        self.requests.reload.store(true, Ordering::Release);
        self.watcher.nudge();
    }

    /// Checks every resource now.
    pub fn recheck(&self) {
        self.control.recheck();
    }

    /// Checks the resources that were paused: other ones are paused now.
    pub fn pauses_changed(&self) {
        self.control.pauses_changed();
        self.requests.pauses_changed.store(true, Ordering::Release);
        self.watcher.nudge();
    }

    /// Takes a change of the pauses.
    pub(super) fn take_pauses_changed(&self) -> bool {
        self.requests.pauses_changed.swap(false, Ordering::AcqRel)
    }

    /// Takes a request to reload.
    pub(super) fn take_reload(&self) -> bool {
        self.requests.reload.swap(false, Ordering::AcqRel)
    }

    /// The removals of the configuration in force are over.
    pub(super) fn removals_ended(&self, ended: RemovalsEnded) {
        *self.requests.removals_ended.lock() = Some(ended);
        self.watcher.nudge();
    }

    /// Takes the end of the removals.
    pub(super) fn take_removals_ended(&self) -> Option<RemovalsEnded> {
        self.requests.removals_ended.lock().take()
    }

    /// Ends the reading thread.
    pub(super) fn end(&self) {
        self.requests.end.store(true, Ordering::Release);
        self.watcher.nudge();
    }

    pub(super) fn is_ended(&self) -> bool {
        self.requests.end.load(Ordering::Acquire)
    }
}
