//! Limits how often the screen is drawn.

use std::time::Duration;

/// Twenty frames a second are as many as a person can follow.
const SHORTEST: Duration = Duration::from_millis(50);

/// Running clocks are updated even if nothing happens.
const LONGEST: Duration = Duration::from_secs(1);

/// Computes when the next frame is due. Times are those of a monotonic clock.
#[derive(Debug, Default)]
pub(crate) struct FrameTimer {
    drawn: Option<Duration>,
    is_outdated: bool,
}

impl FrameTimer {
    /// Marks the frame as outdated.
    pub(crate) fn mark_outdated(&mut self) {
        self.is_outdated = true;
    }

    /// The time until the next frame; zero if it is due.
    pub(crate) fn wait(&self, now: Duration) -> Duration {
        let Some(drawn) = self.drawn else {
            return Duration::ZERO;
        };
        let gap = if self.is_outdated { SHORTEST } else { LONGEST };
        (drawn + gap).saturating_sub(now)
    }

    /// Records that a frame was drawn.
    pub(crate) fn drew(&mut self, now: Duration) {
        *self = Self { drawn: Some(now), is_outdated: false };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_a_burst_twenty_times_a_second_and_an_idle_watch_once() {
        let frames = |is_busy: bool| {
            let (mut frame_timer, mut count) = (FrameTimer::default(), 0);
            for now in (0..10_000).map(Duration::from_millis) {
                if is_busy {
                    frame_timer.mark_outdated();
                }
                if frame_timer.wait(now).is_zero() {
                    frame_timer.drew(now);
                    count += 1;
                }
            }
            count
        };
        assert_eq!((frames(true), frames(false)), (200, 10));
    }

    #[test]
    fn draws_a_change_at_once_after_a_pause() {
        let mut frame_timer = FrameTimer::default();
        frame_timer.drew(Duration::ZERO);
        frame_timer.mark_outdated();
        assert_eq!(frame_timer.wait(Duration::from_millis(20)), Duration::from_millis(30));
        assert_eq!(frame_timer.wait(Duration::from_millis(500)), Duration::ZERO);
    }
}
