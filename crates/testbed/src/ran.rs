//! What a command in a host left behind.

use std::fmt;
use std::process::Output;

/// What a command in a host left behind.
#[derive(Debug, Clone)]
pub struct Ran {
    /// What was run, as a person would type it.
    pub command: String,
    /// Its exit code; -1 if a signal ended it.
    pub status: i32,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl Ran {
    pub(crate) fn new(command: String, output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let status = output.status.code().unwrap_or(-1);
        Self { command, status, stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }
}

/// Everything, for the message of a failed test.
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
