//! A watch under way, and what it tells.

use std::cell::Cell;
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::folder::Folder;

/// Far longer than anything takes, also on a machine that has a lot else to do.
const PATIENCE: Duration = Duration::from_secs(30);

/// All that was told so far, one JSON object for each line.
type Told = Arc<Mutex<Vec<Value>>>;

/// A watch of the real binary. It is killed when this is dropped.
pub(crate) struct RunningWatch<'a> {
    folder: &'a Folder,
    child: Child,
    told: Told,
    /// How many of them a story has seen.
    seen: Cell<usize>,
}

/// How a watch ended.
pub(crate) struct Ended {
    pub(crate) code: i32,
    /// All that was told.
    pub(crate) told: Vec<Value>,
    /// How long it took to end.
    pub(crate) took: Duration,
}

impl<'a> RunningWatch<'a> {
    pub(crate) fn start(folder: &'a Folder, mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
        let told = Told::default();
        let output = child.stdout.take().expect("its output is piped");
        let listener = told.clone();
        // Ends with the output.
        thread::spawn(move || listen(output, &listener));
        Self { folder, child, told, seen: Cell::new(0) }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// All that was told so far.
    pub(crate) fn told(&self) -> Vec<Value> {
        self.read(<[Value]>::to_vec)
    }

    /// Reads what was told without a copy.
    fn read<T>(&self, read: impl FnOnce(&[Value]) -> T) -> T {
        read(&self.told.lock().expect("the listener did not panic"))
    }

    /// Waits until this is there.
    #[track_caller]
    pub(crate) fn awaits<T>(&self, what: &str, look: impl FnMut() -> Option<T>) -> T {
        let told = || self.told().iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
        wait(look).unwrap_or_else(|| panic!("{what}: still not so\n{}", told()))
    }

    /// Waits for the first line of this type.
    #[track_caller]
    pub(crate) fn hears(&self, kind: &str) -> Value {
        self.awaits(kind, || self.read(|told| told.iter().find(|line| line["type"] == kind).cloned()))
    }

    /// Waits until this many lines of this type are about a resource.
    #[track_caller]
    pub(crate) fn hears_of(&self, kind: &str, name: &str, times: usize) {
        let is_it = |line: &&Value| line["type"] == kind && names(line, name);
        let count = || self.read(|told| told.iter().filter(is_it).count());
        self.awaits(&format!("{kind} of {name}, {times} times"), || (count() >= times).then_some(()));
    }

    /// Waits until a file of the machine holds this.
    #[track_caller]
    pub(crate) fn repairs(&self, name: &str, text: &str) {
        self.awaits(name, || (self.folder.read(name).as_deref() == Some(text)).then_some(()));
    }

    /// Waits until all that happened up to now was heard and answered, and tells the visits since the last time, in
    /// order: `f1 changed: reported`.
    #[track_caller]
    pub(crate) fn settled(&self) -> Vec<String> {
        let word = self.folder.say_something_new();
        // Reports are in order, so what came before this one was taken in with it or before.
        let is_heard = |told: &[Value]| {
            let copied =
                |line: &Value| names(line, "heard") && line["change"]["differences"][0]["after"] == *word;
            told.iter().any(copied) && is_at_rest(told)
        };
        let since = self.seen.get();
        let heard = || self.read(|told| is_heard(told).then(|| (told.len(), visits(&told[since..]))));
        let (seen, visits) = self.awaits("everything is heard", heard);
        self.seen.set(seen);
        visits
    }

    pub(crate) fn signal(&self, name: &str) {
        let kill = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(kill.expect("kill runs").success());
    }

    /// Ends it kindly.
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
        let whole = || self.read(|told| told.last().is_some_and(is_last).then(|| told.to_vec()));
        Ended { code, told: self.awaits("its last word", whole), took }
    }
}

impl Drop for RunningWatch<'_> {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listen(output: ChildStdout, told: &Told) {
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        let line = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        told.lock().expect("nobody panics with it").push(line);
    }
}

fn wait<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + PATIENCE;
    loop {
        match look() {
            None if Instant::now() < end => thread::sleep(Duration::from_millis(5)),
            answer => return answer,
        }
    }
}

/// Whether every visit that was begun is over.
fn is_at_rest(told: &[Value]) -> bool {
    let mut busy = HashSet::new();
    for line in told {
        let address = line["resource"]["address"].as_str();
        match line["type"].as_str() {
            Some("resource_started") => _ = busy.insert(address),
            Some("resource_finished") => _ = busy.remove(&address),
            // What only waited for its next try begins anew.
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

/// Visits that are over, without those of the sentinel: what, how it went, and why it was visited.
pub(crate) fn visits(told: &[Value]) -> Vec<String> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let finished = told.iter().filter(|line| line["type"] == "resource_finished" && !names(line, "heard"));
    finished
        .map(|line| format!("{} {}: {}", name(line), word(&line["verdict"]), word(&line["cause"]["reason"])))
        .collect()
}
