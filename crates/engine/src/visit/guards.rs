//! Guards: conditions that are checked when a resource or group is visited.

use std::path::PathBuf;
use std::time::Duration;

use uphold_model::{Guard, GuardCommand, Name, Value};
use uphold_resource::{Accounts, Command, Error, ErrorKind, Excess, Exit, Level, Output};

use crate::event::Unwanted;
use crate::failure::Failure;
use crate::program::groups::GroupIndex;
use crate::visit::early_exit::EarlyExit;
use crate::visit::{VisitInputs, Visits};
use crate::visitor::Visitor;

/// How long the command of a guard may take unless it says so.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a group's guards said, once for all its members.
#[derive(Clone)]
pub(crate) enum Admission {
    /// They let it run.
    Yes,
    /// They do not.
    No(Unwanted),
    /// Only a run can tell; this is what it waits for.
    Later(Name),
    /// They could not be asked.
    Failed(Failure),
}

impl Visits<'_> {
    /// Asks the guards of the groups around a node, the outermost first, and then its own.
    pub(crate) fn unwanted(
        &self,
        group: Option<GroupIndex>,
        guards: &[Guard],
        before: &VisitInputs,
        visitor: &Visitor<'_>,
    ) -> Result<Option<Unwanted>, EarlyExit> {
        let groups = self.program.list.groups();
        let mut around: Vec<_> = groups.around(group).collect();
        around.retain(|group| !groups.get(*group).guards().is_empty());
        for group in around.into_iter().rev() {
            let ask = || self.admit(groups.get(group).guards(), before, visitor);
            let asked = &self.admissions[group.place()];
            // What is done on request may come too early to decide for all. In a watch, the answer may be another one
            // each time.
            let admission = match visitor.is_on_request() {
                _ if self.watch.is_some() => ask(),
                true => asked.get().cloned().unwrap_or_else(ask),
                false => asked.get_or_init(ask).clone(),
            };
            match admission {
                Admission::Yes => {}
                Admission::No(unwanted) => return Ok(Some(unwanted)),
                Admission::Later(waits_for) => return Err(EarlyExit::Waits(waits_for)),
                Admission::Failed(failure) => return Err(EarlyExit::Failed(failure)),
            }
        }
        self.refusal(guards, false, visitor)
    }

    /// In a plan, what a command says of a machine that is about to change says nothing.
    fn admit(&self, guards: &[Guard], before: &VisitInputs, visitor: &Visitor<'_>) -> Admission {
        let refusal = self.refusal(guards, true, visitor);
        match (refusal, &before.changes) {
            (Err(EarlyExit::Waits(waits_for)), _) => Admission::Later(waits_for),
            (Err(EarlyExit::Failed(failure)), _) => Admission::Failed(failure),
            (_, Some(waits_for)) if self.is_guessing(visitor) => Admission::Later(waits_for.clone()),
            (Ok(Some(unwanted)), _) => Admission::No(unwanted),
            _ => Admission::Yes,
        }
    }

    /// The first guard that refuses. All of `only_if` come before those of `not_if`.
    fn refusal(
        &self,
        guards: &[Guard],
        of_group: bool,
        visitor: &Visitor<'_>,
    ) -> Result<Option<Unwanted>, EarlyExit> {
        let ordered = guards.iter().filter(|guard| guard.expected);
        for guard in ordered.chain(guards.iter().filter(|guard| !guard.expected)) {
            let asked = self.ask(guard, visitor)?;
            if asked.holds != guard.expected {
                let command = asked.command.filter(|_| !visitor.is_secret());
                return Ok(Some(Unwanted::Guard { word: guard.word(), command, of_group }));
            }
        }
        Ok(None)
    }

    /// Whether what is waited for holds. A command that cannot be run does not.
    pub(crate) fn is_ready(&self, guard: &Guard, visitor: &Visitor<'_>) -> Result<Ready, EarlyExit> {
        match self.ask(guard, visitor) {
            Ok(asked) if asked.holds == guard.expected => Ok(Ready::Yes),
            Ok(asked) => Ok(Ready::No(asked.command.filter(|_| !visitor.is_secret()))),
            Err(EarlyExit::Failed(failure)) if failure.kind != ErrorKind::Invalid => Ok(Ready::No(None)),
            Err(other) => Err(other),
        }
    }

    fn ask(&self, guard: &Guard, visitor: &Visitor<'_>) -> Result<Asked, EarlyExit> {
        let refused = |diagnostic| EarlyExit::Failed(Failure::from_diagnostic(&diagnostic, guard.place));
        let value = guard.condition.evaluate(&self.scope()).map_err(refused)?;
        if let Some(unknown) = value.first_unknown() {
            return Err(self.unknown(unknown.waits_for.clone()));
        }
        let secret = value.is_sensitive();
        let words = match value.reveal() {
            Value::Bool(holds) => return Ok(Asked { holds: *holds, command: None }),
            Value::Text(script) => vec!["/bin/sh".to_owned(), "-c".to_owned(), script.to_string()],
            Value::List(_) if secret => return Err(visible_secret(guard)),
            Value::List(words) => words.iter().map(|word| plain(word.reveal())).collect(),
            other => return Err(not_a_guard(guard, other)),
        };
        let shown = words.last().cloned().filter(|_| words.get(1).is_some_and(|flag| flag == "-c"));
        let command = shown.unwrap_or_else(|| words.join(" "));
        let holds = run(guard, words, secret, visitor).map_err(|exit| match exit {
            EarlyExit::Failed(failure) if secret => EarlyExit::Failed(failure.hidden()),
            other => other,
        })?;
        Ok(Asked { holds, command: (!secret).then_some(command) })
    }
}

