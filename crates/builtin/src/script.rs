//! Scripts: what the kinds that run one have in common.

use std::collections::BTreeMap;
use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Bytes, Claim, Claims, Command, Error, ErrorKind, Exit, GroupName, Host, Observe, Output,
    Result, UserName, Value,
};

use crate::complaint::complaint;

/// A script, and how it is run.
pub(crate) struct Script<'a> {
    /// The property that it was written in, for messages.
    pub(crate) property: &'static str,
    /// The script itself. It may hold secrets: no message repeats it.
    pub(crate) text: &'a str,
    pub(crate) interpreter: &'a str,
    pub(crate) flags: Vec<&'a str>,
    pub(crate) dir: Option<&'a AbsolutePath>,
    pub(crate) env: &'a BTreeMap<String, String>,
    pub(crate) user: Option<&'a UserName>,
    pub(crate) group: Option<&'a GroupName>,
    pub(crate) stdin: Option<&'a Bytes>,
    pub(crate) timeout: Duration,
    /// The property that says how long it may take, if the user can say that.
    pub(crate) limit: Option<&'static str>,
}

/// The environment of a script that adds nothing to it.
static NO_VARIABLES: BTreeMap<String, String> = BTreeMap::new();

impl<'a> Script<'a> {
    /// A script for `/bin/sh`, of which nothing else is asked.
    pub(crate) fn shell(property: &'static str, text: &'a str, timeout: Duration) -> Self {
        Self {
            property,
            text,
            interpreter: "/bin/sh",
            flags: vec!["-c"],
            dir: None,
            env: &NO_VARIABLES,
            user: None,
            group: None,
            stdin: None,
            timeout,
            limit: None,
        }
    }

    /// Runs it to look; in a plan, too.
    pub(crate) fn probe(&self, host: &dyn Observe) -> Result<Output> {
        let output = self.command(host).and_then(|command| host.probes().probe(&command));
        self.in_time(output)
    }

    /// Runs it to change something.
    pub(crate) fn run(&self, host: &dyn Host) -> Result<Output> {
        let output = self.command(host).and_then(|command| host.commands().run(&command));
        self.in_time(output)
    }

    /// Fails unless it exited with one of these. What it said is in the chain only, so that
    /// whoever must not show output has a message without it.
    pub(crate) fn expect(&self, output: &Output, returns: &[u8]) -> Result<()> {
        let ended = match output.exit {
            Exit::Code(code) if returns.iter().any(|fine| i32::from(*fine) == code) => return Ok(()),
            Exit::Code(code) => format!("exited with status {code}, not {}", any_of(returns)),
            Exit::Signal(signal) => format!("was ended by signal {signal}"),
            Exit::TimedOut => "took too long".to_owned(),
        };
        Err(self.complain(ErrorKind::Rejected, &ended, output))
    }

    /// Whether it cannot run only because another resource of this run has yet to make where it
    /// runs, or what runs it.
    pub(crate) fn is_early(&self, host: &dyn Observe) -> Result<bool> {
        let interpreter = AbsolutePath::new(self.interpreter).ok();
        for path in self.dir.into_iter().chain(&interpreter) {
            if host.manages(path) && host.files().look(path)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn command(&self, host: &dyn Observe) -> Result<Command> {
        let args = self.flags.iter().copied().chain([self.text]);
        Ok(Command {
            dir: self.dir.map(|dir| dir.to_path_buf()),
            env: self.env.clone(),
            run_as: self.run_as(host)?,
            stdin: self.stdin.map(|stdin| stdin.0.to_vec()),
            timeout: Some(self.timeout),
            ..Command::new(self.interpreter, args)
        })
    }

    /// The numbers of who runs it, if that is asked for. A user runs with its own group unless another
    /// is asked for.
    pub(crate) fn run_as(&self, host: &dyn Observe) -> Result<Option<(u32, u32)>> {
        if self.user.is_none() && self.group.is_none() {
            return Ok(None);
        }
        let uid = self.user.map_or_else(|| Ok(host.accounts().current_uid()), |user| user.id(host))?;
        let gid = self.group.map_or_else(|| primary_group(uid, host), |group| group.id(host))?;
        Ok(Some((uid, gid)))
    }

    fn in_time(&self, output: Result<Output>) -> Result<Output> {
        let output = output.map_err(|error| error.while_(format!("cannot run `{}`", self.property)))?;
        if output.exit != Exit::TimedOut {
            return Ok(output);
        }
        let ended = format!("was killed after {:?}", self.timeout);
        let raise = self.limit.map_or_else(String::new, |limit| format!("raise `{limit}`, or "));
        let hint = format!("{raise}find out what it waits for");
        Err(self.complain(ErrorKind::TimedOut, &ended, &output).hint(hint))
    }

    fn complain(&self, kind: ErrorKind, ended: &str, output: &Output) -> Error {
        let error = Error::new(kind, format!("`{}` {ended}", self.property));
        match complaint(output, self.env) {
            Some(said) => error.because(said),
            None => error,
        }
    }
}

fn primary_group(uid: u32, host: &dyn Observe) -> Result<u32> {
    let user = host.accounts().user_by_id(uid)?;
    user.map(|user| user.gid).ok_or_else(|| {
        let what = format!("there is no account with the number {uid} to take a group from");
        Error::new(ErrorKind::Missing, what).hint("set `group`, too")
    })
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

/// A script stands on its interpreter. Where one is that is only named is for `PATH` to say.
pub(crate) fn stand_on(interpreter: &str, claims: &mut Claims) {
    if interpreter.starts_with('/') {
        claims.need(Claim::Path(interpreter.into()));
    }
}

/// Whether a list holds anything: a script that nothing satisfies could only fail.
pub(crate) fn is_filled(value: &Value) -> bool {
    matches!(value, Value::List(items) if !items.is_empty())
}

/// Whether all keys can name a variable.
pub(crate) fn are_variables(value: &Value) -> bool {
    let fine = |name: &str| !name.is_empty() && !name.contains(['=', '\0']);
    matches!(value, Value::Map(map) if map.keys().all(|name| fine(name)))
}

/// What `apply` says in a kind that only looks. The engine has no reason to call it.
pub(crate) fn only_looks(kind: &str) -> Result<()> {
    Err(Error::new(
        ErrorKind::Unsupported,
        format!("a {kind} only looks: there is nothing to change or remove"),
    ))
}
