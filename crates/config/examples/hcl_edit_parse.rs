//! Parses a file with `hcl-edit`, and does no more: what `cargo xtask bench language` compares with.
//! Prints the most memory that it held.

use std::io::Write;
use std::process::ExitCode;

#[expect(clippy::disallowed_methods, reason = "a program of its own, without a host")]
fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else { return ExitCode::FAILURE };
    let Ok(text) = std::fs::read_to_string(path) else { return ExitCode::FAILURE };
    let parsed: Result<hcl_edit::structure::Body, _> = text.parse();
    match parsed {
        Ok(body) if !body.is_empty() && tell_peak() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Prints the most memory that this process ever held, in bytes; false if that cannot be told.
#[expect(clippy::disallowed_methods, reason = "a program of its own, without a host")]
fn tell_peak() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kilobytes.is_some_and(|kilobytes| writeln!(std::io::stdout(), "{}", kilobytes * 1024).is_ok())
}
