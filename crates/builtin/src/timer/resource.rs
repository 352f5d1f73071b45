//! Something that happens again and again.

use uphold_resource::{Act, Interest, Reading, Resource, Result, Step, Watching};

use super::Span;

/// Tells others again and again, in `uphold watch`.
///
/// Each time that its interval is over it counts as changed, so that what it notifies is done; the first time one
/// interval after the watch began. In `uphold apply`, where no time passes, nothing happens. For what has to happen by the
/// clock, or while no watch runs, use the system's own timers.
///
/// ```hcl
/// timer "hourly" {
///   interval = "1h"
///   notifies = [task.report.run]
/// }
///
/// task "report" {
///   apply  = "df -h > /run/disks"
///   action = "nothing"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "timer", permanent, interests)]
pub struct Timer {
    /// What it is called.
    #[name]
    pub name: String,
    /// How much time is between two times; 100 ms at least.
    #[also("every", "period")]
    #[required]
    pub interval: Span,
}

impl Watching for Timer {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Interval(self.interval.length()));
    }
}

impl Resource for Timer {
    /// It is there for as long as its interval runs.
    fn load(&self, host: &Reading<'_>) -> Result<Option<TimerState>> {
        Ok((!self.interval.is_over(host.clock())).then_some(TimerState {}))
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.interval.begin(host.clock());
        Ok(())
    }
}
