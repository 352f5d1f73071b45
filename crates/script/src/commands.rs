//! Commands, facts, the time and messages for scripts.

use std::time::{Duration, UNIX_EPOCH};

use mlua::{Lua, MultiValue, Table};
use uphold_model::{Difference, Map, Side, Value};
use uphold_resource::{
    Command, Context, Error, ErrorKind, Exit, FACTS, Level, Output, Property, Result, exposed_argument,
    is_argument,
};

use crate::frame::{Frame, argument, options};
use crate::functions::timestamp;
use crate::value::to_script;

/// Most characters of the output of a failed command that are shown.
const LONGEST_OUTPUT: usize = 2000;

impl Frame<'_> {
    pub(crate) fn call_machine(
        &self,
        lua: &Lua,
        op: &str,
        arguments: &MultiValue,
    ) -> mlua::Result<MultiValue> {
        match op {
            "run" => self.run_command(lua, arguments),
            "query" => {
                let command = self.command(lua, arguments)?;
                let output = self.observe()?.probe(&command).map_err(|error| self.fail(error))?;
                one(mlua::Value::Table(outcome(lua, &output)?))
            }
            "fact" => self.fact(lua, &argument::<String>(lua, arguments, 0)?),
            "clock" => {
                let now = self.observe()?.clock().now();
                match argument::<String>(lua, arguments, 0)?.as_str() {
                    "timestamp" => one(to_script(lua, &timestamp(now))?),
                    _ => {
                        let since = now.duration_since(UNIX_EPOCH).unwrap_or_default();
                        one(mlua::Value::Number(since.as_secs_f64()))
                    }
                }
            }
            _ => {
                let level = match argument::<String>(lua, arguments, 0)?.as_str() {
                    "debug" => Level::Debug,
                    "warning" => Level::Warning,
                    _ => Level::Info,
                };
                let text: String = argument(lua, arguments, 1)?;
                self.observe()?.report(level, if self.is_secret() { uphold_model::SENSITIVE } else { &text });
                Ok(MultiValue::new())
            }
        }
    }

    /// Runs a command that changes the machine. Its effect cannot be predicted.
    fn run_command(&self, lua: &Lua, arguments: &MultiValue) -> mlua::Result<MultiValue> {
        let host = self.host("run")?;
        let command = self.command(lua, arguments)?;
        let words = [std::slice::from_ref(&command.program), &command.args[..]].concat().join(" ");
        let shown = if self.is_secret() {
            Value::text(words.clone()).sensitive()
        } else {
            Value::text(words.clone())
        };
        self.note_run(Difference { property: "run".into(), from: Side::Absent, to: Side::Value(shown) });
        let output = host.run(&command).map_err(|error| self.fail(error))?;
        let may_fail = options(lua, arguments, 1)?.get("may_fail") == Some(&Value::Bool(true));
        if !output.success() && !may_fail {
            let name = if self.is_secret() { &command.program } else { &words };
            return Err(self.fail(command_error(name, &output, self.is_secret())));
        }
        one(mlua::Value::Table(outcome(lua, &output)?))
    }

    /// Reads a command: a string for the shell, or a list of the program and its arguments.
    fn command(&self, lua: &Lua, arguments: &MultiValue) -> mlua::Result<Command> {
        let mut command = match arguments.front() {
            Some(mlua::Value::String(script)) => {
                Command { secret_script: self.is_secret(), ..Command::shell(script.to_string_lossy()) }
            }
            Some(mlua::Value::Table(words)) => {
                let words: Vec<String> = words.sequence_values().collect::<mlua::Result<_>>()?;
                let Some((program, args)) = words.split_first() else {
                    return Err(
                        self.fail(Error::new(ErrorKind::Invalid, "the command is empty: it needs a program"))
                    );
                };
                Command::new(program.clone(), args.to_vec())
            }
            _ => {
                let what = "a command is a string for the shell, or a list: { \"program\", \"argument\" }";
                return Err(self.fail(Error::new(ErrorKind::Invalid, what)));
            }
        };
        let given = options(lua, arguments, 1)?;
        self.apply_options(&mut command, &given).map_err(|error| self.fail(error))?;
        if self.opened.borrow().iter().any(|secret| is_argument(secret, &command)) {
            return Err(self.fail(exposed_argument(&command)));
        }
        Ok(command)
    }

    fn apply_options(&self, command: &mut Command, given: &Map) -> Result<()> {
        for (name, value) in given {
            match (&**name, value) {
                ("dir", Value::Text(dir)) => command.dir = Some((**dir).into()),
                ("stdin", Value::Text(text)) => command.stdin = Some(text.as_bytes().to_vec()),
                ("stdin", Value::Bytes(bytes)) => command.stdin = Some(bytes.to_vec()),
                ("timeout", value) => {
                    let span = Duration::from_value(value, &Context::NOTHING);
                    command.timeout = Some(span.map_err(|problem| wrong("timeout", &problem.rule))?);
                }
                ("user", Value::Text(name)) => {
                    let observe = self.observe().map_err(|_| wrong("user", "cannot be looked up here"))?;
                    let user = observe.accounts().user(name)?;
                    let user = user.ok_or_else(|| wrong("user", &format!("`{name}` does not exist")))?;
                    command.run_as = Some((user.uid, user.gid));
                }
                ("env", Value::Map(variables)) => {
                    for (name, value) in variables.iter() {
                        let text = match value {
                            Value::Text(text) => text.to_string(),
                            other => other.to_string(),
                        };
                        command.env.insert(name.to_string(), text);
                    }
                }
                ("may_fail", Value::Bool(_)) => {}
                (other, _) => {
                    return Err(wrong(other, "is not an option of commands, or has the wrong type"));
                }
            }
        }
        Ok(())
    }

    fn fact(&self, lua: &Lua, name: &str) -> mlua::Result<MultiValue> {
        let inside = format!("{name}.");
        if FACTS.iter().any(|fact| fact.name.starts_with(&inside)) {
            return Ok(MultiValue::from_vec(vec![mlua::Nil, mlua::Value::Boolean(true)]));
        }
        let value = self.observe()?.facts().fact(name).map_err(|error| self.fail(error))?;
        one(to_script(lua, &value)?)
    }
}

