//! A machine in a folder, a watch of it, and its socket.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use uphold_testbed::{own_state, tied_command};

/// Long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A watch that is killed at the end of the test.
pub(crate) struct Stage {
    folder: TempDir,
    watch: Option<Child>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Stage {
    /// A watch of this configuration after the first visit of all resources.
    pub(crate) fn new(text: &str, flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("root")).expect("a machine");
        fs::write(folder.path().join("main.hcl"), text).expect("a configuration");
        let mut stage = Self { folder, watch: None };
        stage.start(flags);
        stage
    }

    /// Starts a watch and waits until it has visited all resources once.
    pub(crate) fn start(&mut self, flags: &[&str]) {
        let mut command = tied_command(env!("CARGO_BIN_EXE_uphold"));
        command.arg("watch").arg(self.path("main.hcl")).arg("--root").arg(self.path("root"));
        command.arg("--plain").arg("--socket").arg(self.socket()).args(flags);
        own_state(&mut command, self.folder.path());
        self.watch = Some(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts"));
        self.wait_for("watching", &["--quiet", "--json"], |text| text.contains("\"name\":\"watching\""));
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.path("run/watch.sock")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.watch.as_ref().map_or(0, Child::id)
    }

    /// Kills the watch.
    pub(crate) fn kill(&mut self) {
        if let Some(mut watch) = self.watch.take() {
            // Fails if it has already ended.
            let _ = watch.kill();
            let _ = watch.wait();
        }
    }

    /// Ends the watch by SIGTERM.
    pub(crate) fn end(&mut self) {
        let mut watch = self.watch.take().expect("it runs");
        let pid = rustix::process::Pid::from_child(&watch);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("it is ours");
        watch.wait().expect("it ends");
    }

    /// `uphold status` with these arguments.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        command.arg("status").arg("--socket").arg(self.socket()).args(arguments);
        own_state(&mut command, self.folder.path());
        command
    }

    /// Exit code, standard output and standard error of `uphold status`.
    pub(crate) fn ask(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        (status.code().expect("no signal ends it"), text(stdout), text(stderr))
    }

    /// Runs `uphold status` until its output is as expected.
    pub(crate) fn wait_for(&self, what: &str, arguments: &[&str], is_right: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let (_, out, err) = self.ask(arguments);
            if is_right(&out) {
                return out;
            }
            assert!(began.elapsed() < TIMEOUT, "{what} did not come: {out}{err}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
