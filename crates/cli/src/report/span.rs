//! Durations.

use std::time::Duration;

/// `12ms`, `1.25s`, `2m 5s`.
pub(crate) fn words(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0 => format!("{}ms", span.as_millis()),
        1..60 => format!("{:.2}s", span.as_secs_f64()),
        60..3600 => format!("{}m {}s", seconds / 60, seconds % 60),
        _ => format!("{}h {}m", seconds / 3600, seconds / 60 % 60),
    }
}

/// Like [`words`], but more precise for short durations: `0.4ms`.
pub(crate) fn fine(span: Duration) -> String {
    match span.as_millis() {
        0..10 => format!("{:.1}ms", span.as_secs_f64() * 1000.0),
        _ => words(span),
    }
}

/// Whole milliseconds, for programs.
pub(crate) fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_durations() {
        let check = |millis: u64, expected: &str| assert_eq!(words(Duration::from_millis(millis)), expected);
        check(0, "0ms");
        check(999, "999ms");
        check(1_250, "1.25s");
        check(59_000, "59.00s");
        check(125_000, "2m 5s");
        check(3_600_000, "1h 0m");
        assert_eq!(fine(Duration::from_micros(420)), "0.4ms");
        assert_eq!(fine(Duration::from_millis(12)), "12ms");
    }
}
