//! Edits that wait for packages before they create their file.

use uphold_model::Claim;
use uphold_resource::{Instance, Reading};

use crate::event::Mode;
use crate::visit::converge::Taken;
use crate::visit::early_exit::EarlyExit;
use crate::visit::{Outcome, VisitInputs, Visits};

impl Visits<'_> {
    /// The end of a visit that would create a file which a package may bring; none if there is no such file. A plan cannot know
    /// what the package would bring.
    pub(crate) fn await_packages(
        &self,
        instance: &dyn Instance,
        before: &VisitInputs,
        host: &Reading<'_>,
    ) -> Option<Result<Taken, EarlyExit>> {
        let brought = before.brought.as_ref().filter(|_| self.mode() == Mode::Plan);
        if (!before.can_wait && brought.is_none()) || !creates_edited(instance, host) {
            return None;
        }
        Some(match brought.filter(|_| !before.can_wait) {
            Some(package) => Err(EarlyExit::Waits(package.clone())),
            None => Ok(Taken { outcome: Outcome::AfterPackages, predicted: false }),
        })
    }
}

/// Whether the resource would create the file that it edits. A file that cannot be looked at is for the visit to report.
fn creates_edited(instance: &dyn Instance, host: &Reading<'_>) -> bool {
    let claims = instance.claims();
    let is_missing = |claim: &Claim| match claim {
        Claim::Path(path) => matches!(host.files().look(path), Ok(None)),
        _ => false,
    };
    claims.creates_edited && claims.edits.iter().any(is_missing)
}
