//! The kind `timer`.

use uphold_resource::{Act, Found, Interest, Look, Reading, Resource, Result, Step, Watching};

use super::Span;

/// A regular notification of other resources, in `uphold watch`.
///
/// Each time its interval has passed, it counts as changed, so that its notifications are sent; the first time one
/// interval after the start of the watch. In `uphold apply` it does nothing. For actions at a fixed time of day, or
/// while no watch is running, use `systemd_timer` or `cron`.
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
    /// Name of the timer; defaults to the block's label.
    #[name]
    pub name: String,
    /// Interval between two notifications, at least 100 ms.
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
    /// It exists until its interval has passed.
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok((!self.interval.is_over(look.clock())).then_some(TimerState {}).into())
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.interval.begin(host.clock());
        Ok(())
    }
}
