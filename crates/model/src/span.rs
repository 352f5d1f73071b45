//! Durations as users write them.

use std::time::Duration;

const UNITS: [(&str, f64); 8] = [
    ("ns", 1e-9),
    ("us", 1e-6),
    ("ms", 0.001),
    ("s", 1.0),
    ("m", 60.0),
    ("h", 3600.0),
    ("d", 86_400.0),
    ("w", 604_800.0),
];

/// Parses a duration such as `90s`, `1h30m` or `250ms`.
pub fn parse_duration(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let unit_end =
            rest[digits..].find(|c: char| !c.is_ascii_alphabetic()).map_or(rest.len(), |i| digits + i);
        let (_, factor) = UNITS.iter().find(|(unit, _)| *unit == &rest[digits..unit_end])?;
        total += rest[..digits].parse::<f64>().ok()? * factor;
        rest = &rest[unit_end..];
    }
    if text.is_empty() { None } else { Duration::try_from_secs_f64(total).ok() }
}
