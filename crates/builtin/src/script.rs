//! Scripts: what the kinds that run one have in common.

use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Act, Bytes, Command, Error, ErrorKind, Excess, Exit, Level, Output, Reading, Result, Value,
};

use crate::complaint::{complaint, ending};
use crate::runner::Runner;

/// A script, and how it is run.
pub(crate) struct Script<'a> {
    /// The property that it was written in, for messages.
    pub(crate) property: &'static str,
    /// The script itself. It may hold secrets: no message repeats it.
    pub(crate) text: &'a str,
    pub(crate) runner: &'a Runner,
    pub(crate) dir: Option<&'a AbsolutePath>,
    pub(crate) stdin: Option<&'a Bytes>,
    /// How long it may take; what the engine allows the resource unless set.
    pub(crate) limit: Option<Limit>,
    /// Whether its output is data or a log.
    pub(crate) excess: Excess,
}

/// How long a script may take, apart from what the engine allows its resource.
pub(crate) struct Limit {
    /// The property that says so, for messages.
    pub(crate) property: &'static str,
    pub(crate) span: Duration,
}

impl<'a> Script<'a> {
    /// A script of which nothing is asked but what runs it. Its output is a log.
    pub(crate) fn plain(property: &'static str, text: &'a str, runner: &'a Runner) -> Self {
        Self { property, text, runner, dir: None, stdin: None, limit: None, excess: Excess::Drop }
    }

    /// Runs it to look; in a plan, too.
    pub(crate) fn probe(&self, host: &Reading<'_>) -> Result<Output> {
        let output = self.command(host).and_then(|command| host.probe(&command));
        self.report_dropped(&output, host);
        self.in_time(output)
    }

    /// Runs it to change something.
    pub(crate) fn run(&self, host: &Act<'_>) -> Result<Output> {
        let output = self.command(host).and_then(|command| host.run(&command));
        self.report_dropped(&output, host);
        self.in_time(output)
    }

    /// Fails unless it exited with one of these. What it said is in the chain only, so that
    /// whoever must not show output has a message without it.
    pub(crate) fn expect(&self, output: &Output, returns: &[u8]) -> Result<()> {
        let Some(ended) = unexpected_end(output.exit, returns) else { return Ok(()) };
        let error = Error::new(ErrorKind::Rejected, format!("`{}` {ended}", self.property));
        Err(self.with_complaint(error, output))
    }

    /// The same for one that is run again until it exits with one of these: not yet.
    pub(crate) fn expect_later(&self, output: &Output, returns: &[u8], again_after: Duration) -> Result<()> {
        let Some(ended) = unexpected_end(output.exit, returns) else { return Ok(()) };
        let error = Error::not_yet(format!("`{}` {ended}", self.property), again_after);
        Err(self.with_complaint(error, output))
    }

    /// Whether it cannot run only because another resource of this run has yet to make where it
    /// runs, or what runs it.
    pub(crate) fn is_early(&self, host: &Reading<'_>) -> Result<bool> {
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
    /// If whom it runs as is not known.
    pub(crate) fn command(&self, host: &Reading<'_>) -> Result<Command> {
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
            let text = format!("`{}` wrote too much: the first {dropped} bytes were dropped", self.property);
            host.report(Level::Warning, &text);
        }
    }

    fn in_time(&self, output: Result<Output>) -> Result<Output> {
        let output = output.map_err(|error| error.while_(format!("cannot run `{}`", self.property)))?;
        if output.exit != Exit::TimedOut {
            return Ok(output);
        }
        let limit = self.limit.as_ref().map_or("timeout", |limit| limit.property);
        let hint = format!("raise `{limit}`, or find out what it waits for");
        let what = format!("`{}` {}", self.property, ending(output.exit));
        Err(self.with_complaint(Error::new(ErrorKind::TimedOut, what), &output).hint(hint))
    }

    fn with_complaint(&self, error: Error, output: &Output) -> Error {
        match complaint(output, &self.runner.env) {
            Some(said) => error.because(said),
            None => error,
        }
    }
}

/// How it ended, if that is with none of these.
fn unexpected_end(exit: Exit, returns: &[u8]) -> Option<String> {
    match exit {
        Exit::Code(code) if returns.iter().any(|fine| i32::from(*fine) == code) => None,
        Exit::Code(_) => Some(format!("{}, not {}", ending(exit), any_of(returns))),
        _ => Some(ending(exit)),
    }
}

/// `0`, or `0, 2 or 3`.
fn any_of(returns: &[u8]) -> String {
    let mut words: Vec<String> = returns.iter().map(ToString::to_string).collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last } else { format!("{} or {last}", words.join(", ")) }
}

/// The script, which decoding demands and a program may forget.
pub(crate) fn written<'a>(property: &str, text: Option<&'a str>) -> Result<&'a str> {
    let nothing =
        || Error::new(ErrorKind::Invalid, "there is no script to run").hint(format!("add `{property}`"));
    text.ok_or_else(nothing)
}

/// Whether a list holds anything: a script that nothing satisfies could only fail.
pub(crate) fn is_filled(value: &Value) -> bool {
    matches!(value, Value::List(items) if !items.is_empty())
}

/// What `apply` says in a kind that only looks. The engine has no reason to call it.
pub(crate) fn only_looks(kind: &str) -> Result<()> {
    Err(Error::new(
        ErrorKind::Unsupported,
        format!("a {kind} only looks: there is nothing to change or remove"),
    ))
}
