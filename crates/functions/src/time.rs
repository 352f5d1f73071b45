//! Dates and durations.

mod moment;

use jiff::Timestamp;
use moment::Moment;
use uphold_model::{Shape, Value};

use super::call::{Call, Fault};
use super::function::Accepts::Text;
use super::function::{Body, Function, Topic, example, takes};

// Functions on times.

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "formatdate",
        topic: Topic::Time,
        parameters: &[takes("format", Text), takes("time", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Formats a time: `YYYY` `YY` year, `MMMM` `MMM` `MM` `M` month, `DD` `D` day, `EEEE` `EEE` \
              weekday, `hh` `h` hour, `HH` `H` hour of 12 with `AA` or `aa`, `mm` `m` minute, `ss` `s` \
              second, `Z` `ZZZ` `ZZZZ` `ZZZZZ` offset. Literal letters need single quotes. The time is shown \
              with its own offset.",
        examples: &[
            example("formatdate(\"DD MMM YYYY hh:mm\", \"2018-01-02T23:12:01Z\")", "\"02 Jan 2018 23:12\""),
            example(
                "formatdate(\"YYYY-MM-DD'T'hh:mm:ssZ\", \"2018-01-02T23:12:01Z\")",
                "\"2018-01-02T23:12:01Z\"",
            ),
        ],
        body: Body::Whole(|call| {
            let text = moment::write(call.text(0)?, moment(call, 1)?);
            text.map(Value::text).map_err(|message| Fault::at(0, message))
        }),
    },
    Function {
        name: "timeadd",
        topic: Topic::Time,
        parameters: &[takes("time", Text), takes("duration", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Adds a duration to a time. A duration is a sequence of numbers with units, `h`, `m`, `s`, `ms`, \
              `us` or `ns`, and can be negative: `1h30m`, `-10m`.",
        examples: &[
            example("timeadd(\"2017-11-22T00:00:00Z\", \"10m\")", "\"2017-11-22T00:10:00Z\""),
            example("timeadd(\"2017-11-22T00:00:00+02:00\", \"-1.5h\")", "\"2017-11-21T22:30:00+02:00\""),
        ],
        body: Body::Whole(timeadd),
    },
    Function {
        name: "timecmp",
        topic: Topic::Time,
        parameters: &[takes("a", Text), takes("b", Text)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Compares two times: -1 if the first is earlier, 0 if they are equal, 1 if it is later.",
        examples: &[
            example("timecmp(\"2017-11-22T00:00:00Z\", \"2017-11-22T01:00:00Z\")", "-1"),
            example("timecmp(\"2017-11-22T01:00:00Z\", \"2017-11-22T00:00:00-01:00\")", "0"),
        ],
        body: Body::Whole(|call| {
            Ok(Value::Int(moment(call, 0)?.instant().cmp(&moment(call, 1)?.instant()) as i64))
        }),
    },
    Function {
        name: "timestamp",
        topic: Topic::Time,
        parameters: &[],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the time when the command was started, in UTC. It is constant during a run, but differs \
              in the next one: a property that uses it changes every time. `uphold watch` evaluates it again \
              at every check.",
        examples: &[example("timestamp()", "\"2024-05-01T12:30:00Z\"")],
        body: Body::Whole(timestamp),
    },
];

fn moment(call: &Call<'_>, index: usize) -> Result<Moment, Fault> {
    Moment::parse(call.text(index)?).map_err(|message| Fault::at(index, message))
}

fn timeadd(call: &Call<'_>) -> Result<Value, Fault> {
    let start = moment(call, 0)?;
    let nanoseconds = parse(call.text(1)?).map_err(|message| Fault::at(1, message))?;
    let end = start
        .plus(nanoseconds)
        .ok_or_else(|| Fault::new("the result is not between the years 0 and 9999"))?;
    Ok(Value::text(end.write()))
}

fn timestamp(call: &Call<'_>) -> Result<Value, Fault> {
    let now = Timestamp::try_from(call.surroundings.now());
    let instant =
        now.map_err(|_| Fault::new("the clock of this machine is not between the years 1 and 9999"))?;
    Ok(Value::text(Moment::utc(instant).write()))
}

// Durations such as `1h30m`.

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
fn parse(text: &str) -> Result<i64, String> {
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
