//! One package.

use std::path::Path;

use uphold_resource::{
    AbsolutePath, Act, Batch, Claim, Claiming, Claims, Error, ErrorKind, Interest, Reading, Resource, Result,
    Seen, Step, Want, Watching,
};

use super::{Purge, batch};
use crate::packages::claims::{lists, sources};
use crate::packages::provider::{Manager, Mark, Provider};
use crate::packages::record::{Record, Stage};
use crate::packages::settings::Settings;
use crate::packages::version::Version;

/// A package of the machine's package manager: apt, dnf (or yum), or apk.
///
/// What is installed is looked up in the package manager's own database, so that a look costs next to nothing. All
/// packages that are due at one time, and have the same settings, are installed and removed in one transaction. If that
/// fails, each is tried alone, so that one bad package does not keep the others away.
///
/// A package comes after all `apt_repository`, `apt_key` and `apt_update` resources. A `service` of the same name, and
/// files below `/etc/NAME` and below what `ships` names, come after the package. Anything else that is missing, such as
/// `/etc/ssh/sshd_config` before `openssh-server` is installed, is looked for again after the packages; a plan shows that
/// it may change.
///
/// Removing it leaves its configuration unless `purge` is set. What depends on it goes with it.
///
/// dnf and apk: what is said to be for apt has no effect there; `hold` is for apt only, `manual` for apt and apk. A version of
/// dnf's has its release: `"1.22.1-9.el9"`, or `"1.22.1*"`. To know what it could install, dnf is asked, which leaves a lock file in
/// `/var/tmp`. dnf is tested on a host of Debian with rpm; apk is not tested on a real machine yet.
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
    /// What it is called; the block's label unless set. Another architecture than the machine's own stands behind a
    /// colon: `"libc6:i386"`.
    #[name]
    #[also("package_name", "pkg")]
    #[pattern("^[A-Za-z0-9][A-Za-z0-9+._-]*(:[a-z0-9-]+)?$")]
    pub name: String,
    /// The version: a whole one such as `"1.22.1-9"`, the begin of one such as `"1.22*"`, or `"latest"`. What is there
    /// stays unless this is set; a package that is not there gets the version that the package manager chooses. When it is
    /// removed: only this version is.
    #[also("ensure")]
    pub version: Want<Version>,
    /// Whether it stays at its version when everything else is upgraded. A package that somebody else holds is only
    /// changed if this is set.
    #[also("held", "lock", "mark")]
    pub hold: Want<bool>,
    /// Whether it counts as asked for. A package that only counts as needed by others may be removed when they are.
    #[enforce(true)]
    pub manual: Want<bool>,
    /// A file on this machine to install it from, such as a `.deb`. Its version is the one that is asked for.
    #[also("deb", "src")]
    pub source: Option<AbsolutePath>,
    /// Whether removing it also removes its configuration.
    #[default(Purge::default())]
    pub purge: Purge,
    /// Whether a newer version may be replaced by an older one.
    #[also("allowdowngrade", "allow_downgrades")]
    #[default(false)]
    pub allow_downgrade: bool,
    /// The package manager; the machine's own unless set.
    #[also("use")]
    pub provider: Option<Manager>,
    /// Directories and files that it brings along, besides `/etc/NAME`: what is declared there comes after it.
    #[default(Vec::new())]
    pub ships: Vec<AbsolutePath>,
    /// How the package manager is called.
    #[flatten(settings)]
    pub settings: Settings,
    /// The architecture of what is there.
    pub architecture: Seen<String>,
}

