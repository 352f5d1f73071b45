//! Verification of a new file before it is put in place.

use std::path::Path;
use std::time::Duration;

use uphold_resource::{Reading, Result};

use crate::runner::Runner;
use crate::script::{Limit, Script};

/// Runs the `verify` command of a file, with `{}` replaced by the path of `candidate`.
///
/// # Errors
/// `Rejected` if it does not exit with status 0, `TimedOut` if it takes longer than `timeout`; with its output as
/// the cause.
pub(crate) fn verify(candidate: &Path, verify: &str, timeout: Duration, host: &Reading<'_>) -> Result<()> {
    let text = verify.replace("{}", &quoted(&candidate.to_string_lossy()));
    let runner = Runner::default();
    let limit = Some(Limit { property: "verify_timeout", span: timeout });
    let script = Script { limit, ..Script::plain("verify", &text, &runner) };
    let output = script.probe(host)?;
    script.expect(&output, &[0])
}

/// Quotes a path for the shell. Plain paths are not quoted, so that `"{}"` works, too.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%=:,".contains(c);
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_paths() {
        let check = |path: &str, expected: &str| assert_eq!(quoted(path), expected);
        check("/etc/.motd.uphold-1", "/etc/.motd.uphold-1");
        check("/a b", "'/a b'");
        check("/it's; rm", r"'/it'\''s; rm'");
    }
}
