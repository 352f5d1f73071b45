//! Running scripts of the user, for all kinds that have one.
//!
//! ```
//! use uphold_kit::prelude::*;
//! use uphold_kit::runner::Runner;
//! use uphold_kit::script::Script;
//!
//! /// Runs the script of the property `check`, also in a plan.
//! fn is_healthy(check: &str, runner: &Runner, host: &Reading<'_>) -> Result<bool> {
//!     Ok(Script::plain("check", check, runner).probe(host)?.success())
//! }
//! ```

use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Act, Bytes, Command, Error, ErrorKind, Excess, Exit, Level, Output, Reading, Result,
};

use super::tool::{ending, last_output};
use crate::runner::Runner;

/// A script and how to run it.
pub struct Script<'a> {
    /// The property that contains it, for messages.
    pub property: &'static str,
    /// The script itself. It may contain secrets, so no message repeats it.
    pub text: &'a str,
    /// Its interpreter, environment and user.
    pub runner: &'a Runner,
    /// Its working directory; otherwise that of Uphold.
    pub dir: Option<&'a AbsolutePath>,
    /// Its standard input; otherwise empty.
    pub stdin: Option<&'a Bytes>,
    /// A time limit of its own; otherwise that of the resource applies.
    pub limit: Option<Limit>,
    /// Whether too much output is an error (data) or dropped (a log).
    pub excess: Excess,
}

/// A time limit of a script, besides that of its resource.
pub struct Limit {
    /// The property that sets it, for messages.
    pub property: &'static str,
    /// The time after which it is killed.
    pub span: Duration,
}

impl<'a> Script<'a> {
    /// A script without further settings. Its output is a log.
    pub fn plain(property: &'static str, text: &'a str, runner: &'a Runner) -> Self {
        Self { property, text, runner, dir: None, stdin: None, limit: None, excess: Excess::Drop }
    }

    /// Runs it as a read-only command, also in a plan.
    ///
    /// # Errors
    /// If it cannot be started, or takes too long. Its exit status is in the output.
    pub fn probe(&self, host: &Reading<'_>) -> Result<Output> {
        let output = self.command(host).and_then(|command| host.probe(&command));
        self.report_dropped(&output, host);
        self.in_time(output)
    }

    /// Runs it as a change.
    ///
    /// # Errors
    /// If it cannot be started, or takes too long. Its exit status is in the output.
    pub fn run(&self, host: &Act<'_>) -> Result<Output> {
        let output = self.command(host).and_then(|command| host.run(&command));
        self.report_dropped(&output, host);
        self.in_time(output)
    }

    /// Fails unless it exited with one of these statuses. Its output is only in the causes of the error, so that it
    /// can be hidden.
    pub fn expect(&self, output: &Output, returns: &[u8]) -> Result<()> {
        let Some(ended) = unexpected_end(output.exit, returns) else { return Ok(()) };
        let error = Error::new(ErrorKind::Rejected, format!("`{}` {ended}", self.property));
        Err(self.with_output(error, output))
    }

    /// Like [`expect`](Self::expect), for a script that is retried until it exits with one of these statuses.
    pub fn expect_later(&self, output: &Output, returns: &[u8], retry_after: Duration) -> Result<()> {
        let Some(ended) = unexpected_end(output.exit, returns) else { return Ok(()) };
        let error = Error::not_yet(format!("`{}` {ended}", self.property), retry_after);
        Err(self.with_output(error, output))
    }

    /// Whether it cannot run yet, because another resource has yet to create its directory or interpreter.
    pub fn is_early(&self, host: &Reading<'_>) -> Result<bool> {
        let interpreter = AbsolutePath::new(&self.runner.interpreter).ok();
        for path in self.dir.into_iter().chain(&interpreter) {
            if host.manages(path) && host.files().look(path)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The command that runs it.
    ///
    /// # Errors
    /// If the user or group does not exist.
    pub fn command(&self, host: &Reading<'_>) -> Result<Command> {
        let Runner { interpreter, flags, env, .. } = self.runner;
        let args = flags.iter().map(String::as_str).chain([self.text]);
        Ok(Command {
            dir: self.dir.map(|dir| dir.to_path_buf()),
            env: env.clone(),
            run_as: self.runner.run_as(host)?,
            stdin: self.stdin.map(|stdin| stdin.0.to_vec()),
            timeout: self.limit.as_ref().map(|limit| limit.span),
            excess: self.excess,
            secret_script: host.holds_secret(self.property),
            ..Command::new(interpreter, args)
        })
    }

    fn report_dropped(&self, output: &Result<Output>, host: &Reading<'_>) {
        if let Some(dropped) =
            output.as_ref().ok().map(|output| output.dropped).filter(|dropped| *dropped > 0)
        {
            let text =
                format!("`{}` printed too much: its first {dropped} bytes were dropped", self.property);
            host.report(Level::Warning, &text);
        }
    }

    fn in_time(&self, output: Result<Output>) -> Result<Output> {
        let output = output.map_err(|error| error.while_(format!("cannot run `{}`", self.property)))?;
        if output.exit != Exit::TimedOut {
            return Ok(output);
        }
        let limit = self.limit.as_ref().map_or("timeout", |limit| limit.property);
        let hint = format!("raise `{limit}`, or check what the script waits for");
        let what = format!("`{}` {}", self.property, ending(output.exit));
        Err(self.with_output(Error::new(ErrorKind::TimedOut, what), &output).hint(hint))
    }

    fn with_output(&self, error: Error, output: &Output) -> Error {
        match last_output(output, &self.runner.env) {
            Some(text) => error.because(text),
            None => error,
        }
    }
}

/// The end of a script, unless it is one of these statuses.
fn unexpected_end(exit: Exit, returns: &[u8]) -> Option<String> {
    match exit {
        Exit::Code(code) if returns.iter().any(|fine| i32::from(*fine) == code) => None,
        Exit::Code(_) => Some(format!("{}, not {}", ending(exit), any_of(returns))),
        _ => Some(ending(exit)),
    }
}

/// Formats a list: `0`, or `0, 2 or 3`.
fn any_of(returns: &[u8]) -> String {
    let mut words: Vec<String> = returns.iter().map(ToString::to_string).collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

/// The script of a property that decoding requires, but that a program may leave out when it constructs the resource.
///
/// # Errors
/// If there is none.
pub fn required_script<'a>(property: &str, text: Option<&'a str>) -> Result<&'a str> {
    let nothing =
        || Error::new(ErrorKind::Invalid, "the resource has no script").hint(format!("add `{property}`"));
    text.ok_or_else(nothing)
}
