//! The operation planned for one package, and whether it is allowed.

use std::cmp::Ordering;
use std::path::Path;

use uphold_resource::{Error, ErrorKind, Reading, Result, Step};

use super::Package;
use crate::packages::provider::{Install, Provider};
use crate::packages::record::{Offer, Stage};
use crate::packages::version::Version;

/// The operation planned for one package.
pub(super) struct Intent<'a> {
    pub(super) package: &'a Package,
    pub(super) operation: Operation,
    /// Whether it was on hold at the check.
    pub(super) was_held: bool,
    /// Whether to put it on hold afterwards; none for no change.
    pub(super) hold: Option<bool>,
    /// Whether to mark it as manually installed afterwards; none for no change.
    pub(super) manual: Option<bool>,
}

/// The work of the package manager.
pub(super) enum Operation {
    /// Only change marks.
    Mark,
    /// Install a version; the package manager's choice if none is declared.
    Install {
        /// The declared version.
        declared: Option<Version>,
        /// The version that it resolves to.
        version: Option<String>,
        /// Whether it is older than the installed version.
        downgrade: bool,
    },
    /// Remove it, and keep its configuration.
    Remove,
    /// Remove it with its configuration.
    Purge,
}

impl Operation {
    fn install(declared: Option<Version>) -> Self {
        Operation::Install { declared, version: None, downgrade: false }
    }
}

impl<'a> Intent<'a> {
    /// The operation for a step.
    ///
    /// # Errors
    /// If it needs explicit permission. Nothing is changed then.
    pub(super) fn of(
        package: &'a Package,
        step: Step<'_, Package>,
        provider: &dyn Provider,
        host: &Reading<'_>,
    ) -> Result<Self> {
        match step {
            Step::Create { goal } => {
                // A package that is not installed can still be on hold.
                let was_held = provider.find(&package.name, host)?.is_some_and(|record| record.hold);
                check_held(package, was_held, CHANGE)?;
                let (hold, manual) = (goal.hold.filter(|hold| *hold), (!goal.manual).then_some(false));
                Ok(Self {
                    package,
                    operation: Operation::install(goal.version.clone()),
                    was_held,
                    hold,
                    manual,
                })
            }
            Step::Update { goal, change, current } => {
                let changes = change.version.is_some();
                if changes {
                    check_held(package, current.hold, CHANGE)?;
                }
                let operation =
                    if changes { Operation::install(goal.version.clone()) } else { Operation::Mark };
                let goal_hold = goal.hold.unwrap_or(current.hold);
                let hold = (goal_hold != current.hold || (changes && current.hold)).then_some(goal_hold);
                let manual = change.manual.as_ref().map(|delta| delta.to);
                let intent = Self { package, operation, was_held: current.hold, hold, manual };
                intent.checked_against(&current.version, provider)
            }
            Step::Remove { current } => {
                check_held(package, current.hold, "set `hold = false` to release and remove it")?;
                let operation = if package.purge { Operation::Purge } else { Operation::Remove };
                Ok(Self { package, operation, was_held: current.hold, hold: None, manual: None })
            }
        }
    }

