//! The package managers apt and dpkg.

mod automatic;
mod status;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use automatic::Automatic;
use status::Status;
use uphold_kit::tool::{NO_SECRETS, reason};
use uphold_resource::{Access, Act, Command, Error, ErrorKind, Interest, NewFile, Reading, Result};

use super::order::Order;
use super::provider::{Mark, Provider, Transaction};
use super::record::{Offer, Record};
use super::{ConfigFiles, Settings, order};

pub(crate) use self::{PATH as LISTS, age as lists_age, update as update_lists};

// The package manager apt.

/// The directory of preferences for versions.
const PREFERENCES: &str = "/etc/apt/preferences.d";

/// Other paths that determine the candidate version.
const DECIDING: [&str; 4] =
    [PATH, "/etc/apt/preferences", "/etc/apt/sources.list", "/etc/apt/sources.list.d"];

/// With a pseudo terminal, the output of package scripts would be mixed with that of apt.
const NO_TERMINAL: &str = "Dpkg::Use-Pty=0";

/// apt and dpkg. Installed packages are read from dpkg's database, available ones from `apt-cache`.
pub(crate) struct Apt;

/// The candidates of all installed packages.
struct Candidates(HashMap<String, Offer>);

impl Provider for Apt {
    fn order(&self) -> Order {
        order::debian
    }

    fn find(&self, name: &str, host: &Reading<'_>) -> Result<Option<Record>> {
        let Some(found) = status(host)?.find(name).cloned() else { return Ok(None) };
        let automatic = host.parsed::<Automatic>(Path::new(automatic::PATH))?;
        let manual =
            automatic.is_none_or(|automatic| !automatic.contains(status::split(name).0, &found.architecture));
        Ok(Some(Record { manual, ..found }))
    }

    fn offers(
        &self,
        names: &[&str],
        settings: &Settings,
        host: &Reading<'_>,
    ) -> Result<HashMap<String, Offer>> {
        let known = policy(names, settings.release.as_deref(), host)?;
        let status = status(host)?;
        let offer = |name: &&str| Some(((*name).to_owned(), known.get(status.usual_name(name))?.clone()));
        Ok(names.iter().filter_map(offer).collect())
    }

    /// The result for all packages is cached, because many resources ask one by one.
    fn newest(&self, name: &str, settings: &Settings, host: &Reading<'_>) -> Result<Option<String>> {
        let ask = || Ok(self.offers(&[name], settings, host)?.remove(name).and_then(|offer| offer.candidate));
        // A preferred release of one package does not apply to others.
        if settings.release.is_some() {
            return ask();
        }
        let status = status(host)?;
        let all = host.noted(&deciding(host)?, || {
            let names: Vec<&str> = status.names().collect();
            policy(&names, None, host).map(Candidates)
        })?;
        let candidate = all.0.get(status.usual_name(name)).and_then(|offer| offer.candidate.clone());
        // A package of another architecture is not in the list.
        candidate.map_or_else(ask, |candidate| Ok(Some(candidate)))
    }

    fn lists_age(&self, host: &Reading<'_>) -> Result<Option<Duration>> {
        age(host)
    }

    fn update_lists(&self, host: &Act<'_>) -> Result<()> {
        update(host)
    }

    fn commit(&self, transaction: &Transaction<'_>, host: &Act<'_>) -> Result<()> {
        let what = format!("cannot {}", transaction.words());
        let settings = transaction.settings;
        if !transaction.install.is_empty() || !transaction.remove.is_empty() {
            let words = transaction.install.iter().map(|install| install.argument('='));
            let words = words.chain(transaction.remove.iter().map(|name| format!("{name}-")));
            let flags = [
                (transaction.may_downgrade, "--allow-downgrades"),
                (transaction.keeps_versions(), "--no-upgrade"),
            ];
            super::run(&apt_get(settings, &flags, "install", words), &what, host)?;
        }
        if !transaction.purge.is_empty() {
            let words = transaction.purge.iter().map(|name| (*name).to_owned());
            super::run(&apt_get(settings, &[], "purge", words), &what, host)?;
        }
        Ok(())
    }

    fn marks(&self) -> &'static [Mark] {
        &[Mark::Hold, Mark::Manual]
    }

    fn mark(&self, names: &[&str], mark: Mark, on: bool, settings: &Settings, host: &Act<'_>) -> Result<()> {
        let word = match (mark, on) {
            (Mark::Hold, true) => "hold",
            (Mark::Hold, false) => "unhold",
            (Mark::Manual, true) => "manual",
            (Mark::Manual, false) => "auto",
        };
        let what = format!("cannot mark packages as `{word}`");
        let command = super::command("apt-mark", [&[word], names].concat());
        super::run_when_unlocked(&command, &what, settings.lock_timeout, host).map(drop)
    }

    fn read_file(&self, path: &Path, host: &Reading<'_>) -> Result<(String, String)> {
        let text = path.to_string_lossy();
        // Runs as the current user, because others may not be allowed to read the file.
        let command = super::command("dpkg-deb", ["--show", "--showformat=${Package} ${Version}", &text]);
        let output = host.probe(&command)?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        match printed.split_once(' ') {
            Some((name, version)) if output.success() => Ok((name.to_owned(), version.to_owned())),
            _ => {
                let why = reason(&output, &command.program, &NO_SECRETS);
                Err(Error::new(ErrorKind::Invalid, format!("{text} is not a Debian package")).because(why))
            }
        }
    }

    fn watch(&self, newest: bool, interests: &mut Vec<Interest>) {
        interests.extend([status::PATH, automatic::PATH].map(|path| Interest::Path(path.into())));
        if newest {
            interests.extend(DECIDING.map(|path| Interest::Entries(path.into())));
            interests.push(Interest::Tree(PREFERENCES.into()));
        }
    }
}