impl Resource for Package {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        self.purge.note_converging();
        let provider = self.provider(host)?;
        self.check_marks(provider)?;
        self.take_version_of_source(provider, host)?;
        let installed = provider.find(&self.name, host)?.filter(|record| record.stage == Stage::Installed);
        let Want::Set(version) = &mut self.version else { return Ok(()) };
        let offer = match &installed {
            Some(_) if version.is_latest() => provider.newest(&self.name, &self.settings, host)?,
            Some(installed) if !version.admits(&installed.version) => provider
                .offers(&[&self.name], &self.settings, host)?
                .remove(&self.name)
                .and_then(|offer| offer.best(version)),
            _ => None,
        };
        version.set_offer(offer, provider.order());
        Ok(())
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<PackageState>> {
        let record = self.provider(host)?.find(&self.name, host)?;
        Ok(record.filter(|record| self.counts(record)).map(|record| PackageState {
            version: Version::exact(record.version),
            hold: record.hold,
            manual: record.manual,
            architecture: record.architecture,
        }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        batch::apply(&[(self, step)], host).into_iter().collect()
    }
}

impl Batch for Package {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        batch::apply(items, host)
    }
}

impl Claiming for Package {
    /// It does not stand on what it ships, as the type of the paths says, but brings it along.
    fn add_claims(&self, claims: &mut Claims) {
        let name = self.name.split(':').next().unwrap_or_default();
        let ships: Vec<Claim> = self.ships.iter().map(|path| Claim::Path(path.to_path_buf())).collect();
        claims.needs.retain(|need| !ships.contains(need));
        claims.provides.extend(ships);
        claims.provide(Claim::Package(name.into()));
        // What apt reads is not brought along by apt: it is there before every package.
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
        let ships = |path: &Path| self.ships.iter().any(|shipped| **shipped == *path);
        interests.retain(|interest| !matches!(interest, Interest::Path(path) if ships(path)));
        let latest = self.version.get().is_some_and(Version::is_latest);
        if let Ok(provider) = self.provider(host) {
            provider.watch(latest, interests);
        }
    }
}

impl Package {
    pub(super) fn provider(&self, host: &Reading<'_>) -> Result<&'static dyn Provider> {
        Manager::of(self.provider, host).map(Manager::provider)
    }

    /// To be there, it must be there as a whole. To be gone, nothing may be left that counts; another version than the one
    /// that is to be removed does not.
    fn counts(&self, record: &Record) -> bool {
        let is_meant = self.version.get().is_none_or(|version| version.admits(&record.version));
        if !self.purge.is_converging() && !is_meant {
            return false;
        }
        match record.stage {
            Stage::Installed => true,
            Stage::Broken => !self.purge.is_converging(),
            Stage::Nothing => false,
            Stage::Leftovers => self.purge.is_set() && !self.purge.is_converging(),
        }
    }

    fn check_marks(&self, provider: &dyn Provider) -> Result<()> {
        let refuse = |property: &str, advice: &str| {
            let what = format!(
                "`{property}` of the package `{}` cannot be kept: its package manager has no such mark",
                self.name
            );
            Err(Error::new(ErrorKind::Unsupported, what).hint(advice.to_owned()))
        };
        match (self.hold.get(), self.manual.get()) {
            (Some(true), _) if !provider.marks().contains(&Mark::Hold) => {
                refuse("hold", "pin it with `version`")
            }
            (_, Some(false)) if !provider.marks().contains(&Mark::Manual) => refuse("manual", "leave it out"),
            _ => Ok(()),
        }
    }

    /// A file is asked for by its path: which version that is, the file says.
    fn take_version_of_source(&mut self, provider: &dyn Provider, host: &Reading<'_>) -> Result<()> {
        let Some(source) = &self.source else { return Ok(()) };
        if host.files().look(source)?.is_none() {
            if host.provides(source) {
                return Ok(());
            }
            let what = format!("{source} does not exist, so `{}` cannot be installed from it", self.name);
            return Err(
                Error::new(ErrorKind::Missing, what).hint("correct `source`, or declare what makes it")
            );
        }
        let (name, version) = provider.read_file(source, host)?;
        if name != self.name.split(':').next().unwrap_or_default() {
            let what = format!("{source} holds the package `{name}`, not `{}`", self.name);
            return Err(Error::new(ErrorKind::Invalid, what).hint("correct `source` or the name"));
        }
        self.version = Want::Set(Version::exact(version));
        Ok(())
    }
}