    pub(super) fn name(&self) -> &'a str {
        &self.package.name
    }

    /// Whether its version must be looked up in the package lists.
    pub(super) fn is_from_lists(&self) -> bool {
        matches!(self.operation, Operation::Install { .. }) && self.package.source.is_none()
    }

    /// Whether its hold must be removed, for the change or permanently.
    pub(super) fn must_unhold(&self) -> bool {
        self.was_held && (!matches!(self.operation, Operation::Mark) || self.hold == Some(false))
    }

    /// Fails for a downgrade, unless it is allowed.
    fn checked_against(mut self, current: &Version, provider: &dyn Provider) -> Result<Self> {
        let (Operation::Install { declared: Some(declared), downgrade, .. }, Some(current)) =
            (&mut self.operation, current.as_exact())
        else {
            return Ok(self);
        };
        let Some(wanted) = declared.as_exact() else { return Ok(self) };
        *downgrade = provider.order()(wanted, current) == Ordering::Less;
        if !*downgrade || self.package.allow_downgrade {
            return Ok(self);
        }
        let what = format!(
            "version {wanted} of the package `{}` is older than the installed {current}",
            self.package.name
        );
        Err(Error::new(ErrorKind::Rejected, what)
            .hint("set `version` to the installed version, or `allow_downgrade = true` to downgrade"))
    }

    /// Chooses the version to install from the available ones.
    ///
    /// # Errors
    /// If none is suitable.
    pub(super) fn choose(&mut self, offer: Option<&Offer>) -> Result<()> {
        let name = self.name();
        let Operation::Install { declared, version, .. } = &mut self.operation else { return Ok(()) };
        let Some(offer) = offer.filter(|offer| !offer.versions.is_empty()) else {
            let what = format!("the package `{name}` is not available");
            return Err(Error::new(ErrorKind::Missing, what).hint(UNKNOWN));
        };
        *version = match &declared {
            Some(declared) => offer.best(declared),
            None => offer.candidate.clone(),
        };
        if version.is_some() {
            return Ok(());
        }
        let what = match &declared {
            Some(declared) if !declared.is_latest() => {
                format!(
                    "version {} of the package `{name}` is not available",
                    uphold_resource::Property::to_value(declared)
                )
            }
            _ => format!("the package `{name}` has no installable version"),
        };
        Err(Error::new(ErrorKind::Missing, what).hint(format!("available: {}", offer.versions.join(", "))))
    }

    /// The argument for the package manager.
    pub(super) fn install(&self) -> Option<Install<'_>> {
        let Operation::Install { declared, version, .. } = &self.operation else { return None };
        let pinned =
            declared.as_ref().is_some_and(|declared| !declared.is_latest()) && !self.follows_latest();
        let file: Option<&Path> = self.package.source.as_deref();
        // Without a declared version the choice is the package manager's own, and may depend on everything else.
        let version = version.as_deref().filter(|_| declared.is_some());
        Some(Install { name: self.name(), version, pinned, file })
    }

    fn follows_latest(&self) -> bool {
        self.package.version.get().is_some_and(Version::is_latest)
    }

    pub(super) fn is_downgrade(&self) -> bool {
        matches!(self.operation, Operation::Install { downgrade: true, .. })
    }

    /// Whether it is done, other than marks.
    pub(super) fn is_done(&self, provider: &dyn Provider, host: &Reading<'_>) -> Result<bool> {
        let record = provider.find(self.name(), host)?.filter(|record| record.stage != Stage::Nothing);
        Ok(match (&self.operation, record) {
            (Operation::Mark, _) | (Operation::Remove | Operation::Purge, None) => true,
            (Operation::Remove, Some(record)) => record.stage == Stage::Leftovers,
            (Operation::Install { declared, version, .. }, Some(record)) => {
                let right =
                    declared.is_none() || version.as_ref().is_none_or(|version| *version == record.version);
                record.stage == Stage::Installed && right
            }
            (Operation::Purge, Some(_)) | (Operation::Install { .. }, None) => false,
        })
    }
}

/// The hint for an unknown package. A virtual package cannot be installed: which of its providers to choose is up
/// to the user.
const UNKNOWN: &str = "correct the name, or declare its repository as an `apt_repository`; a virtual package cannot be \
                       declared";

/// The hint for a package on hold.
const CHANGE: &str = "set `hold = true` to change it and keep it on hold, or `hold = false` to release it";

/// A package on hold is changed only if `hold` is declared.
fn check_held(package: &Package, is_held: bool, advice: &str) -> Result<()> {
    if !is_held || package.hold.is_set() {
        return Ok(());
    }
    let what = format!("the package `{}` is on hold", package.name);
    Err(Error::new(ErrorKind::Rejected, what).hint(advice.to_owned()))
}
