//! A running watch process: ours, or the floor.

use std::io::ErrorKind;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::disk;
use crate::failure::{Failure, Result};
use crate::program;

/// The time from start to readiness, at most.
const START: Duration = Duration::from_secs(60);
/// The time from SIGTERM to the end, at most: longer than `uphold watch` guarantees.
const END: Duration = Duration::from_secs(5);
/// The polling interval while it ends.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A running process that has notified its readiness. Killed when dropped.
pub(crate) struct WatchProcess {
    child: Child,
    name: String,
}

impl WatchProcess {
    /// Starts `command` and waits until it notifies its readiness through a socket in `folder`, as to systemd.
    pub(crate) fn start(command: &mut Command, folder: &Path) -> Result<Self> {
        let address = folder.join("notify");
        let not_bound = |error| Failure::new(format!("cannot listen at `{}`: {error}", address.display()));
        if address.exists() {
            disk::remove_file(&address)?;
        }
        let socket = UnixDatagram::bind(&address).map_err(not_bound)?;
        socket.set_read_timeout(Some(POLL_INTERVAL)).map_err(not_bound)?;
        command.env("NOTIFY_SOCKET", &address).stdin(Stdio::null());
        let child = command.spawn().map_err(|error| program::not_started(command, &error))?;
        let mut process = Self { child, name: program::shown(command) };
        process.wait_until_ready(&socket)?;
        Ok(process)
    }

    fn wait_until_ready(&mut self, socket: &UnixDatagram) -> Result {
        let begin = Instant::now();
        let mut buffer = [0_u8; 1024];
        while begin.elapsed() < START {
            match socket.recv(&mut buffer) {
                Ok(length) if is_ready(&buffer[..length]) => return Ok(()),
                Err(error) if !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Err(Failure::new(format!("cannot receive from `{}`: {error}", self.name)));
                }
                _ => self.expect_running()?,
            }
        }
        Err(Failure::new(format!("`{}` is not ready after {} s", self.name, START.as_secs())))
    }

    /// Fails if the process has ended.
    pub(crate) fn expect_running(&mut self) -> Result {
        match self.child.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(Failure::new(format!("`{}` ended by itself with {status}", self.name))),
            Err(error) => Err(Failure::new(format!("cannot get the state of `{}`: {error}", self.name))),
        }
    }

    /// The used processor time in ticks.
    pub(crate) fn ticks(&self) -> Result<u64> {
        let stat = self.proc_file("stat")?;
        ticks(&stat).ok_or_else(|| Failure::new(format!("cannot read the times of `{}`", self.name)))
    }

    /// Its proportional share of the resident memory in bytes, so that neither the program nor a library counts twice.
    pub(crate) fn memory(&self) -> Result<u64> {
        let rollup = self.proc_file("smaps_rollup")?;
        proportional(&rollup)
            .ok_or_else(|| Failure::new(format!("cannot read the memory of `{}`", self.name)))
    }

    fn proc_file(&self, file: &str) -> Result<String> {
        disk::read(format!("/proc/{}/{file}", self.child.id()).as_ref())
    }

    /// Ends it by a signal. It must exit with success, which means that all watched files were as declared.
    pub(crate) fn end(mut self) -> Result {
        let pid = Pid::from_child(&self.child);
        rustix::process::kill_process(pid, Signal::TERM)
            .map_err(|error| Failure::new(format!("cannot end `{}`: {error}", self.name)))?;
        let begin = Instant::now();
        while begin.elapsed() < END {
            match self.child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(()),
                Ok(None) => std::thread::sleep(POLL_INTERVAL),
                Ok(Some(status)) => {
                    return Err(Failure::new(format!("`{}` ended with {status}", self.name)));
                }
                Err(error) => return Err(Failure::new(format!("cannot wait for `{}`: {error}", self.name))),
            }
        }
        Err(Failure::new(format!("`{}` does not end after a signal", self.name)))
    }
}

impl Drop for WatchProcess {
    fn drop(&mut self) {
        // Fails if it has already ended, which is the usual case.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_ready(message: &[u8]) -> bool {
    message.split(|byte| *byte == b'\n').any(|line| line == b"READY=1")
}

/// User and system time from the `stat` of a process. The program name can contain anything up to the last parenthesis.
fn ticks(stat: &str) -> Option<u64> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    // The first field after the name is number 3; the times are fields 14 and 15.
    let time = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    Some(time(14)? + time(15)?)
}

/// `Pss` of a process in bytes.
fn proportional(rollup: &str) -> Option<u64> {
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readiness_is_a_line_of_its_own() {
        assert!(is_ready(b"READY=1"));
        assert!(is_ready(b"STATUS=idle\nREADY=1\n"));
        assert!(!is_ready(b"STATUS=not READY=1\n"));
    }

    #[test]
    fn times_are_read_after_any_program_name() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 100 1000 200";
        assert_eq!(ticks(stat), Some(300));
        assert_eq!(ticks("7 (a"), None);
    }

    #[test]
    fn memory_is_in_bytes() {
        assert_eq!(proportional("Rss:    9 kB\nPss:      2 kB\nPss_Anon: 1 kB\n"), Some(2048));
        assert_eq!(proportional("Rss: 9 kB\n"), None);
    }

    #[test]
    fn a_program_that_ends_early_is_an_error() {
        let folder = std::env::temp_dir().join(format!("xtask-process-{}", std::process::id()));
        disk::make_directory(&folder).unwrap();
        let failure = WatchProcess::start(Command::new("sh").args(["-c", "exit 3"]), &folder).err().unwrap();
        assert_eq!(failure.to_string(), "`sh -c exit 3` ended by itself with exit status: 3");
        disk::remove_tree(&folder).unwrap();
    }
}