fn one(value: mlua::Value) -> mlua::Result<MultiValue> {
    Ok(MultiValue::from_vec(vec![value]))
}

fn wrong(name: &str, rule: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("`{name}` {rule}"))
        .hint("commands take dir, env, stdin, timeout, user and may_fail")
}

fn outcome(lua: &Lua, output: &Output) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    table.set("ok", output.success())?;
    match output.exit {
        Exit::Code(code) => table.set("status", code)?,
        Exit::Signal(signal) => table.set("signal", signal)?,
        Exit::TimedOut => table.set("timed_out", true)?,
    }
    table.set("stdout", lua.create_string(&output.stdout)?)?;
    table.set("stderr", lua.create_string(&output.stderr)?)?;
    Ok(table)
}

/// The error of a command that failed.
fn command_error(command: &str, output: &Output, secret: bool) -> Error {
    let (kind, how) = match output.exit {
        Exit::Code(code) => (ErrorKind::Rejected, format!("exited with status {code}")),
        Exit::Signal(signal) => (ErrorKind::Rejected, format!("was killed by signal {signal}")),
        Exit::TimedOut => (ErrorKind::TimedOut, "timed out".to_owned()),
    };
    let shown = if output.stderr.is_empty() { &output.stdout } else { &output.stderr };
    let shown = String::from_utf8_lossy(shown);
    let shown: String = shown.trim().chars().take(LONGEST_OUTPUT).collect();
    let error = Error::new(kind, format!("{command} {how}"));
    if shown.is_empty() || secret { error } else { error.because(Error::failed(shown)) }
}
