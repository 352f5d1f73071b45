//! The processes of a host, from its start to its end.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{fmt, fs};

use crate::root::Root;

const SUPERVISE: &str = include_str!("../scripts/supervise.sh");
const SETUP: &str = include_str!("../scripts/setup.sh");

/// Capabilities over things that the whole machine shares: the clock, modules, the kernel log.
const DROPPED: &str = "--bounding-set=-sys_time,-sys_module,-sys_rawio,-syslog,-wake_alarm,-sys_boot";

/// Numbers the hosts of this process.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// The options that a host is started with, also after a restart.
#[derive(Debug)]
pub(crate) struct StartOptions {
    pub(crate) root: Root,
    pub(crate) name: String,
    /// Paths of the machine, each with its path in the host.
    pub(crate) binds: Vec<(PathBuf, String)>,
    /// The first process.
    pub(crate) init: Vec<String>,
}

/// The processes of a running host. They end with this value, or with this process.
#[derive(Debug)]
pub(crate) struct HostProcess {
    options: StartOptions,
    unique: String,
    supervisor: Child,
    init: String,
}

impl HostProcess {
    pub(crate) fn start(options: StartOptions) -> Result<Self, Unavailable> {
        sweep(&options.root.scratch().hosts());
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let unique = format!("{}-{number}-{}", options.name, std::process::id());
        for folder in ["upper", "work", "root"] {
            let folder = options.state(&unique).join(folder);
            fs::create_dir_all(&folder)
                .map_err(|cause| Unavailable::failed("cannot create the overlay's directories", cause))?;
        }
        let (supervisor, init) = options.start(&unique)?;
        Ok(Self { options, unique, supervisor, init })
    }

    /// Kills all processes, then starts again on the written files.
    pub(crate) fn restart(&mut self) -> Result<(), Unavailable> {
        let ended = self.supervisor.stdin.take().map(|mut pipe| pipe.write_all(b"keep\n"));
        ended.transpose().map_err(|cause| Unavailable::failed("cannot reach the supervisor", cause))?;
        let _ = self.supervisor.wait();
        (self.supervisor, self.init) = self.options.start(&self.unique)?;
        Ok(())
    }

    /// A command in the host's namespaces, with a clean environment and without [`DROPPED`].
    pub(crate) fn command(&self, path: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["-t", &self.init, "-a", "env", "-i", "HOME=/root", "LANG=C.UTF-8"]);
        command.arg(format!("PATH={path}")).args(["setpriv", DROPPED]);
        command
    }

    /// Whether systemd is the first process.
    pub(crate) fn is_systemd(&self) -> bool {
        self.options.init.first().is_some_and(|program| program == StartOptions::SYSTEMD)
    }

    /// The directory with all files that the host added to its root or changed.
    pub(crate) fn upper(&self) -> PathBuf {
        self.options.state(&self.unique).join("upper")
    }

    /// The output of its first process.
    pub(crate) fn log(&self) -> String {
        self.options.log(&self.unique)
    }
}

impl StartOptions {
    /// The first process of a host with systemd.
    pub(crate) const SYSTEMD: &str = "/lib/systemd/systemd";

    /// Starts the supervisor; returns it with the process id of the host's first process.
    fn start(&self, unique: &str) -> Result<(Child, String), Unavailable> {
        let mut command = Command::new("bash");
        command.args(["-c", SUPERVISE, "supervise.sh", SETUP, unique]).arg(self.state(unique));
        command.arg(self.root.directory()).arg(self.root.devices());
        command.args(self.binds.iter().map(bind_argument)).arg("--").args(&self.init);
        // A process group of its own: Ctrl-C ends the test, and the host ends with the test.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut supervisor =
            command.spawn().map_err(|cause| Unavailable::failed("cannot run `bash`", cause))?;
        let init = supervisor.stdout.take().and_then(first_process);
        let init = init.ok_or_else(|| Unavailable::new(self.log(unique)))?;
        Ok((supervisor, init))
    }

    fn state(&self, unique: &str) -> PathBuf {
        self.root.scratch().hosts().join(unique)
    }

    fn log(&self, unique: &str) -> String {
        fs::read_to_string(self.state(unique).join("log")).unwrap_or_default()
    }
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        // At the end of its input the supervisor cleans up.
        drop(self.supervisor.stdin.take());
        let _ = self.supervisor.wait();
    }
}

fn bind_argument((outside, inside): &(PathBuf, String)) -> OsString {
    let mut text = outside.clone().into_os_string();
    text.push(":");
    text.push(inside);
    text
}

/// The process id of the host's first process, once the host is up.
fn first_process(output: ChildStdout) -> Option<String> {
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let unshare = lines.next()?;
    lines.next().filter(|line| line == "up")?;
    let children = fs::read_to_string(format!("/proc/{unshare}/task/{unshare}/children")).ok()?;
    children.split_whitespace().next().map(ToOwned::to_owned)
}

/// Removes leftovers of hosts whose supervisor was killed before it could clean up.
fn sweep(hosts: &Path) {
    for folder in fs::read_dir(hosts).into_iter().flatten().flatten() {
        let name = folder.file_name().to_string_lossy().into_owned();
        let owner = name.rsplit('-').next().and_then(|id| id.parse::<u32>().ok());
        if owner.is_some_and(|owner| !Path::new(&format!("/proc/{owner}")).exists()) {
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}

// The reason why hosts cannot be created.

/// The reason why hosts cannot be created on this machine.
#[derive(Debug)]
pub struct Unavailable(String);

impl Unavailable {
    /// A reason with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// A failed attempt and its cause.
    pub(crate) fn failed(what: &str, cause: impl fmt::Display) -> Self {
        Self(format!("{what}: {cause}"))
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unavailable {}
