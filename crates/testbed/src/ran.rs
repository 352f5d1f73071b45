//! The result of a command in a host.

use std::fmt;
use std::process::Output;

/// The result of a command in a host.
#[derive(Debug, Clone)]
pub struct Ran {
    /// The command line.
    pub command: String,
    /// The exit code; -1 if a signal ended it.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    pub(crate) fn new(command: String, output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let status = output.status.code().unwrap_or(-1);
        Self { command, status, stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }
}

/// The whole result, for the message of a failed test.
impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "$ {}\nexit code {}", self.command, self.status)?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.trim().is_empty() {
                write!(f, "\n--- {name}\n{}", text.trim_end())?;
            }
        }
        Ok(())
    }
}
