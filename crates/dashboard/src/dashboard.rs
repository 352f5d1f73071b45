//! The dashboard, which runs in its own thread, and its parameters.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use std::{io, thread};

use uphold::resource::{Machine, Stop};

use crate::closing_summary::closing_summary;
use crate::screen::Screen;
use crate::terminal::{Bell, BellReceiver, Inputs, TerminalMode, collect_panics};
use crate::view::View;

/// How long `end` waits for a terminal that takes no more output.
const END_TIMEOUT: Duration = Duration::from_millis(500);

/// The terminal view of a watch. It runs until it is joined or dropped, or until the user leaves it.
///
/// # Guarantees
/// - The watch never waits for it: it reads the board in its own thread.
/// - The terminal is restored on every exit: join, drop, a panic in any thread.
/// - A terminal that goes away ends the watch.
///
/// Nothing else may write to the terminal meanwhile. Messages of panics are kept until the end.
pub struct Dashboard {
    view: Arc<dyn View>,
    host: Machine,
    bell: Bell,
    terminal_mode: TerminalMode,
    is_over: Arc<AtomicBool>,
    ended: Receiver<()>,
}

impl Dashboard {
    /// Whether standard input and standard output are a terminal. The caller must check that it can move its cursor
    /// (`TERM` is not `dumb`).
    pub fn is_possible() -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// Takes over the terminal and starts the view.
    ///
    /// # Errors
    /// If standard input is not a terminal, or no pipe or thread can be created.
    pub fn start(options: DashboardOptions) -> io::Result<Self> {
        let receiver = BellReceiver::new()?;
        let (bell, terminal_mode, is_over) =
            (receiver.bell(), TerminalMode::default(), Arc::<AtomicBool>::default());
        let (view, host) = (Arc::clone(&options.view), options.host.clone());
        let stopped = bell.clone();
        options.stop.wake(move || stopped.ring());
        let screen =
            Screen::new(options, Inputs::new(receiver)?, terminal_mode.clone(), Arc::clone(&is_over));
        terminal_mode.enter()?;
        collect_panics(terminal_mode.clone());
        // If no thread starts, the screen is dropped, which restores the terminal.
        let ended = spawn(screen)?;
        Ok(Self { view, host, bell, terminal_mode, is_over, ended })
    }

    /// The bell that requests a redraw; ring it after each event that the board has recorded.
    pub fn bell(&self) -> Bell {
        self.bell.clone()
    }

    /// A handle that restores the terminal without waiting for the view, for code that ends the process.
    pub fn terminal_mode(&self) -> TerminalMode {
        self.terminal_mode.clone()
    }

    /// Leaves the screen, and returns a few plain lines that summarize the watch, to be printed.
    ///
    /// It waits for the view, but not for a terminal that takes no more output.
    pub fn join(self) -> String {
        self.end();
        let mut text = closing_summary(&*self.view, self.host.clock.now());
        text.extend(self.terminal_mode.take_panics().iter().map(|panic| format!("{panic}\n")));
        text
    }

    fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        self.bell.ring();
        // The sender is dropped when the thread ends, also by a panic.
        let _ = self.ended.recv_timeout(END_TIMEOUT);
        self.terminal_mode.restore();
    }
}

impl Drop for Dashboard {
    fn drop(&mut self) {
        self.end();
        if thread::panicking() {
            let panics = self.terminal_mode.take_panics().join("\n");
            // The process ends: report the panics, and ignore a failed write.
            let _ = rustix::io::write(rustix::stdio::stderr(), format!("{panics}\n").as_bytes());
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a worker of the engine would make the watch wait for the terminal"
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

/// The parameters of a dashboard.
pub struct DashboardOptions {
    /// The data to show: the board of the watch.
    pub view: Arc<dyn View>,
    /// The machine whose clock is used.
    pub host: Machine,
    /// The name of the machine.
    pub machine: String,
    /// The name of the configuration: its path as given on the command line.
    pub configuration: String,
    /// Whether colour is used; the caller checks `NO_COLOR` and flags.
    pub colour: bool,
    /// Ends the watch: gracefully at the first request, urgently at the second.
    pub stop: Stop,
    /// Reloads the configuration. Called in the view's thread, so it should return quickly.
    pub reload: Box<dyn Fn() + Send>,
    /// Checks everything now. Called in the view's thread, so it should return quickly.
    pub recheck: Box<dyn Fn() + Send>,
}
