//! A minimal `/bin/sh` for the scripts of tests.
//!
//! Supported: `test` and `[` (`-e -f -d -x -s -L -n -z = !=`), `touch`, `rm`, `mkdir`, `cat`, `echo`, `printf`, `true`, `:`,
//! `false`, `exit`, and the programs of the machine; `!`, `&&`, `||`, `;`, newlines, comments, quotes, variables, `>`, `>>`,
//! `2>` and `2>&1`. Anything else exits with 127.

mod builtin;
mod lexer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lexer::{Piece, Token, Unknown, Word, tokens};
use uphold_resource::{Command, Exit, Files, Output};

use crate::tree::Owner;

use super::MemoryHost;
use super::program::Call;
use super::tamper::InPlace;

// Parsing and execution of a script.

/// The status for an unknown command.
const NOT_FOUND: i32 = 127;

/// A running script.
struct Shell<'a> {
    host: &'a MemoryHost,
    command: &'a Command,
    owner: Owner,
    env: BTreeMap<String, String>,
    status: i32,
    exited: bool,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// The output of one command.
#[derive(Default)]
struct Printed {
    out: Vec<u8>,
    err: Vec<u8>,
}

/// Runs the script of a call of `sh`.
pub(crate) fn run(call: &Call<'_>) -> Output {
    let (script, stop_on_failure) = match arguments(call) {
        Ok(found) => found,
        Err(why) => return call.fail(NOT_FOUND, format!("sh: {why}\n")),
    };
    let parsed = tokens(&script).and_then(parts);
    let parts = match parsed {
        Ok(parts) => parts,
        Err(Unknown(what)) => {
            call.host.note_unanswered(call.command);
            return call.fail(NOT_FOUND, format!("sh: not supported here: {what}\n"));
        }
    };
    let mut shell = Shell {
        host: call.host,
        command: call.command,
        owner: call.owner(),
        env: call.command.env.clone(),
        status: 0,
        exited: false,
        stdout: Vec::new(),
        stderr: Vec::new(),
    };
    shell.run(&parts, stop_on_failure);
    Output::new(Exit::Code(shell.status), shell.stdout, shell.stderr)
}

/// The script, and whether the first failure ends it (`-e`).
fn arguments(call: &Call<'_>) -> Result<(String, bool), String> {
    let mut stop_on_failure = false;
    let mut arguments = call.command.args.iter();
    while let Some(argument) = arguments.next() {
        let Some(flags) = argument.strip_prefix('-') else {
            let content = call.host.read(Path::new(argument), 0).map_err(|error| error.chain())?;
            return Ok((String::from_utf8_lossy(&content).into_owned(), stop_on_failure));
        };
        stop_on_failure |= flags.contains('e');
        if flags.contains('c') {
            let script = arguments.next().ok_or("-c needs a script")?;
            return Ok((script.clone(), stop_on_failure));
        }
    }
    let input = call.command.stdin.as_deref().unwrap_or_default();
    Ok((String::from_utf8_lossy(input).into_owned(), stop_on_failure))
}

