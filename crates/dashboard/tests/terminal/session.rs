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

/// What does not come by then does not come.
const PATIENCE: Duration = Duration::from_secs(10);

/// A program, and the terminal that it is on.
pub(crate) struct Session {
    master: Option<OwnedFd>,
    /// Our own hold on the other end, to look at its modes.
    slave: File,
    child: Child,
    pub(crate) emulator: Emulator,
    /// What the program wrote to standard error.
    pub(crate) errors: File,
}

fn size(wide: u16, high: u16) -> Winsize {
    Winsize { ws_col: wide, ws_row: high, ws_xpixel: 0, ws_ypixel: 0 }
}

impl Session {
    pub(crate) fn start(play: &str, wide: u16, high: u16) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)
            .expect("a pseudo terminal");
        grantpt(&master).expect("it is ours");
        unlockpt(&master).expect("it is ours");
        let name = ptsname(&master, Vec::new()).expect("a name").into_string().expect("text");
        let slave = OpenOptions::new().read(true).write(true).open(name).expect("the other end");
        tcsetwinsize(&slave, size(wide, high)).expect("any size");
        let end = || slave.try_clone().expect("one more");
        let (errors, errors_end) = std::io::pipe().expect("a pipe");
        let program = std::env::current_exe().expect("this program");
        let child =
            Command::new(program).args([CHILD, play]).stdin(end()).stdout(end()).stderr(errors_end).spawn();
        let child = child.expect("it starts");
        let emulator = Emulator::new(wide.into(), high.into());
        let errors = File::from(OwnedFd::from(errors));
        Self { master: Some(master), slave, child, emulator, errors }
    }

    /// Types this.
    pub(crate) fn press(&mut self, keys: &str) {
        let master = self.master.as_ref().expect("the terminal is there");
        rustix::io::write(master, keys.as_bytes()).expect("it takes keys");
    }

    /// Waits until this is to be seen.
    pub(crate) fn see(&mut self, expected: &str) {
        self.until(&format!("`{expected}` is seen"), |emulator| emulator.screen().contains(expected));
    }

    /// Waits until it is so.
    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&Emulator) -> bool) {
        let began = Instant::now();
        while !is_so(&self.emulator) {
            assert!(began.elapsed() < PATIENCE, "not so: {what}; but\n{}", self.emulator.screen());
            self.read(Duration::from_millis(50));
        }
    }

    /// Reads for so long.
    pub(crate) fn watch(&mut self, span: Duration) {
        let began = Instant::now();
        while began.elapsed() < span {
            self.read(span.saturating_sub(began.elapsed()));
        }
    }

    fn read(&mut self, wait: Duration) {
        let master = self.master.as_ref().expect("the terminal is there");
        let time = Timespec::try_from(wait).expect("a short time");
        let mut doors = [PollFd::new(master, PollFlags::IN)];
        if poll(&mut doors, Some(&time)).is_ok_and(|ready| ready > 0) {
            let mut bytes = [0; 4096];
            let count = rustix::io::read(master, &mut bytes).unwrap_or(0);
            self.emulator.feed(&bytes[..count]);
        }
    }

    pub(crate) fn resize(&mut self, wide: u16, high: u16) {
        tcsetwinsize(&self.slave, size(wide, high)).expect("any size");
        self.emulator.resize(wide.into(), high.into());
        // It has no controlling terminal, so the kernel does not tell it.
        let pid = Pid::from_raw(self.child.id().cast_signed()).expect("a process");
        kill_process(pid, Signal::WINCH).expect("it is ours");
    }

    /// Whether each key comes at once, and without an echo.
    pub(crate) fn is_raw(&self) -> bool {
        let modes = tcgetattr(&self.slave).expect("a terminal").local_modes;
        !modes.intersects(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
    }

    /// Takes the terminal away.
    pub(crate) fn hang_up(&mut self) {
        self.master = None;
    }

    /// Waits for the end of the program, without taking what it writes; only then that is looked at.
    pub(crate) fn ends_unread(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                self.watch(Duration::from_millis(200));
                return status;
            }
            assert!(began.elapsed() < PATIENCE, "it does not end");
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
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                if self.master.is_some() {
                    self.watch(Duration::from_millis(20));
                }
                return status;
            }
            assert!(began.elapsed() < PATIENCE, "it does not end\n{}", self.emulator.screen());
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may be over long since.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::io::stdout().flush();
    }
}
