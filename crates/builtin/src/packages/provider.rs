//! One interface to the package managers.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use uphold_resource::{Act, Error, ErrorKind, Interest, Property, Reading, Result, Value};

use super::apk::Apk;
use super::apt::Apt;
use super::dnf::Dnf;
use super::order::Order;
use super::record::{Offer, Record};
use super::settings::Settings;

/// A package manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Property)]
pub enum Manager {
    /// Debian and its kin.
    Apt,
    /// Fedora, Red Hat and their kin.
    Dnf,
    /// The same, before dnf.
    Yum,
    /// Alpine.
    Apk,
}

impl Manager {
    /// The one that was asked for, else the machine's own.
    pub(crate) fn of(asked: Option<Manager>, host: &Reading<'_>) -> Result<Self> {
        if let Some(asked) = asked {
            return Ok(asked);
        }
        let fact = host.facts().fact("package_manager")?;
        match &fact {
            Value::Text(word) if &**word == "apt" => Ok(Manager::Apt),
            Value::Text(word) if &**word == "dnf" => Ok(Manager::Dnf),
            Value::Text(word) if &**word == "yum" => Ok(Manager::Yum),
            Value::Text(word) if &**word == "apk" => Ok(Manager::Apk),
            Value::Text(word) => {
                let what = format!("packages of {word} cannot be managed");
                Err(Error::new(ErrorKind::Unsupported, what).hint("apt, dnf, yum and apk can"))
            }
            _ => {
                let what = "there is no package manager on this machine";
                Err(Error::new(ErrorKind::Unsupported, what).hint("set `provider` if there is one"))
            }
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

/// What a package manager can be asked and told. Looking writes nothing; a transaction is one call of the manager.
pub(crate) trait Provider: Sync {
    /// How versions are compared.
    fn order(&self) -> Order;

    /// What is there of a package.
    fn find(&self, name: &str, host: &Reading<'_>) -> Result<Option<Record>>;

    /// What could be installed of each of these, asked at once, with these settings. What is not known at all is missing in the
    /// answer.
    fn offers(
        &self,
        names: &[&str],
        settings: &Settings,
        host: &Reading<'_>,
    ) -> Result<HashMap<String, Offer>>;

    /// The newest version that could be installed of a package that is there. It is asked for by many, one by one: the
    /// answer for all of them is kept.
    fn newest(&self, name: &str, settings: &Settings, host: &Reading<'_>) -> Result<Option<String>>;

    /// How long ago the lists of what there is to install were updated; none if never.
    fn lists_age(&self, host: &Reading<'_>) -> Result<Option<Duration>>;

    /// Updates them.
    fn update_lists(&self, host: &Act<'_>) -> Result<()>;

    /// Does all of it, or as much as can be done: whoever asked looks at what became of it.
    fn commit(&self, transaction: &Transaction<'_>, host: &Act<'_>) -> Result<()>;

    /// What marks it keeps, besides what is installed.
    fn marks(&self) -> &'static [Mark];

    /// Puts a mark on packages that are there, or takes it off.
    fn mark(&self, names: &[&str], mark: Mark, on: bool, settings: &Settings, host: &Act<'_>) -> Result<()>;

    /// The name and version of the package in a file.
    fn read_file(&self, path: &Path, host: &Reading<'_>) -> Result<(String, String)>;

    /// What tells that something was installed or removed; and, to follow the newest version, that there is a newer one.
    fn watch(&self, newest: bool, interests: &mut Vec<Interest>);
}

/// What can be noted of a package that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It stays at its version.
    Hold,
    /// Somebody asked for it: it stays when nothing needs it.
    Manual,
}

/// What is done in one call of a package manager.
pub(crate) struct Transaction<'a> {
    pub(crate) install: Vec<Install<'a>>,
    pub(crate) remove: Vec<&'a str>,
    /// Removed with their configuration.
    pub(crate) purge: Vec<&'a str>,
    /// Whether something is replaced by an older version, as far as is known.
    pub(crate) downgrade: bool,
    /// Whether something may be. What is there may be another version by the time that the package manager looks.
    pub(crate) may_downgrade: bool,
    pub(crate) settings: &'a Settings,
}

/// One package to install.
pub(crate) struct Install<'a> {
    pub(crate) name: &'a str,
    /// The manager's choice unless set.
    pub(crate) version: Option<&'a str>,
    /// Whether somebody asked for that version, rather than for the newest.
    pub(crate) pinned: bool,
    /// A file to take it from.
    pub(crate) file: Option<&'a Path>,
}

impl Transaction<'_> {
    /// Whether there is nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.install.is_empty() && self.remove.is_empty() && self.purge.is_empty()
    }

    /// Whether nothing that is there should become another version. Somebody else may have installed it by now.
    pub(crate) fn keeps_versions(&self) -> bool {
        self.install.iter().all(|install| install.version.is_none() && install.file.is_none())
    }

    /// What it is about, for messages.
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

/// The first few of many.
fn some(names: &[&str]) -> String {
    const SHOWN: usize = 3;
    match names.len().saturating_sub(SHOWN) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..SHOWN].join(", ")),
    }
}