/// What became of waiting.
pub(crate) enum Ready {
    /// It holds.
    Yes,
    /// Not yet; this is the command, if it is one and no secret.
    No(Option<String>),
}

/// What a guard said.
struct Asked {
    holds: bool,
    /// The command, if it is one and no secret.
    command: Option<String>,
}

/// A command holds if it ends with status 0. One that takes too long does not; one that cannot be run is a failure.
fn run(guard: &Guard, words: Vec<String>, secret: bool, visitor: &Visitor<'_>) -> Result<bool, EarlyExit> {
    let mut words = words.into_iter();
    let Some(program) = words.next() else { return Err(not_a_guard(guard, &Value::Null)) };
    let GuardCommand { dir, user, env, timeout } = &guard.command;
    let command = Command {
        dir: dir.as_deref().map(PathBuf::from),
        run_as: user.as_deref().map(|user| account(user, visitor)).transpose()?,
        env: env.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
        timeout: Some(timeout.unwrap_or(PATIENCE)),
        excess: Excess::Drop,
        secret_script: secret,
        ..Command::new(program, words)
    };
    let output = visitor.act().probe(&command)?;
    if output.exit == Exit::TimedOut {
        let text = format!("the command of `{}` took too long, and counts as false", guard.word());
        visitor.act().report(Level::Warning, &text);
    }
    match output.exit {
        Exit::Code(code @ (126 | 127)) => Err(not_run(guard, code, &output)),
        _ => Ok(output.success()),
    }
}

/// A shell could not run the command at all: its status says nothing about the machine.
fn not_run(guard: &Guard, code: i32, output: &Output) -> EarlyExit {
    let (kind, why) = match code {
        127 => (ErrorKind::Missing, "there is no such command"),
        _ => (ErrorKind::Failed, "the command cannot be executed"),
    };
    let message = format!("the command of `{}` ended with status {code}: {why}", guard.word());
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    EarlyExit::Failed(Failure {
        causes: (!said.is_empty()).then_some(said).into_iter().collect(),
        hint: Some("correct it; `command -v NAME` asks whether there is a program".to_owned()),
        place: guard.place,
        ..Failure::new(kind, message)
    })
}

fn account(user: &str, visitor: &Visitor<'_>) -> Result<(u32, u32), EarlyExit> {
    let accounts: &dyn Accounts = visitor.act().accounts();
    let found = accounts.user(user)?;
    let missing = || Error::new(ErrorKind::Missing, format!("there is no user {user}"));
    found.map(|user| (user.uid, user.gid)).ok_or_else(|| EarlyExit::from(missing()))
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
