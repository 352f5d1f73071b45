//! Regular expressions.
//!
//! A match takes time linear in pattern times text, so no pattern can explode on one match. Finding *all* matches can
//! still be quadratic in the text, so there is a deadline for that.

use std::time::{Duration, Instant};

use regex_lite::{Captures, Regex, RegexBuilder};
use uphold_model::{Shape, Value};

use crate::call::{Call, Fault};
use crate::function::Accepts::{Text, Writable};
use crate::function::{Body, Function, Parameter, Topic, example, takes};

use super::bounds::{Bounded, LONGEST_TEXT, list, too_long};

/// The maximum length of a pattern: it is compiled in memory before its size is known.
const LONGEST_PATTERN: usize = 64 * 1024;

/// The maximum length of a searched string: matching is slow, and configured strings are short.
const LONGEST_SEARCHED: usize = 4 << 20;

/// The maximum product of compiled pattern and text in bytes: seconds in the worst case.
const MOST_WORK: usize = 1 << 33;

/// The always allowed size of a compiled pattern, and the maximum, in bytes.
const WEIGHTS: (usize, usize) = (4 << 10, 1 << 20);

const PARAMETERS: &[Parameter] = &[takes("pattern", Text), takes("text", Writable)];

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "regex",
        topic: Topic::Patterns,
        parameters: PARAMETERS,
        rest: None,
        gives: None,
        doc: "Returns the first match of a regular expression: the matching string; a list of its groups, if \
              the pattern has groups; or a map, if they have names. No match is an error: check with `can`, \
              or use `regexall`.",
        examples: &[
            example("regex(\"[a-z]+\", \"53453453.345345aaabbbccc23454\")", "\"aaabbbccc\""),
            example("regex(\"(\\\\d+)-(\\\\d+)\", \"2019-02\")", "[\"2019\", \"02\"]"),
            example("regex(\"(?<host>[^:]+):(?<port>\\\\d+)\", \"a:80\")", "{ host = \"a\", port = \"80\" }"),
        ],
        body: Body::Whole(regex),
    },
    Function {
        name: "regexall",
        topic: Topic::Patterns,
        parameters: PARAMETERS,
        rest: None,
        gives: Some(Shape::List),
        doc: "Returns all matches of a regular expression, each in the form of `regex`. The list is empty if \
              there are none.",
        examples: &[
            example("regexall(\"[a-z]+\", \"1234abcd5678efgh9\")", "[\"abcd\", \"efgh\"]"),
            example("length(regexall(\"[a-z]+\", \"123456789\"))", "0"),
        ],
        body: Body::Whole(regexall),
    },
];

fn regex(call: &Call<'_>) -> Result<Value, Fault> {
    let text = call.written(1)?;
    let pattern = Pattern::new(0, call.text(0)?, &text)?;
    match pattern.regex.captures(&text) {
        Some(captures) => Ok(pattern.found(&captures)),
        None => Err(Fault::at(1, "the pattern does not match the text")),
    }
}

fn regexall(call: &Call<'_>) -> Result<Value, Fault> {
    let text = call.written(1)?;
    let pattern = Pattern::new(0, call.text(0)?, &text)?;
    let deadline = Deadline::start();
    list(
        pattern
            .regex
            .captures_iter(&text)
            .map(|captures| in_time(&deadline).map(|()| pattern.found(&captures))),
    )
}

/// Replaces all matches; `argument` is the index of the pattern.
pub(crate) fn replace(argument: usize, pattern: &str, text: &str, by: &str) -> Result<Value, Fault> {
    let pattern = Pattern::new(argument, pattern, text)?;
    let deadline = Deadline::start();
    let mut replaced = Bounded::default();
    let groups = by.matches('$').count();
    let mut end = 0;
    for captures in pattern.regex.captures_iter(text) {
        in_time(&deadline)?;
        let Some(found) = captures.get(0) else { continue };
        replaced.push(&text[end..found.start()])?;
        // No group is longer than the match, so this is the maximum length of the replacement.
        if by.len().saturating_add(groups.saturating_mul(found.len())) > LONGEST_TEXT {
            return Err(too_long());
        }
        let mut expanded = String::new();
        captures.expand(by, &mut expanded);
        replaced.push(&expanded)?;
        end = found.end();
    }
    replaced.push(&text[end..])?;
    Ok(replaced.into_value())
}

