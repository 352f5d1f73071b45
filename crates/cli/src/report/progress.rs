//! What is going on, on a terminal, while a run takes its time.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use uphold::model::ResourceId;

use crate::paint::clean;

/// A run that is over by then needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);

/// How long the bar is, and how many characters name what is at work.
const BAR: usize = 24;
const NAMES: usize = 80;

type AtWork = Arc<Mutex<Vec<ResourceId>>>;

/// A bar with what is done, of how much, and what is at work.
pub(crate) struct Progress {
    bar: ProgressBar,
    at_work: AtWork,
}

impl Progress {
    /// A bar for this many actions.
    pub(crate) fn new(actions: usize) -> Self {
        let at_work = AtWork::default();
        let bar = ProgressBar::with_draw_target(Some(actions as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{live}").expect("the template is right");
        bar.set_style(style.with_key("live", draw(at_work.clone())));
        bar.enable_steady_tick(TICK);
        Self { bar, at_work }
    }

    /// An action is taken up.
    pub(crate) fn started(&self, resource: &ResourceId) {
        self.at_work.lock().unwrap_or_else(PoisonError::into_inner).push(resource.clone());
    }

    /// An action is done with.
    pub(crate) fn finished(&self, resource: &ResourceId) {
        let mut at_work = self.at_work.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = at_work.iter().position(|other| other == resource) {
            at_work.remove(index);
        }
        drop(at_work);
        self.bar.inc(1);
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

fn draw(at_work: AtWork) -> impl Fn(&ProgressState, &mut dyn Write) + Clone + Send + Sync + 'static {
    move |state, f| {
        if state.elapsed() >= PATIENCE {
            let at_work = at_work.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = f.write_str(&line(state.pos(), state.len().unwrap_or(0), &at_work));
        }
    }
}

/// `[======>      ] 12/24 task.migrate`.
fn line(done: u64, of: u64, at_work: &[ResourceId]) -> String {
    let filled = usize::try_from(done * BAR as u64 / of.max(1)).unwrap_or(BAR).min(BAR);
    let names = at_work.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let names: String = clean(&names).replace(['\n', '\t'], " ").chars().take(NAMES).collect();
    format!("[{}{}] {done}/{of} {names}", "=".repeat(filled), " ".repeat(BAR - filled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_says_what_is_done_and_what_is_at_work() {
        let check = |done, of, names: &[&str], expected: &str| {
            let at_work: Vec<_> = names.iter().map(|name| ResourceId::new("task", *name)).collect();
            assert_eq!(line(done, of, &at_work), expected);
        };
        check(0, 0, &[], "[                        ] 0/0 ");
        check(12, 24, &["a", "b"], "[============            ] 12/24 task.a, task.b");
        check(24, 24, &[], "[========================] 24/24 ");
    }
}
