//! Commands whose results are given by a test.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use uphold_model::SENSITIVE;
use uphold_resource::{Command, Exit, Output};

use super::MemoryHost;
use super::program::{Call, Program};
use super::shell;

/// The limit for commands that run commands.
const DEEPEST: usize = 16;

/// The status of a shell for a command that it cannot run.
const NOT_EXECUTABLE: i32 = 126;

/// The effect and the result of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// A script that the built-in shell runs first: the effect of the command on the machine.
    pub does: Option<String>,
    /// Its exit status; that of its script unless set.
    pub status: Option<i32>,
    /// Its standard output, after that of its script.
    pub stdout: Vec<u8>,
    /// Its standard error, after that of its script.
    pub stderr: Vec<u8>,
}

/// A command as one line. `Display` hides a line with a secret.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandLine {
    /// The script of a shell, otherwise the program and its arguments.
    pub text: String,
    /// Whether it contains a secret.
    pub is_secret: bool,
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_secret { SENSITIVE } else { &self.text })
    }
}

/// All answers of a machine, and the commands that used them.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// By the full command line.
    exact: BTreeMap<String, Arc<Answer>>,
    /// By the beginning of the command line, without ` *`.
    like: BTreeMap<String, Arc<Answer>>,
    asked: Vec<CommandLine>,
    unanswered: BTreeSet<CommandLine>,
}

impl MemoryHost {
    /// Sets the result of the command `line`: a program with its arguments, or a whole script for `sh -c`. A line that ends in
    /// ` *` applies to all commands that begin like it, unless a longer line does.
    pub fn answer(&self, line: &str, answer: Answer) {
        let (line, answers) = (normal(line), &mut self.lock().answers);
        match line.strip_suffix(" *") {
            Some(beginning) => answers.like.insert(beginning.to_owned(), answer.into()),
            None => answers.exact.insert(line, answer.into()),
        };
    }

    /// The commands that were answered, in the order in which they ran, with repetitions.
    pub fn answered(&self) -> Vec<CommandLine> {
        self.lock().answers.asked.clone()
    }

    /// The commands that were neither programs nor answered, sorted, and the scripts that the built-in shell cannot parse.
    pub fn unanswered(&self) -> Vec<CommandLine> {
        self.lock().answers.unanswered.iter().cloned().collect()
    }

    /// The answer to exactly this command.
    pub(crate) fn answer_to(&self, command: &Command) -> Option<Arc<Program>> {
        let state = self.lock();
        if state.answers.exact.is_empty() {
            return None;
        }
        let line = line(command);
        state.answers.exact.get(&line).map(|answer| program(answer.clone(), line))
    }

    /// The answer to commands that begin like this one; the longest of several.
    pub(crate) fn answer_like(&self, command: &Command) -> Option<Arc<Program>> {
        let (line, state) = (line(command), self.lock());
        let begins = |(beginning, _): &(&String, &Arc<Answer>)| {
            line.strip_prefix(beginning.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let (_, answer) =
            state.answers.like.iter().filter(begins).max_by_key(|(beginning, _)| beginning.len())?;
        Some(program(answer.clone(), line.clone()))
    }

    pub(crate) fn note_unanswered(&self, command: &Command) {
        self.lock()
            .answers
            .unanswered
            .insert(CommandLine { text: line(command), is_secret: command.secret_script });
    }
}

fn program(answer: Arc<Answer>, line: String) -> Arc<Program> {
    Arc::new(move |call: &Call<'_>| {
        let depth = {
            let mut state = call.host.lock();
            let asked = CommandLine { text: line.clone(), is_secret: call.command.secret_script };
            state.answers.asked.push(asked);
            state.running.len()
        };
        if depth > DEEPEST {
            call.fail(NOT_EXECUTABLE, format!("{line}: it runs itself\n"))
        } else {
            answer.output(call)
        }
    })
}

impl Answer {
    fn output(&self, call: &Call<'_>) -> Output {
        let mut output = match &self.does {
            Some(script) => {
                let shell = Command::shell(script.as_str());
                let command = Command { program: shell.program, args: shell.args, ..call.command.clone() };
                shell::run(&Call { command: &command, host: call.host })
            }
            None => call.succeed(""),
        };
        output.stdout.extend(&self.stdout);
        output.stderr.extend(&self.stderr);
        Output { exit: self.status.map_or(output.exit, Exit::Code), ..output }
    }
}

/// A command as one line: the script of a shell, otherwise the program and its arguments.
fn line(command: &Command) -> String {
    let name = command.program.rsplit('/').next().unwrap_or_default();
    match command.args.as_slice() {
        [flags, script] if name == "sh" && flags.starts_with('-') && flags.ends_with('c') => normal(script),
        arguments => {
            let words = std::iter::once(&command.program).chain(arguments).map(String::as_str);
            normal(&words.collect::<Vec<_>>().join(" "))
        }
    }
}

/// The line with single blanks between words.
fn normal(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