fn in_time(deadline: &Deadline) -> Result<(), Fault> {
    if deadline.is_over() {
        Err(Fault::new("the pattern takes too long on this text")
            .with_fix("use a simpler pattern, such as one without `.*` at its start"))
    } else {
        Ok(())
    }
}

struct Pattern {
    regex: Regex,
    names: Vec<Option<String>>,
}

impl Pattern {
    /// Compiles a pattern that is matched against `text`: the longer the text, the smaller it must be.
    fn new(argument: usize, pattern: &str, text: &str) -> Result<Self, Fault> {
        if pattern.len() > LONGEST_PATTERN {
            return Err(Fault::at(argument, "the pattern is longer than 64 KiB"));
        }
        if text.len() > LONGEST_SEARCHED {
            return Err(Fault::new("the text is longer than 4 MiB, too long for a pattern"));
        }
        let weight = (MOST_WORK / (text.len() + 1)).clamp(WEIGHTS.0, WEIGHTS.1);
        let compile = |weight| RegexBuilder::new(pattern).size_limit(weight).build();
        let regex = compile(weight).map_err(|error| match compile(WEIGHTS.1) {
            Ok(_) => Fault::at(argument, "the pattern is too complex for a text of this length"),
            Err(_) => Fault::at(argument, format!("the pattern is invalid: {error}")),
        })?;
        let names: Vec<_> = regex.capture_names().skip(1).map(|name| name.map(str::to_owned)).collect();
        if names.iter().any(Option::is_some) && names.iter().any(Option::is_none) {
            return Err(Fault::at(argument, "the pattern has groups with and without a name")
                .with_fix("name all groups, or write `(?:...)` for groups without a name"));
        }
        Ok(Self { regex, names })
    }

    /// The string, the groups or the named groups of a match. A group that did not match is null.
    fn found(&self, captures: &Captures<'_>) -> Value {
        let group =
            |index: usize| captures.get(index).map_or(Value::Null, |found| Value::text(found.as_str()));
        let groups = (1..captures.len()).map(group);
        match self.names.first() {
            None => group(0),
            Some(None) => Value::list(groups),
            Some(Some(_)) => Value::map(self.names.iter().flatten().map(String::as_str).zip(groups)),
        }
    }
}

// A time limit for calls whose cost is not known in advance.

/// The maximum duration of such a call; ten times as long in debug builds.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 40 } else { 4 });

/// The time when a call must give up. No result depends on it.
#[derive(Debug)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    #[expect(clippy::disallowed_methods, reason = "a watchdog needs the real time; no result depends on it")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    #[expect(clippy::disallowed_methods, reason = "a watchdog needs the real time; no result depends on it")]
    pub(crate) fn is_over(&self) -> bool {
        self.0.elapsed() > LONGEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_patterns_are_rejected_or_fast() {
        let compiles = |pattern: &str, text: &str| Pattern::new(0, pattern, text).is_ok();
        assert!(!compiles("((a{100}){100}){100}", ""));
        assert!(!compiles(&"(".repeat(10_000), ""));
        assert!(!compiles(&"a".repeat(LONGEST_PATTERN + 1), ""));
        assert!(compiles("(a*)*b", &"a".repeat(1 << 20)));
        assert!(!compiles("[a-z]{500}", &"a".repeat(4 << 20)));
        assert!(!compiles("a", &"a".repeat((4 << 20) + 1)));
        let usual = r##"(?m)^\s*(?<key>[A-Za-z_][A-Za-z0-9_.-]*)\s*[:=]\s*"?(?<value>[^"#]*)"?\s*(?:#.*)?$"##;
        assert!(compiles(usual, &"a".repeat(4 << 20)));
        let result = replace(0, "(a*)*b", &"a".repeat(10_000), "");
        assert_eq!(result, Ok(Value::text("a".repeat(10_000))));
    }
}
