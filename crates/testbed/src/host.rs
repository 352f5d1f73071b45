//! A disposable host, and the results of commands in it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use crate::digest::Digest;
use crate::process::HostProcess;

/// A running Debian host. It ends when this is dropped, and when the test ends in any other way.
///
/// It has its own processes, network (only `lo`), host name, mounts and cgroup. Its `/run` and `/tmp` are gone with
/// it. Its processes cannot set the clock, load modules or change sysctls other than `net.*`, which the machine shares.
#[derive(Debug)]
pub struct Host {
    process: HostProcess,
}

impl Host {
    /// The path of the binary under test in every host.
    pub const BINARY: &str = "/run/uphold-testbed/bin/uphold";
    /// A directory for configurations, which [`Host::digest`] leaves out.
    pub const SITE: &str = "/run/uphold-testbed/site";
    const PATH: &str = "/run/uphold-testbed/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    pub(crate) fn new(process: HostProcess) -> Self {
        let host = Self { process };
        host.begin();
        host
    }

    /// Kills all processes, then starts the host again: written files are kept, `/run` and `/tmp` are empty.
    ///
    /// # Panics
    /// If it does not come up; the message has the output of its first process.
    #[track_caller]
    pub fn restart(&mut self) {
        self.process.restart().unwrap_or_else(|why| panic!("the host did not restart: {why}"));
        self.begin();
    }

    /// Prepares the host as soon as its first process runs.
    #[track_caller]
    fn begin(&self) {
        self.ok(&format!("mkdir -p {}", Self::SITE));
        if self.process.is_systemd() {
            self.await_systemd();
        }
    }

    /// Runs a shell script as root.
    #[track_caller]
    pub fn run(&self, shell: &str) -> Ran {
        Ran::new(shell.to_owned(), &output(self.program(&["sh", "-c", shell]), b""))
    }

    /// Runs a shell script that must succeed; returns its standard output.
    ///
    /// # Panics
    /// If it fails; the message has its whole output.
    #[track_caller]
    pub fn ok(&self, shell: &str) -> String {
        let ran = self.run(shell);
        assert!(ran.status == 0, "a command failed\n{ran}");
        ran.stdout
    }

    /// Writes a file, and creates its parent directories.
    #[track_caller]
    pub fn write(&self, path: &str, text: &str) {
        let write = self.program(&["sh", "-c", r#"mkdir -p "$(dirname "$1")" && cat >"$1""#, "write", path]);
        let ran = Ran::new(format!("write {path}"), &output(write, text.as_bytes()));
        assert!(ran.status == 0, "{ran}");
    }

    /// The content of a file.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        let ran = Ran::new(format!("cat {path}"), &output(self.program(&["cat", "--", path]), b""));
        assert!(ran.status == 0, "{ran}");
        ran.stdout
    }

    /// Runs the binary under test, in the directory [`Host::SITE`].
    #[track_caller]
    pub fn uphold(&self, arguments: &[&str]) -> Ran {
        let output = output(self.in_site(r#"exec uphold "$@""#, arguments), b"");
        Ran::new(format!("uphold {}", arguments.join(" ")), &output)
    }

    /// Starts the binary under test, usually a watch, in the directory [`Host::SITE`].
    #[track_caller]
    pub fn spawn(&self, arguments: &[&str]) -> Running<'_> {
        Running::start(self, self.in_site(r#"echo $$; exec uphold "$@""#, arguments))
    }

    /// An interactive shell on this process's terminal.
    pub fn shell(&self) {
        let _ = self.program(&["env", "TERM=linux", "bash"]).status();
    }

    /// A digest of everything that this host added to its root or changed: names, types, modes, owners, targets,
    /// attributes, content and ctime. It leaves out `/run`, `/tmp`, `/var/tmp` and the kernel's file systems.
    #[must_use]
    #[track_caller]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.process.upper())
    }

    /// Waits until systemd has started all units, and fails if one of them failed.
    #[track_caller]
    fn await_systemd(&self) {
        let ran = self.run(
            "for try in $(seq 1500); do [ -S /run/dbus/system_bus_socket ] && break; sleep .02; done
             timeout 60 systemctl is-system-running --wait || { systemctl --failed; false; }",
        );
        assert!(ran.status == 0, "systemd did not come up\n{ran}\n{}", self.process.log());
    }

    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = self.process.command(Self::PATH);
        command.args(arguments);
        command
    }

    /// A shell script with arguments, run in [`Host::SITE`].
    fn in_site(&self, script: &str, arguments: &[&str]) -> Command {
        let mut command = self.program(&["sh", "-c", &format!("cd {} && {script}", Self::SITE), "sh"]);
        command.args(arguments);
        command
    }
}

#[track_caller]
fn output(mut command: Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("`nsenter` runs");
    // A command that does not read its input closes the pipe, which is no failure.
    let _ = child.stdin.take().expect("standard input is piped").write_all(input);
    child.wait_with_output().expect("its output can be read")
}

/// The result of a command in a host.
#[derive(Debug, Clone)]
pub struct Ran {
    /// The command line.
    pub command: String,
    /// The exit code; -1 if a signal ended it.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    pub(crate) fn new(command: String, output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let status = output.status.code().unwrap_or(-1);
        Self { command, status, stdout: text(&output.stdout), stderr: text(&output.stderr) }
    }
}

