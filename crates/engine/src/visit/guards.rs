//! Guards: conditions that are checked when a resource or group is visited.

use std::path::PathBuf;
use std::time::Duration;

use uphold_model::{Guard, GuardCommand, Value};
use uphold_resource::{Command, Error, ErrorKind, Excess, Exit, Level, Output};

use crate::event::Unwanted;
use crate::failure::Failure;
use crate::visit::early_exit::EarlyExit;
use crate::visitor::Visitor;

/// How long the command of a guard may take, unless it has a timeout.
const TIMEOUT: Duration = Duration::from_secs(60);

impl Visitor<'_> {
    /// Checks the guards of the groups around the node, the outermost first, and then its own: why it is skipped, if it is.
    pub(crate) fn check_guards(&self, guards: &[Guard]) -> Result<Option<Unwanted>, EarlyExit> {
        let groups = &self.program.list.groups;
        let mut around: Vec<_> = groups.around(self.entry().group).collect();
        around.retain(|group| !groups.get(*group).guards().is_empty());
        for group in around.into_iter().rev() {
            let check = || self.admit(groups.get(group).guards());
            let known = &self.visits.admissions[group.place()];
            // A notified action may come too early to decide for all members. In a watch, the result may change each time.
            let admission = if self.watching.is_some() {
                check()
            } else if self.is_on_request() {
                known.get().cloned().unwrap_or_else(check)
            } else {
                known.get_or_init(check).clone()
            };
            if let Some(unwanted) = admission? {
                return Ok(Some(unwanted));
            }
        }
        self.refusal(guards, false)
    }

    /// Checks the guards of a group. In a plan, the result of a command does not count if the machine is about to change.
    fn admit(&self, guards: &[Guard]) -> Result<Option<Unwanted>, EarlyExit> {
        match (self.refusal(guards, true), &self.before.changes) {
            (Err(exit @ (EarlyExit::Waits(_) | EarlyExit::Failed(_))), _) => Err(exit),
            (_, Some(waits_for)) if self.is_guessing() => Err(EarlyExit::Waits(waits_for.clone())),
            (refusal, _) => Ok(refusal.ok().flatten()),
        }
    }

    /// The first guard that refuses. All of `only_if` come before those of `not_if`.
    fn refusal(&self, guards: &[Guard], of_group: bool) -> Result<Option<Unwanted>, EarlyExit> {
        let ordered = guards.iter().filter(|guard| guard.expected);
        for guard in ordered.chain(guards.iter().filter(|guard| !guard.expected)) {
            let result = self.evaluate_guard(guard)?;
            if result.holds != guard.expected {
                let command = result.command.filter(|_| !self.is_secret());
                return Ok(Some(Unwanted::Guard { word: guard.word(), command, of_group }));
            }
        }
        Ok(None)
    }

    /// Why the condition of `not_until` is not met, if it is not. A command that cannot be run counts as false.
    pub(crate) fn not_ready(&self, guard: &Guard) -> Result<Option<String>, EarlyExit> {
        let command = match self.evaluate_guard(guard) {
            Ok(result) if result.holds == guard.expected => return Ok(None),
            Ok(result) => result.command.filter(|_| !self.is_secret()),
            Err(EarlyExit::Failed(failure)) if failure.kind != ErrorKind::Invalid => None,
            Err(other) => return Err(other),
        };
        let what = command.map_or("its `not_until`".to_owned(), |command| format!("{command:?}"));
        Ok(Some(format!("{what} does not hold")))
    }

    fn evaluate_guard(&self, guard: &Guard) -> Result<GuardResult, EarlyExit> {
        let refused = |diagnostic| EarlyExit::Failed(Failure::from_diagnostic(&diagnostic, guard.place));
        let value = guard.condition.evaluate(&self.visits.scope()).map_err(refused)?;
        if let Some(unknown) = value.first_unknown() {
            return Err(self.visits.unknown(unknown.waits_for.clone()));
        }
        let secret = value.is_sensitive();
        let words = match value.reveal() {
            Value::Bool(holds) => return Ok(GuardResult { holds: *holds, command: None }),
            Value::Text(script) => vec!["/bin/sh".to_owned(), "-c".to_owned(), script.to_string()],
            Value::List(_) if secret => return Err(visible_secret(guard)),
            Value::List(words) => words.iter().map(|word| plain(word.reveal())).collect(),
            other => return Err(not_a_guard(guard, other)),
        };
        let shown = words.last().cloned().filter(|_| words.get(1).is_some_and(|flag| flag == "-c"));
        let command = shown.unwrap_or_else(|| words.join(" "));
        let holds = self.run_guard(guard, words, secret).map_err(|exit| match exit {
            EarlyExit::Failed(failure) if secret => EarlyExit::Failed(failure.hidden()),
            other => other,
        })?;
        Ok(GuardResult { holds, command: (!secret).then_some(command) })
    }

    /// A command is true if it ends with status 0. One that takes too long is false; one that cannot be run is a failure.
    fn run_guard(&self, guard: &Guard, words: Vec<String>, secret: bool) -> Result<bool, EarlyExit> {
        let mut words = words.into_iter();
        let Some(program) = words.next() else { return Err(not_a_guard(guard, &Value::Null)) };
        let GuardCommand { dir, user, env, timeout } = &guard.command;
        let command = Command {
            dir: dir.as_deref().map(PathBuf::from),
            run_as: user.as_deref().map(|user| self.account(user)).transpose()?,
            env: env.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            timeout: Some(timeout.unwrap_or(TIMEOUT)),
            excess: Excess::Drop,
            secret_script: secret,
            ..Command::new(program, words)
        };
        let output = self.act().probe(&command)?;
        if output.exit == Exit::TimedOut {
            let text = format!("the command of `{}` took too long, and counts as false", guard.word());
            self.act().report(Level::Warning, &text);
        }
        match output.exit {
            Exit::Code(code @ (126 | 127)) => Err(not_run(guard, code, &output)),
            _ => Ok(output.success()),
        }
    }

    fn account(&self, user: &str) -> Result<(u32, u32), EarlyExit> {
        let found = self.act().accounts().user(user)?;
        let missing = || Error::new(ErrorKind::Missing, format!("there is no user {user}"));
        found.map(|user| (user.uid, user.gid)).ok_or_else(|| EarlyExit::from(missing()))
    }
}

