//! The kind `assert`.

use uphold_kit::read_only;
use uphold_kit::runner::Runner;
use uphold_kit::script::Script;
use uphold_resource::{Act, Error, ErrorKind, Found, Look, Reading, Resource, Result, Step};

/// A condition that must be true. If it is not, the assertion fails, and its dependents are skipped.
///
/// It is checked in a plan, too, and never counts as a change.
///
/// ```hcl
/// assert "enough memory" {
///   command = "test $(awk '/MemTotal/ { print $2 }' /proc/meminfo) -gt 100000"
///   message = "this machine has less than 100 MB"
/// }
/// ```
#[derive(Debug, Clone, Resource)]
#[resource(kind = "assert", also("fail"), exclusive(that, command), any_of(that, command), permanent)]
pub struct Assert {
    /// Name of the assertion; defaults to the block's label.
    #[name]
    pub name: String,
    /// Condition that must be true.
    pub that: Option<bool>,
    /// Script for `/bin/sh` that must exit with status 0. It must not change anything.
    pub command: Option<String>,
    /// Message shown if the assertion fails.
    pub message: Option<String>,
}

impl Resource for Assert {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        match (self.that, &self.command) {
            (Some(true), _) => Ok(()),
            (Some(false), _) => Err(self.failure(None)),
            (None, Some(command)) => self.run(command, look),
            (None, None) => {
                let what = "the assertion has no condition";
                Err(Error::new(ErrorKind::Invalid, what).hint("add `that` or `command`"))
            }
        }?;
        Ok(Found::This(AssertState {}))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        read_only::refuse("assert")
    }
}

impl Assert {
    /// The failure of this assertion. The user's message is a cause, because it may contain a secret, and only
    /// causes can be hidden.
    fn failure(&self, cause: Option<Error>) -> Error {
        let what = format!("the assertion `{}` failed", self.name);
        let plain = |what: &str| Error::new(ErrorKind::Rejected, what);
        let cause = match (&self.message, cause) {
            (Some(message), Some(cause)) => Some(cause.while_(message)),
            (Some(message), None) => Some(plain(message)),
            (None, cause) => cause,
        };
        cause.map_or_else(|| plain(&what), |cause| cause.while_(&what))
    }

    fn run(&self, command: &str, host: &Reading<'_>) -> Result<()> {
        let runner = Runner::default();
        let script = Script::plain("command", command, &runner);
        let output = script.probe(host)?;
        script.expect(&output, &[0]).map_err(|error| self.failure(Some(error)))
    }
}
