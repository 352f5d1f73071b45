//! The kind `timer`.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use uphold_resource::{
    Act, Clock, Context, Found, Interest, Look, Problem, Property, Reading, Resource, Result, Step, Type,
    Value, Watching,
};

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

// A running time interval.

/// The minimum interval; a shorter one would keep the machine busy.
const SHORTEST: Duration = Duration::from_millis(100);

/// An interval and its start. It starts when it is first checked; clones share the start.
#[derive(Clone, Debug)]
pub struct Span {
    length: Duration,
    began: Arc<Mutex<Option<Duration>>>,
}

impl Span {
    /// An interval that has not started.
    pub fn new(length: Duration) -> Self {
        Self { length, began: Arc::default() }
    }

    /// Its length.
    pub fn length(&self) -> Duration {
        self.length
    }

    /// Whether it has passed. Starts one that is not running.
    fn is_over(&self, clock: &dyn Clock) -> bool {
        let now = clock.elapsed();
        let began = *self.began.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(now);
        now.saturating_sub(began) >= self.length
    }

    /// Starts it again.
    fn begin(&self, clock: &dyn Clock) {
        *self.began.lock().unwrap_or_else(PoisonError::into_inner) = Some(clock.elapsed());
    }
}

/// The start is not part of the value.
impl PartialEq for Span {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length
    }
}

impl Property for Span {
    const TYPE: &'static Type = Duration::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        match Duration::from_value(value, context)? {
            length if length >= SHORTEST => Ok(Span::new(length)),
            _ => Err(Problem::new(Some(value), "must be at least 100ms", "use a longer interval")),
        }
    }

    fn to_value(&self) -> Value {
        self.length.to_value()
    }
}
