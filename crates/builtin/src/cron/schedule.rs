//! The schedule of a cron entry.

use std::ops::RangeInclusive;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// Names of predefined schedules.
const WORDS: [&str; 8] =
    ["@reboot", "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"];

/// The number of fields of a schedule.
const FIELDS: usize = RANGES.len();

/// Five time fields, or a word such as `@daily`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule(String);

impl Schedule {
    /// Joins minute, hour, day of the month, month and day of the week, which are already checked.
    pub(super) fn of(fields: [&str; FIELDS]) -> Self {
        Self(fields.join(" "))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Splits a line into its schedule and the rest. None if it does not begin with a schedule.
    pub(super) fn begins(line: &str) -> Option<(Self, &str)> {
        let mut rest = line.trim();
        let mut words = Vec::new();
        let count = if rest.starts_with('@') { 1 } else { FIELDS };
        for _ in 0..count {
            let (word, after) = rest.split_once([' ', '\t'])?;
            words.push(word);
            rest = after.trim_start();
        }
        Self::from_words(&words).map(|schedule| (schedule, rest))
    }

    fn from_words(words: &[&str]) -> Option<Self> {
        let known = match words {
            [word] => WORDS.contains(word),
            words => words.len() == FIELDS && RANGES.iter().zip(words).all(|(range, word)| range.holds(word)),
        };
        known.then(|| Self(words.join(" ")))
    }
}

impl Property for Schedule {
    const TYPE: &'static Type = &Type::Named {
        name: "schedule",
        doc: "minute, hour, day of the month, month and day of the week, or a word such as `@daily`",
        example: "\"30 4 * * *\"",
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let Value::Text(text) = value else {
            return Err(Problem::new(Some(value), "is not a schedule", "write it as in \"30 4 * * *\""));
        };
        let words: Vec<_> = text.split_whitespace().collect();
        Self::from_words(&words).ok_or_else(|| {
            let fix = if let Some(word) = WORDS.iter().find(|word| word[1..] == **text) {
                format!("write {word:?}")
            } else if text.starts_with('@') {
                format!("use one of {}", WORDS.join(", "))
            } else {
                "use minute (0-59), hour (0-23), day (1-31), month (1-12) and day of the week (0-7), as in \
                          \"30 4 * * *\""
                    .to_owned()
            };
            Problem::new(Some(value), "is not a schedule", fix)
        })
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

// A field of a schedule.

/// A time field: a number, `"*"`, `"*/5"`, `"1-5"`, `"1,15"`; also names for months and days of the week.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeField(String);

impl TimeField {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Property for TimeField {
    const TYPE: &'static Type = &Type::Named {
        name: "cron field",
        doc: "a number, `*`, or as in `*/5`, `1-5`, `1,15`",
        example: "\"*/5\"",
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Int(number) => Ok(Self(number.to_string())),
            Value::Text(text) => Ok(Self(text.to_string())),
            other => {
                let rule = format!("must be a number or a string, not {}", other.type_name());
                Err(Problem::new(Some(value), rule, "write it as in \"*/5\""))
            }
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

/// The values that a field can have.
pub(super) struct Range {
    pub(super) numbers: RangeInclusive<u32>,
    names: &'static [&'static str],
}

const fn range(numbers: RangeInclusive<u32>, names: &'static [&'static str]) -> Range {
    Range { numbers, names }
}

/// Minute, hour, day of the month, month and day of the week. Days of the week begin and end with Sunday.
pub(super) const RANGES: [Range; 5] = [
    range(0..=59, &[]),
    range(0..=23, &[]),
    range(1..=31, &[]),
    range(1..=12, &["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]),
    range(0..=7, &["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
];

impl Range {
    /// Whether this is a valid field.
    pub(super) fn holds(&self, text: &str) -> bool {
        !text.is_empty() && text.split(',').all(|part| self.holds_part(part))
    }

    /// Whether this is `*`, `A` or `A-B`, optionally with `/STEP`; only a range can have a step.
    fn holds_part(&self, part: &str) -> bool {
        let (whole, step) = match part.split_once('/') {
            Some((whole, step)) => (whole, Some(step)),
            None => (part, None),
        };
        let stepped = |step: &str| number(step).is_some_and(|step| (1..=*self.numbers.end()).contains(&step));
        let is_range = match (whole, whole.split_once('-')) {
            ("*", _) => true,
            (_, Some((from, to))) => match (self.value(from), self.value(to)) {
                (Some(from), Some(to)) if from <= to => true,
                _ => return false,
            },
            (one, None) if self.value(one).is_some() => false,
            _ => return false,
        };
        step.is_none_or(|step| is_range && stepped(step))
    }

    fn value(&self, word: &str) -> Option<u32> {
        let named = || {
            let at = self.names.iter().position(|name| name.eq_ignore_ascii_case(word))?;
            u32::try_from(at).ok().map(|at| at + self.numbers.start())
        };
        number(word).filter(|number| self.numbers.contains(number)).or_else(named)
    }
}

fn number(word: &str) -> Option<u32> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().ok()).flatten()
}

/// Whether the value of a property is a valid field at this position.
fn fits(value: &Value, place: usize) -> bool {
    TimeField::from_value(value, &Context::NOTHING).is_ok_and(|field| RANGES[place].holds(field.as_str()))
}

pub(super) fn is_minute(value: &Value) -> bool {
    fits(value, 0)
}

pub(super) fn is_hour(value: &Value) -> bool {
    fits(value, 1)
}

pub(super) fn is_day(value: &Value) -> bool {
    fits(value, 2)
}

pub(super) fn is_month(value: &Value) -> bool {
    fits(value, 3)
}

pub(super) fn is_weekday(value: &Value) -> bool {
    fits(value, 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let check = |text: &str, expected: Option<&str>| {
            let found = Schedule::from_value(&Value::text(text), &Context::NOTHING).ok();
            assert_eq!(found.as_ref().map(Schedule::as_str), expected, "{text}");
        };
        check("30 4 * * *", Some("30 4 * * *"));
        check(" 30\t4 *  * mon-fri ", Some("30 4 * * mon-fri"));
        check("@daily", Some("@daily"));
        check("@often", None);
        check("30 4 * *", None);
        check("30 4 * * * *", None);
        check("61 4 * * *", None);
        check("daily", None);
        check("", None);
    }

    #[test]
    fn splits_lines() {
        let check = |line: &str, expected: Option<(&str, &str)>| {
            let found = Schedule::begins(line);
            assert_eq!(found.as_ref().map(|(schedule, rest)| (schedule.as_str(), *rest)), expected, "{line}");
        };
        check("0 3 * * *  echo  a b", Some(("0 3 * * *", "echo  a b")));
        check("@reboot\techo", Some(("@reboot", "echo")));
        check("@reboot", None);
        check("0 3 * * *", None);
        check("# just words in a line of text", None);
        check("", None);
    }
}

#[cfg(test)]
mod time_field_tests {
    use super::*;

    #[test]
    fn fields() {
        let check = |place: usize, text: &str, expected: bool| {
            assert_eq!(RANGES[place].holds(text), expected, "{place}: {text}");
        };
        check(0, "*", true);
        check(0, "0", true);
        check(0, "59", true);
        check(0, "60", false);
        check(0, "*/5", true);
        check(0, "*/0", false);
        check(0, "5/2", false);
        check(0, "10-20/2,30,*/7", true);
        check(0, "20-10", false);
        check(0, "1,,2", false);
        check(0, "1, 2", false);
        check(0, "-1", false);
        check(0, "", false);
        check(1, "23", true);
        check(1, "24", false);
        check(2, "0", false);
        check(2, "31", true);
        check(3, "jan", true);
        check(3, "Jan-MAR", true);
        check(3, "monday", false);
        check(3, "13", false);
        check(4, "7", true);
        check(4, "mon-fri", true);
        check(4, "8", false);
        check(0, "jan", false);
    }

    #[test]
    fn numbers_are_fields() {
        assert!(is_minute(&Value::Int(5)) && is_minute(&Value::text("05")));
        assert!(!is_hour(&Value::Int(24)) && !is_day(&Value::Bool(true)));
        assert!(is_month(&Value::text("feb")) && is_weekday(&Value::text("sun")));
    }
}
