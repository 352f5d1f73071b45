//! Verification of a new file before it is put in place.
//!
//! Embed the settings with `#[flatten(settings)] verification: Verification`, and pass them to
//! [`EditedFile::verified`](crate::edited_file::EditedFile::verified), or run them on the candidate:
//!
//! ```
//! use std::path::Path;
//!
//! use uphold_kit::prelude::*;
//! use uphold_kit::resource::{Access, NewFile};
//! use uphold_kit::verification::Verification;
//!
//! fn write(path: &Path, content: &[u8], check: &Verification, host: &Act<'_>) -> Result<()> {
//!     let verify = |candidate: &Path| check.run(candidate, host);
//!     let file = NewFile { verify: Some(&verify), ..NewFile::new(content, Access::default()) };
//!     host.edits().write(path, &file)
//! }
//! ```

use std::path::Path;
use std::time::Duration;

use uphold_resource::{Context, Name, Problem, Property, Reading, Type, Value};

use crate::runner::Runner;
use crate::script::{Limit, Script};

/// The command that checks a new file, and its time limit.
#[derive(Clone, Debug, PartialEq, Property)]
pub struct Verification {
    /// Shell command that checks the new file before it is put in place; `{}` is replaced by its path, and is
    /// required. If it fails, nothing changes.
    #[also("validate", "validate_cmd")]
    pub verify: Option<VerifyCommand>,
    /// Time limit of `verify`. After that it is killed and counts as failed.
    #[default(Duration::from_secs(600))]
    pub verify_timeout: Duration,
}

/// A shell command that contains `{}`, which stands for the path of the new file.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyCommand(Name);

impl Property for VerifyCommand {
    const TYPE: &'static Type = &Type::Named {
        name: "command",
        doc: "a shell command with `{}`, the path of the new file",
        example: r#""nginx -t -c {}""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let command = Name::from_value(value, context)?;
        if command.contains(PATH) {
            return Ok(Self(command));
        }
        // Placeholders of Ansible, Chef and Puppet.
        let of_other_tool = ["%s", "%{path}", "%"]
            .into_iter()
            .find(|other| command.split_whitespace().any(|word| word.trim_matches(['"', '\'']) == *other));
        let fix = match of_other_tool {
            Some(other) => format!("write `{{}}` in place of `{other}`"),
            None => {
                "add `{}`; to check files once they are in place, use `verify` of a `sequence`".to_owned()
            }
        };
        let rule = "must contain `{}`, the path of the new file: without it, the command checks nothing new";
        Err(Problem::new(Some(value), rule, fix))
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

/// The part of a command that is replaced by the path of the new file.
const PATH: &str = "{}";

impl Verification {
    /// Whether new files are checked.
    pub fn is_set(&self) -> bool {
        self.verify.is_some()
    }

    /// Runs `verify`, if it is set, with `{}` replaced by the path of `candidate`.
    ///
    /// # Errors
    /// `Rejected` if it does not exit with status 0, `TimedOut` if it takes too long; with its output as the cause.
    pub fn run(&self, candidate: &Path, host: &Reading<'_>) -> uphold_resource::Result<()> {
        let Some(verify) = &self.verify else { return Ok(()) };
        let text = verify.0.replace(PATH, &quoted(&candidate.to_string_lossy()));
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
    fn a_command_without_the_path_is_refused() {
        let check = |command: &str, fix: &str| {
            let problem =
                VerifyCommand::from_value(&Value::text(command), &Context::NOTHING).expect_err(command);
            assert!(problem.rule.starts_with("must contain `{}`"), "{}", problem.rule);
            assert_eq!(problem.fix, fix, "{command}");
        };
        check("nginx -t", "add `{}`; to check files once they are in place, use `verify` of a `sequence`");
        check("visudo -cf %s", "write `{}` in place of `%s`");
        check("nginx -t -c %{path}", "write `{}` in place of `%{path}`");
        check("visudo -cf %", "write `{}` in place of `%`");
    }

    #[test]
    fn quotes_paths() {
        let check = |path: &str, expected: &str| assert_eq!(quoted(path), expected);
        check("/etc/.motd.uphold-1", "/etc/.motd.uphold-1");
        check("/a b", "'/a b'");
        check("/it's; rm", r"'/it'\''s; rm'");
    }
}
