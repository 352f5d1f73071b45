//! Commands.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::{Request, Response, Sink};
use crate::error::Result;

/// A command: a program and its arguments, never a string that a shell splits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Command {
    /// Program: a path, or a name that is searched in `PATH`.
    pub program: String,
    /// Arguments.
    pub args: Vec<String>,
    /// Working directory; that of Uphold unless set.
    pub dir: Option<PathBuf>,
    /// Variables added to the environment. The command inherits Uphold's environment without params and without the
    /// variables of the service manager; for another user see `run_as`.
    pub env: BTreeMap<String, String>,
    /// User and group to run as. For another user than Uphold's own, `HOME`, `USER`, `LOGNAME` and `SHELL` are those of its
    /// account, and only `PATH`, `LANG`, `LANGUAGE`, `LC_*`, `TZ`, `TERM` and the proxy variables are inherited.
    pub run_as: Option<(u32, u32)>,
    /// Standard input; empty unless set.
    pub stdin: Option<Vec<u8>>,
    /// Timeout after which the whole process group is killed.
    pub timeout: Option<Duration>,
    /// Treatment of standard output beyond [`STDOUT_LIMIT`].
    pub excess: Excess,
    /// Whether to refuse a program that users other than root and the one that runs Uphold can write.
    pub only_trusted: bool,
    /// Whether the last argument is a script that contains a secret, which is then passed so that no other user can read it.
    pub secret_script: bool,
}

/// Bytes of a command's standard output that are kept.
pub const STDOUT_LIMIT: u64 = 16 << 20;

/// Bytes of a command's standard error that are kept.
pub const STDERR_LIMIT: u64 = 1 << 20;

/// Treatment of a command whose standard output exceeds [`STDOUT_LIMIT`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Excess {
    /// The output is data: incomplete output is an error, and the command is ended.
    #[default]
    Refuse,
    /// The output is a log: the last part is kept, and [`Output::dropped`] counts the rest.
    Drop,
}

impl Command {
    /// `program` with these arguments.
    pub fn new<A: Into<String>>(program: impl Into<String>, args: impl IntoIterator<Item = A>) -> Self {
        Self { program: program.into(), args: args.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// `script`, run by `/bin/sh`.
    pub fn shell(script: impl Into<String>) -> Self {
        Self::new("/bin/sh", ["-c".to_owned(), script.into()])
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Exited with this status.
    Code(i32),
    /// Killed by this signal.
    Signal(i32),
    /// Killed because of its timeout.
    TimedOut,
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// How it ended.
    pub exit: Exit,
    /// The last [`STDOUT_LIMIT`] bytes of its standard output.
    pub stdout: Vec<u8>,
    /// The last [`STDERR_LIMIT`] bytes of its standard error.
    pub stderr: Vec<u8>,
    /// Number of earlier bytes, of both, that were not kept.
    pub dropped: u64,
}

impl Output {
    /// An output of which nothing was dropped.
    pub fn new(exit: Exit, stdout: impl Into<Vec<u8>>, stderr: impl Into<Vec<u8>>) -> Self {
        Self { exit, stdout: stdout.into(), stderr: stderr.into(), dropped: 0 }
    }

    /// Whether it exited with status 0.
    pub fn success(&self) -> bool {
        self.exit == Exit::Code(0)
    }
}

/// Commands and requests without side effects. They run in a plan, too.
pub trait Probes: Send + Sync {
    /// Runs a command that changes nothing. Fails only if the command cannot be started; its exit is part of the output.
    fn probe(&self, command: &Command) -> Result<Output>;

    /// Whether something accepts connections at this TCP port, within `timeout`. Fails if that cannot be determined, as when
    /// the name of the host cannot be resolved.
    fn listens(&self, host: &str, port: u16, timeout: Duration) -> Result<bool>;

    /// Sends a request that changes nothing on the server: `GET` or `HEAD`. Redirections are followed, but never from
    /// `https` to `http`. Fails if no complete response was received; the caller checks its status.
    fn fetch(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response>;
}

/// Commands and requests with side effects.
pub trait Commands: Send + Sync {
    /// Runs a command. Fails only if the command cannot be started; its exit is part of the output.
    fn run(&self, command: &Command) -> Result<Output>;

    /// Sends a request that changes something, on the server or here. Redirections are followed if that changes neither
    /// method nor body. Otherwise like [`fetch`](Probes::fetch).
    fn send(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response>;
}
