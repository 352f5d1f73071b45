//! Signals that ask to end.

use std::fmt;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, iterator, low_level};
use uphold::resource::Stop;

use crate::error::CliError;

/// What a shell shows for a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A wish to stop that the first signal makes: nothing new is started, and commands are asked to
/// end. The second makes it urgent: they are killed. Both times the report is printed. The third ends us at once.
///
/// Nothing is caught before somebody listens: until then a signal ends the command as it always does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals {
    stop: Stop,
    is_listening: Arc<AtomicBool>,
    is_asking: Arc<AtomicBool>,
    hangup: Hook,
    exit: Hook,
}

/// What somebody wants to be done, if somebody does.
#[derive(Clone, Default)]
struct Hook(Arc<Mutex<Option<Act>>>);

type Act = Box<dyn Fn() + Send>;

impl Hook {
    fn set(&self, act: impl Fn() + Send + 'static) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(act));
    }

    /// Does it; whether there was something to do.
    fn call(&self) -> bool {
        let act = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        act.iter().for_each(|act| act());
        act.is_some()
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hook")
    }
}

impl Signals {
    /// The wish.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// From now on a hangup is no wish to end, but this is done: for who runs without a terminal, and is told so that
    /// its configuration changed. If there was a terminal that is gone, it is the end all the same.
    pub(crate) fn on_hangup(&self, act: impl Fn() + Send + 'static) {
        let had_terminal = std::io::stdin().is_terminal();
        let stop = self.stop.clone();
        self.hangup.set(move || match had_terminal && !std::io::stdin().is_terminal() {
            true => stop.request(),
            false => act(),
        });
    }

    /// Does this before a third signal ends us at once.
    #[cfg_attr(not(feature = "dashboard"), expect(dead_code, reason = "only the terminal view uses it"))]
    pub(crate) fn before_exit(&self, act: impl Fn() + Send + 'static) {
        self.exit.set(act);
    }

    /// Catches signals from now on.
    ///
    /// # Errors
    /// If the system does not let us.
    pub(crate) fn listen(&self) -> Result<(), CliError> {
        if self.is_listening.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        self.spawn().map_err(|error| CliError::new("cannot listen to signals").because(&error))
    }

    /// A handler may do next to nothing, so a thread of its own takes what is caught.
    #[expect(
        clippy::disallowed_methods,
        reason = "it outlives every run, so none of the engine's workers can be it"
    )]
    fn spawn(&self) -> std::io::Result<()> {
        let mut caught = iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        // A file that grows over the limit (`ulimit -f`) would end the command. Because somebody listens, only the write
        // fails, and with it one resource.
        flag::register(SIGXFSZ, Arc::default())?;
        let signals = self.clone();
        let listen = move || caught.forever().for_each(|signal| signals.heard(signal));
        thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
    }

    fn heard(&self, signal: i32) {
        if self.is_asking.load(Ordering::Relaxed) {
            // Without us, it would end the command; should that fail, the wish is there.
            let _ = low_level::emulate_default_handler(signal);
        }
        if signal == SIGHUP && self.hangup.call() {
            return;
        }
        match (self.stop.is_requested(), self.stop.is_urgent()) {
            (false, _) => self.stop.request(),
            (true, false) => self.stop.urge(),
            (true, true) => {
                self.exit.call();
                low_level::exit(INTERRUPTED)
            }
        }
    }

    /// Does what waits for a person: meanwhile a signal ends the command.
    pub(crate) fn while_asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        self.is_asking.store(true, Ordering::Relaxed);
        let answer = ask();
        self.is_asking.store(false, Ordering::Relaxed);
        answer
    }
}
