//! The interface to package managers.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use uphold_resource::{Act, Error, ErrorKind, Interest, Property, Reading, Result, Value};

use super::Settings;
use super::apk::Apk;
use super::apt::Apt;
use super::dnf::Dnf;
use super::order::Order;
use super::record::{Offer, Record};

/// A package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Property)]
pub enum Manager {
    /// Debian and derivatives.
    Apt,
    /// Fedora, Red Hat and derivatives.
    Dnf,
    /// The predecessor of dnf.
    Yum,
    /// Alpine.
    Apk,
}

impl Manager {
    /// The declared package manager, or that of the system.
    pub(crate) fn of(declared: Option<Manager>, host: &Reading<'_>) -> Result<Self> {
        if let Some(declared) = declared {
            return Ok(declared);
        }
        let fact = host.facts().fact("package_manager")?;
        match &fact {
            Value::Text(word) if &**word == "apt" => Ok(Manager::Apt),
            Value::Text(word) if &**word == "dnf" => Ok(Manager::Dnf),
            Value::Text(word) if &**word == "yum" => Ok(Manager::Yum),
            Value::Text(word) if &**word == "apk" => Ok(Manager::Apk),
            Value::Text(word) => {
                let what = format!("the package manager {word} is not supported");
                Err(Error::new(ErrorKind::Unsupported, what).hint("supported are apt, dnf, yum and apk"))
            }
            _ => Err(none_found(host)),
        }
    }

    pub(crate) fn provider(self) -> &'static dyn Provider {
        match self {
            Manager::Apt => &Apt,
            Manager::Dnf => &Dnf { program: "dnf" },
            Manager::Yum => &Dnf { program: "yum" },
            Manager::Apk => &Apk,
        }
    }
}

fn none_found(host: &Reading<'_>) -> Error {
    let (what, hint) = match host.files().root() {
        Some(root) => (
            format!("no package manager was found below the root {}", root.display()),
            "a root needs a complete system, such as one of debootstrap, to install packages",
        ),
        None => (
            "no package manager was found on this machine".to_owned(),
            "install one, or set `provider` if it is not in the usual place",
        ),
    };
    Error::new(ErrorKind::Unsupported, what).hint(hint)
}

/// A package manager. Reading changes nothing; a transaction is one call of the manager.
pub(crate) trait Provider: Sync {
    /// How versions are compared.
    fn order(&self) -> Order;

    /// The installed state of a package.
    fn find(&self, name: &str, host: &Reading<'_>) -> Result<Option<Record>>;

    /// The available versions of each of these packages, with these settings, in one call. Unknown packages are
    /// missing in the result.
    fn offers(
        &self,
        names: &[&str],
        settings: &Settings,
        host: &Reading<'_>,
    ) -> Result<HashMap<String, Offer>>;

    /// The newest available version of an installed package.
    fn newest(&self, name: &str, settings: &Settings, host: &Reading<'_>) -> Result<Option<String>> {
        Ok(self.offers(&[name], settings, host)?.remove(name).and_then(|offer| offer.candidate))
    }

    /// The time since the package lists were updated; none if never.
    fn lists_age(&self, host: &Reading<'_>) -> Result<Option<Duration>>;

    /// Updates the package lists.
    fn update_lists(&self, host: &Act<'_>) -> Result<()>;

    /// Applies all of it, or as much as possible: the caller checks the result.
    fn commit(&self, transaction: &Transaction<'_>, host: &Act<'_>) -> Result<()>;

    /// The marks that it supports.
    fn marks(&self) -> &'static [Mark];

    /// Adds or removes a mark of installed packages.
    fn mark(&self, names: &[&str], mark: Mark, on: bool, settings: &Settings, host: &Act<'_>) -> Result<()>;

    /// The name and version of the package in a file.
    fn read_file(&self, path: &Path, host: &Reading<'_>) -> Result<(String, String)>;

    /// Adds the paths to watch for installations and removals and, with `newest`, for new versions.
    fn watch(&self, newest: bool, interests: &mut Vec<Interest>);
}

/// A mark of an installed package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It is not upgraded.
    Hold,
    /// It was installed explicitly, and stays when nothing needs it.
    Manual,
}

/// The work of one call of a package manager.
pub(crate) struct Transaction<'a> {
    pub(crate) install: Vec<Install<'a>>,
    pub(crate) remove: Vec<&'a str>,
    /// Removed with their configuration.
    pub(crate) purge: Vec<&'a str>,
    /// Whether a package is replaced by an older version, as far as known.
    pub(crate) downgrade: bool,
    /// Whether that is allowed. The installed version may be another one by the time the package manager runs.
    pub(crate) may_downgrade: bool,
    pub(crate) settings: &'a Settings,
}

/// A package to install.
pub(crate) struct Install<'a> {
    pub(crate) name: &'a str,
    /// The version; the manager's choice if none.
    pub(crate) version: Option<&'a str>,
    /// Whether that version was declared, rather than `latest`.
    pub(crate) pinned: bool,
    /// The file to install from.
    pub(crate) file: Option<&'a Path>,
}

impl Install<'_> {
    /// The argument that installs it: the file, or the name with `separator` and the version.
    pub(crate) fn argument(&self, separator: char) -> String {
        match (self.file, self.version) {
            (Some(file), _) => file.to_string_lossy().into_owned(),
            (None, Some(version)) => format!("{}{separator}{version}", self.name),
            (None, None) => self.name.to_owned(),
        }
    }
}

impl Transaction<'_> {
    /// Whether it has nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.install.is_empty() && self.remove.is_empty() && self.purge.is_empty()
    }

    /// Whether installed packages must keep their version, even if installed by another program in the meantime.
    pub(crate) fn keeps_versions(&self) -> bool {
        self.install.iter().all(|install| install.version.is_none() && install.file.is_none())
    }

    /// A description for messages.
    pub(crate) fn words(&self) -> String {
        let installs: Vec<&str> = self.install.iter().map(|install| install.name).collect();
        let removals: Vec<&str> = self.remove.iter().chain(&self.purge).copied().collect();
        match (installs.is_empty(), removals.is_empty()) {
            (false, true) => format!("install {}", some(&installs)),
            (true, _) => format!("remove {}", some(&removals)),
            (false, false) => format!("install {} and remove {}", some(&installs), some(&removals)),
        }
    }
}

/// The first names of a list.
fn some(names: &[&str]) -> String {
    const SHOWN: usize = 3;
    match names.len().saturating_sub(SHOWN) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..SHOWN].join(", ")),
    }
}
