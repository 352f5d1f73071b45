//! Durations such as `1h30m`.

/// Units in nanoseconds; longer names first where one is a prefix of another.
const UNITS: &[(&str, i128)] = &[
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// Parses a duration in nanoseconds: a sequence of numbers with units, with an optional sign.
pub(super) fn parse(text: &str) -> Result<i64, String> {
    let wrong = || format!("{text:?} is not a duration such as \"1h30m\"");
    let (mut rest, sign) = match text.strip_prefix('-') {
        Some(rest) => (rest, -1),
        None => (text.strip_prefix('+').unwrap_or(text), 1),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(wrong());
    }
    let mut total: i128 = 0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or_else(wrong)?;
        let (number, after) = rest.split_at(end);
        let end = after.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(after.len());
        let (name, following) = after.split_at(end);
        let unit = UNITS.iter().find(|(unit, _)| *unit == name).map(|(_, unit)| *unit).ok_or_else(wrong)?;
        total = total.saturating_add(amount(number, unit).ok_or_else(wrong)?);
        rest = following;
    }
    i64::try_from(total.saturating_mul(sign)).map_err(|_| format!("{text:?} is longer than 292 years"))
}

/// A decimal number of units; digits below a nanosecond are dropped.
fn amount(number: &str, unit: i128) -> Option<i128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !digits(whole) || !digits(fraction) {
        return None;
    }
    // A number with too many digits is too long anyway.
    let whole: i128 = if whole.is_empty() { 0 } else { whole.parse().unwrap_or(i128::MAX) };
    let fraction = &fraction[..fraction.len().min(18)];
    let part = match fraction {
        "" => 0,
        digits => unit * digits.parse::<i128>().ok()? / 10_i128.pow(u32::try_from(digits.len()).ok()?),
    };
    Some(whole.saturating_mul(unit).saturating_add(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_in_go() {
        let check = |text: &str, expected: Result<i64, ()>| {
            assert_eq!(parse(text).map_err(|_| ()), expected, "{text}");
        };
        check("1h30m", Ok(5_400_000_000_000));
        check("-1.5h", Ok(-5_400_000_000_000));
        check("+10m", Ok(600_000_000_000));
        check("300ms", Ok(300_000_000));
        check("1us2ns", Ok(1_002));
        check("1µs", Ok(1_000));
        check(".5s", Ok(500_000_000));
        check("1.s", Ok(1_000_000_000));
        check("0", Ok(0));
        for text in ["", "-", "1", "1d", "h", "1.2.3s", ".s", "1 h", "1h-1m", "9999999h"] {
            check(text, Err(()));
        }
        check(&format!("{}h", "9".repeat(100)), Err(()));
    }
}
