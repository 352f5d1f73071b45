//! Helpers that read a value as a property type.

use std::path::PathBuf;

use uphold_resource::{Context, Property, Value};

/// The home directories of these tests.
pub(crate) fn home(user: &str) -> Option<PathBuf> {
    match user {
        "" => Some("/home/me".into()),
        "ada" => Some("/home/ada".into()),
        _ => None,
    }
}

/// Checks an accepted value, printed as data, which must read back as the same.
#[track_caller]
pub(crate) fn takes<T: Property>(value: impl Into<Value>, expected: &str) {
    takes_below::<T>(None, value, expected);
}

/// The same, relative to `base`.
#[track_caller]
pub(crate) fn takes_below<T: Property>(base: Option<&str>, value: impl Into<Value>, expected: &str) {
    let (value, context) = (value.into(), Context { home: &home, base });
    let read = T::from_value(&value, &context).unwrap_or_else(|problem| panic!("{value}: {problem}"));
    assert_eq!(read.to_value().to_string(), expected, "{value}");
    let again = T::from_value(&read.to_value(), &context).unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(again, read, "{value} does not survive being printed");
}

/// Checks a refused value: the value, the rule and the fix, as in `3 must be a string; put it in quotes`.
#[track_caller]
pub(crate) fn refuses<T: Property>(value: impl Into<Value>, expected: &str) {
    let (value, context) = (value.into(), Context { home: &home, base: None });
    let problem = match T::from_value(&value, &context) {
        Ok(read) => panic!("{value} was read as {read:?}"),
        Err(problem) => problem,
    };
    let shown = problem.value.as_ref().map(ToString::to_string).unwrap_or_default();
    assert_eq!(format!("{shown} {}; {}", problem.rule, problem.fix), expected, "{value}");
}
