//! The duration of a process, and its peak memory.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::disk;
use crate::failure::{Failure, Result};
use crate::program;

/// The sampling interval. The high-water mark only rises, so only growth in the last interval is missed.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(1);

/// The time from start to end of a process that must exit with `code`.
pub(crate) fn time(command: &mut Command, code: i32) -> Result<Duration> {
    silence(command);
    let start = Instant::now();
    let status = command.status().map_err(|error| program::not_started(command, &error))?;
    let took = start.elapsed();
    expect_code(command, status, code)?;
    Ok(took)
}

/// The number that the process measures itself and prints: nanoseconds, or bytes.
pub(crate) fn printed_number(command: &mut Command) -> Result<u64> {
    let output = command.output().map_err(|error| program::not_started(command, &error))?;
    expect_code(command, output.status, 0)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let unread =
        || Failure::new(format!("`{}` printed {text:?} instead of a number", program::shown(command)));
    text.trim().parse().map_err(|_| unread())
}

/// The peak resident memory of the process in bytes: the kernel's high-water mark.
pub(crate) fn peak_memory(command: &mut Command, code: i32) -> Result<u64> {
    silence(command);
    let mut child = command.spawn().map_err(|error| program::not_started(command, &error))?;
    let (peak, status) = watch(&mut child)?;
    expect_code(command, status, code)?;
    if peak == 0 {
        return Err(Failure::new(format!(
            "`{}` ended before its memory was measured",
            program::shown(command)
        )));
    }
    Ok(peak)
}

fn watch(child: &mut Child) -> Result<(u64, ExitStatus)> {
    let path = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        // The status of a process that has just ended has no mark.
        let mark = disk::read(path.as_ref()).ok().and_then(|status| high_water(&status));
        peak = peak.max(mark.unwrap_or(0));
        match child.try_wait() {
            Ok(Some(status)) => return Ok((peak, status)),
            Ok(None) => std::thread::sleep(SAMPLE_INTERVAL),
            Err(error) => return Err(Failure::new(format!("cannot wait for the process: {error}"))),
        }
    }
}

/// `VmHWM` of a process's status, in bytes.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Discards standard output, which no measurement needs; errors are still shown.
fn silence(command: &mut Command) {
    command.stdin(Stdio::null()).stdout(Stdio::null());
}

fn expect_code(command: &Command, status: ExitStatus, code: i32) -> Result {
    if status.code() == Some(code) {
        return Ok(());
    }
    Err(Failure::new(format!("`{}` ended with {status}, not {code}", program::shown(command))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn time_covers_the_whole_process_and_checks_its_exit_code() {
        assert!(time(&mut shell("sleep 0.05; exit 2"), 2).unwrap() >= Duration::from_millis(50));
        assert!(time(&mut shell("exit 1"), 0).unwrap_err().to_string().ends_with("exit status: 1, not 0"));
    }

    #[test]
    fn peak_memory_includes_freed_memory() {
        let plain = peak_memory(&mut shell("sleep 0.05"), 0).unwrap();
        let large = peak_memory(&mut shell("x=$(head -c 20000000 /dev/zero | tr '\\0' x); x=; sleep 0.1"), 0)
            .unwrap();
        assert!(large > plain + 10_000_000, "{plain} {large}");
    }

    #[test]
    fn high_water_is_in_bytes() {
        assert_eq!(high_water("VmPeak:\t 9 kB\nVmHWM:\t    1024 kB\n"), Some(1_048_576));
        assert_eq!(high_water("State: Z\n"), None);
    }
}
