//! The log of the commands in a story.

/// Lines `+NAME` and `-NAME`: a command has begun or ended.
pub(crate) struct WorkLog(String);

impl WorkLog {
    pub(crate) fn of(text: Option<String>) -> Self {
        Self(text.unwrap_or_default())
    }

    /// The number of commands that have begun.
    pub(crate) fn begun(&self) -> usize {
        self.0.lines().filter(|line| line.starts_with('+')).count()
    }

    /// Whether exactly `count` commands have begun, and all have ended.
    pub(crate) fn is_done(&self, count: usize) -> bool {
        self.begun() == count && self.0.lines().count() == 2 * count
    }

    /// The maximal number of commands that ran at once.
    pub(crate) fn most_at_once(&self) -> usize {
        let (mut most, mut now) = (0_usize, 0_usize);
        for line in self.0.lines() {
            now = if line.starts_with('+') { now + 1 } else { now.saturating_sub(1) };
            most = most.max(now);
        }
        most
    }

    /// Whether the first command ended before the second began.
    pub(crate) fn in_order(&self, first: &str, second: &str) -> bool {
        let place = |wanted: String| self.0.lines().position(|line| line == wanted);
        match (place(format!("-{first}")), place(format!("+{second}"))) {
            (Some(end), Some(begin)) => end < begin,
            _ => false,
        }
    }
}
