//! Runs the real binary.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use uphold_testbed::Bed;

/// Runs `uphold` with these arguments. Commands that need a state directory fail, because this one cannot be created.
pub(crate) fn uphold<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
    Run::of(command.args(arguments).env("UPHOLD_STATE", "/dev/null/state"))
}

/// Creates hosts with the binary; none on a machine that cannot have them.
pub(crate) fn bed() -> Option<Bed> {
    Bed::open(env!("CARGO_BIN_EXE_uphold"))
}

/// Writes an executable file from a child process. The test process must not open it for writing: a child that another
/// test starts at that moment inherits the open file, and until it executes its own program, this one is "text file busy".
pub(crate) fn write_program(path: &Path, text: &str) {
    let mut install = Command::new("install");
    install.args(["-m", "755", "/dev/stdin"]).arg(path).stdin(Stdio::piped());
    let mut install = install.spawn().expect("`install` runs");
    install.stdin.take().expect("it is piped").write_all(text.as_bytes()).expect("`install` reads it all");
    assert!(install.wait().expect("it is a child process").success(), "{}", path.display());
}

/// The result of a run of the binary.
pub(crate) struct Run {
    /// Its exit code.
    pub(crate) code: i32,
    /// Its standard output.
    pub(crate) out: String,
    /// Its standard error.
    pub(crate) err: String,
}

impl Run {
    /// Runs a command to its end.
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the binary runs");
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self {
            code: output.status.code().expect("no signal ends it"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}
