//! A file that is not in place yet, as the command that checks it is told of it.

use std::path::Path;
use std::time::Duration;

use uphold_resource::{Reading, Result};

use crate::runner::Runner;
use crate::script::{Limit, Script};

/// Runs the `verify` of a file, in which `{}` stands for the path of `candidate`.
///
/// # Errors
/// `Rejected` if it does not exit with status 0, `TimedOut` if it takes longer than `timeout`; with
/// what the command said as the cause.
pub(crate) fn verify(candidate: &Path, verify: &str, timeout: Duration, host: &Reading<'_>) -> Result<()> {
    let text = verify.replace("{}", &quoted(&candidate.to_string_lossy()));
    let runner = Runner::default();
    let limit = Some(Limit { property: "verify_timeout", span: timeout });
    let script = Script { limit, ..Script::plain("verify", &text, &runner) };
    let output = script.probe(host)?;
    script.expect(&output, &[0])
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
