//! The kind `package`.

mod batch;
mod intent;

use uphold_resource::{
    AbsolutePath, Act, Batch, Claim, Claiming, Claims, Desired, Error, ErrorKind, Found, Interest, Look,
    Previous, Reading, Resource, Result, Seen, Step, Want, Watching, Wish,
};

use super::provider::{Manager, Mark, Provider};
use super::record::{Record, Stage};
use super::version::Version;
use super::{Settings, lists, sources};

/// A package of the system's package manager: apt, dnf (or yum), or apk.
///
/// Installed packages are read directly from the package manager's database, so a check is cheap. All packages that
/// change at the same time and have the same settings are installed and removed in one transaction. If it fails,
/// each package is tried on its own, so that one bad package does not affect the others.
///
/// A package comes after all `apt_repository`, `apt_key` and `apt_update` resources. A `service` of the same name,
/// and files below `/etc/NAME` and the paths in `ships`, come after the package. Any other missing path, such as
/// `/etc/ssh/sshd_config` before `openssh-server` is installed, is checked again after the packages; a plan shows
/// that it may change.
///
/// Removing it keeps its configuration unless `purge` is set. Packages that depend on it are removed, too.
///
/// With dnf and apk, properties marked "apt only" have no effect; `hold` works only with apt, `manual` with apt and
/// apk. A version of dnf includes the release: `"1.22.1-9.el9"`, or `"1.22.1*"`. Reading the available versions of
/// dnf leaves a lock file in `/var/tmp`. dnf is tested with rpm on Debian; apk is not tested on a real system yet.
///
/// ```hcl
/// package "nginx" {
///   version = "1.22*"
/// }
///
/// package "telnetd" {
///   action = "remove"
///   purge  = true
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "package",
    also(
        "apt",
        "apt_package",
        "dnf",
        "dnf_package",
        "yum",
        "yum_package",
        "apk",
        "apk_package",
        "pkg",
        "dpkg_package"
    ),
    exclusive(version, source),
    claims,
    interests,
    batch
)]
pub struct Package {
    /// Name of the package; defaults to the block's label. For another architecture, add it after a colon:
    /// `"libc6:i386"`.
    #[name]
    #[also("package_name", "pkg")]
    #[pattern("^[A-Za-z0-9][A-Za-z0-9+._-]*(:[a-z0-9-]+)?$")]
    pub name: String,
    /// Version: a full one such as `"1.22.1-9"`, a prefix such as `"1.22*"`, or `"latest"`. If it is not set, an
    /// installed package keeps its version, and a new one gets the version that the package manager chooses. On
    /// removal: remove only this version.
    #[also("ensure")]
    pub version: Want<Version>,
    /// Whether the package is on hold, so that it is not upgraded with others. A package that was put on hold by
    /// hand is changed only if this is set.
    #[also("held", "lock", "mark")]
    pub hold: Want<bool>,
    /// Whether the package is marked as manually installed. A package that is not may be removed automatically when
    /// no other package needs it.
    #[enforce(true)]
    pub manual: Want<bool>,
    /// Package file on this machine to install from, such as a `.deb`. Its version is the declared version.
    #[also("deb", "src")]
    pub source: Option<AbsolutePath>,
    /// Remove the configuration, too, when the package is removed.
    #[default(false)]
    pub purge: bool,
    /// Allow replacing a newer version by an older one.
    #[also("allowdowngrade", "allow_downgrades")]
    #[default(false)]
    pub allow_downgrade: bool,
    /// Package manager. Defaults to the one of the system.
    #[also("use")]
    pub provider: Option<Manager>,
    /// Paths that the package provides, besides `/etc/NAME`: resources there come after it.
    #[default(Vec::new())]
    #[claim(provides)]
    #[interest(none)]
    pub ships: Vec<AbsolutePath>,
    /// Settings of the package manager.
    #[flatten(settings)]
    pub settings: Settings,
    /// Architecture of the installed package.
    pub architecture: Seen<String>,
}