impl Shell<'_> {
    fn run(&mut self, parts: &[Part], stop_on_failure: bool) {
        for (at, part) in parts.iter().enumerate() {
            let skipped = match part.joint {
                Joint::Always => false,
                Joint::And => self.status != 0,
                Joint::Or => self.status == 0,
            };
            if skipped {
                continue;
            }
            self.part(part);
            let tested = part.negated || parts.get(at + 1).is_some_and(|next| next.joint != Joint::Always);
            if self.exited || (stop_on_failure && self.status != 0 && !tested) {
                return;
            }
        }
    }

    fn part(&mut self, part: &Part) {
        let words: Vec<String> = part.words.iter().filter_map(|word| self.expand(word)).collect();
        let mut printed = Printed::default();
        self.status = match words.split_first() {
            Some((name, arguments)) => self.builtin(name, arguments, &mut printed),
            None => 0,
        };
        if let Err(error) = self.redirect(part, printed) {
            self.stderr.extend(format!("sh: {error}\n").into_bytes());
            self.status = 1;
        }
        if part.negated && !self.exited {
            self.status = i32::from(self.status == 0);
        }
    }

    /// Sends the output to its redirections, from left to right.
    fn redirect(&mut self, part: &Part, printed: Printed) -> Result<(), String> {
        let mut channels = [Channel::Out, Channel::Err];
        for redirect in &part.redirects {
            let channel = match &redirect.to {
                Target::Channel(to) => channels[usize::from(*to) - 1].clone(),
                Target::File { path, append } => {
                    let path = self.path(&self.expand(path).unwrap_or_default());
                    self.send(&Channel::File(path.clone(), *append), Vec::new())?;
                    // Truncated once; the other channel may follow.
                    Channel::File(path, true)
                }
            };
            channels[usize::from(redirect.from) - 1] = channel;
        }
        let [out, err] = channels;
        self.send(&out, printed.out)?;
        self.send(&err, printed.err)
    }

    fn send(&mut self, channel: &Channel, text: Vec<u8>) -> Result<(), String> {
        match channel {
            Channel::Out => self.stdout.extend(text),
            Channel::Err => self.stderr.extend(text),
            Channel::File(path, _) if path == Path::new("/dev/null") => {}
            Channel::File(_, true) if text.is_empty() => {}
            Channel::File(path, append) => {
                let how = if *append { InPlace::Append } else { InPlace::Replace };
                self.host.write_in_place(path, &text, how, self.owner).map_err(|error| error.chain())?;
            }
        }
        Ok(())
    }

    /// The word with its variables replaced; `None` if nothing is left of it.
    fn expand(&self, word: &Word) -> Option<String> {
        let mut text = String::new();
        for piece in &word.pieces {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Variable(name) if name == "?" => text.push_str(&self.status.to_string()),
                Piece::Variable(name) => text.push_str(self.env.get(name).map_or("", String::as_str)),
            }
        }
        (word.quoted || !text.is_empty()).then_some(text)
    }

    /// `path`, relative to the working directory.
    fn path(&self, path: &str) -> PathBuf {
        self.command.dir.as_deref().unwrap_or(Path::new("/")).join(path)
    }
}

#[derive(Clone)]
enum Channel {
    Out,
    Err,
    File(PathBuf, bool),
}

/// One command, and the condition to run it.
#[derive(Debug, Default, PartialEq)]
struct Part {
    joint: Joint,
    /// `!` before it.
    negated: bool,
    words: Vec<Word>,
    redirects: Vec<Redirect>,
}

/// The operator between a command and the previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Joint {
    #[default]
    Always,
    And,
    Or,
}

/// The redirection of a channel.
#[derive(Debug, PartialEq)]
struct Redirect {
    from: u8,
    to: Target,
}

#[derive(Debug, PartialEq)]
enum Target {
    File { path: Word, append: bool },
    Channel(u8),
}

/// The commands of a script, in order. `&&` and `||` have the same precedence, as in any shell.
fn parts(tokens: Vec<Token>) -> Result<Vec<Part>, Unknown> {
    let mut parts = Vec::new();
    let mut part = Part::default();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            Token::Word(word) if part.words.is_empty() && is(&word, "!") => part.negated = !part.negated,
            Token::Word(word) => part.words.push(word),
            Token::Duplicate { from, to } => {
                part.redirects.push(Redirect { from, to: Target::Channel(to) });
            }
            Token::Redirect { from, append } => {
                let Some(Token::Word(path)) = tokens.next() else { return Err(Unknown(">".to_owned())) };
                part.redirects.push(Redirect { from, to: Target::File { path, append } });
            }
            Token::And => part = finish(&mut parts, part, Joint::And)?,
            Token::Or => part = finish(&mut parts, part, Joint::Or)?,
            // An empty line, or a line break after `&&` or `||`.
            Token::End if part.is_empty() => {}
            Token::End => part = finish(&mut parts, part, Joint::Always)?,
        }
    }
    match (part.is_empty(), part.joint) {
        (true, Joint::Always) => {}
        _ => drop(finish(&mut parts, part, Joint::Always)?),
    }
    Ok(parts)
}

/// Ends one command and starts the next.
fn finish(parts: &mut Vec<Part>, part: Part, joint: Joint) -> Result<Part, Unknown> {
    if part.is_empty() {
        return Err(Unknown("an operator without a command".to_owned()));
    }
    parts.push(part);
    Ok(Part { joint, ..Part::default() })
}

impl Part {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.redirects.is_empty()
    }
}

fn is(word: &Word, text: &str) -> bool {
    !word.quoted && word.pieces == [Piece::Text(text.to_owned())]
}
