//! What is going on, on a terminal, while a run takes its time.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use terminal_size::{Width, terminal_size};
use unicode_width::UnicodeWidthChar;
use uphold::Gauge;
use uphold::model::ResourceId;
use uphold::resource::Stop;

use crate::paint::clean;

/// A run that is over by then needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);

/// How long the bar is.
const BAR: usize = 24;

/// How wide a terminal is that does not say so.
const USUAL_WIDTH: u16 = 80;

/// More than these would not fit anyway.
const MOST_NAMES: usize = 10;

/// A bar with what is done, of how much, and what is at work.
pub(crate) struct Progress {
    bar: ProgressBar,
    at_work: Arc<Mutex<AtWork>>,
}

/// What was begun and is not done, in the order in which it was begun.
#[derive(Debug, Default)]
struct AtWork {
    begun: u64,
    numbers: HashMap<ResourceId, u64>,
    works: BTreeMap<u64, Work>,
}

#[derive(Debug)]
struct Work {
    resource: ResourceId,
    /// What it waits for, if it does.
    waits: Option<String>,
}

impl AtWork {
    fn begin(&mut self, resource: &ResourceId) {
        self.begun += 1;
        self.numbers.insert(resource.clone(), self.begun);
        self.works.insert(self.begun, Work { resource: resource.clone(), waits: None });
    }

    fn wait(&mut self, resource: &ResourceId, reason: &str) {
        let number = self.numbers.get(resource);
        if let Some(work) = number.and_then(|number| self.works.get_mut(number)) {
            work.waits = Some(reason.to_owned());
        }
    }

    fn end(&mut self, resource: &ResourceId) {
        if let Some(number) = self.numbers.remove(resource) {
            self.works.remove(&number);
        }
    }

    /// What works, then what waits, with the reason.
    fn names(&self) -> String {
        let busy = self.works.values().filter(|work| work.waits.is_none());
        let idle = self.works.values().filter(|work| work.waits.is_some());
        let name = |work: &Work| match &work.waits {
            None => work.resource.to_string(),
            Some(reason) => format!("{} waits: {reason}", work.resource),
        };
        let names: Vec<String> = busy.chain(idle).take(MOST_NAMES).map(name).collect();
        clean(&names.join(", ")).replace(['\n', '\t'], " ")
    }
}

impl Progress {
    /// A bar for this many actions, which says so when the run is to be stopped.
    pub(crate) fn new(actions: usize, stop: Stop, gauge: Gauge) -> Self {
        let at_work = Arc::<Mutex<AtWork>>::default();
        let bar = ProgressBar::with_draw_target(Some(actions as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{live}").expect("the template is right");
        bar.set_style(style.with_key("live", draw(Arc::clone(&at_work), stop, gauge)));
        bar.enable_steady_tick(TICK);
        Self { bar, at_work }
    }

    /// An action is taken up.
    pub(crate) fn started(&self, resource: &ResourceId) {
        lock(&self.at_work).begin(resource);
    }

    /// An action waits.
    pub(crate) fn waits(&self, resource: &ResourceId, reason: &str) {
        lock(&self.at_work).wait(resource, reason);
    }

    /// An action is done with. There may be more of them than were written: notifications ask for some.
    pub(crate) fn finished(&self, resource: &ResourceId) {
        lock(&self.at_work).end(resource);
        self.bar.inc(1);
        if self.bar.length().is_some_and(|length| length < self.bar.position()) {
            self.bar.inc_length(1);
        }
    }

    /// Does something while the bar is out of the way.
    pub(crate) fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        self.bar.suspend(act)
    }

    /// The run is over.
    pub(crate) fn end(self) {
        self.bar.finish_and_clear();
    }
}

fn lock(at_work: &Mutex<AtWork>) -> MutexGuard<'_, AtWork> {
    at_work.lock().unwrap_or_else(PoisonError::into_inner)
}

fn draw(
    at_work: Arc<Mutex<AtWork>>,
    stop: Stop,
    gauge: Gauge,
) -> impl Fn(&ProgressState, &mut dyn Write) + Clone + Send + Sync + 'static {
    move |state, f| {
        if state.elapsed() >= PATIENCE || stop.is_requested() {
            let names = measured(&lock(&at_work).names(), &gauge.readings());
            let line = line(state.pos(), state.len().unwrap_or(0), stop.is_requested(), &names);
            let _ = f.write_str(&fit(&line, terminal_size().map_or(USUAL_WIDTH, |(Width(width), _)| width)));
        }
    }
}

/// What is at work, and how far transfers are: `download.app (example.org: 1.0 of 9.0 MiB)`.
fn measured(names: &str, readings: &[String]) -> String {
    match readings.is_empty() {
        true => names.to_owned(),
        false => format!("{names} ({})", clean(&readings.join(", "))),
    }
}

/// `[======>      ] 12/24 task.migrate`.
fn line(done: u64, of: u64, stopping: bool, names: &str) -> String {
    let filled = usize::try_from(done * BAR as u64 / of.max(1)).unwrap_or(BAR).min(BAR);
    let stopping = if stopping { "stopping; Ctrl-C again kills what runs: " } else { "" };
    format!("[{}{}] {done}/{of} {stopping}{names}", "=".repeat(filled), " ".repeat(BAR - filled))
}

/// As much of a line as stays on one line.
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
    fn the_bar_says_what_is_done_and_what_is_at_work() {
        let check = |done, of, stopping, names: &str, expected: &str| {
            assert_eq!(line(done, of, stopping, names), expected);
        };
        check(0, 0, false, "", "[                        ] 0/0 ");
        check(12, 24, false, "task.a, task.b", "[============            ] 12/24 task.a, task.b");
        check(24, 24, false, "", "[========================] 24/24 ");
        let stopping = "[========================] 2/2 stopping; Ctrl-C again kills what runs: task.a";
        check(2, 2, true, "task.a", stopping);
    }

    #[test]
    fn transfers_are_measured() {
        assert_eq!(measured("download.a", &[]), "download.a");
        let readings = ["a.org: 1.0 of 9.0 MiB".to_owned(), "b.org: 0.5 MiB".to_owned()];
        assert_eq!(measured("x", &readings), "x (a.org: 1.0 of 9.0 MiB, b.org: 0.5 MiB)");
    }

    #[test]
    fn a_line_stays_on_its_line() {
        let check = |line: &str, width, expected: &str| assert_eq!(fit(line, width), expected);
        check("[==] 1/2 task.a", 80, "[==] 1/2 task.a");
        check("[==] 1/2 task.a", 11, "[==] 1/2 t");
        check("東京東京", 6, "東京");
        check("a", 0, "");
    }

    #[test]
    fn what_works_comes_before_what_waits() {
        let (mut at_work, task) = (AtWork::default(), |name: &str| ResourceId::new("task", name));
        for name in ["a", "b", "c"] {
            at_work.begin(&task(name));
        }
        assert_eq!(at_work.names(), "task.a, task.b, task.c");
        at_work.wait(&task("a"), "port 80 of\nlocalhost is not open");
        assert_eq!(at_work.names(), "task.b, task.c, task.a waits: port 80 of localhost is not open");
        at_work.end(&task("b"));
        at_work.end(&task("unknown"));
        assert_eq!(at_work.names(), "task.c, task.a waits: port 80 of localhost is not open");
    }
}
