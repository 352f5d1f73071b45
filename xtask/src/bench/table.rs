//! The table of results.

use std::time::Duration;

/// One result. The strings are ready to print; `over` is the verdict, or none without a limit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) ours: String,
    pub(crate) floor: String,
    pub(crate) ratio: String,
    pub(crate) limit: String,
    pub(crate) over: Option<bool>,
}

impl Row {
    /// Two costs of the same unit, compared by their ratio.
    pub(crate) fn ratio(
        name: String,
        ours: f64,
        floor: f64,
        limit: Option<f64>,
        show: fn(f64) -> String,
    ) -> Self {
        let ratio = ours / floor;
        Self {
            name,
            ours: show(ours),
            floor: show(floor),
            ratio: format!("{ratio:.2}x"),
            limit: limit.map_or("-".to_owned(), shown),
            // Not `ratio > limit`: a ratio that is not a number must not pass.
            over: limit.map(|limit| ratio.partial_cmp(&limit).is_none_or(std::cmp::Ordering::is_gt)),
        }
    }

    /// Two times, compared by their difference.
    pub(crate) fn difference(name: String, ours: Duration, floor: Duration, limit: Duration) -> Self {
        let more = ours.saturating_sub(floor);
        Self {
            name,
            ours: milliseconds(ours.as_secs_f64()),
            floor: milliseconds(floor.as_secs_f64()),
            ratio: format!("+{}", milliseconds(more.as_secs_f64())),
            limit: format!("+{}", milliseconds(limit.as_secs_f64())),
            over: Some(more > limit),
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over == Some(true)
    }

    fn cells(&self) -> [&str; 6] {
        let verdict = match self.over {
            None => "",
            Some(false) => "pass",
            Some(true) => "FAIL",
        };
        [&self.name, &self.ours, &self.floor, &self.ratio, &self.limit, verdict]
    }
}

/// Formats a limit with all its digits.
fn shown(limit: f64) -> String {
    format!("{limit:?}x")
}

pub(crate) fn milliseconds(seconds: f64) -> String {
    format!("{:.1} ms", seconds * 1e3)
}

pub(crate) fn microseconds(seconds: f64) -> String {
    format!("{:.2} µs", seconds * 1e6)
}

pub(crate) fn bytes(count: f64) -> String {
    format!("{count:.0} B")
}

/// Aligns names left and numbers right; each column is as wide as its widest cell.
pub(crate) fn render(rows: &[Row]) -> String {
    let mut lines = vec![["name", "ours", "floor", "ratio", "limit", ""]];
    lines.extend(rows.iter().map(Row::cells));
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for [name, numbers @ ..] in &lines {
        let mut line = format!("{name:<width$}", width = widths[0]);
        for (cell, width) in numbers.iter().zip(&widths[1..]) {
            line.push_str(&format!("  {cell:>width$}"));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_limit() {
        let over =
            |ours: f64, floor: f64, limit| Row::ratio(String::new(), ours, floor, limit, milliseconds).over;
        assert_eq!(over(2.0, 1.0, Some(2.0)), Some(false));
        assert_eq!(over(2.1, 1.0, Some(2.0)), Some(true));
        assert_eq!(over(9.0, 1.0, None), None);
        assert_eq!(over(0.0, 0.0, Some(2.0)), Some(true), "not a number");
        let ms = Duration::from_millis;
        assert!(Row::difference(String::new(), ms(12), ms(1), ms(10)).is_over());
        assert!(!Row::difference(String::new(), ms(11), ms(1), ms(10)).is_over());
        assert!(!Row::difference(String::new(), ms(1), ms(2), ms(10)).is_over());
    }

    #[test]
    fn limits_are_not_rounded_away() {
        assert_eq!([0.125, 0.25, 1.03, 2.0].map(shown), ["0.125x", "0.25x", "1.03x", "2.0x"]);
    }

    #[test]
    fn columns_are_aligned() {
        let rows = [
            Row::ratio("first apply, 10,000".to_owned(), 0.3, 0.1, Some(2.0), milliseconds),
            Row::ratio("per resource".to_owned(), 3e-6, 2e-6, None, microseconds),
        ];
        assert_eq!(
            render(&rows),
            "\
name                     ours     floor  ratio  limit
first apply, 10,000  300.0 ms  100.0 ms  3.00x   2.0x  FAIL
per resource          3.00 µs   2.00 µs  1.50x      -
"
        );
    }
}
