//! A program on a pseudo terminal.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::CHILD;
use crate::emulator::Emulator;

/// Longest wait for an expected output.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A program, and the terminal that it is on.
pub(crate) struct Session {
    master: Option<OwnedFd>,
    /// The other end, to read its modes.
    slave: File,
    child: Child,
    pub(crate) emulator: Emulator,
    /// Standard error of the program.
    pub(crate) errors: File,
}

fn size(wide: u16, high: u16) -> Winsize {
    Winsize { ws_col: wide, ws_row: high, ws_xpixel: 0, ws_ypixel: 0 }
}

impl Session {
    pub(crate) fn start(play: &str, wide: u16, high: u16) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)
            .expect("a pseudo terminal");
        grantpt(&master).expect("permission");
        unlockpt(&master).expect("permission");
        let name = ptsname(&master, Vec::new()).expect("a name").into_string().expect("text");
        let slave = OpenOptions::new().read(true).write(true).open(name).expect("the other end");
        tcsetwinsize(&slave, size(wide, high)).expect("a size");
        let end = || slave.try_clone().expect("a duplicate");
        let (errors, errors_end) = std::io::pipe().expect("a pipe");
        let program = std::env::current_exe().expect("this program");
        let child =
            Command::new(program).args([CHILD, play]).stdin(end()).stdout(end()).stderr(errors_end).spawn();
        let child = child.expect("a process");
        let emulator = Emulator::new(wide.into(), high.into());
        let errors = File::from(OwnedFd::from(errors));
        Self { master: Some(master), slave, child, emulator, errors }
    }

    /// Types keys.
    pub(crate) fn press(&mut self, keys: &str) {
        let master = self.master.as_ref().expect("an open terminal");
        rustix::io::write(master, keys.as_bytes()).expect("it takes keys");
    }

    /// Waits until the screen shows this.
    pub(crate) fn see(&mut self, expected: &str) {
        self.until(&format!("`{expected}` is seen"), |emulator| emulator.screen().contains(expected));
    }

    /// Waits for a condition.
    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&Emulator) -> bool) {
        let began = Instant::now();
        while !is_so(&self.emulator) {
            assert!(began.elapsed() < TIMEOUT, "not so: {what}; but\n{}", self.emulator.screen());
            self.read(Duration::from_millis(50));
        }
    }

    /// Reads for this time.
    pub(crate) fn watch(&mut self, span: Duration) {
        let began = Instant::now();
        while began.elapsed() < span {
            self.read(span.saturating_sub(began.elapsed()));
        }
    }

    fn read(&mut self, wait: Duration) {
        let master = self.master.as_ref().expect("an open terminal");
        let time = Timespec::try_from(wait).expect("a short time");
        let mut inputs = [PollFd::new(master, PollFlags::IN)];
        if poll(&mut inputs, Some(&time)).is_ok_and(|ready| ready > 0) {
            let mut bytes = [0; 4096];
            let count = rustix::io::read(master, &mut bytes).unwrap_or(0);
            self.emulator.feed(&bytes[..count]);
        }
    }

    pub(crate) fn resize(&mut self, wide: u16, high: u16) {
        tcsetwinsize(&self.slave, size(wide, high)).expect("a size");
        self.emulator.resize(wide.into(), high.into());
        // The program has no controlling terminal, so the kernel sends no signal.
        let pid = Pid::from_raw(self.child.id().cast_signed()).expect("a process");
        kill_process(pid, Signal::WINCH).expect("permission");
    }

    /// Whether the terminal is in raw mode.
    pub(crate) fn is_raw(&self) -> bool {
        let modes = tcgetattr(&self.slave).expect("a terminal").local_modes;
        !modes.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Closes the terminal.
    pub(crate) fn hang_up(&mut self) {
        self.master = None;
    }

    /// Waits for the end of the program without reading its output, and reads it then.
    pub(crate) fn ends_unread(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("permission") {
                self.watch(Duration::from_millis(200));
                return status;
            }
            assert!(began.elapsed() < TIMEOUT, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the end of the program.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if self.master.is_some() {
                self.read(Duration::from_millis(20));
            }
            if let Some(status) = self.child.try_wait().expect("permission") {
                if self.master.is_some() {
                    self.watch(Duration::from_millis(20));
                }
                return status;
            }
            assert!(began.elapsed() < TIMEOUT, "it does not end\n{}", self.emulator.screen());
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::io::stdout().flush();
    }
}
