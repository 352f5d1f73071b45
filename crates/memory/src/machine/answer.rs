//! Answers: commands whose outcome is set up instead of programmed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use uphold_model::SENSITIVE;
use uphold_resource::{Command, Exit, Output};

use super::host::MemoryHost;
use super::program::{Call, Program};
use super::shell;

/// How deep commands may run commands: deeper than anybody writes.
const DEEPEST: usize = 16;

/// What a shell says of a command that it cannot run.
const NOT_EXECUTABLE: i32 = 126;

/// What a command does, and how it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// A script for the built-in shell that is run first: what the command does to the machine.
    pub does: Option<String>,
    /// How it ends; as its script unless set.
    pub status: Option<i32>,
    /// What it prints, after its script.
    pub stdout: Vec<u8>,
    /// What it complains of, after its script.
    pub stderr: Vec<u8>,
}

/// A command as one line. Displayed, a line with a secret is hidden.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommandLine {
    /// For a shell its script, else the program and its arguments.
    pub text: String,
    /// Whether it holds a secret.
    pub is_secret: bool,
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_secret { SENSITIVE } else { &self.text })
    }
}

/// All answers of a machine, and what was asked of them.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// By the whole command line.
    exact: BTreeMap<String, Arc<Answer>>,
    /// By how it begins: without ` *`.
    like: BTreeMap<String, Arc<Answer>>,
    asked: Vec<CommandLine>,
    unanswered: BTreeSet<CommandLine>,
}

impl MemoryHost {
    /// From now on this is what the command `line` does: a program with its arguments, or a whole script for
    /// `sh -c`. A line that ends in ` *` holds for whatever comes after, unless another one says more.
    pub fn answer(&self, line: &str, answer: Answer) {
        let (line, answers) = (normal(line), &mut self.lock().answers);
        match line.strip_suffix(" *") {
            Some(beginning) => answers.like.insert(beginning.to_owned(), answer.into()),
            None => answers.exact.insert(line, answer.into()),
        };
    }

    /// The commands that were answered, in the order in which they were run, each as often as it was.
    pub fn answered(&self) -> Vec<CommandLine> {
        self.lock().answers.asked.clone()
    }

    /// The commands that somebody tried to run, and that are neither programs nor answered; sorted. Also scripts that
    /// the built-in shell cannot read.
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

    /// The answer to commands that begin like this one: of several, the one that says most.
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
        match depth > DEEPEST {
            true => call.fail(NOT_EXECUTABLE, format!("{line}: it runs itself\n")),
            false => answer.output(call),
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

/// A command as one line: for a shell its script, else the program and its arguments.
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

/// Blanks between words do not count.
fn normal(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
