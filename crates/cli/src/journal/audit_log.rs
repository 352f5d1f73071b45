//! The audit log: the lines of the journal in a second place, for programs that ship logs.
#![expect(clippy::disallowed_types, reason = "the log is on this machine, whatever is managed")]

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use crate::CliError;

/// The value of `--audit-log` that sends the lines to the system log.
const SYSTEM_LOG: &str = "syslog";
const SOCKET: &str = "/dev/log";
/// Facility `authpriv`, severity `info`: what an auditor expects, and what ordinary users cannot read.
const PRIORITY: u8 = 10 * 8 + 6;

/// Opens the audit log: a file that is only appended to, or the system log.
///
/// # Errors
/// If it cannot be opened: a run that has to be audited is refused.
pub(super) fn open(target: &Path) -> Result<Box<dyn Write + Send>, CliError> {
    let failed = |error: io::Error| {
        CliError::new(format!("cannot open the audit log {}", target.display())).because(&error)
    };
    if target == Path::new(SYSTEM_LOG) {
        let log =
            UnixDatagram::unbound().and_then(|socket| socket.connect(SOCKET).map(|()| SystemLog(socket)));
        return log
            .map(|log| Box::new(log) as Box<_>)
            .map_err(|error| failed(error).hint(format!("{SOCKET} must be there; or name a file")));
    }
    append_to(target).map(|file| Box::new(file) as Box<_>).map_err(failed)
}

/// Never follows a link at the name itself, so that another user cannot redirect what root writes. Never waits for a reader
/// of a pipe.
fn append_to(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.append(true).create(true).mode(0o600);
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    options.custom_flags(flags.bits().cast_signed());
    let file = options.open(PathBuf::from(path))?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}

struct SystemLog(UnixDatagram);

impl Write for SystemLog {
    /// One line is one message.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut message = format!("<{PRIORITY}>uphold[{}]: ", std::process::id()).into_bytes();
        message.extend_from_slice(line.trim_ascii_end());
        self.0.send(&message)?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