/// The whole result, for the message of a failed test.
impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "$ {}\nexit code {}", self.command, self.status)?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.trim().is_empty() {
                write!(f, "\n--- {name}\n{}", text.trim_end())?;
            }
        }
        Ok(())
    }
}

// A command that keeps running in a host.

/// The longest wait for a line or an exit. It is generous: the machine may be busy.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A command that keeps running in a host, usually `uphold watch`. It is killed when this is dropped.
#[derive(Debug)]
pub struct Running<'host> {
    host: &'host Host,
    child: Child,
    /// The process id in the host's namespace, for signals.
    id: String,
    lines: Receiver<String>,
    output: Vec<String>,
}

impl<'host> Running<'host> {
    /// Starts a command that prints its process id first.
    #[track_caller]
    pub(crate) fn start(host: &'host Host, mut command: Command) -> Self {
        // One pipe for both outputs keeps the order of the lines.
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        command.stdin(Stdio::null()).stdout(writer.try_clone().expect("a pipe can be shared")).stderr(writer);
        let child = command.spawn().expect("`nsenter` runs");
        // The command still holds the writing ends, and so would keep the pipe open.
        drop(command);
        let (sender, lines) = channel();
        // Ends with the output, or when the receiver is dropped.
        thread::spawn(move || {
            BufReader::new(reader).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let id = lines.recv_timeout(TIMEOUT).expect("the command prints its process id");
        Self { host, child, id, lines, output: Vec::new() }
    }

    /// Waits for the next line that contains `part`; skips earlier lines.
    ///
    /// # Panics
    /// If there is none within 20 seconds; the message has all lines so far.
    #[track_caller]
    pub fn await_line(&mut self, part: &str) -> String {
        let until = Instant::now() + TIMEOUT;
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => self.output.push(line),
                Err(_) => panic!("no line with {part:?}:\n{}", self.output.join("\n")),
            }
            if let Some(line) = self.output.last().filter(|line| line.contains(part)) {
                return line.clone();
            }
        }
    }

    /// Its output so far.
    pub fn output(&mut self) -> String {
        self.output.extend(self.lines.try_iter());
        self.output.join("\n")
    }

    /// Sends a signal, such as `HUP`.
    #[track_caller]
    pub fn signal(&self, name: &str) {
        self.host.ok(&format!("kill -{name} {}", self.id));
    }

    /// Ends it gracefully with `TERM`; returns its exit code and its whole output.
    ///
    /// # Panics
    /// If it does not end within 20 seconds.
    #[track_caller]
    pub fn end(mut self) -> (i32, String) {
        self.signal("TERM");
        let until = Instant::now() + TIMEOUT;
        loop {
            if let Some(status) = self.child.try_wait().expect("it is a child process") {
                self.output.extend(self.lines.iter());
                return (status.code().unwrap_or(-1), self.output.join("\n"));
            }
            assert!(Instant::now() < until, "it still runs:\n{}", self.output());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.host.run(&format!("kill -KILL {}", self.id));
            let _ = self.child.wait();
        }
    }
}
