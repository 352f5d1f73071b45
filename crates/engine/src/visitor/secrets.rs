//! What a visit must not show.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use uphold_resource::{Command, Instance, Level, Result, exposed_argument, is_argument};

use super::Visitor;
use crate::failure::Failure;
use crate::program::secret_paths::needed;

impl Visitor<'_> {
    /// Whether every value of the resource is hidden.
    pub(crate) fn hides_all(&self) -> bool {
        self.hides_all.load(Ordering::Relaxed)
    }

    /// Whether a secret is involved at all.
    pub(crate) fn is_secret(&self) -> bool {
        self.secret.load(Ordering::Relaxed)
    }

    /// From now on, nothing of what is said or found in an error is passed on.
    pub(crate) fn keep_secret(&self) {
        self.secret.store(true, Ordering::Relaxed);
    }

    /// The same if `instance` was computed from a secret, or reads or replaces one of another resource.
    pub(crate) fn keep_secrets_of(&self, instance: &dyn Instance) {
        if instance.is_tainted() {
            self.keep_secret();
        }
        if self.reaches_secret(instance) {
            self.hides_all.store(true, Ordering::Relaxed);
            self.keep_secret();
        }
        if self.is_secret() {
            self.program.secret_paths.learn(&instance.claims(), self.resource(), &self.host);
        }
        self.note_secrets_of(instance);
    }

    /// Notes which properties were computed from a secret, and their values.
    pub(crate) fn note_secrets_of(&self, instance: &dyn Instance) {
        let mut tainted = self.tainted.lock().unwrap_or_else(PoisonError::into_inner);
        tainted.extend(instance.tainted_properties());
        let values = instance.tainted_properties().iter().filter_map(|name| instance.value(name, None));
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).extend(values);
    }

    /// Whether `instance` reads or replaces a path at which another resource puts a secret, of this run or of its parent run.
    pub(crate) fn reaches_secret(&self, instance: &dyn Instance) -> bool {
        let paths = &self.program.secret_paths;
        let is_nested = self.visits.around.is_some();
        if paths.is_empty() && !is_nested {
            return false;
        }
        let claims = instance.claims();
        paths.reaches(&claims, self.resource(), &self.host)
            || (is_nested && needed(&claims).any(|path| self.host.is_secret_path(path)))
    }

    /// The failure of a secret resource tells its sort and nothing else.
    pub(crate) fn guard(&self, failure: Failure) -> Failure {
        if self.is_secret() { failure.hidden() } else { failure }
    }

    /// A warning of the engine itself: it holds no secret.
    pub(crate) fn warn(&self, text: &str) {
        self.note_message(Level::Warning, text);
    }

    /// Refuses a command with a secret of the resource among its arguments.
    pub(super) fn refuse_exposed(&self, command: &Command) -> Result<()> {
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        if !secrets.iter().any(|secret| is_argument(secret, command)) {
            return Ok(());
        }
        Err(exposed_argument(command))
    }
}
