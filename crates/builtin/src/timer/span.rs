//! A running time interval.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use uphold_resource::{Clock, Context, Problem, Property, Type, Value};

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
    pub(super) fn is_over(&self, clock: &dyn Clock) -> bool {
        let now = clock.elapsed();
        let began = *self.began.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(now);
        now.saturating_sub(began) >= self.length
    }

    /// Starts it again.
    pub(super) fn begin(&self, clock: &dyn Clock) {
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
