//! Commands.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::{Request, Response, Sink};
use crate::error::Result;

/// A command to run: a program and its arguments, never a string for a shell to split.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Command {
    /// Program: a path, or a name to look for in `PATH`.
    pub program: String,
    /// Arguments.
    pub args: Vec<String>,
    /// Working directory; where Uphold runs unless set.
    pub dir: Option<PathBuf>,
    /// Variables added to the environment, which is otherwise left alone.
    pub env: BTreeMap<String, String>,
    /// User and group to run as.
    pub run_as: Option<(u32, u32)>,
    /// What the command reads; nothing unless set.
    pub stdin: Option<Vec<u8>>,
    /// After this long the whole process group is killed.
    pub timeout: Option<Duration>,
}

impl Command {
    /// `program` with these arguments.
    pub fn new<A: Into<String>>(program: impl Into<String>, args: impl IntoIterator<Item = A>) -> Self {
        Self { program: program.into(), args: args.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// `script` for `/bin/sh`.
    pub fn shell(script: impl Into<String>) -> Self {
        Self::new("/bin/sh", ["-c".to_owned(), script.into()])
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this status.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Killed because it took too long.
    TimedOut,
}

/// What a command left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// How it ended.
    pub exit: Exit,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
}

impl Output {
    /// Whether it ended with status 0.
    pub fn success(&self) -> bool {
        self.exit == Exit::Code(0)
    }
}

/// Running commands that only look. They run in a plan, too.
pub trait Probes: Send + Sync {
    /// Runs a command that changes nothing. An error means that it could not be started; how it
    /// ended is in the output.
    fn probe(&self, command: &Command) -> Result<Output>;

    /// Whether something accepts connections at this TCP port, asked for `patience` at most. An error
    /// means that it could not be found out, as when the name of the host is not known.
    fn listens(&self, host: &str, port: u16, patience: Duration) -> Result<bool>;

    /// Asks a server something that changes nothing there: `GET` or `HEAD`. Redirections are followed,
    /// but never from a safe connection to another. An error means that there was no whole answer; its
    /// status is for the caller to judge.
    fn fetch(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response>;
}

/// Running commands that change something.
pub trait Commands: Send + Sync {
    /// Runs a command. An error means that it could not be started; how it ended is in the output.
    fn run(&self, command: &Command) -> Result<Output>;

    /// Sends a request that changes something, there or here. Redirections are followed if that
    /// changes neither method nor body. Otherwise as [`fetch`](Probes::fetch).
    fn send(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response>;
}
