//! The peak memory of this process, measured from inside: an outside measurement may come too early.

use std::io::Write;

/// Prints it in bytes; false if it is not available.
#[expect(clippy::disallowed_methods, reason = "for programs of their own, without a host")]
pub(crate) fn print() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kilobytes.is_some_and(|kilobytes| writeln!(std::io::stdout(), "{}", kilobytes * 1024).is_ok())
}
