//! The built-in commands of the shell.

use std::path::Path;

use uphold_resource::{
    Access, Command, Entry, EntryKind, Error, ErrorKind, Exit, FileEdits, Files, Output, Result,
};

use super::{NOT_FOUND, Printed, Shell};
use crate::machine::tamper::InPlace;

/// The mode of a new directory of a shell, with the usual umask.
const NEW_DIRECTORY: u32 = 0o755;

impl Shell<'_> {
    /// Runs one command and returns its status.
    pub(super) fn builtin(&mut self, name: &str, arguments: &[String], printed: &mut Printed) -> i32 {
        // An answer of the test replaces a built-in command.
        if self.host.answer_to(&self.started(name, arguments)).is_some() {
            return self.program(name, arguments, printed);
        }
        let (flags, operands): (Vec<&String>, Vec<&String>) =
            arguments.iter().partition(|argument| argument.starts_with('-') && argument.len() > 1);
        let has = |flag: char| flags.iter().any(|flags| flags.contains(flag));
        let done = match name {
            "true" | ":" => return 0,
            "false" => return 1,
            "exit" => return self.exit(arguments),
            "test" => return self.test(arguments),
            "[" => return self.bracket(arguments),
            "echo" => printed.print(&echo(arguments)),
            "printf" => printed.print(&printf(arguments)),
            "touch" => self.each(&operands, |shell, path| {
                shell.host.write_in_place(path, &[], InPlace::Append, shell.owner)
            }),
            "rm" => self.each(&operands, |shell, path| shell.remove(path, has('r'), has('f'))),
            "mkdir" => self.each(&operands, |shell, path| shell.make_directory(path, has('p'))),
            "cat" => self.cat(&operands, printed),
            _ => return self.program(name, arguments, printed),
        };
        match done {
            Ok(()) => 0,
            Err(error) => {
                printed.err.extend(format!("{name}: {}\n", error.chain()).into_bytes());
                1
            }
        }
    }

    /// The command that the shell starts.
    fn started(&self, name: &str, arguments: &[String]) -> Command {
        Command { program: name.to_owned(), args: arguments.to_vec(), ..self.command.clone() }
    }

    fn exit(&mut self, arguments: &[String]) -> i32 {
        self.exited = true;
        arguments.first().and_then(|code| code.parse().ok()).unwrap_or(self.status)
    }

    /// Calls `act` on each path, and continues after a failure; the first one counts.
    fn each(&self, operands: &[&String], act: impl Fn(&Self, &Path) -> Result<()>) -> Result<()> {
        let results: Vec<_> = operands.iter().map(|path| act(self, &self.path(path))).collect();
        results.into_iter().collect()
    }

    fn remove(&self, path: &Path, recursive: bool, force: bool) -> Result<()> {
        let removed = if recursive { self.host.remove_tree(path) } else { self.host.remove_file(path) };
        match removed {
            Err(error) if force && matches!(error.kind(), ErrorKind::Missing | ErrorKind::ParentMissing) => {
                Ok(())
            }
            other => other,
        }
    }

    fn make_directory(&self, path: &Path, parents: bool) -> Result<()> {
        let access =
            Access { mode: Some(NEW_DIRECTORY), uid: Some(self.owner.uid), gid: Some(self.owner.gid) };
        if !parents {
            return self.host.make_directory(path, &access);
        }
        let mut ancestors: Vec<_> = path.ancestors().collect();
        ancestors.reverse();
        for directory in ancestors {
            match self.look(directory)? {
                Some(entry) if entry.kind == EntryKind::Directory => {}
                _ => self.host.make_directory(directory, &access)?,
            }
        }
        Ok(())
    }

    fn cat(&self, operands: &[&String], printed: &mut Printed) -> Result<()> {
        if operands.is_empty() {
            printed.out.extend(self.command.stdin.as_deref().unwrap_or_default());
            return Ok(());
        }
        for path in operands {
            let real = self.host.lock().real(&self.path(path));
            printed.out.extend(self.host.read(&real, 0)?);
        }
        Ok(())
    }

    /// Runs a program of the machine.
    fn program(&self, name: &str, arguments: &[String], printed: &mut Printed) -> i32 {
        let command = self.started(name, arguments);
        let Some(program) = self.host.program_of(&command) else {
            printed.err.extend(format!("sh: {name}: not found\n").into_bytes());
            return NOT_FOUND;
        };
        match self.host.execute(&command, &program) {
            Ok(Output { exit, stdout, stderr, .. }) => {
                printed.out.extend(stdout);
                printed.err.extend(stderr);
                match exit {
                    Exit::Code(code) => code,
                    Exit::Signal(signal) => 128 + signal,
                    Exit::TimedOut => 124,
                }
            }
            Err(error) => {
                printed.err.extend(format!("sh: {}\n", error.chain()).into_bytes());
                NOT_FOUND
            }
        }
    }

    fn bracket(&self, arguments: &[String]) -> i32 {
        match arguments.split_last() {
            Some((last, rest)) if last == "]" => self.test(rest),
            _ => 2,
        }
    }

    fn test(&self, arguments: &[String]) -> i32 {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let holds = match words.as_slice() {
            ["!", rest @ ..] => {
                let status = self.test(&rest.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
                return if status > 1 { status } else { 1 - status };
            }
            ["-n", text] => Ok(!text.is_empty()),
            ["-z", text] => Ok(text.is_empty()),
            [left, "=", right] => Ok(left == right),
            [left, "!=", right] => Ok(left != right),
            ["-L" | "-h", path] => {
                let entry = self.host.look(&self.path(path));
                entry.map(|entry| entry.is_some_and(|entry| matches!(entry.kind, EntryKind::Link(_))))
            }
            [flag @ ("-e" | "-f" | "-d" | "-x" | "-s"), path] => {
                self.look(&self.path(path)).map(|entry| entry.is_some_and(|entry| is(flag, &entry)))
            }
            [text] => Ok(!text.is_empty()),
            [] => Ok(false),
            _ => return 2,
        };
        i32::from(!matches!(holds, Ok(true)))
    }

    /// The entry at `path`. Final links are followed.
    fn look(&self, path: &Path) -> Result<Option<Entry>, Error> {
        let real = self.host.lock().real(path);
        self.host.look(&real)
    }
}

