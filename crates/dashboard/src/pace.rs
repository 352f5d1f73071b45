//! How often is drawn.

use std::time::Duration;

/// Twenty pictures a second are as many as a person can follow.
const SHORTEST: Duration = Duration::from_millis(50);

/// Clocks tick even if nothing happens.
const LONGEST: Duration = Duration::from_secs(1);

/// Says when the next picture is due. Times are those of a clock that never goes back.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    drawn: Option<Duration>,
    is_old: bool,
}

impl Pace {
    /// The picture does not show how things are any more.
    pub(crate) fn age(&mut self) {
        self.is_old = true;
    }

    /// How long it is until the next picture; nothing if it is due.
    pub(crate) fn wait(&self, now: Duration) -> Duration {
        let Some(drawn) = self.drawn else {
            return Duration::ZERO;
        };
        let gap = if self.is_old { SHORTEST } else { LONGEST };
        (drawn + gap).saturating_sub(now)
    }

    /// It was drawn.
    pub(crate) fn drew(&mut self, now: Duration) {
        *self = Self { drawn: Some(now), is_old: false };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_drawn_twenty_times_a_second_and_silence_once() {
        let pictures = |is_busy: bool| {
            let (mut pace, mut count) = (Pace::default(), 0);
            for now in (0..10_000).map(Duration::from_millis) {
                if is_busy {
                    pace.age();
                }
                if pace.wait(now).is_zero() {
                    pace.drew(now);
                    count += 1;
                }
            }
            count
        };
        assert_eq!((pictures(true), pictures(false)), (200, 10));
    }

    #[test]
    fn after_silence_a_change_is_seen_at_once() {
        let mut pace = Pace::default();
        pace.drew(Duration::ZERO);
        pace.age();
        assert_eq!(pace.wait(Duration::from_millis(20)), Duration::from_millis(30));
        assert_eq!(pace.wait(Duration::from_millis(500)), Duration::ZERO);
    }
}
