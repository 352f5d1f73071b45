//! Watches on processes of a program.
//!
//! The kernel reports the end of a process immediately. It reports the start only to privileged processes, so processes are
//! listed every two seconds while a token is interested: a process that starts and ends in between is not detected.

use std::collections::{HashMap, HashSet};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, pidfd_open};
use uphold_resource::{Interest, Token};

use super::change_batch::ChangeBatch;
use super::epoll::{Epoll, Source};
use super::small_set::SmallSet;

/// How often processes are listed.
const LIST_AGAIN: Duration = Duration::from_secs(2);

/// The length of a program's name in the kernel.
const KERNEL_NAME_LENGTH: usize = 15;

/// The name of a program in the kernel.
type KernelName = Box<[u8]>;

/// The watched programs with their tokens.
#[derive(Default)]
pub(super) struct Programs {
    interested: HashMap<Arc<str>, SmallSet>,
    running: HashMap<u32, Running>,
    /// Programs of which a process started or ended, not reported yet.
    unreported: HashSet<KernelName>,
    /// The time of the next listing.
    due: Option<Instant>,
}

struct Running {
    program: KernelName,
    /// Ready when the process ends, and kept open for that.
    _handle: OwnedFd,
}

impl Programs {
    /// Watches processes of `program` for `token`.
    pub(super) fn add(&mut self, token: Token, program: &Arc<str>, epoll: &Epoll) {
        let is_new = !self.interested.contains_key(program);
        self.interested.entry(program.clone()).or_default().insert(token);
        if is_new {
            self.list(epoll);
            // Processes that run already are not reported to the first token of a program.
            if self.interested.keys().filter(|name| kernel_name(name) == kernel_name(program)).count() == 1 {
                self.unreported.remove(kernel_name(program));
            }
            if !self.unreported.is_empty() {
                self.due = Some(Instant::now());
            }
        }
    }

    /// Stops watching the processes of `program` for `token`.
    pub(super) fn remove(&mut self, token: Token, program: &Arc<str>) {
        let Some(tokens) = self.interested.get_mut(program) else { return };
        tokens.remove(token);
        if tokens.is_empty() {
            self.interested.remove(program);
            let wanted: HashSet<&[u8]> = self.interested.keys().map(|name| kernel_name(name)).collect();
            self.running.retain(|_, running| wanted.contains(&*running.program));
        }
        if self.interested.is_empty() {
            *self = Self::default();
        }
    }

    /// The time of the next listing.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Processes the end of a process.
    pub(super) fn ended(&mut self, process: u32, batch: &mut ChangeBatch) {
        if let Some(running) = self.running.remove(&process) {
            self.report(&running.program, batch);
        }
    }

    /// Lists processes, if it is due.
    pub(super) fn list_if_due(&mut self, epoll: &Epoll, batch: &mut ChangeBatch) {
        if self.due.is_none_or(|due| due > Instant::now()) {
            return;
        }
        self.list(epoll);
        for program in std::mem::take(&mut self.unreported) {
            self.report(&program, batch);
        }
    }

    /// Finds processes that started, or execute another program now.
    fn list(&mut self, epoll: &Epoll) {
        self.due = Some(Instant::now() + LIST_AGAIN);
        let found: HashMap<u32, KernelName> = processes(&self.interested).collect();
        let stays = |process: &u32, running: &Running| found.get(process) == Some(&running.program);
        let gone = self.running.extract_if(|process, running| !stays(process, running));
        self.unreported.extend(gone.map(|(_, running)| running.program));
        for (process, program) in found {
            if self.running.contains_key(&process) {
                continue;
            }
            if let Some(handle) = opened(process, epoll) {
                self.unreported.insert(program.clone());
                self.running.insert(process, Running { program, _handle: handle });
            }
        }
    }

    fn report(&self, program: &[u8], batch: &mut ChangeBatch) {
        for (name, tokens) in self.interested.iter().filter(|(name, _)| kernel_name(name) == program) {
            for token in tokens.iter() {
                batch.changed(token, || Interest::Process(name.clone()));
            }
        }
    }
}

/// The name of a program as the kernel truncates it.
fn kernel_name(name: &str) -> &[u8] {
    &name.as_bytes()[..name.len().min(KERNEL_NAME_LENGTH)]
}

/// A handle that is ready when the process ends; `None` if it has ended already.
fn opened(process: u32, epoll: &Epoll) -> Option<OwnedFd> {
    let pid = Pid::from_raw(i32::try_from(process).ok()?)?;
    let handle = pidfd_open(pid, PidfdFlags::empty()).ok()?;
    epoll.add(&handle, Source::Process(process)).ok()?;
    Some(handle)
}

/// The running processes of these programs.
fn processes(wanted: &HashMap<Arc<str>, SmallSet>) -> impl Iterator<Item = (u32, KernelName)> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let wanted: HashSet<&[u8]> = wanted.keys().map(|name| kernel_name(name)).collect();
    numbers.filter_map(move |process: u32| {
        let status = std::fs::read(format!("/proc/{process}/stat")).ok()?;
        wanted.get(program(&status)?).map(|program| (process, Box::from(*program)))
    })
}

/// The program of a process, from its `stat`; `None` for one that has ended and was not reaped yet.
fn program(status: &[u8]) -> Option<&[u8]> {
    let begin = status.iter().position(|byte| *byte == b'(')? + 1;
    // The name itself may contain parentheses.
    let end = status.iter().rposition(|byte| *byte == b')')?;
    let state = status.get(end + 2)?;
    (!matches!(state, b'Z' | b'X')).then(|| status.get(begin..end)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_names_of_programs() {
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