impl Printed {
    fn print(&mut self, text: &str) -> Result<()> {
        self.out.extend(text.as_bytes());
        Ok(())
    }
}

fn is(flag: &str, entry: &Entry) -> bool {
    match flag {
        "-f" => entry.kind == EntryKind::File,
        "-d" => entry.kind == EntryKind::Directory,
        "-x" => entry.mode & 0o111 != 0,
        "-s" => entry.size > 0,
        _ => true,
    }
}

fn echo(arguments: &[String]) -> String {
    match arguments.split_first() {
        Some((flag, rest)) if flag == "-n" => rest.join(" "),
        _ => arguments.join(" ") + "\n",
    }
}

/// Formats the arguments by the first one, which is repeated while arguments are left.
pub(super) fn printf(arguments: &[String]) -> String {
    let mut rest = arguments.iter();
    let format = rest.next().map_or("", String::as_str);
    let mut text = String::new();
    loop {
        let before = rest.len();
        once(format, &mut rest, &mut text);
        if rest.len() == 0 || rest.len() == before {
            return text;
        }
    }
}

fn once(format: &str, arguments: &mut std::slice::Iter<'_, String>, text: &mut String) {
    let mut characters = format.chars();
    while let Some(c) = characters.next() {
        match c {
            '%' => match characters.next() {
                Some('s' | 'd') => text.push_str(arguments.next().map_or("", String::as_str)),
                Some(c) => text.push(c),
                None => text.push('%'),
            },
            '\\' => match characters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(c) => text.push(c),
                None => text.push('\\'),
            },
            c => text.push(c),
        }
    }
}
