//! Formats numbers and durations.

use std::time::Duration;

/// `1,234`.
pub(crate) fn grouped(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 resource`, `1,234 resources`.
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// `0.4 ms`, `12 ms`, `1.2 s`, `12 s`, `2 m 5 s`, `2 h 3 m`, `3 d 4 h`: about two digits.
pub(crate) fn span(span: Duration) -> String {
    let seconds = span.as_secs();
    match (seconds, span.as_millis()) {
        (0, 0..10) => format!("{:.1} ms", span.as_secs_f64() * 1e3),
        (0, millis) => format!("{millis} ms"),
        (1..10, _) => format!("{:.1} s", span.as_secs_f64()),
        _ => whole(span),
    }
}

/// A duration in whole seconds, for running clocks.
pub(crate) fn whole(span: Duration) -> String {
    let seconds = span.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{minutes} m {} s", seconds % 60),
        3600..86_400 => format!("{hours} h {} m", minutes % 60),
        _ => format!("{days} d {} h", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_thousands() {
        let check = |number: u64, expected: &str| assert_eq!(grouped(number), expected);
        check(0, "0");
        check(999, "999");
        check(1_000, "1,000");
        check(12_345, "12,345");
        check(1_234_567, "1,234,567");
        assert_eq!(counted(1, "resource", "resources"), "1 resource");
        assert_eq!(counted(1_000, "resource", "resources"), "1,000 resources");
    }

    #[test]
    fn formats_durations_with_two_digits() {
        let check = |micros: u64, expected: &str| assert_eq!(span(Duration::from_micros(micros)), expected);
        check(0, "0.0 ms");
        check(430, "0.4 ms");
        check(12_300, "12 ms");
        check(1_240_000, "1.2 s");
        check(12_900_000, "12 s");
        check(125_000_000, "2 m 5 s");
        check(7_380_000_000, "2 h 3 m");
        check(277_200_000_000, "3 d 5 h");
        assert_eq!(whole(Duration::from_millis(1_900)), "1 s");
    }
}
