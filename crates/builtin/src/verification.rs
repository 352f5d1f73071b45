//! Verification of a new file before it is put in place.

use std::path::Path;
use std::time::Duration;

use uphold_resource::{Name, Property, Reading, Result};

use crate::runner::Runner;
use crate::script::{Limit, Script};

/// The command that checks a new file, and its time limit.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct Verification {
    /// Shell command that checks the new file before it is put in place; `{}` is replaced by its path. If it fails,
    /// nothing changes.
    #[also("validate", "validate_cmd")]
    pub verify: Option<Name>,
    /// Time limit of `verify`. After that it is killed and counts as failed.
    #[default("10m")]
    pub verify_timeout: Duration,
}

impl Verification {
    /// Whether new files are checked.
    pub(crate) fn is_set(&self) -> bool {
        self.verify.is_some()
    }

    /// Runs `verify`, if it is set, with `{}` replaced by the path of `candidate`.
    ///
    /// # Errors
    /// `Rejected` if it does not exit with status 0, `TimedOut` if it takes too long; with its output as the cause.
    pub(crate) fn run(&self, candidate: &Path, host: &Reading<'_>) -> Result<()> {
        let Some(verify) = &self.verify else { return Ok(()) };
        let text = verify.replace("{}", &quoted(&candidate.to_string_lossy()));
        let runner = Runner::default();
        let limit = Some(Limit { property: "verify_timeout", span: self.verify_timeout });
        let script = Script { limit, ..Script::plain("verify", &text, &runner) };
        let output = script.probe(host)?;
        script.expect(&output, &[0])
    }
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
