//! A temporary folder with a configuration, and a running watch.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use uphold_testbed::{isolate, tied_command};

/// The maximal time of anything, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A fresh folder with the configuration, and with the machine in `root`.
pub(crate) struct Sandbox {
    folder: TempDir,
}

impl Sandbox {
    /// A folder with this configuration and an empty machine.
    pub(crate) fn with(configuration: &str) -> Self {
        let sandbox =
            Self { folder: TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder") };
        fs::create_dir(sandbox.path("root")).expect("its machine");
        sandbox.write("site.hcl", configuration);
        sandbox
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).expect("a file");
    }

    /// Replaces a file by renaming another one, like most editors.
    pub(crate) fn save(&self, name: &str, content: &str) {
        self.write(".saved", content);
        fs::rename(self.path(".saved"), self.path(name)).expect("the same folder");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Waits until a file has this content.
    #[track_caller]
    pub(crate) fn await_content(&self, name: &str, expected: &str) {
        let until = Instant::now() + TIMEOUT;
        while self.read(name) != expected {
            assert!(Instant::now() < until, "{name} says {:?}, not {expected:?}", self.read(name));
            sleep(Duration::from_millis(5));
        }
    }

    /// The command, not yet started, in a fixed environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = tied_command(env!("CARGO_BIN_EXE_uphold"));
        command.args(["watch", "--socket", "none"]).args(arguments);
        isolate(&mut command, self.folder.path()).env("TZ", "UTC").stdin(Stdio::null());
        command
    }

    /// Pauses a resource of the machine below `root`.
    #[track_caller]
    pub(crate) fn pause(&self, address: &str) {
        self.succeed(&["pause", "--quiet", "--root", "root", address]);
    }

    /// Ends all pauses of the machine below `root`.
    #[track_caller]
    pub(crate) fn resume(&self) {
        self.succeed(&["resume", "--quiet", "--root", "root"]);
    }

    #[track_caller]
    fn succeed(&self, arguments: &[&str]) {
        let mut command = tied_command(env!("CARGO_BIN_EXE_uphold"));
        let status = isolate(command.args(arguments), self.folder.path()).status();
        assert!(status.expect("the command starts").success(), "{arguments:?}");
    }

    /// Starts a watch of the machine below `root`.
    pub(crate) fn watch(&self, arguments: &[&str]) -> Session {
        Session::start(self.command(&[&["--root", "root"], arguments].concat()))
    }

    /// Starts a watch and waits until all resources were visited once.
    #[track_caller]
    pub(crate) fn watching(&self, arguments: &[&str]) -> Session {
        let mut session = self.watch(arguments);
        session.await_line("watching ");
        session
    }
}

/// A running watch. Killed when dropped.
pub(crate) struct Session {
    child: Child,
    lines: Receiver<String>,
    /// All lines so far.
    pub(crate) printed: Vec<String>,
}

impl Session {
    pub(crate) fn start(mut command: Command) -> Self {
        // One pipe for standard output and error, so that the lines are in order.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        command.stdout(writer.try_clone().expect("a pipe")).stderr(writer);
        let child = command.spawn().expect("it starts");
        // The command keeps the write ends open.
        drop(command);
        let (sender, lines) = channel();
        spawn(move || {
            let mut lines = BufReader::new(reader).lines().map_while(Result::ok);
            lines.try_for_each(|line| sender.send(line)).ok();
        });
        Self { child, lines, printed: Vec::new() }
    }

    /// The next line that contains this; earlier lines are skipped.
    #[track_caller]
    pub(crate) fn await_line(&mut self, part: &str) -> String {
        let until = Instant::now() + TIMEOUT;
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => self.printed.push(line),
                Err(_) => panic!("no line with {part:?}:\n{}", self.printed.join("\n")),
            }
            if let Some(line) = self.printed.last().filter(|line| line.contains(part)) {
                return line.clone();
            }
        }
    }

    /// Asserts that nothing is printed for this long.
    #[track_caller]
    pub(crate) fn expect_silence(&mut self, span: Duration) {
        match self.lines.recv_timeout(span) {
            Err(RecvTimeoutError::Timeout) => {}
            printed => panic!("{printed:?} after\n{}", self.printed.join("\n")),
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let kill = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
    }

    /// Waits at most this long for the end; returns the exit code.
    #[track_caller]
    pub(crate) fn ended_within(&mut self, span: Duration) -> Option<i32> {
        let until = Instant::now() + span;
        loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                self.printed.extend(self.lines.iter());
                return ExitStatus::code(&status);
            }
            assert!(Instant::now() < until, "it still runs:\n{}", self.printed.join("\n"));
            sleep(Duration::from_millis(5));
        }
    }

    #[track_caller]
    pub(crate) fn ended(&mut self) -> Option<i32> {
        self.ended_within(TIMEOUT)
    }

    /// Ends it gracefully; returns its exit code and output.
    #[track_caller]
    pub(crate) fn end(mut self) -> (Option<i32>, Vec<String>) {
        self.signal("-TERM");
        let code = self.ended();
        (code, std::mem::take(&mut self.printed))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
