//! The machine of a simulation.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use uphold_resource::{Accounts, Files, Group, Machine, Output, Result, User};
use uphold_testkit::{Call, MemoryHost};

use super::kinds;
use super::scene::{Drift, Scene};
use super::statements::ALWAYS;

/// A machine that the test and the engine share. It detects simultaneous work that must not happen.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(crate) host: Arc<MemoryHost>,
    work: Arc<Mutex<Work>>,
}

/// The work that is in progress.
#[derive(Default)]
struct Work {
    /// By path: the locks that are held meanwhile.
    locks: BTreeMap<String, Vec<usize>>,
    most: Vec<u32>,
    at_work: BTreeMap<String, u32>,
    complaints: Vec<String>,
    /// Whether to let other threads go first.
    yields: bool,
}

impl Stage {
    /// The machine before the first run.
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut host = MemoryHost::new().directory("/d", 0o755).file(ALWAYS, "", 0o644);
        for thing in 0..scene.things.len() {
            let prop = &scene.things[thing];
            host = match (prop.kind, prop.drift) {
                (_, Drift::Absent) => host,
                ("folder", _) => host.directory(&prop.path, 0o755),
                (_, Drift::AsWanted) => host.file(&prop.path, scene.text(thing), 0o644),
                (_, Drift::Other) => host.file(&prop.path, "other", 0o644),
            };
        }
        let host = Arc::new(host.program("deed", deed).program("ring", ring));
        let locks = scene.things.iter().map(|prop| (prop.path.clone(), prop.locks.clone())).collect();
        let work = Work { locks, most: scene.locks.clone(), yields: scene.jobs > 1, ..Work::default() };
        Self { host, work: Arc::new(Mutex::new(work)) }
    }

    /// The machine for the engine.
    pub(crate) fn machine(&self) -> Machine {
        let mut machine = self.host.machine().clone();
        machine.accounts = Arc::new(self.clone());
        machine
    }

    /// The text of a file.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let bytes = self.host.read(path.as_ref(), 0).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Simultaneous work that must not happen.
    pub(crate) fn complaints(&self) -> Vec<String> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner).complaints.clone()
    }
}

impl Work {
    fn note(&mut self, path: &str, begins: bool) {
        let count = self.at_work.entry(path.to_owned()).or_default();
        if !begins {
            *count -= 1;
            return;
        }
        *count += 1;
        if *count > 1 {
            self.complaints.push(format!("{path} is visited twice at a time"));
        }
        for lock in self.locks.get(path).cloned().unwrap_or_default() {
            let holds = |path: &String| self.locks.get(path).is_some_and(|locks| locks.contains(&lock));
            let held: u32 = self.at_work.iter().filter(|(path, _)| holds(path)).map(|(_, count)| count).sum();
            if held > self.most[lock] {
                self.complaints.push(format!("{held} hold lock {lock}, {path} among them"));
            }
        }
    }
}

fn deed(call: &Call<'_>) -> Output {
    let [path, text, ready] = call.command.args.as_slice() else { return call.fail(2, "usage") };
    let ready: u64 = ready.parse().unwrap_or_default();
    if call.host.act().clock().elapsed().as_secs() < ready {
        return call.fail(1, "not now");
    }
    ended(call, kinds::write(path, text, call.host.act().edits()))
}

fn ring(call: &Call<'_>) -> Output {
    ended(call, kinds::append(&call.command.args[0], call.host.act().files(), call.host.act().edits()))
}

fn ended(call: &Call<'_>, result: Result<()>) -> Output {
    match result {
        Ok(()) => call.succeed(""),
        Err(error) => call.fail(1, error.chain()),
    }
}

impl Accounts for Stage {
    /// A kind begins or ends work on a path: `+/d/1`, `-/d/1`.
    fn user(&self, name: &str) -> Result<Option<User>> {
        let (sign, path) = name.split_at(1);
        let yields = {
            let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
            work.note(path, sign == "+");
            work.yields
        };
        if yields {
            std::thread::yield_now();
        }
        Ok(None)
    }

    fn user_by_id(&self, uid: u32) -> Result<Option<User>> {
        self.host.user_by_id(uid)
    }

    fn group(&self, name: &str) -> Result<Option<Group>> {
        Accounts::group(&*self.host, name)
    }

    fn group_by_id(&self, gid: u32) -> Result<Option<Group>> {
        self.host.group_by_id(gid)
    }

    fn current_uid(&self) -> u32 {
        self.host.current_uid()
    }
}
