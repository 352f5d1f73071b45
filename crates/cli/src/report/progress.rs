//! The progress bar of a run.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use terminal_size::{Width, terminal_size};
use unicode_width::UnicodeWidthChar;
use uphold::Gauge;
use uphold::model::ResourceId;
use uphold::resource::Stop;

use crate::clean;

/// A shorter run shows no bar.
const DELAY: Duration = Duration::from_millis(500);

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);

/// The length of the bar in characters.
const BAR: usize = 24;

/// The width of a terminal that does not report it.
const USUAL_WIDTH: u16 = 80;

/// The number of names in the line; more would not fit.
const MOST_NAMES: usize = 10;

/// A bar with the finished and total number of actions, and the resources in progress.
pub(crate) struct Progress {
    bar: ProgressBar,
    running: Arc<Mutex<Running>>,
}

/// The actions in progress.
#[derive(Debug, Default)]
struct Running {
    started: u64,
    /// The number of each action in the order of starts, and the reason for which it waits.
    actions: HashMap<ResourceId, (u64, Option<String>)>,
}

impl Running {
    fn begin(&mut self, resource: &ResourceId) {
        self.started += 1;
        self.actions.insert(resource.clone(), (self.started, None));
    }

    fn wait(&mut self, resource: &ResourceId, reason: &str) {
        if let Some((_, waits)) = self.actions.get_mut(resource) {
            *waits = Some(reason.to_owned());
        }
    }

    /// The running resources, then the waiting ones with their reasons.
    fn names(&self) -> String {
        let mut actions: Vec<_> = self.actions.iter().collect();
        actions.sort_by_key(|(_, (number, waits))| (waits.is_some(), *number));
        let name = |(resource, (_, waits)): &(&ResourceId, &(u64, Option<String>))| match waits {
            None => resource.to_string(),
            Some(reason) => format!("{resource} waiting: {reason}"),
        };
        let names: Vec<String> = actions.iter().take(MOST_NAMES).map(name).collect();
        clean(&names.join(", ")).replace(['\n', '\t'], " ")
    }
}

impl Progress {
    /// A bar for this many actions, which also shows that a stop was requested.
    pub(crate) fn new(actions: usize, stop: Stop, gauge: Gauge) -> Self {
        let running = Arc::<Mutex<Running>>::default();
        let bar = ProgressBar::with_draw_target(Some(actions as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{live}").expect("the template is valid");
        bar.set_style(style.with_key("live", draw(Arc::clone(&running), stop, gauge)));
        bar.enable_steady_tick(TICK);
        Self { bar, running }
    }

    pub(crate) fn started(&self, resource: &ResourceId) {
        lock(&self.running).begin(resource);
    }

    pub(crate) fn waits(&self, resource: &ResourceId, reason: &str) {
        lock(&self.running).wait(resource, reason);
    }

    /// Counts a finished action. There may be more than declared ones, because notifications add some.
    pub(crate) fn finished(&self, resource: &ResourceId) {
        lock(&self.running).actions.remove(resource);
        self.bar.inc(1);
        if self.bar.length().is_some_and(|length| length < self.bar.position()) {
            self.bar.inc_length(1);
        }
    }

    /// Runs `act` while the bar is hidden.
    pub(crate) fn hidden_during<T>(&self, act: impl FnOnce() -> T) -> T {
        self.bar.suspend(act)
    }

    pub(crate) fn end(self) {
        self.bar.finish_and_clear();
    }
}

fn lock(running: &Mutex<Running>) -> MutexGuard<'_, Running> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

fn draw(
    running: Arc<Mutex<Running>>,
    stop: Stop,
    gauge: Gauge,
) -> impl Fn(&ProgressState, &mut dyn Write) + Clone + Send + Sync + 'static {
    move |state, f| {
        if state.elapsed() >= DELAY || stop.is_requested() {
            let names = measured(&lock(&running).names(), &gauge.readings());
            let line = line(state.pos(), state.len().unwrap_or(0), stop.is_requested(), &names);
            let _ = f.write_str(&fit(&line, terminal_size().map_or(USUAL_WIDTH, |(Width(width), _)| width)));
        }
    }
}

/// Adds the progress of transfers: `download.app (example.org: 1.0 of 9.0 MiB)`.
fn measured(names: &str, readings: &[String]) -> String {
    if readings.is_empty() { names.to_owned() } else { format!("{names} ({})", clean(&readings.join(", "))) }
}

/// `[======>      ] 12/24 task.migrate`.
fn line(done: u64, of: u64, stopping: bool, names: &str) -> String {
    let filled = usize::try_from(done * BAR as u64 / of.max(1)).unwrap_or(BAR).min(BAR);
    let stopping = if stopping { "stopping; press Ctrl-C again to kill running commands: " } else { "" };
    format!("[{}{}] {done}/{of} {stopping}{names}", "=".repeat(filled), " ".repeat(BAR - filled))
}

/// Cuts a line to the width of the terminal.
fn fit(line: &str, width: u16) -> String {
    let mut room = usize::from(width).saturating_sub(1);
    let fits = |character: &char| {
        let wide = character.width().unwrap_or(0);
        let fits = wide <= room;
        room = room.saturating_sub(wide);
        fits
    };
    line.chars().take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_the_bar() {
        let check = |done, of, stopping, names: &str, expected: &str| {
            assert_eq!(line(done, of, stopping, names), expected);
        };
        check(0, 0, false, "", "[                        ] 0/0 ");
        check(12, 24, false, "task.a, task.b", "[============            ] 12/24 task.a, task.b");
        check(24, 24, false, "", "[========================] 24/24 ");
        let stopping =
            "[========================] 2/2 stopping; press Ctrl-C again to kill running commands: task.a";
        check(2, 2, true, "task.a", stopping);
    }

    #[test]
    fn shows_the_progress_of_transfers() {
        assert_eq!(measured("download.a", &[]), "download.a");
        let readings = ["a.org: 1.0 of 9.0 MiB".to_owned(), "b.org: 0.5 MiB".to_owned()];
        assert_eq!(measured("x", &readings), "x (a.org: 1.0 of 9.0 MiB, b.org: 0.5 MiB)");
    }

    #[test]
    fn cuts_the_line_to_the_width() {
        let check = |line: &str, width, expected: &str| assert_eq!(fit(line, width), expected);
        check("[==] 1/2 task.a", 80, "[==] 1/2 task.a");
        check("[==] 1/2 task.a", 11, "[==] 1/2 t");
        check("東京東京", 6, "東京");
        check("a", 0, "");
    }

    #[test]
    fn lists_waiting_resources_last() {
        let (mut running, task) = (Running::default(), |name: &str| ResourceId::new("task", name));
        for name in ["a", "b", "c"] {
            running.begin(&task(name));
        }
        assert_eq!(running.names(), "task.a, task.b, task.c");
        running.wait(&task("a"), "port 80 of\nlocalhost is not open");
        assert_eq!(running.names(), "task.b, task.c, task.a waiting: port 80 of localhost is not open");
        running.actions.remove(&task("b"));
        assert_eq!(running.names(), "task.c, task.a waiting: port 80 of localhost is not open");
    }
}
