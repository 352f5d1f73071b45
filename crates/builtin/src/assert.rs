//! `assert`: what must hold before anything that stands on it is done.

use uphold_resource::{Act, Error, ErrorKind, Reading, Resource, Result, Step};

use crate::runner::Runner;
use crate::script::{Script, only_looks};

/// Something that must hold. If it does not, the assertion fails, and what depends on it is skipped.
///
/// It is looked at in a plan, too, and is never a difference by itself.
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
    /// What it is called.
    #[name]
    pub name: String,
    /// What must be true.
    pub that: Option<bool>,
    /// Script for `/bin/sh` that must exit with status 0. It must change nothing.
    pub command: Option<String>,
    /// What to say if it does not hold.
    pub message: Option<String>,
}

impl Resource for Assert {
    fn load(&self, host: &Reading<'_>) -> Result<Option<AssertState>> {
        match (self.that, &self.command) {
            (Some(true), _) => Ok(()),
            (Some(false), _) => Err(self.failure(None)),
            (None, Some(command)) => self.run(command, host),
            (None, None) => {
                let what = "there is nothing that must hold";
                Err(Error::new(ErrorKind::Invalid, what).hint("add `that` or `command`"))
            }
        }?;
        Ok(Some(AssertState {}))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        only_looks("assert")
    }
}

impl Assert {
    /// The failure of this assertion, because of `cause`. What the user wrote is a cause, too: it
    /// may hold a secret, and the causes of a failure are what can be hidden.
    fn failure(&self, cause: Option<Error>) -> Error {
        let what = format!("`{}` does not hold", self.name);
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
