//! Random configurations: trees of directories and files, with tasks, queries and notifications.

use std::fmt::Write;

/// The configuration of this seed, for a machine at `root`.
pub(crate) fn generate(seed: u64, root: &str) -> String {
    let mut generator = Generator { dice: seed, root, ..Generator::default() };
    let groups = 2 + generator.random_below(5);
    for _ in 0..groups {
        generator.group();
    }
    generator.text
}

#[derive(Default)]
struct Generator<'a> {
    dice: u64,
    root: &'a str,
    text: String,
    depth: usize,
    made: usize,
    /// The directories so far, as expressions.
    directories: Vec<String>,
    /// The files so far that no other resource changes.
    files: Vec<String>,
    /// The tasks so far, which can be notified.
    tasks: Vec<String>,
    /// Values that other resources may read.
    values: Vec<String>,
}

impl Generator<'_> {
    fn random_below(&mut self, sides: u64) -> u64 {
        self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.dice ^ (self.dice >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    fn pick(&mut self, choice: &[String]) -> Option<String> {
        let count = u64::try_from(choice.len()).expect("a choice is small");
        (count > 0)
            .then(|| choice[usize::try_from(self.random_below(count)).expect("a choice is small")].clone())
    }

    /// A few resources, alone or in a group.
    fn group(&mut self) {
        let group =
            ["", "sequence", "parallel"][usize::try_from(self.random_below(3)).expect("one of three")];
        if !group.is_empty() {
            writeln!(self.text, "{group} {{").expect("text grows");
            self.depth += 1;
        }
        for _ in 0..=self.random_below(4) {
            self.resource();
        }
        if !group.is_empty() {
            self.depth -= 1;
            writeln!(self.text, "}}").expect("text grows");
        }
    }

    fn resource(&mut self) {
        self.made += 1;
        match self.random_below(9) {
            0 | 1 => self.directory(),
            2 | 3 => self.file(),
            4 => self.link(),
            5 => self.line(),
            6 => self.task(),
            7 => self.query(),
            _ => self.word(),
        }
    }

    fn block(&mut self, head: &str, lines: &[String]) {
        let indent = "  ".repeat(self.depth);
        writeln!(self.text, "{indent}{head} {{").expect("text grows");
        let notifies = self.notifies();
        for line in lines.iter().chain(&notifies) {
            writeln!(self.text, "{indent}  {line}").expect("text grows");
        }
        writeln!(self.text, "{indent}}}").expect("text grows");
    }

    /// Notifies only some of the earlier tasks.
    fn notifies(&mut self) -> Option<String> {
        if self.random_below(4) > 0 {
            return None;
        }
        let tasks = self.tasks.clone();
        let task = self.pick(&tasks)?;
        let moment = ["delayed", "immediately", "before", "on_success"];
        let moment = moment[usize::try_from(self.random_below(4)).expect("one of four")];
        Some(format!("notifies = {{ {moment} = [{task}.run] }}"))
    }

    fn place(&mut self) -> String {
        let directories = self.directories.clone();
        let inside = self.pick(&directories).filter(|_| self.random_below(3) > 0);
        format!("{}/{}", inside.unwrap_or_else(|| self.root.to_owned()), self.made)
    }

    fn directory(&mut self) {
        let path = self.place();
        self.block(&format!("directory \"{path}\""), &[]);
        self.directories.push(path);
    }

    fn file(&mut self) {
        let path = self.place();
        let values = self.values.clone();
        let content = match self.pick(&values).filter(|_| self.random_below(2) > 0) {
            Some(value) => format!("content = \"it is ${{{value}}}\\n\""),
            None => format!("content = \"{}\\n\"", self.made),
        };
        self.block(&format!("file \"{path}\""), &[content]);
        let property = if self.random_below(2) > 0 { "sha256" } else { "size" };
        self.values.push(format!("file[\"{path}\"].{property}"));
        self.files.push(path);
    }

    fn link(&mut self) {
        let files = self.files.clone();
        let Some(to) = self.pick(&files) else { return self.file() };
        let (path, kind) = (self.place(), if self.random_below(3) > 0 { "symbolic" } else { "hard" });
        self.block(&format!("link \"{path}\""), &[format!("to   = \"{to}\""), format!("type = \"{kind}\"")]);
    }

    /// A line in a separate file, or in a file that a task creates.
    fn line(&mut self) {
        let (file, number) = (self.place(), self.made);
        let lines = [
            format!("file   = \"{file}\""),
            format!("line   = \"line {number}\""),
            "create = true".to_owned(),
        ];
        self.block(&format!("line \"{number}\""), &lines);
    }

    fn task(&mut self) {
        let (path, number) = (self.place(), self.made);
        let done = match self.random_below(2) {
            0 => format!("creates = \"{path}\""),
            _ => format!("check   = \"test -f {path}\""),
        };
        let apply = format!("apply   = \"echo {number} > {path}; echo done {number}\"");
        let mut lines = vec![done, apply];
        if let Some(directory) = path.rsplit_once('/').map(|(directory, _)| directory.to_owned())
            && self.directories.contains(&directory)
        {
            lines.push(format!("depends_on = [directory[\"{directory}\"]]"));
        }
        self.block(&format!("task \"t{number}\""), &lines);
        self.tasks.push(format!("task.t{number}"));
        self.values.push(format!("task.t{number}.status.exitstatus"));
    }

    fn query(&mut self) {
        let (number, files) = (self.made, self.files.clone());
        let lines = match self.pick(&files).filter(|_| self.random_below(2) > 0) {
            Some(file) => {
                vec![format!("query      = \"cat {file}\""), format!("depends_on = [file[\"{file}\"]]")]
            }
            None => vec![format!("query = \"echo {number}\"")],
        };
        self.block(&format!("query \"q{number}\""), &lines);
        self.values.push(format!("query.q{number}.value"));
    }

    fn word(&mut self) {
        let (number, values) = (self.made, self.values.clone());
        match self.pick(&values) {
            Some(value) if self.random_below(2) > 0 => {
                self.block(
                    &format!("assert \"a{number}\""),
                    &[format!("that = \"is ${{{value}}}\" != \"\"")],
                );
            }
            Some(value) => {
                self.block(&format!("log \"l{number}\""), &[format!("message = \"is ${{{value}}}\"")]);
            }
            None => self.block(&format!("log \"l{number}\""), &[]),
        }
    }
}
