//! How a command ended, and what it said last: short enough for an error, and without the values it was given.

use std::collections::BTreeMap;

use uphold_resource::{Exit, Output};

/// Enough for a message and its context; the whole output is no error message.
const LINES: usize = 20;
const BYTES: usize = 2048;

/// A shorter value stands in too many places by chance, and hides nothing.
const SHORTEST_SECRET: usize = 4;

/// The last lines of standard error, or of standard output if there are none.
///
/// # Guarantees
/// At most 20 lines and 2 KiB. A value of `env` that stands in them is shown as its variable,
/// since any of them may be a secret.
pub(crate) fn complaint(output: &Output, env: &BTreeMap<String, String>) -> Option<String> {
    [&output.stderr, &output.stdout]
        .into_iter()
        .map(|said| String::from_utf8_lossy(said))
        .find(|said| !said.trim().is_empty())
        .map(|said| last_lines(hide(&said, env).trim_end()))
}

/// How a command ended, as in "exited with status 3".
pub(crate) fn ending(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exited with status {code}"),
        Exit::Signal(signal) => format!("was ended by signal {signal}"),
        Exit::TimedOut => "took too long, and was killed".to_owned(),
    }
}

/// The longest values first: a short one may be a part of a long one.
fn hide(text: &str, env: &BTreeMap<String, String>) -> String {
    let mut values: Vec<_> = env.iter().filter(|(_, value)| value.len() >= SHORTEST_SECRET).collect();
    values.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
    values
        .iter()
        .fold(text.to_owned(), |text, (name, value)| text.replace(value.as_str(), &format!("${name}")))
}

fn last_lines(text: &str) -> String {
    let by_lines = text.rmatch_indices('\n').nth(LINES - 1).map_or(0, |(at, _)| at + 1);
    let by_bytes = text.ceil_char_boundary(text.len().saturating_sub(BYTES));
    match by_lines.max(by_bytes) {
        0 => text.to_owned(),
        cut => format!("…{}", &text[cut..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(stdout: &str, stderr: &str) -> Output {
        Output::new(Exit::Code(1), stdout, stderr)
    }

    #[test]
    fn says_what_was_complained_about() {
        let check = |stdout, stderr, expected: Option<&str>| {
            let env = BTreeMap::from([
                ("LONG".to_owned(), "hunter2-and-more".to_owned()),
                ("ONE".to_owned(), "1".to_owned()),
                ("TOKEN".to_owned(), "hunter2".to_owned()),
            ]);
            assert_eq!(complaint(&output(stdout, stderr), &env).as_deref(), expected);
        };
        check("out", "err\n", Some("err"));
        check("out\n", " \n", Some("out"));
        check("", "", None);
        check("", "bad hunter2, line 1", Some("bad $TOKEN, line 1"));
        check("", "hunter2-and-more hunter2", Some("$LONG $TOKEN"));
    }

    #[test]
    fn keeps_the_end_of_much() {
        let check = |text: &str, cut: bool, lines: usize, end: &str| {
            let said = complaint(&output("", text), &BTreeMap::new()).expect("something was said");
            assert!(said.len() <= BYTES + "…".len(), "{}", said.len());
            assert_eq!(said.lines().count(), lines);
            assert!(said.ends_with(end), "{said}");
            assert_eq!(said.starts_with('…'), cut, "{said}");
        };
        let numbers = |to: u32| (1..=to).map(|i| format!("{i}\n")).collect::<String>();
        check(&numbers(20), false, 20, "\n20");
        check(&numbers(21), true, 20, "\n21");
        check(&"ä".repeat(5000), true, 1, "ä");
        check(&"x".repeat(2048), false, 1, "x");
    }
}
