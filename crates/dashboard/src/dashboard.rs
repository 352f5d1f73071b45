//! The view in a thread of its own.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use uphold::resource::Machine;

use crate::farewell::farewell;
use crate::screen::Screen;
use crate::setting::Setting;
use crate::terminal::{Bell, Clapper, Doors, Lifeline, keep_panics};
use crate::view::View;

/// How long a terminal that takes nothing more may hold up the end.
const PATIENCE: Duration = Duration::from_millis(500);

/// The terminal view of a watch. It shows until it is joined or dropped, or until the person leaves it.
///
/// # Guarantees
/// - The watch never waits for it: it reads the board from a thread of its own.
/// - The terminal is put back on every way out: join, drop, a panic here or elsewhere.
/// - A terminal that goes away requests the stop.
///
/// Nothing else may write to the terminal meanwhile. What panics say is kept until the end.
pub struct Dashboard {
    view: Arc<dyn View>,
    host: Machine,
    bell: Bell,
    lifeline: Lifeline,
    is_over: Arc<AtomicBool>,
    ended: Receiver<()>,
}

impl Dashboard {
    /// Whether standard input and standard output are a terminal. One that cannot move its cursor (`TERM=dumb`) is the
    /// caller's to know.
    pub fn is_possible() -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// Takes the terminal, and shows the watch from now on.
    ///
    /// # Errors
    /// If standard input is no terminal, or the system has no pipe or thread for us.
    pub fn start(setting: Setting) -> io::Result<Self> {
        let clapper = Clapper::new()?;
        let (bell, lifeline, is_over) = (clapper.bell(), Lifeline::default(), Arc::<AtomicBool>::default());
        let (view, host) = (Arc::clone(&setting.view), setting.host.clone());
        let stopped = bell.clone();
        setting.stop.wake(move || stopped.ring());
        let screen = Screen::new(setting, Doors::new(clapper)?, lifeline.clone(), Arc::clone(&is_over));
        lifeline.enter()?;
        keep_panics(lifeline.clone());
        // A screen that gets no thread is dropped, and restores the terminal.
        let ended = spawn(screen)?;
        Ok(Self { view, host, bell, lifeline, is_over, ended })
    }

    /// Tells the view that something changed; to be rung after each event that the board has noted.
    pub fn bell(&self) -> Bell {
        self.bell.clone()
    }

    /// Puts the terminal back without waiting for the view: for those who end the process.
    pub fn lifeline(&self) -> Lifeline {
        self.lifeline.clone()
    }

    /// Leaves the screen, and gives a few plain lines about what happened, to be printed.
    ///
    /// It waits for the view, but not for a terminal that takes nothing any more.
    pub fn join(self) -> String {
        self.end();
        let mut text = farewell(&*self.view, self.host.clock.now());
        text.extend(self.lifeline.take_panics().iter().map(|panic| format!("{panic}\n")));
        text
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        self.bell.ring();
        // The sender is dropped at the end of the thread, whether it panics or not.
        let _ = self.ended.recv_timeout(PATIENCE);
        self.lifeline.restore();
    }
}

impl Drop for Dashboard {
    fn drop(&mut self) {
        self.end();
        if thread::panicking() {
            let panics = self.lifeline.take_panics().join("\n");
            // It is the end of the process: what it died of is told, if anybody listens.
            let _ = rustix::io::write(rustix::stdio::stderr(), format!("{panics}\n").as_bytes());
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the watch must not wait for the terminal, so no worker can be it"
)]
fn spawn(screen: Screen) -> io::Result<Receiver<()>> {
    let (sender, ended) = channel();
    let show = move || {
        let _end = sender;
        screen.show();
    };
    thread::Builder::new().name("dashboard".to_owned()).spawn(show)?;
    Ok(ended)
}
