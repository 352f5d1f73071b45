//! The exit status and last output lines of a command, short enough for an error and without secrets.

use std::collections::BTreeMap;

use uphold_resource::{Exit, Output};

/// Enough for a message and its context, but not the whole output.
const LINES: usize = 20;
const BYTES: usize = 2048;

/// Shorter values are not hidden: they occur too often by chance.
const SHORTEST_SECRET: usize = 4;

/// The last lines of standard error, or of standard output if that is empty.
///
/// # Guarantees
/// At most 20 lines and 2 KiB. Values of `env` are replaced by the names of their variables, because any of them
/// may be a secret.
pub(crate) fn last_output(output: &Output, env: &BTreeMap<String, String>) -> Option<String> {
    [&output.stderr, &output.stdout]
        .into_iter()
        .map(|text| String::from_utf8_lossy(text))
        .find(|text| !text.trim().is_empty())
        .map(|text| last_lines(hide(&text, env).trim_end()))
}

/// How a command ended, as in "exited with status 3".
pub(crate) fn ending(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exited with status {code}"),
        Exit::Signal(signal) => format!("was killed by signal {signal}"),
        Exit::TimedOut => "timed out and was killed".to_owned(),
    }
}

/// Longest values first, because a short value may be part of a long one.
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
    fn shows_stderr_and_hides_env_values() {
        let check = |stdout, stderr, expected: Option<&str>| {
            let env = BTreeMap::from([
                ("LONG".to_owned(), "hunter2-and-more".to_owned()),
                ("ONE".to_owned(), "1".to_owned()),
                ("TOKEN".to_owned(), "hunter2".to_owned()),
            ]);
            assert_eq!(last_output(&output(stdout, stderr), &env).as_deref(), expected);
        };
        check("out", "err\n", Some("err"));
        check("out\n", " \n", Some("out"));
        check("", "", None);
        check("", "bad hunter2, line 1", Some("bad $TOKEN, line 1"));
        check("", "hunter2-and-more hunter2", Some("$LONG $TOKEN"));
    }

    #[test]
    fn keeps_the_end_of_long_output() {
        let check = |text: &str, cut: bool, lines: usize, end: &str| {
            let text = last_output(&output("", text), &BTreeMap::new()).expect("there is output");
            assert!(text.len() <= BYTES + "…".len(), "{}", text.len());
            assert_eq!(text.lines().count(), lines);
            assert!(text.ends_with(end), "{text}");
            assert_eq!(text.starts_with('…'), cut, "{text}");
        };
        let numbers = |to: u32| (1..=to).map(|i| format!("{i}\n")).collect::<String>();
        check(&numbers(20), false, 20, "\n20");
        check(&numbers(21), true, 20, "\n21");
        check(&"ä".repeat(5000), true, 1, "ä");
        check(&"x".repeat(2048), false, 1, "x");
    }
}
