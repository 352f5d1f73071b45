//! Commands that do not outlive the test that starts them.

use std::ffi::OsStr;
use std::process::Command;

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
