//! A watched configuration that tests tamper with.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use uphold_testbed::{own_state, tied_command};

/// Far longer than anything takes: a repair takes milliseconds.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The watch counts as idle after this long without output.
const IDLE: Duration = Duration::from_millis(800);
/// The type of a line about a finished visit.
const FINISHED: &str = r#""type":"resource_finished""#;

/// A running watch. Killed when dropped.
pub(crate) struct Watched {
    dir: TempDir,
    site: TempDir,
    child: Child,
    lines: Receiver<String>,
}

impl Watched {
    /// Watches a configuration in which `DIR` stands for a temporary directory, after `prepare` has run.
    pub(crate) fn after(text: &str, prepare: impl FnOnce(&Prepared)) -> Self {
        let watch = Self::begin(text, &[], prepare);
        watch.await_line(r#""type":"watching""#);
        watch
    }

    /// The same with more arguments, and without waiting for the first visits.
    pub(crate) fn begin(text: &str, arguments: &[&str], prepare: impl FnOnce(&Prepared)) -> Self {
        let directory = || tempfile::tempdir().expect("a directory for the test");
        let (sandbox, site) = (Prepared { dir: directory() }, directory());
        prepare(&sandbox);
        let home = sandbox.dir.path().to_str().expect("a plain path");
        let path = write_site(&site, text, home);
        let mut command = tied_command(env!("CARGO_BIN_EXE_uphold"));
        command.args(["watch", "--json", "--recheck", "never", "--socket", "none"]).arg(path);
        command.args(arguments.iter().map(|argument| argument.replace("DIR", home)));
        own_state(&mut command, site.path());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("its output is piped"));
        // The thread ends with the output; sending fails if the test is over.
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self { dir: sandbox.dir, site, child, lines }
    }

    pub(crate) fn new(text: &str) -> Self {
        Self::after(text, |_| {})
    }

    /// Saves another configuration and reloads it.
    pub(crate) fn rewrite(&self, text: &str) {
        write_site(&self.site, text, self.dir.path().to_str().expect("a plain path"));
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Waits for a line that contains these words; returns it and all earlier ones.
    #[track_caller]
    pub(crate) fn await_line(&self, words: &str) -> Vec<String> {
        let (end, mut before) = (Instant::now() + TIMEOUT, Vec::new());
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) if line.contains(words) => {
                    before.push(line);
                    return before;
                }
                Ok(line) => before.push(line),
                Err(error) => panic!("no line with {words} ({error}):\n{}", before.join("\n")),
            }
        }
    }

    /// The lines from now on until the watch is idle.
    pub(crate) fn until_idle(&self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(IDLE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout) => return lines,
                Err(RecvTimeoutError::Disconnected) => panic!("the watch has ended:\n{}", lines.join("\n")),
            }
        }
    }

    /// The names of visited resources from now on until the watch is idle, in order.
    pub(crate) fn visited(&self) -> Vec<String> {
        finished(&self.until_idle())
    }

    /// Waits for the next visit, even on a busy machine; then as [`visited`](Self::visited).
    #[track_caller]
    pub(crate) fn visited_after_wake(&self) -> Vec<String> {
        let mut lines = self.await_line(FINISHED);
        lines.extend(self.until_idle());
        finished(&lines)
    }

    /// Tampers, and waits until `is_right` is true again.
    #[track_caller]
    pub(crate) fn repairs(&self, what: &str, tamper: impl FnOnce(&Self), is_right: impl Fn(&Self) -> bool) {
        assert!(is_right(self), "not right before: {what}");
        tamper(self);
        self.awaits(what, is_right);
    }

    /// Waits until the condition is true.
    #[track_caller]
    pub(crate) fn awaits(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let end = Instant::now() + TIMEOUT;
        while !is_so(self) {
            assert!(Instant::now() < end, "not repaired: {what}\n{}", self.until_idle().join("\n"));
            thread::sleep(Duration::from_millis(2));
        }
    }

    pub(crate) fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.at(name)).ok()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.at(name), text).expect(name);
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.at(name).symlink_metadata().is_ok()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let pid = Pid::from_child(&self.child);
        // Fails if it has already ended.
        let _ = kill_process(pid, Signal::TERM);
        let _ = self.child.wait();
    }
}

/// The directory before the watch starts.
pub(crate) struct Prepared {
    dir: TempDir,
}

impl Prepared {
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.at(name), text).expect(name);
    }
}

fn write_site(site: &TempDir, text: &str, home: &str) -> PathBuf {
    let path = site.path().join("site.hcl");
    std::fs::write(&path, text.replace("DIR", home)).expect("a configuration");
    path
}

/// The names of the resources whose visits have finished.
fn finished(lines: &[String]) -> Vec<String> {
    lines.iter().filter(|line| line.contains(FINISHED)).map(|line| field(line, "name")).collect()
}

/// The string value of a field of a line.
pub(crate) fn field(line: &str, name: &str) -> String {
    let rest = line.split_once(&format!(r#""{name}":""#)).unwrap_or_else(|| panic!("no {name} in {line}")).1;
    rest.split('"').next().expect("there is always a first part").to_owned()
}