struct GuardResult {
    holds: bool,
    /// The command, if it is one and no secret.
    command: Option<String>,
}

/// A shell could not run the command at all: its status says nothing about the machine.
fn not_run(guard: &Guard, code: i32, output: &Output) -> EarlyExit {
    let (kind, why) = match code {
        127 => (ErrorKind::Missing, "there is no such command"),
        _ => (ErrorKind::Failed, "the command cannot be executed"),
    };
    let message = format!("the command of `{}` ended with status {code}: {why}", guard.word());
    let stderr = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    EarlyExit::Failed(Failure {
        causes: (!stderr.is_empty()).then_some(stderr).into_iter().collect(),
        hint: Some("correct it; `command -v NAME` asks whether there is a program".to_owned()),
        place: guard.place,
        ..Failure::new(kind, message)
    })
}

/// A script can be passed otherwise; the arguments of a program cannot.
fn visible_secret(guard: &Guard) -> EarlyExit {
    let message = format!(
        "the command of `{}` has a secret among its arguments, which every local user can read",
        guard.word()
    );
    let hint = Some("pass the secret in a variable of `env`".to_owned());
    EarlyExit::Failed(Failure { place: guard.place, hint, ..Failure::new(ErrorKind::Exposed, message) })
}

fn not_a_guard(guard: &Guard, value: &Value) -> EarlyExit {
    let message =
        format!("`{}` must be true or false, or a command, not {}", guard.word(), value.type_name());
    EarlyExit::Failed(Failure { place: guard.place, ..Failure::new(ErrorKind::Invalid, message) })
}

fn plain(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        other => other.to_string(),
    }
}
