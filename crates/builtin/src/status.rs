//! How a command ended, as an export.

use uphold_resource::{Exit, Output, Property};

/// What a shell adds to the number of the signal that ended a command.
const ENDED_BY_SIGNAL: i32 = 128;

/// How a command ended. Output that is not UTF-8 has its wrong bytes replaced.
///
/// A default one is that of no command at all: no output, status 0.
#[derive(Clone, Debug, Default, PartialEq, Property)]
pub struct Status {
    /// What it wrote to standard output: at most the last 16 MiB.
    #[required]
    pub stdout: String,
    /// What it wrote to standard error: at most the last MiB.
    #[required]
    pub stderr: String,
    /// Its exit status; 128 and the number of the signal if one ended it, as in a shell.
    #[required]
    pub exitstatus: i32,
}

impl Status {
    /// What is left of a command that ended by itself or by a signal.
    pub(crate) fn of(output: &Output) -> Self {
        Self { stdout: text(&output.stdout), stderr: text(&output.stderr), exitstatus: number(output.exit) }
    }

    /// Standard output without its final newline, as `$(…)` gives it in a shell.
    pub(crate) fn value(&self) -> String {
        self.stdout.strip_suffix('\n').unwrap_or(&self.stdout).to_owned()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn number(exit: Exit) -> i32 {
    match exit {
        Exit::Code(code) => code,
        Exit::Signal(signal) => ENDED_BY_SIGNAL + signal,
        // The usual status of `timeout(1)`; a command that took too long is an error before this.
        Exit::TimedOut => 124,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_of_every_end() {
        let check = |exit, expected| {
            let output = Output::new(exit, "a\n\n", [b'b', 0xff]);
            let status = Status::of(&output);
            assert_eq!(status.exitstatus, expected, "{exit:?}");
            assert_eq!((status.value().as_str(), status.stderr.as_str()), ("a\n", "b\u{fffd}"));
        };
        check(Exit::Code(0), 0);
        check(Exit::Code(7), 7);
        check(Exit::Signal(9), 137);
        check(Exit::TimedOut, 124);
    }
}
