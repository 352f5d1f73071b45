//! The dashboard, which runs in its own thread, and its parameters.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, SystemTime};
use std::{io, thread};

use uphold::resource::{Machine, Stop};
use uphold_status::{Overview, Phase, ResourceStatus};

use crate::screen::Screen;
use crate::terminal::{Bell, BellReceiver, Inputs, TerminalMode, collect_panics};
use crate::view::View;

use super::number::{counted, grouped, whole};
use super::safe_text::clean;
use super::summary::{first_line, status};

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

// The lines that are printed after the screen has closed.

/// Most problems that are listed.
const MOST_PROBLEMS: usize = 5;

/// A few plain lines about a watch that has ended: its duration, its changes, and remaining problems. They are safe for
/// a terminal, and each ends with a newline.
pub(crate) fn closing_summary(view: &dyn View, now: SystemTime) -> String {
    let overview = view.overview(MOST_PROBLEMS);
    let mut text = format!("{}\n", whole_watch(&overview, now));
    overview.problems.iter().for_each(|trouble| push(&mut text, &line(trouble)));
    if overview.more_problems > 0 {
        push(&mut text, &format!("… and {} more", grouped(overview.more_problems)));
    }
    if let Some(refusal) = &overview.reload_error {
        let why = first_line(&refusal.message);
        push(&mut text, &format!("the configuration on disk was refused: {why}"));
    }
    text
}

fn push(text: &mut String, line: &str) {
    writeln!(text, "  {}", clean(line)).expect("writing to a string");
}

/// `watched 1,234 resources for 2 h 3 m: 17 repaired, 3 changed; 1 failed, 2 blocked`.
fn whole_watch(overview: &Overview, now: SystemTime) -> String {
    let totals = &overview.totals;
    let lasted = whole(now.duration_since(overview.started_at).unwrap_or_default());
    let mut text = match overview.phase {
        Phase::Watching { .. } => {
            let all = counted(totals.all, "resource", "resources");
            format!("watched {all} for {lasted}")
        }
        Phase::Converging { done, of } => {
            let (done, of) = (grouped(done), grouped(of));
            format!("ended after {lasted}, with {done} of {of} resources applied")
        }
        Phase::Starting => format!("ended after {lasted}, before the first run"),
    };
    let changed = totals.changes.saturating_sub(totals.repaired);
    let done = listed(&[(totals.repaired, "repaired"), (changed, "changed")]);
    let wrong = listed(&[
        (totals.failed as u64, "failed"),
        (totals.blocked as u64, "blocked"),
        (totals.differs as u64, "differing"),
        (totals.paused as u64, "paused"),
        (totals.polled as u64, "polled"),
    ]);
    text += &done.map_or(": nothing changed".to_owned(), |done| format!(": {done}"));
    text += &wrong.map(|wrong| format!("; {wrong}")).unwrap_or_default();
    text
}

/// `17 repaired, 3 changed`, without zeros; none if all are zero.
fn listed(numbers: &[(u64, &str)]) -> Option<String> {
    let some = numbers.iter().filter(|(number, _)| *number > 0);
    let texts: Vec<String> = some.map(|(number, word)| format!("{} {word}", grouped(*number))).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn line(trouble: &ResourceStatus) -> String {
    let summary = status(trouble);
    format!("{} {}: {}", summary.word, trouble.resource, summary.text)
}

#[cfg(test)]
mod tests {
    use uphold_status::Snapshot;

    use super::*;
    use crate::sample;
    use crate::sample::{file, now};

    fn check(watch: &Snapshot, expected: &[&str]) {
        assert_eq!(closing_summary(watch, now()).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn summarizes_a_watch() {
        check(&sample::quiet(Vec::new()), &["watched 0 resources for 10 m 0 s: nothing changed"]);
        check(
            &sample::converging(),
            &["ended after 10 m 0 s, with 1 of 4 resources applied: nothing changed"],
        );
        check(
            &sample::refused(),
            &[
                "watched 8 resources for 10 m 0 s: 2 repaired, 1 changed; 1 failed, 1 blocked, 1 differing, 1 polled",
                "  failed task.migrate: cannot run `app migrate`: exit status 1: no route to the database",
                "  blocked file[\"/srv/app/ready\"]: task.migrate failed",
                "  polled directory[\"/mnt/share\"]: no watches are left",
                "  differs file[\"/etc/passwd\"]: owner (audit only)",
                "  the configuration on disk was refused: error: unknown kind `flie`",
            ],
        );
    }

    #[test]
    fn the_summary_is_short_and_escapes_control_characters() {
        let failed = (0..1_000).map(|number| sample::failed(file(&format!("/{number}")), "\u{1b}[2J\nno"));
        let text = closing_summary(&sample::quiet(failed.collect()), now());
        assert_eq!(text.lines().count(), 7, "{text}");
        assert!(text.contains("/4\"]: \\u{1b}[2J no") && text.ends_with("  … and 995 more\n"), "{text}");
    }
}
