//! Maintenance windows: when they are open.

use std::time::SystemTime;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use uphold_model::{Window, WindowSpan};

/// When a window opens next; none if it is open now.
///
/// A time that a clock change skips is moved forward by the skipped hour. Of a time that occurs twice, the first one
/// counts.
pub(crate) fn next_opening(window: &Window, now: SystemTime, zone: &TimeZone) -> Option<SystemTime> {
    let now = Timestamp::try_from(now).ok()?;
    let openings = window.spans.iter().filter_map(|span| {
        let zone = if span.utc { &TimeZone::UTC } else { zone };
        next_start(span, now, zone)
    });
    let opening = openings.min()?;
    (opening > now).then(|| opening.into())
}

/// The start of a span that has not ended.
fn next_start(span: &WindowSpan, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let today = now.to_zoned(zone.clone()).date();
    // The span of yesterday may last until now; that of the same day of the next week may be the next one.
    let days = (-1..=7).filter_map(|offset: i32| today.checked_add(offset.days()).ok());
    let starts = days.filter(|day| span.days[day.weekday().to_monday_zero_offset().unsigned_abs() as usize]);
    let times = starts
        .filter_map(|day| Some((at(day, span.start, zone)?, at(day, span.end, zone)?)))
        .find(|(_, end)| *end > now);
    times.map(|(start, _)| start)
}

/// These minutes after the midnight at the beginning of a day.
fn at(day: Date, minutes: u16, zone: &TimeZone) -> Option<Timestamp> {
    let day = day.checked_add(i32::from(minutes / (24 * 60)).days()).ok()?;
    let of_day = minutes % (24 * 60);
    let hour = i8::try_from(of_day / 60).ok()?;
    let minute = i8::try_from(of_day % 60).ok()?;
    day.at(hour, minute, 0, 0).to_zoned(zone.clone()).ok().map(|time| time.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Central European time: clocks change on 2026-03-29 and 2026-10-25.
    fn zone() -> TimeZone {
        TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap()
    }

    #[track_caller]
    fn check(spans: &[&str], now: &str, expected: &str) {
        let window = Window { spans: spans.iter().map(|span| span.parse().unwrap()).collect() };
        let now: Timestamp = now.parse().unwrap();
        let opening = next_opening(&window, now.into(), &zone());
        let opening = opening.map(|time| Timestamp::try_from(time).unwrap().to_string());
        assert_eq!(opening.as_deref().unwrap_or("open"), expected, "{spans:?} {now}");
    }

    #[test]
    fn a_window_opens_and_closes() {
        // 2026-11-16 is a Monday; local time is an hour ahead of UTC.
        for (now, expected) in [
            ("2026-11-16T20:59:59Z", "2026-11-16T21:00:00Z"),
            ("2026-11-16T21:00:00Z", "open"),
            ("2026-11-16T23:30:00Z", "open"),
            ("2026-11-17T02:59:59Z", "open"),
            ("2026-11-17T03:00:00Z", "2026-11-17T21:00:00Z"),
            ("2026-11-21T02:59:59Z", "open"),
            ("2026-11-21T03:00:00Z", "2026-11-23T21:00:00Z"),
        ] {
            check(&["mon-fri 22:00-04:00"], now, expected);
        }
        check(&["mon"], "2026-11-16T23:00:00Z", "2026-11-22T23:00:00Z");
        check(&["mon"], "2026-11-16T22:59:59Z", "open");
        check(&["mon 01:00-02:00"], "2026-11-16T01:00:00Z", "2026-11-23T00:00:00Z");
        check(&["mon 01:00-02:00 UTC"], "2026-11-16T01:00:00Z", "open");
        check(&["sat,sun", "wed 12:00-13:00"], "2026-11-16T01:00:00Z", "2026-11-18T11:00:00Z");
        check(&["mon-sun"], "2026-11-16T23:00:00Z", "open");
    }

    #[test]
    fn clock_changes_move_and_lengthen_a_window() {
        // In spring, 02:00 to 03:00 is skipped.
        check(&["sun 01:00-04:00"], "2026-03-29T01:59:59Z", "open");
        check(&["sun 01:00-04:00"], "2026-03-29T02:00:00Z", "2026-04-04T23:00:00Z");
        check(&["sun 02:10-02:40"], "2026-03-29T00:59:59Z", "2026-03-29T01:10:00Z");
        check(&["sun 02:10-02:40"], "2026-03-29T01:39:59Z", "open");
        check(&["sun 02:10-02:40"], "2026-03-29T01:40:00Z", "2026-04-05T00:10:00Z");
        check(&["sat 22:00-04:00"], "2026-03-29T01:59:59Z", "open");
        // In autumn, 02:00 to 03:00 occurs twice.
        check(&["sun 02:00-03:00"], "2026-10-24T23:59:59Z", "2026-10-25T00:00:00Z");
        check(&["sun 02:00-03:00"], "2026-10-25T01:59:59Z", "open");
        check(&["sun 02:00-03:00"], "2026-10-25T02:00:00Z", "2026-11-01T01:00:00Z");
        check(&["sat 22:00-04:00"], "2026-10-25T02:59:59Z", "open");
        check(&["sat 22:00-04:00"], "2026-10-25T03:00:00Z", "2026-10-31T21:00:00Z");
    }
}