impl Resource for Package {
    fn prepare(&self, look: &Look<'_>) -> Result<PackageWishes> {
        let provider = self.provider(look)?;
        self.check_marks(provider)?;
        let of_source = self.version_of_source(provider, look)?;
        let Some(mut version) = of_source.or_else(|| self.version.get().cloned()) else {
            return Ok(PackageWishes::default());
        };
        let installed = provider.find(&self.name, look)?.filter(|record| record.stage == Stage::Installed);
        let offer = match &installed {
            Some(_) if version.is_latest() => provider.newest(&self.name, &self.settings, look)?,
            Some(installed) if !version.admits(&installed.version) => provider
                .offers(&[&self.name], &self.settings, look)?
                .remove(&self.name)
                .and_then(|offer| offer.best(&version)),
            _ => None,
        };
        version.set_offer(offer, provider.order());
        Ok(PackageWishes { version: Wish::Set(version), ..PackageWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let record = self.provider(look)?.find(&self.name, look)?;
        Ok(record
            .filter(|record| self.counts(record, look))
            .map(|record| PackageState {
                version: Version::exact(record.version),
                hold: record.hold,
                manual: record.manual,
                architecture: record.architecture,
            })
            .into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        batch::apply(&[(self, step)], host).into_iter().collect()
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Remove { .. } if self.purge => Previous::none("its configuration was purged with it"),
            _ => Previous::without(&["source", "ships"]).with("allow_downgrade", true),
        }
    }
}

impl Batch for Package {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        batch::apply(items, host)
    }
}

impl Claiming for Package {
    fn add_claims(&self, claims: &mut Claims) {
        let name = self.name.split(':').next().unwrap_or_default();
        claims.provide(Claim::Package(name.into()));
        // The configuration of apt comes before all packages, not after the package `apt`.
        if name != "apt" {
            claims.provide(Claim::Path(format!("/etc/{name}").into()));
        }
        claims.brings_more = true;
        claims.follow(sources());
        claims.follow(lists());
    }
}

impl Watching for Package {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        let latest = self.version.get().is_some_and(Version::is_latest);
        if let Ok(provider) = self.provider(host) {
            provider.watch(latest, interests);
        }
    }
}

impl Package {
    fn provider(&self, host: &Reading<'_>) -> Result<&'static dyn Provider> {
        Manager::of(self.provider, host).map(Manager::provider)
    }

    /// Whether the package counts as existing. To be installed, it must be complete. To be removed, no part that
    /// counts may remain; another version than the declared one does not count.
    fn counts(&self, record: &Record, look: &Look<'_>) -> bool {
        if look.desired() != Some(Desired::Absent) {
            return record.stage == Stage::Installed;
        }
        let is_meant = self.version.get().is_none_or(|version| version.admits(&record.version));
        match record.stage {
            Stage::Installed | Stage::Broken => is_meant,
            Stage::Leftovers => is_meant && self.purge,
            Stage::Nothing => false,
        }
    }

    fn check_marks(&self, provider: &dyn Provider) -> Result<()> {
        let refuse = |property: &str, advice: &str| {
            let what = format!(
                "`{property}` of the package `{}` is not supported by its package manager",
                self.name
            );
            Err(Error::new(ErrorKind::Unsupported, what).hint(advice.to_owned()))
        };
        match (self.hold.get(), self.manual.get()) {
            (Some(true), _) if !provider.marks().contains(&Mark::Hold) => {
                refuse("hold", "pin the version with `version` instead")
            }
            (_, Some(false)) if !provider.marks().contains(&Mark::Manual) => {
                refuse("manual", "remove `manual`")
            }
            _ => Ok(()),
        }
    }

    /// The version of the package file, which is the declared version; none if the file does not exist yet.
    fn version_of_source(&self, provider: &dyn Provider, host: &Reading<'_>) -> Result<Option<Version>> {
        let Some(source) = &self.source else { return Ok(None) };
        if host.files().look(source)?.is_none() {
            if host.provides(source) {
                return Ok(None);
            }
            let (source, name) = (host.shown(source), &self.name);
            let what = format!("the file {} of the package `{name}` does not exist", source.display());
            return Err(Error::new(ErrorKind::Missing, what)
                .hint("correct `source`, or declare the resource that creates it"));
        }
        let (name, version) = provider.read_file(source, host)?;
        if name != self.name.split(':').next().unwrap_or_default() {
            let what = format!("{source} contains the package `{name}`, not `{}`", self.name);
            return Err(Error::new(ErrorKind::Invalid, what).hint("correct `source` or the name"));
        }
        Ok(Some(Version::exact(version)))
    }
}
