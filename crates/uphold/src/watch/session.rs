//! A watch, from its first look at the configuration to its end.
#![expect(
    clippy::disallowed_methods,
    reason = "what reads the configuration again is none of the engine's workers"
)]

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use uphold_engine::{Summary, WatchRequest};
use uphold_host::LocalHost;
use uphold_resource::{Error, Watchers};

use super::inputs::InputWatch;
use super::occasion::Occasion;
use super::reader::{Generation, WatchReader};
use super::source::ConfigurationSource;
use super::stage::Stage;
use super::steering::Steering;
use crate::Result;
use crate::input_log::InputLog;
use crate::rejected::Rejected;

/// How often values that nobody reports are asked for, unless told otherwise.
const REFRESH: Duration = Duration::from_secs(10);

/// Applies a configuration, repairs drift, and follows changes of the configuration. It ends when the engine is
/// [stopped](crate::EngineBuilder::stop). [`ConfigurationReader::watch`](crate::ConfigurationReader::watch) makes one.
///
/// # Guarantees
/// - What the configuration is read from is watched: its files and directories, modules, params, and what functions read.
///   A new configuration is held as soon as it is there; equal actions go on as they were.
/// - One with mistakes is told, and the one before is held on. As soon as it is mended it is read again.
/// - Facts that can change, the time, and files that the kernel makes up are asked for now and then; if one differs,
///   the configuration is evaluated again.
pub struct Watch {
    source: ConfigurationSource,
    request: WatchRequest,
    refresh: Duration,
    steering: Steering,
}

/// How a watch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchOutcome {
    /// It never began: the configuration has mistakes, which were told.
    Refused,
    /// It was stopped, or came to what was requested.
    Ended(Summary),
}

impl Watch {
    /// Configuration is always read from this machine, whatever the engine works on.
    pub(crate) fn new(source: ConfigurationSource) -> Result<Self> {
        let watcher = LocalHost::new().watcher()?;
        let steering = Steering::new(watcher);
        Ok(Self { source, request: WatchRequest::default(), refresh: REFRESH, steering })
    }

    /// Held like this.
    #[must_use]
    pub fn request(self, request: WatchRequest) -> Self {
        Self { request, ..self }
    }

    /// Asking this often for what nobody reports.
    #[must_use]
    pub fn refresh(self, refresh: Duration) -> Self {
        Self { refresh, ..self }
    }

    /// What it can be steered by while it runs.
    pub fn steering(&self) -> Steering {
        self.steering.clone()
    }

    /// Holds the machine until the watch ends. Takes this thread, those of the engine, and one that reads the
    /// configuration again.
    ///
    /// # Errors
    /// If the configuration cannot be read at all, or the machine cannot be watched.
    pub fn run(&self, reader: &mut dyn WatchReader) -> Result<WatchOutcome> {
        let notes = Arc::<InputLog>::default();
        let first = match self.source.check(&notes)? {
            Ok(checked) => {
                reader.checked(&Occasion::Start, checked.warnings(), checked.sources());
                Generation::new(checked)
            }
            Err(Rejected { diagnostics, sources }) => {
                reader.checked(&Occasion::Start, &diagnostics, &sources);
                return Ok(WatchOutcome::Refused);
            }
        };
        let program = first.program.clone();
        let stage = Stage::new(reader, first);
        let mut input_watch = InputWatch::new(&self.source, &stage, &self.steering, (self.refresh, notes));
        thread::scope(|scope| {
            let _end = End(&self.steering);
            let inputs = thread::Builder::new().name("configuration".to_owned());
            let inputs = inputs.spawn_scoped(scope, move || input_watch.run());
            inputs.map_err(|error| Error::failed("cannot start a thread").because(error))?;
            let sink = &mut |event: &crate::Event| stage.event(event);
            self.source
                .engine()
                .core
                .watch(program, &self.request, self.steering.control(), sink)
                .map(WatchOutcome::Ended)
        })
    }
}

/// Ends the reading of configuration however the engine ends, also by a panic.
struct End<'a>(&'a Steering);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}