fn status(host: &Reading<'_>) -> Result<Arc<Status>> {
    host.parsed::<Status>(Path::new(status::PATH))?.ok_or_else(|| {
        let what = format!("the package database {} does not exist", status::PATH);
        Error::new(ErrorKind::Missing, what)
            .hint("set `provider` if this is not a Debian system; in a test, declare the file in `given`")
    })
}

/// All paths that determine the candidates.
fn deciding(host: &Reading<'_>) -> Result<Vec<PathBuf>> {
    let preferences = Path::new(PREFERENCES);
    let mut paths: Vec<PathBuf> =
        DECIDING.into_iter().chain([status::PATH, PREFERENCES]).map(PathBuf::from).collect();
    if host.files().look(preferences)?.is_some() {
        paths.extend(host.files().list(preferences)?.into_iter().map(|name| preferences.join(name)));
    }
    Ok(paths)
}

/// Runs `apt-cache policy`, for a release if one is preferred.
fn policy(names: &[&str], release: Option<&str>, host: &Reading<'_>) -> Result<HashMap<String, Offer>> {
    let mut known = HashMap::new();
    let release = release.map(|release| format!("APT::Default-Release={release}"));
    let release: Vec<&str> = release.iter().flat_map(|release| ["-o", release]).collect();
    // The total size of arguments is limited to about one megabyte.
    for names in names.chunks(5000) {
        let args = [&["-q"], &release[..], &["policy"], names].concat();
        let output = super::probe(super::command("apt-cache", args), host)?;
        if !output.success() {
            let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            let what = "cannot read the available versions from apt-cache";
            return Err(Error::new(ErrorKind::Rejected, what).because(why));
        }
        known.extend(status::parse(&String::from_utf8_lossy(&output.stdout)));
    }
    Ok(known)
}

fn apt_get(
    settings: &Settings,
    flags: &[(bool, &str)],
    verb: &str,
    words: impl Iterator<Item = String>,
) -> Command {
    let lock = format!("DPkg::Lock::Timeout={}", super::seconds(settings.lock_timeout));
    let conf = match settings.config_files {
        ConfigFiles::Keep => "--force-confold",
        ConfigFiles::New => "--force-confnew",
    };
    let conf = format!("Dpkg::Options::={conf}");
    let mut args: Vec<String> =
        ["-y", "-q", "-o", &lock, "-o", NO_TERMINAL, "-o", &conf].map(str::to_owned).into();
    if settings.config_files == ConfigFiles::Keep {
        args.extend(["-o", "Dpkg::Options::=--force-confdef"].map(str::to_owned));
    }
    args.extend(settings.install_recommends.map(|yes| {
        let flag = if yes { "--install-recommends" } else { "--no-install-recommends" };
        flag.to_owned()
    }));
    args.extend(settings.release.iter().map(|release| format!("--target-release={release}")));
    args.extend(flags.iter().filter(|(is_due, _)| *is_due).map(|(_, flag)| (*flag).to_owned()));
    args.extend(settings.options.iter().cloned());
    args.push(verb.to_owned());
    args.extend(words);
    let mut command = super::command("apt-get", args);
    command.env.extend(settings.env.clone());
    command
}

// The package lists of apt.

/// The directory of the lists.
pub(crate) const PATH: &str = "/var/lib/apt/lists";

/// A file that is touched after an update, because unchanged lists keep their own times. Other tools use it, too.
pub(crate) const STAMP: &str = "/var/lib/apt/periodic/update-success-stamp";

/// How long to wait for another update.
const PATIENCE: Duration = Duration::from_secs(600);

/// The time since the last update; none if there was none.
pub(crate) fn age(host: &Reading<'_>) -> Result<Option<Duration>> {
    let time = |path: &str| Ok(host.files().look(Path::new(path))?.map(|entry| entry.modified));
    let updated: Option<SystemTime> = time(STAMP)?.max(time(PATH)?);
    Ok(updated.map(|updated| host.clock().now().duration_since(updated).unwrap_or_default()))
}

/// Updates the lists.
pub(crate) fn update(host: &Act<'_>) -> Result<()> {
    // By default, apt only warns about a list that it cannot fetch.
    let args = ["-q", "--error-on=any", "update"];
    let command = super::command("apt-get", args);
    super::run_when_unlocked(&command, "cannot update the package lists", PATIENCE, host)?;
    if host.files().look(Path::new("/var/lib/apt/periodic"))?.is_none() {
        return Ok(());
    }
    let access = Access { mode: Some(0o644), ..Access::default() };
    let stamp = NewFile::new(b"", access);
    host.edits().write(Path::new(STAMP), &stamp)
}

/// Fetches only the lists of the repository in the file `path`.
///
/// # Errors
/// If it cannot be reached, or its signature is not valid. apt then keeps no lists of it.
pub(crate) fn try_source(path: &Path, name: &str, host: &Act<'_>) -> Result<()> {
    let list = format!("Dir::Etc::SourceList={}", path.display());
    let only = ["-o", &list, "-o", "Dir::Etc::SourceParts=/dev/null", "-o", "APT::Get::List-Cleanup=0"];
    let args = [&["-q", "--error-on=any"], &only[..], &["update"]].concat();
    let what = format!("cannot use the repository `{name}`");
    super::run_when_unlocked(&super::command("apt-get", args), &what, PATIENCE, host).map(drop)
}
