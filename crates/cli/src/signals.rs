//! Signals that end the command or reload the configuration.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, iterator, low_level};
use uphold::resource::Stop;

use crate::CliError;

/// The exit code that shells use for a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Handles SIGINT, SIGTERM and SIGHUP. The first requests a stop: nothing new is started, and running commands are asked
/// to end. The second makes the stop urgent: they are killed. The report is printed in both cases. The third exits.
///
/// Before [`Signals::listen`], signals have their default effect.
#[derive(Clone, Default)]
pub(crate) struct Signals {
    stop: Stop,
    is_listening: Arc<AtomicBool>,
    is_waiting: Arc<AtomicBool>,
    hangup: Callback,
    exit: Callback,
}

/// A callback that can be set once.
type Callback = Arc<OnceLock<Box<dyn Fn() + Send + Sync>>>;

impl Signals {
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Calls `act` on SIGHUP instead of stopping, unless the signal came because the terminal was closed.
    pub(crate) fn on_hangup(&self, act: impl Fn() + Send + Sync + 'static) {
        let had_terminal = std::io::stdin().is_terminal();
        let stop = self.stop.clone();
        let on_hangup =
            move || if had_terminal && !std::io::stdin().is_terminal() { stop.request() } else { act() };
        let _ = self.hangup.set(Box::new(on_hangup));
    }

    /// Calls `act` before a third signal exits.
    #[cfg_attr(not(feature = "dashboard"), expect(dead_code, reason = "only the terminal view uses it"))]
    pub(crate) fn before_exit(&self, act: impl Fn() + Send + Sync + 'static) {
        let _ = self.exit.set(Box::new(act));
    }

    /// Handles signals from now on.
    pub(crate) fn listen(&self) -> Result<(), CliError> {
        if self.is_listening.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        self.spawn().map_err(|error| CliError::new("cannot handle signals").because(&error))
    }

    /// Starts the thread that handles signals, because a signal handler itself may do almost nothing.
    #[expect(
        clippy::disallowed_methods,
        reason = "the thread outlives every run, so it cannot be a worker of the engine"
    )]
    fn spawn(&self) -> std::io::Result<()> {
        let mut caught = iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        // A file larger than `ulimit -f` would end the command. With a handler, only the write fails, and one resource.
        flag::register(SIGXFSZ, Arc::default())?;
        let signals = self.clone();
        let handle = move || caught.forever().for_each(|signal| signals.handle(signal));
        thread::Builder::new().name("signals".to_owned()).spawn(handle).map(drop)
    }

    fn handle(&self, signal: i32) {
        self.end_if_waiting(signal);
        if signal == SIGHUP
            && let Some(act) = self.hangup.get()
        {
            return act();
        }
        match (self.stop.is_requested(), self.stop.is_urgent()) {
            (false, _) => {
                self.stop.request();
                // The wait may have begun meanwhile.
                self.end_if_waiting(signal);
            }
            (true, false) => self.stop.urge(),
            (true, true) => {
                if let Some(act) = self.exit.get() {
                    act();
                }
                low_level::exit(INTERRUPTED)
            }
        }
    }

    /// The default effect of a signal ends the command; if that fails, a stop is requested as usual.
    fn end_if_waiting(&self, signal: i32) {
        if self.is_waiting.load(Ordering::SeqCst) {
            let _ = low_level::emulate_default_handler(signal);
        }
    }

    /// Runs `wait`, which waits for a person or for another program; a signal meanwhile ends the command.
    pub(crate) fn while_waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.is_waiting.store(true, Ordering::SeqCst);
        if self.stop.is_requested() {
            self.end_if_waiting(SIGTERM);
        }
        let answer = wait();
        self.is_waiting.store(false, Ordering::SeqCst);
        answer
    }
}
