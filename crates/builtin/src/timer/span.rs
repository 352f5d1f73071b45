//! A span of time that runs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use uphold_resource::{Clock, Context, Problem, Property, Type, Value};

/// More often is no timer, but work without an end.
const SHORTEST: Duration = Duration::from_millis(100);

/// A span of time, and when it began. It begins when it is first asked for; copies run together.
#[derive(Clone, Debug)]
pub struct Span {
    length: Duration,
    began: Arc<Mutex<Option<Duration>>>,
}

impl Span {
    /// A span that does not run yet.
    pub fn new(length: Duration) -> Self {
        Self { length, began: Arc::default() }
    }

    /// How long it is.
    pub fn length(&self) -> Duration {
        self.length
    }

    /// Whether it is over. One that does not run yet begins.
    pub(super) fn is_over(&self, clock: &dyn Clock) -> bool {
        let now = clock.elapsed();
        let began = *self.began.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(now);
        now.saturating_sub(began) >= self.length
    }

    /// Begins anew.
    pub(super) fn begin(&self, clock: &dyn Clock) {
        *self.began.lock().unwrap_or_else(PoisonError::into_inner) = Some(clock.elapsed());
    }
}

/// When it began is no part of the value.
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
            _ => Err(Problem::new(Some(value), "must be 100 ms or more", "choose a longer span")),
        }
    }

    fn to_value(&self) -> Value {
        self.length.to_value()
    }
}
