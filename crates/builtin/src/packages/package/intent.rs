//! What is to be done with one package, and whether that can be.

use std::cmp::Ordering;
use std::path::Path;

use uphold_resource::{Error, ErrorKind, Reading, Result, Step};

use super::Package;
use crate::packages::provider::{Install, Provider};
use crate::packages::record::{Offer, Stage};
use crate::packages::version::Version;

/// What is to be done with one package.
pub(super) struct Intent<'a> {
    pub(super) package: &'a Package,
    pub(super) deed: Deed,
    /// Whether it was held when it was looked at.
    pub(super) was_held: bool,
    /// Whether it is held afterwards, if that is to be seen to.
    pub(super) hold: Option<bool>,
    /// Whether it counts as asked for afterwards, if that is to be seen to.
    pub(super) manual: Option<bool>,
}

/// What the package manager has to do.
pub(super) enum Deed {
    /// Nothing but to mark it.
    Mark,
    /// Install this version; its own choice if there is none.
    Install {
        /// What is asked for.
        wish: Option<Version>,
        /// What that comes to.
        version: Option<String>,
        /// Whether that is older than what is there.
        downgrade: bool,
    },
    /// Remove it, and leave its configuration.
    Remove,
    /// Remove it with its configuration.
    Purge,
}

impl Deed {
    fn install(wish: Option<Version>) -> Self {
        Deed::Install { wish, version: None, downgrade: false }
    }
}

impl<'a> Intent<'a> {
    /// What a step asks for.
    ///
    /// # Errors
    /// If somebody has to allow it first. Nothing was touched then.
    pub(super) fn of(
        package: &'a Package,
        step: Step<'_, Package>,
        provider: &dyn Provider,
        host: &Reading<'_>,
    ) -> Result<Self> {
        match step {
            Step::Create { goal } => {
                // What is not there may be held all the same.
                let was_held = provider.find(&package.name, host)?.is_some_and(|record| record.hold);
                check_held(package, was_held, CHANGE)?;
                let (hold, manual) = (goal.hold.filter(|hold| *hold), (!goal.manual).then_some(false));
                Ok(Self { package, deed: Deed::install(goal.version.clone()), was_held, hold, manual })
            }
            Step::Update { goal, change, current } => {
                let changes = change.version.is_some();
                if changes {
                    check_held(package, current.hold, CHANGE)?;
                }
                let deed = if changes { Deed::install(goal.version.clone()) } else { Deed::Mark };
                let goal_hold = goal.hold.unwrap_or(current.hold);
                let hold = (goal_hold != current.hold || (changes && current.hold)).then_some(goal_hold);
                let manual = change.manual.as_ref().map(|delta| delta.to);
                let intent = Self { package, deed, was_held: current.hold, hold, manual };
                intent.checked_against(&current.version, provider)
            }
            Step::Remove { current } => {
                check_held(package, current.hold, "set `hold = false` to remove it all the same")?;
                let deed = if package.purge.is_set() { Deed::Purge } else { Deed::Remove };
                Ok(Self { package, deed, was_held: current.hold, hold: None, manual: None })
            }
        }
    }

    pub(super) fn name(&self) -> &'a str {
        &self.package.name
    }

    /// Whether the lists of what there is have to be asked.
    pub(super) fn is_from_lists(&self) -> bool {
        matches!(self.deed, Deed::Install { .. }) && self.package.source.is_none()
    }

    /// Whether it is held now, and must not be: to be changed, or for good.
    pub(super) fn must_let_go(&self) -> bool {
        self.was_held && (!matches!(self.deed, Deed::Mark) || self.hold == Some(false))
    }

    /// A version that is older than what is there must be allowed.
    fn checked_against(mut self, current: &Version, provider: &dyn Provider) -> Result<Self> {
        let (Deed::Install { wish: Some(wish), downgrade, .. }, Some(current)) =
            (&mut self.deed, current.as_exact())
        else {
            return Ok(self);
        };
        let Some(wanted) = wish.as_exact() else { return Ok(self) };
        *downgrade = provider.order()(wanted, current) == Ordering::Less;
        if !*downgrade || self.package.allow_downgrade {
            return Ok(self);
        }
        let what = format!("`{}` {wanted} is older than {current}, which is installed", self.package.name);
        Err(Error::new(ErrorKind::Rejected, what).hint("set `allow_downgrade = true` to go back"))
    }

    /// Finds the version to install among what is offered.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn choose(&mut self, offer: Option<&Offer>) -> Result<()> {
        let name = self.name();
        let Deed::Install { wish, version, .. } = &mut self.deed else { return Ok(()) };
        let Some(offer) = offer.filter(|offer| !offer.versions.is_empty()) else {
            let what = format!("there is no package `{name}` to install");
            return Err(Error::new(ErrorKind::Missing, what).hint(UNKNOWN));
        };
        *version = match &wish {
            Some(wish) => offer.best(wish),
            None => offer.candidate.clone(),
        };
        if version.is_some() {
            return Ok(());
        }
        let what = match &wish {
            Some(wish) if !wish.is_latest() => {
                format!("there is no version {} of `{name}`", uphold_resource::Property::to_value(wish))
            }
            _ => format!("`{name}` has no version that may be installed"),
        };
        Err(Error::new(ErrorKind::Missing, what).hint(format!("there is {}", offer.versions.join(", "))))
    }

    /// As the package manager is told.
    pub(super) fn install(&self) -> Option<Install<'_>> {
        let Deed::Install { wish, version, .. } = &self.deed else { return None };
        let pinned = wish.as_ref().is_some_and(|wish| !wish.is_latest()) && !self.follows_latest();
        let file: Option<&Path> = self.package.source.as_deref();
        // Without a wish the choice is the package manager's own, and may depend on everything else.
        let version = version.as_deref().filter(|_| wish.is_some());
        Some(Install { name: self.name(), version, pinned, file })
    }

    fn follows_latest(&self) -> bool {
        self.package.version.get().is_some_and(Version::is_latest)
    }

    pub(super) fn is_downgrade(&self) -> bool {
        matches!(self.deed, Deed::Install { downgrade: true, .. })
    }

    /// Whether it has been done, marks aside.
    pub(super) fn is_done(&self, provider: &dyn Provider, host: &Reading<'_>) -> Result<bool> {
        let record = provider.find(self.name(), host)?.filter(|record| record.stage != Stage::Nothing);
        Ok(match (&self.deed, record) {
            (Deed::Mark, _) | (Deed::Remove | Deed::Purge, None) => true,
            (Deed::Remove, Some(record)) => record.stage == Stage::Leftovers,
            (Deed::Install { wish, version, .. }, Some(record)) => {
                let right =
                    wish.is_none() || version.as_ref().is_none_or(|version| *version == record.version);
                record.stage == Stage::Installed && right
            }
            (Deed::Purge, Some(_)) | (Deed::Install { .. }, None) => false,
        })
    }
}

/// A name that only others provide is none to ask for: which of them it should be is not ours to say.
const UNKNOWN: &str = "correct the name, or declare the repository that has it; a name that other packages provide cannot be \
                       asked for";

/// How to change what is held.
const CHANGE: &str = "set `hold`: true to change it and keep holding it, false to let it go";

/// What somebody holds is changed only by who says that he knows.
fn check_held(package: &Package, is_held: bool, advice: &str) -> Result<()> {
    if !is_held || package.hold.is_set() {
        return Ok(());
    }
    let what = format!("`{}` is held at its version", package.name);
    Err(Error::new(ErrorKind::Rejected, what).hint(advice.to_owned()))
}
