//! The exit status and output of a command, as an export.

use uphold_resource::{
    Bytes, Context, Error, ErrorKind, Exit, Output, Problem, Property, Result, Type, Value,
};

/// The offset that a shell adds to the number of a signal.
const SIGNAL_OFFSET: i32 = 128;

/// Output of a program or server, expected to be text. Output that is not UTF-8 is a value of bytes, which is an
/// error where a string is needed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenText(Bytes);

impl WrittenText {
    /// The text, if it is UTF-8.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.0.0).ok()
    }

    /// The output as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0.0
    }
}

impl From<Vec<u8>> for WrittenText {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes.into())
    }
}

impl Property for WrittenText {
    const TYPE: &'static Type = &Type::Text;

    fn from_value(value: &Value, context: &Context<'_>) -> std::result::Result<Self, Problem> {
        Bytes::from_value(value, context).map(Self)
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

/// Exit status and output of a command. Output that is not UTF-8 is a value of bytes.
///
/// The default has no output and status 0, as if no command was run.
#[derive(Clone, Debug, Default, PartialEq, Property)]
pub struct Status {
    /// Standard output: at most the last 16 MiB.
    #[required]
    pub stdout: WrittenText,
    /// Standard error: at most the last 1 MiB.
    #[required]
    pub stderr: WrittenText,
    /// Exit status; 128 plus the number of a signal that killed the command, as in a shell.
    #[required]
    pub exitstatus: i32,
}

impl Status {
    /// The exit status and output of a command that ended by itself or by a signal.
    pub fn of(output: &Output) -> Self {
        let (stdout, stderr) = (output.stdout.clone().into(), output.stderr.clone().into());
        Self { stdout, stderr, exitstatus: number(output.exit) }
    }

    /// Standard output without its final newline, as `$(…)` gives it in a shell.
    ///
    /// # Errors
    /// If it is not UTF-8.
    pub fn value(&self) -> Result<String> {
        let text = self.stdout.text().ok_or_else(|| {
            Error::new(ErrorKind::Rejected, "the output is not UTF-8 text")
                .hint("encode the output in the script, for example with `base64`")
        })?;
        Ok(text.strip_suffix('\n').unwrap_or(text).to_owned())
    }
}

fn number(exit: Exit) -> i32 {
    match exit {
        Exit::Code(code) => code,
        Exit::Signal(signal) => SIGNAL_OFFSET + signal,
        // The usual status of `timeout(1)`; but a command that timed out is an error before this.
        Exit::TimedOut => 124,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_exit_statuses() {
        let check = |exit, expected| {
            let output = Output::new(exit, "a\n\n", [b'b', 0xff]);
            let status = Status::of(&output);
            assert_eq!(status.exitstatus, expected, "{exit:?}");
            assert_eq!(status.value().expect("text"), "a\n");
            assert_eq!(status.stderr.to_value(), Value::Bytes([b'b', 0xff].into()));
        };
        check(Exit::Code(0), 0);
        check(Exit::Code(7), 7);
        check(Exit::Signal(9), 137);
        check(Exit::TimedOut, 124);
    }

    #[test]
    fn output_that_is_not_utf8_is_an_error() {
        let error = Status::of(&Output::new(Exit::Code(0), [0xff, b'A'], "")).value().expect_err("bytes");
        assert_eq!(error.chain(), "the output is not UTF-8 text");
    }
}
