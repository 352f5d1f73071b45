//! The identity of a process: a pid alone is reused.

use rustix::fs::{CWD, readlinkat};
use serde::{Deserialize, Serialize};

use crate::storage::read_machine_file;

/// A process, on this boot and in its pid namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProcessId {
    /// Its pid, in its own namespace.
    pub pid: u32,
    /// Its start time in clock ticks after the boot.
    pub started: u64,
    /// The boot id of the kernel.
    pub boot: String,
    /// The pid namespace, such as `pid:[4026531836]`.
    pub namespace: String,
}

/// Whether a process still runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// It runs.
    Running,
    /// It ended.
    Gone,
    /// It is in another pid namespace, a container, which cannot be seen from here.
    Elsewhere,
}

impl ProcessId {
    /// This process.
    pub fn current() -> Self {
        let pid = std::process::id();
        Self { pid, started: started(pid).unwrap_or_default(), boot: boot(), namespace: namespace() }
    }

    /// Whether this process still runs.
    pub fn liveness(&self) -> Liveness {
        if self.boot != boot() {
            return Liveness::Gone;
        }
        if self.namespace != namespace() {
            return Liveness::Elsewhere;
        }
        if started(self.pid) == Some(self.started) { Liveness::Running } else { Liveness::Gone }
    }
}

fn text(path: &str) -> Option<String> {
    String::from_utf8(read_machine_file(path, 4096).ok()?).ok()
}

/// The boot id of the kernel.
pub(crate) fn boot() -> String {
    text("/proc/sys/kernel/random/boot_id").unwrap_or_default().trim().to_owned()
}

fn namespace() -> String {
    let link = readlinkat(CWD, "/proc/self/ns/pid", Vec::new());
    link.ok().and_then(|link| link.into_string().ok()).unwrap_or_default()
}

/// Field 22 of `/proc/PID/stat`. The second field may contain spaces and parentheses.
fn started(pid: u32) -> Option<u64> {
    let stat = text(&format!("/proc/{pid}/stat"))?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_recognized_by_its_start() {
        let current = ProcessId::current();
        assert!(current.started > 0 && !current.boot.is_empty() && !current.namespace.is_empty());
        assert_eq!(current.liveness(), Liveness::Running);
        let reused = ProcessId { started: current.started + 1, ..current.clone() };
        assert_eq!(reused.liveness(), Liveness::Gone);
        let before_boot = ProcessId { boot: "other".into(), ..current.clone() };
        assert_eq!(before_boot.liveness(), Liveness::Gone);
        let container = ProcessId { namespace: "pid:[1]".into(), ..current };
        assert_eq!(container.liveness(), Liveness::Elsewhere);
    }
}
