//! The most memory that this process ever held: what a look from outside sees too early.

use std::io::Write;

/// Prints it, in bytes; false if it cannot be told.
#[expect(clippy::disallowed_methods, reason = "for programs of their own, without a host")]
pub(crate) fn tell() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kilobytes.is_some_and(|kilobytes| writeln!(std::io::stdout(), "{}", kilobytes * 1024).is_ok())
}
