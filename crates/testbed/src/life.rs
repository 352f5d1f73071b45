//! The processes of a host, from its start to its end.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::root::Root;
use crate::why::Why;

const SUPERVISE: &str = include_str!("../scripts/supervise.sh");
const SETUP: &str = include_str!("../scripts/setup.sh");

/// The whole machine's affairs: the clock, modules, its log.
const DROPPED: &str = "--bounding-set=-sys_time,-sys_module,-sys_rawio,-syslog,-wake_alarm,-sys_boot";

/// Tells the hosts of one process apart.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// What a host is started with, once or again.
#[derive(Debug)]
pub(crate) struct Birth {
    pub(crate) root: Root,
    pub(crate) name: String,
    /// Paths of the machine, and where the host sees them.
    pub(crate) binds: Vec<(PathBuf, String)>,
    /// The first process.
    pub(crate) init: Vec<String>,
}

/// A host that runs. It ends with this value, or with this process.
#[derive(Debug)]
pub(crate) struct Life {
    birth: Birth,
    unique: String,
    supervisor: Child,
    init: String,
}

impl Life {
    pub(crate) fn begin(birth: Birth) -> Result<Self, Why> {
        sweep(&birth.root.place().hosts());
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let unique = format!("{}-{number}-{}", birth.name, std::process::id());
        for folder in ["upper", "work", "root"] {
            let folder = birth.state(&unique).join(folder);
            fs::create_dir_all(&folder).map_err(|cause| Why::failed("could not make the layer", cause))?;
        }
        let (supervisor, init) = birth.start(&unique)?;
        Ok(Self { birth, unique, supervisor, init })
    }

    /// Ends all processes at once, and starts again on what was written.
    pub(crate) fn restart(&mut self) -> Result<(), Why> {
        let ended = self.supervisor.stdin.take().map(|mut pipe| pipe.write_all(b"keep\n"));
        ended.transpose().map_err(|cause| Why::failed("could not reach the supervisor", cause))?;
        let _ = self.supervisor.wait();
        (self.supervisor, self.init) = self.birth.start(&self.unique)?;
        Ok(())
    }

    /// A command of the host: all of its namespaces, a clean environment, and none of the machine's privileges.
    pub(crate) fn command(&self, path: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["-t", &self.init, "-a", "env", "-i", "HOME=/root", "LANG=C.UTF-8"]);
        command.arg(format!("PATH={path}")).args(["setpriv", DROPPED]);
        command
    }

    /// Whether its first process starts the others.
    pub(crate) fn is_systemd(&self) -> bool {
        self.birth.init.first().is_some_and(|program| program == Birth::SYSTEMD)
    }

    /// Where everything is that the host has and the root has not.
    pub(crate) fn upper(&self) -> PathBuf {
        self.birth.state(&self.unique).join("upper")
    }

    /// What its first process said.
    pub(crate) fn log(&self) -> String {
        self.birth.log(&self.unique)
    }
}

impl Birth {
    /// The first process of a host that boots.
    pub(crate) const SYSTEMD: &str = "/lib/systemd/systemd";

    /// Starts the supervisor; it, and the id of the host's first process.
    fn start(&self, unique: &str) -> Result<(Child, String), Why> {
        let mut command = Command::new("bash");
        command.args(["-c", SUPERVISE, "supervise.sh", SETUP, unique]).arg(self.state(unique));
        command.arg(self.root.directory()).arg(self.root.devices());
        command.args(self.binds.iter().map(bind)).arg("--").args(&self.init);
        // Its own group: an interrupt at the terminal ends the test, and only thereby the host.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut supervisor = command.spawn().map_err(|cause| Why::failed("could not run `bash`", cause))?;
        let init = supervisor.stdout.take().and_then(first_process);
        let init = init.ok_or_else(|| Why::new(self.log(unique)))?;
        Ok((supervisor, init))
    }

    fn state(&self, unique: &str) -> PathBuf {
        self.root.place().hosts().join(unique)
    }

    fn log(&self, unique: &str) -> String {
        fs::read_to_string(self.state(unique).join("log")).unwrap_or_default()
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        // The supervisor reads it to its end, and then clears up.
        drop(self.supervisor.stdin.take());
        let _ = self.supervisor.wait();
    }
}

fn bind((outside, inside): &(PathBuf, String)) -> OsString {
    let mut text = outside.clone().into_os_string();
    text.push(":");
    text.push(inside);
    text
}

/// The id of the host's first process, once the host stands.
fn first_process(said: ChildStdout) -> Option<String> {
    let mut lines = BufReader::new(said).lines().map_while(Result::ok);
    let unshare = lines.next()?;
    lines.next().filter(|line| line == "up")?;
    let children = fs::read_to_string(format!("/proc/{unshare}/task/{unshare}/children")).ok()?;
    children.split_whitespace().next().map(ToOwned::to_owned)
}

/// Removes what is left of hosts whose supervisor was killed before it could clear up.
fn sweep(hosts: &Path) {
    for folder in fs::read_dir(hosts).into_iter().flatten().flatten() {
        let name = folder.file_name().to_string_lossy().into_owned();
        let owner = name.rsplit('-').next().and_then(|id| id.parse::<u32>().ok());
        if owner.is_some_and(|owner| !Path::new(&format!("/proc/{owner}")).exists()) {
            let _ = fs::remove_dir_all(folder.path());
        }
    }
}
