//! The schedule of a cron entry.

use uphold_resource::{Context, Problem, Property, Type, Value};

use super::time_field::RANGES;

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
