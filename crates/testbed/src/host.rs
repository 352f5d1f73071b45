//! A disposable host.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::digest::Digest;
use crate::life::Life;
use crate::ran::Ran;
use crate::running::Running;

/// A Debian host that runs. It ends when this is dropped, and when the test ends in any other way.
///
/// It has its own processes, network (only `lo`), host name, mounts and cgroup. Its `/run` and `/tmp` are gone with
/// it. Nobody in it can set the clock, load modules or change sysctls other than `net.*`: those are the machine's.
#[derive(Debug)]
pub struct Host {
    life: Life,
}

impl Host {
    /// Where the binary under test is in every host.
    pub const BINARY: &str = "/run/uphold-testbed/bin/uphold";
    /// Where tests can put configuration: nothing in it counts for [`Host::digest`].
    pub const SITE: &str = "/run/uphold-testbed/site";
    const PATH: &str = "/run/uphold-testbed/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    pub(crate) fn new(life: Life) -> Self {
        let host = Self { life };
        host.begin();
        host
    }

    /// Cuts the power, and starts it again: what was written is there, `/run` and `/tmp` are empty.
    ///
    /// # Panics
    /// If it does not come up, with what its first process said.
    #[track_caller]
    pub fn restart(&mut self) {
        self.life.restart().unwrap_or_else(|why| panic!("the host did not start again: {why}"));
        self.begin();
    }

    /// What every host needs as soon as its first process runs.
    #[track_caller]
    fn begin(&self) {
        self.ok(&format!("mkdir -p {}", Self::SITE));
        if self.life.is_systemd() {
            self.await_systemd();
        }
    }

    /// Runs a text of the shell as root.
    #[track_caller]
    pub fn run(&self, shell: &str) -> Ran {
        Ran::new(shell.to_owned(), &output(self.program(&["sh", "-c", shell]), b""))
    }

    /// The same, which has to succeed; what it wrote to standard output.
    ///
    /// # Panics
    /// If it fails, with everything that it said.
    #[track_caller]
    pub fn ok(&self, shell: &str) -> String {
        let ran = self.run(shell);
        assert!(ran.status == 0, "a command failed\n{ran}");
        ran.stdout
    }

    /// Writes a file, and makes the directories above it.
    #[track_caller]
    pub fn write(&self, path: &str, text: &str) {
        let write = self.program(&["sh", "-c", r#"mkdir -p "$(dirname "$1")" && cat >"$1""#, "write", path]);
        let ran = Ran::new(format!("write {path}"), &output(write, text.as_bytes()));
        assert!(ran.status == 0, "{ran}");
    }

    /// What a file says.
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

    /// A shell for a person, on this process's own terminal, until it is left.
    pub fn shell(&self) {
        let _ = self.program(&["env", "TERM=linux", "bash"]).status();
    }

    /// A digest of everything that this host has and the root has not: names, types, modes, owners, targets,
    /// attributes, content and the time of its last change. `/run`, `/tmp` and the kernel's own are not in it.
    #[must_use]
    #[track_caller]
    pub fn digest(&self) -> Digest {
        Digest::of(&self.life.upper())
    }

    /// Waits until systemd has started everything, and fails if a unit failed.
    #[track_caller]
    fn await_systemd(&self) {
        let ran = self.run(
            "for try in $(seq 1500); do [ -S /run/dbus/system_bus_socket ] && break; sleep .02; done
             timeout 60 systemctl is-system-running --wait || { systemctl --failed; false; }",
        );
        assert!(ran.status == 0, "systemd did not come up\n{ran}\n{}", self.life.log());
    }

    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = self.life.command(Self::PATH);
        command.args(arguments);
        command
    }

    /// A text of the shell that gets arguments, in the directory for configuration.
    fn in_site(&self, text: &str, arguments: &[&str]) -> Command {
        let mut command = self.program(&["sh", "-c", &format!("cd {} && {text}", Self::SITE), "sh"]);
        command.args(arguments);
        command
    }
}

#[track_caller]
fn output(mut command: Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("`nsenter` runs");
    // Whoever does not want it closes the pipe; that is no failure of the test.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    child.wait_with_output().expect("its output can be read")
}
