//! A configuration that is held, and somebody who tampers with it.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// Far longer than anything takes: a repair is a matter of milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);
/// So long nothing must happen before it counts as nothing.
const CALM: Duration = Duration::from_millis(400);

/// A watch under way. It ends with this.
pub(crate) struct Held {
    dir: TempDir,
    site: TempDir,
    child: Child,
    lines: Receiver<String>,
}

impl Held {
    /// Holds a configuration in which `DIR` is a directory of its own, after `prepare` was there.
    pub(crate) fn after(text: &str, prepare: impl FnOnce(&Ground)) -> Self {
        let held = Self::begin(text, &[], prepare);
        held.await_line(r#""type":"watching""#);
        held
    }

    /// The same with more arguments, and not everything may be there yet.
    pub(crate) fn begin(text: &str, arguments: &[&str], prepare: impl FnOnce(&Ground)) -> Self {
        let directory = || tempfile::tempdir().expect("a directory for the test");
        let (ground, site) = (Ground { dir: directory() }, directory());
        prepare(&ground);
        let home = ground.dir.path().to_str().expect("a plain path");
        let path = write_site(&site, text, home);
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.args(["watch", "--json", "--recheck", "never", "--socket", "none"]).arg(path);
        command.args(arguments.iter().map(|argument| argument.replace("DIR", home)));
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
        let (teller, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("its output is piped"));
        // Ends with the output; nobody listens any more if the test is over.
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| teller.send(line)));
        Self { dir: ground.dir, site, child, lines }
    }

    pub(crate) fn new(text: &str) -> Self {
        Self::after(text, |_| {})
    }

    /// Saves another configuration, which is read at once.
    pub(crate) fn rewrite(&self, text: &str) {
        write_site(&self.site, text, self.dir.path().to_str().expect("a plain path"));
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Waits for a line that holds these words, and tells those before it, and it.
    #[track_caller]
    pub(crate) fn await_line(&self, words: &str) -> Vec<String> {
        let (end, mut before) = (Instant::now() + PATIENCE, Vec::new());
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

    /// What was told from now on until nothing was told for a while.
    pub(crate) fn until_calm(&self) -> Vec<String> {
        let mut told = Vec::new();
        loop {
            match self.lines.recv_timeout(CALM) {
                Ok(line) => told.push(line),
                Err(RecvTimeoutError::Timeout) => return told,
                Err(RecvTimeoutError::Disconnected) => panic!("the watch has ended:\n{}", told.join("\n")),
            }
        }
    }

    /// Names of resources that are visited from now on until nobody is any more, in order.
    pub(crate) fn visited(&self) -> Vec<String> {
        let told = self.until_calm();
        let finished = told.iter().filter(|line| line.contains(r#""type":"resource_finished""#));
        finished.map(|line| field(line, "name")).collect()
    }

    /// Tampers, and waits until `is_right` says that it is as declared again.
    #[track_caller]
    pub(crate) fn repairs(&self, what: &str, tamper: impl FnOnce(&Self), is_right: impl Fn(&Self) -> bool) {
        assert!(is_right(self), "not right before: {what}");
        tamper(self);
        self.awaits(what, is_right);
    }

    /// Waits until this is so.
    #[track_caller]
    pub(crate) fn awaits(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(Instant::now() < end, "not repaired: {what}\n{}", self.until_calm().join("\n"));
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

impl Drop for Held {
    fn drop(&mut self) {
        let pid = Pid::from_child(&self.child);
        // It may have ended by itself.
        let _ = kill_process(pid, Signal::TERM);
        let _ = self.child.wait();
    }
}

/// The directory before the watch.
pub(crate) struct Ground {
    dir: TempDir,
}

impl Ground {
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

/// The text of a field of a line.
pub(crate) fn field(line: &str, name: &str) -> String {
    let rest = line.split_once(&format!(r#""{name}":""#)).unwrap_or_else(|| panic!("no {name} in {line}")).1;
    rest.split('"').next().expect("there is always a first part").to_owned()
}
