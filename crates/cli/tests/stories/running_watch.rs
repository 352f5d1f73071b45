//! A running watch and its JSON stream.

use std::cell::Cell;
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::folder::Folder;

/// Far longer than anything takes, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The lines so far, as JSON objects.
type Lines = Arc<Mutex<Vec<Value>>>;

/// A watch of the real binary. Killed when dropped.
pub(crate) struct RunningWatch<'a> {
    folder: &'a Folder,
    child: Child,
    lines: Lines,
    /// The number of lines that a story has already read.
    seen: Cell<usize>,
}

/// The result of a watch.
pub(crate) struct Ended {
    pub(crate) code: i32,
    /// All lines.
    pub(crate) lines: Vec<Value>,
    /// The time that it took to end.
    pub(crate) took: Duration,
}

impl<'a> RunningWatch<'a> {
    pub(crate) fn start(folder: &'a Folder, mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
        let lines = Lines::default();
        let output = child.stdout.take().expect("its output is piped");
        let listener = lines.clone();
        // The thread ends with the output.
        thread::spawn(move || listen(output, &listener));
        Self { folder, child, lines, seen: Cell::new(0) }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// All lines so far.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.read(<[Value]>::to_vec)
    }

    /// Reads the lines without a copy.
    fn read<T>(&self, read: impl FnOnce(&[Value]) -> T) -> T {
        read(&self.lines.lock().expect("the listener did not panic"))
    }

    /// Waits until `look` returns a value.
    #[track_caller]
    pub(crate) fn awaits<T>(&self, what: &str, look: impl FnMut() -> Option<T>) -> T {
        let lines = || self.lines().iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
        wait(look).unwrap_or_else(|| panic!("{what}: still not true\n{}", lines()))
    }

    /// Waits for the first line of this type.
    #[track_caller]
    pub(crate) fn await_type(&self, kind: &str) -> Value {
        self.awaits(kind, || self.read(|lines| lines.iter().find(|line| line["type"] == kind).cloned()))
    }

    /// Waits until this many lines of this type are about a resource.
    #[track_caller]
    pub(crate) fn await_lines_of(&self, kind: &str, name: &str, times: usize) {
        let is_it = |line: &&Value| line["type"] == kind && names(line, name);
        let count = || self.read(|lines| lines.iter().filter(is_it).count());
        self.awaits(&format!("{kind} of {name}, {times} times"), || (count() >= times).then_some(()));
    }

    /// Waits until a file of the machine has this content.
    #[track_caller]
    pub(crate) fn repairs(&self, name: &str, text: &str) {
        self.awaits(name, || (self.folder.read(name).as_deref() == Some(text)).then_some(()));
    }

    /// Waits until all events up to now were handled, and returns the visits since the last call in order:
    /// `f1 changed: change_detected`.
    #[track_caller]
    pub(crate) fn visits_until_idle(&self) -> Vec<String> {
        let word = self.folder.notify_sentinel();
        // Events are in order, so all earlier ones were received with this one or before it.
        let is_handled = |lines: &[Value]| {
            let copied =
                |line: &Value| names(line, "heard") && line["change"]["differences"][0]["after"] == *word;
            lines.iter().any(copied) && is_idle(lines)
        };
        let since = self.seen.get();
        let handled = || self.read(|lines| is_handled(lines).then(|| (lines.len(), visits(&lines[since..]))));
        let (seen, visits) = self.awaits("everything is heard", handled);
        self.seen.set(seen);
        visits
    }

    pub(crate) fn signal(&self, name: &str) {
        let kill = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
    }

    /// Ends it gracefully.
    #[track_caller]
    pub(crate) fn stop(self) -> Ended {
        self.signal("-INT");
        self.ends()
    }

    /// Waits until it ends.
    #[track_caller]
    pub(crate) fn ends(mut self) -> Ended {
        let began = Instant::now();
        let status = wait(|| self.child.try_wait().expect("it can be waited for"));
        let took = began.elapsed();
        let code = status.expect("it ends").code().expect("no signal ends it");
        let is_last =
            |line: &Value| ["watch_finished", "run_finished"].iter().any(|kind| line["type"] == *kind);
        let whole = || self.read(|lines| lines.last().is_some_and(is_last).then(|| lines.to_vec()));
        Ended { code, lines: self.awaits("its last line", whole), took }
    }
}

impl Drop for RunningWatch<'_> {
    fn drop(&mut self) {
        // Fails if it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listen(output: ChildStdout, lines: &Lines) {
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        let line = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        lines.lock().expect("no thread panicked").push(line);
    }
}

fn wait<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + TIMEOUT;
    loop {
        match look() {
            None if Instant::now() < end => thread::sleep(Duration::from_millis(5)),
            answer => return answer,
        }
    }
}

/// Whether every visit that was begun is over.
fn is_idle(lines: &[Value]) -> bool {
    let mut busy = HashSet::new();
    for line in lines {
        let address = line["resource"]["address"].as_str();
        match line["type"].as_str() {
            Some("resource_started") => _ = busy.insert(address),
            Some("resource_finished") => _ = busy.remove(&address),
            // A resource that waited for its next attempt begins again.
            Some("configuration_reloaded") => busy.clear(),
            _ => {}
        }
    }
    busy.is_empty()
}

/// The last part of a resource's name.
fn name(line: &Value) -> &str {
    let name = line["resource"]["name"].as_str().unwrap_or_default();
    name.rsplit('/').next().unwrap_or_default()
}

/// Whether a line is about this resource.
pub(crate) fn names(line: &Value, resource: &str) -> bool {
    name(line) == resource
}

/// Finished visits, without those of the sentinel: name, outcome, and reason.
pub(crate) fn visits(lines: &[Value]) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let finished = lines.iter().filter(|line| line["type"] == "resource_finished" && !names(line, "heard"));
    finished
        .map(|line| format!("{} {}: {}", name(line), word(&line["verdict"]), word(&line["cause"]["reason"])))
        .collect()
}
