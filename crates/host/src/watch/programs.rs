//! Watching for processes of a program.
//!
//! The end of a process is told by the kernel at once. Its beginning is not told to everybody, so the processes are
//! listed every two seconds while somebody is interested: a process that begins and ends in between goes unseen.

use std::collections::{HashMap, HashSet};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, pidfd_open};
use uphold_resource::{Interest, Token};

use super::gate::{Gate, Source};
use super::numbers::Numbers;
use super::tidings::Tidings;

/// How often the processes are listed.
const LIST_AGAIN: Duration = Duration::from_secs(2);

/// The kernel keeps no more of a program's name.
const KERNEL_NAME: usize = 15;

/// A program as the kernel calls it.
type Called = Box<[u8]>;

/// Who is interested in which program.
#[derive(Default)]
pub(super) struct Programs {
    interested: HashMap<Arc<str>, Numbers>,
    running: HashMap<u32, Running>,
    /// Programs of which a process began or ended, and nobody was told yet.
    unsaid: HashSet<Called>,
    /// When the processes are to be listed again.
    due: Option<Instant>,
}

struct Running {
    program: Called,
    /// Ready when the process ends. It is held open for that.
    _handle: OwnedFd,
}

impl Programs {
    /// Watches processes of `program` for `token`.
    pub(super) fn add(&mut self, token: Token, program: &Arc<str>, gate: &Gate) {
        let is_new = !self.interested.contains_key(program);
        self.interested.entry(program.clone()).or_default().insert(token);
        if is_new {
            self.look(gate);
            // What runs already is no news to those who are the first to ask.
            if self.interested.keys().filter(|name| called(name) == called(program)).count() == 1 {
                self.unsaid.remove(called(program));
            }
            if !self.unsaid.is_empty() {
                self.due = Some(Instant::now());
            }
        }
    }

    /// Watches them no more.
    pub(super) fn remove(&mut self, token: Token, program: &Arc<str>) {
        let Some(tokens) = self.interested.get_mut(program) else { return };
        tokens.remove(token);
        if tokens.is_empty() {
            self.interested.remove(program);
            let wanted: HashSet<&[u8]> = self.interested.keys().map(|name| called(name)).collect();
            self.running.retain(|_, running| wanted.contains(&*running.program));
        }
        if self.interested.is_empty() {
            *self = Self::default();
        }
    }

    /// When it has to be looked again.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// A process ended.
    pub(super) fn ended(&mut self, process: u32, tidings: &mut Tidings) {
        if let Some(running) = self.running.remove(&process) {
            self.tell(&running.program, tidings);
        }
    }

    /// Looks for processes that began, if it is time.
    pub(super) fn look_if_due(&mut self, gate: &Gate, tidings: &mut Tidings) {
        if self.due.is_none_or(|due| due > Instant::now()) {
            return;
        }
        self.look(gate);
        for program in std::mem::take(&mut self.unsaid) {
            self.tell(&program, tidings);
        }
    }

    /// Finds the processes that began, or became another program.
    fn look(&mut self, gate: &Gate) {
        self.due = Some(Instant::now() + LIST_AGAIN);
        let found: HashMap<u32, Called> = processes(&self.interested).collect();
        let stays = |process: &u32, running: &Running| found.get(process) == Some(&running.program);
        let gone = self.running.extract_if(|process, running| !stays(process, running));
        self.unsaid.extend(gone.map(|(_, running)| running.program));
        for (process, program) in found {
            if self.running.contains_key(&process) {
                continue;
            }
            if let Some(handle) = opened(process, gate) {
                self.unsaid.insert(program.clone());
                self.running.insert(process, Running { program, _handle: handle });
            }
        }
    }

    fn tell(&self, program: &[u8], tidings: &mut Tidings) {
        for (name, tokens) in self.interested.iter().filter(|(name, _)| called(name) == program) {
            for token in tokens.iter() {
                tidings.changed(token, || Interest::Process(name.clone()));
            }
        }
    }
}

/// The kernel cuts a name off, so that a long one can only be known by its beginning.
fn called(name: &str) -> &[u8] {
    &name.as_bytes()[..name.len().min(KERNEL_NAME)]
}

/// A handle that is ready when the process ends. None if it is gone already.
fn opened(process: u32, gate: &Gate) -> Option<OwnedFd> {
    let pid = Pid::from_raw(i32::try_from(process).ok()?)?;
    let handle = pidfd_open(pid, PidfdFlags::empty()).ok()?;
    gate.add(&handle, Source::Process(process)).ok()?;
    Some(handle)
}

/// The running processes of these programs.
fn processes(wanted: &HashMap<Arc<str>, Numbers>) -> impl Iterator<Item = (u32, Called)> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let wanted: HashSet<&[u8]> = wanted.keys().map(|name| called(name)).collect();
    numbers.filter_map(move |process: u32| {
        let status = std::fs::read(format!("/proc/{process}/stat")).ok()?;
        wanted.get(program(&status)?).map(|program| (process, Box::from(*program)))
    })
}

/// The program of a process, from its `stat`. One that has ended and was not fetched yet has none.
fn program(status: &[u8]) -> Option<&[u8]> {
    let begin = status.iter().position(|byte| *byte == b'(')? + 1;
    // The name itself may hold anything.
    let end = status.iter().rposition(|byte| *byte == b')')?;
    let state = status.get(end + 2)?;
    (!matches!(state, b'Z' | b'X')).then(|| status.get(begin..end)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_programs() {
        let check = |status: &str, expected: Option<&str>| {
            assert_eq!(program(status.as_bytes()), expected.map(str::as_bytes), "{status}");
        };
        check("1 (init) S 0 1", Some("init"));
        check("1 (a) b (c) R 0 1", Some("a) b (c"));
        check("1 (gone) Z 0 1", None);
        check("1 (gone) X 0 1", None);
        check("1 (cut", None);
        check("", None);
        check(")(", None);
    }
}
