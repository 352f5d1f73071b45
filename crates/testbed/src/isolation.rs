//! Commands that a test starts on this machine: their environment and their end.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// The name of the state directory in the folder of a test, for tests that list the folder.
pub const STATE: &str = ".state";

/// Lets `uphold` keep its journal in the folder of a test: tests run at the same time, so they must not share a journal
/// and its lock, and none may use those of this machine.
pub fn own_state<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    command.env("UPHOLD_STATE", folder.join(STATE))
}

/// Starts a command in the folder of a test, with [its own state](own_state) and a `PATH` as the whole environment.
pub fn isolate<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    own_state(command.current_dir(folder).env_clear().env("PATH", "/usr/bin:/bin"), folder)
}

/// A command that the kernel kills when the thread that started it ends, so that no watch stays behind if the test
/// program is killed. It keeps the process id of the child, unlike a supervisor.
pub fn tied_command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--"]).arg(program);
    command
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;

    use super::*;

    #[test]
    fn the_environment_is_a_path_and_the_state_directory() {
        let folder = std::env::temp_dir();
        let output = isolate(&mut Command::new("env"), &folder).output().expect("`env` runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["PATH=/usr/bin:/bin", &format!("UPHOLD_STATE={}/.state", folder.display())]);
    }

    #[test]
    fn it_ends_with_the_thread_that_started_it() {
        let start = || {
            let mut command = tied_command("sh");
            command.args(["-c", "echo runs; exec sleep 600"]).stdout(Stdio::piped());
            let mut child = command.spawn().expect("`setpriv` runs");
            let mut line = String::new();
            let out = child.stdout.take().expect("its output is piped");
            BufReader::new(out).read_line(&mut line).expect("it prints a line");
            child
        };
        let mut child = std::thread::spawn(start).join().expect("the thread ends");
        assert_eq!(child.wait().expect("it is ours").signal(), Some(9));
    }
}
