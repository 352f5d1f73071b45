//! Asking a command about a file before it is put in place.

use std::path::Path;

use uphold_resource::{Command, Error, ErrorKind, Exit, Observe, Output, Result};

/// How much of what a command said goes into a message, from its end.
const MOST_WORDS: usize = 2000;

/// Runs `script`, in which `{}` stands for the path of `candidate`.
///
/// # Errors
/// [`ErrorKind::Rejected`], with what the command said, if it does not end with status 0.
pub(crate) fn run(script: &str, candidate: &Path, host: &dyn Observe) -> Result<()> {
    let path = quoted(&candidate.to_string_lossy());
    let output = host.probes().probe(&Command::shell(script.replace("{}", &path)))?;
    if output.success() {
        return Ok(());
    }
    let refused = Error::new(ErrorKind::Rejected, format!("`{script}` {}", ending(output.exit)));
    Err(match words(&output) {
        said if said.is_empty() => refused,
        said => refused.because(said),
    })
}

fn ending(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("ended with status {code}"),
        Exit::Signal(signal) => format!("was ended by signal {signal}"),
        Exit::TimedOut => "took too long".to_owned(),
    }
}

/// What the command wrote to standard error, else to standard output; at most the end of it.
fn words(output: &Output) -> String {
    let said = if output.stderr.is_empty() { &output.stdout } else { &output.stderr };
    let end = &said[said.len().saturating_sub(MOST_WORDS)..];
    String::from_utf8_lossy(end).trim().to_owned()
}

/// A path as one word for the shell. Plain paths stay plain, so that `"{}"` works, too.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%=:,".contains(c);
    match path.chars().all(plain) {
        true => path.to_owned(),
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word() {
        let check = |path: &str, expected: &str| assert_eq!(quoted(path), expected);
        check("/etc/.motd.uphold-1", "/etc/.motd.uphold-1");
        check("/a b", "'/a b'");
        check("/it's; rm", r"'/it'\''s; rm'");
    }
}
