//! The package managers dnf and rpm.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use uphold_resource::{Act, Command, Error, ErrorKind, Interest, Reading, Result};

use super::Settings;
use super::order::{self, Order};
use super::provider::{Mark, Provider, Transaction};
use super::record::{Offer, Record, Stage};

/// The cache of repository metadata.
const CACHE: &str = "/var/cache/dnf";

/// dnf or yum, and rpm. Available versions come from the existing cache of dnf; reading it leaves a lock file of
/// dnf in `/var/tmp`.
pub(crate) struct Dnf {
    /// `dnf` or `yum`, which take the same arguments.
    pub(crate) program: &'static str,
}

impl Provider for Dnf {
    fn order(&self) -> Order {
        order::rpm
    }

    fn find(&self, name: &str, host: &Reading<'_>) -> Result<Option<Record>> {
        let format = "--queryformat=%{EPOCH}:%{VERSION}-%{RELEASE} %{ARCH}\n";
        let output = super::probe(super::command("rpm", ["-q", format, name]), host)?;
        if !output.success() {
            return Ok(None);
        }
        let printed = String::from_utf8_lossy(&output.stdout);
        let last = printed.lines().last().and_then(|line| line.split_once(' '));
        Ok(last.map(|(version, architecture)| Record {
            version: plain(version),
            architecture: architecture.to_owned(),
            stage: Stage::Installed,
            hold: false,
            manual: true,
        }))
    }

    fn offers(&self, names: &[&str], _: &Settings, host: &Reading<'_>) -> Result<HashMap<String, Offer>> {
        let format = "--queryformat=%{name} %{epoch}:%{version}-%{release}\n";
        // By default, a user other than root has a cache of their own, which is empty.
        let cache = format!("--setopt=cachedir={CACHE}");
        let args = ["-q", "-C", &cache, "--setopt=logdir=/tmp", "repoquery", "--available", format];
        let output = super::probe(super::command(self.program, [&args, names].concat()), host)?;
        let mut offers = parse_offers(&String::from_utf8_lossy(&output.stdout));
        for offer in offers.values_mut() {
            offer.versions.sort_by(|a, b| order::rpm(b, a));
            offer.candidate = offer.versions.first().cloned();
        }
        Ok(offers)
    }

    fn lists_age(&self, host: &Reading<'_>) -> Result<Option<Duration>> {
        let entry = host.files().look(Path::new(CACHE))?;
        Ok(entry.map(|entry| host.clock().now().duration_since(entry.modified).unwrap_or_default()))
    }

    fn update_lists(&self, host: &Act<'_>) -> Result<()> {
        let command = super::command(self.program, ["-q", "-y", "makecache", "--refresh"]);
        super::run(&command, "cannot update the package lists", host).map(drop)
    }

    /// dnf needs separate transactions for installation, downgrade and removal.
    fn commit(&self, transaction: &Transaction<'_>, host: &Act<'_>) -> Result<()> {
        let what = format!("cannot {}", transaction.words());
        let removed = transaction.remove.iter().chain(&transaction.purge).map(|name| (*name).to_owned());
        let installed = transaction.install.iter().map(|install| install.argument('-'));
        let verb = if transaction.downgrade { "downgrade" } else { "install" };
        for (verb, words) in [("remove", removed.collect::<Vec<_>>()), (verb, installed.collect())] {
            if !words.is_empty() {
                super::run(&self.call(transaction.settings, verb, words), &what, host)?;
            }
        }
        Ok(())
    }

    fn marks(&self) -> &'static [Mark] {
        &[]
    }

    fn mark(&self, _: &[&str], mark: Mark, _: bool, _: &Settings, _: &Act<'_>) -> Result<()> {
        Err(Error::new(
            ErrorKind::Unsupported,
            format!("{} does not support the mark `{mark:?}`", self.program),
        ))
    }

    fn read_file(&self, path: &Path, host: &Reading<'_>) -> Result<(String, String)> {
        let text = path.to_string_lossy();
        let format = "--queryformat=%{NAME} %{EPOCH}:%{VERSION}-%{RELEASE}";
        let output = host.probe(&super::command("rpm", ["-qp", format, &text]))?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        match printed.split_once(' ') {
            Some((name, version)) if output.success() => Ok((name.to_owned(), plain(version))),
            _ => Err(Error::new(ErrorKind::Invalid, format!("{text} is not an RPM package"))),
        }
    }

    fn watch(&self, newest: bool, interests: &mut Vec<Interest>) {
        interests.push(Interest::Packages);
        if newest {
            interests.push(Interest::Entries(CACHE.into()));
        }
    }
}

impl Dnf {
    fn call(&self, settings: &Settings, verb: &str, words: Vec<String>) -> Command {
        let weak = settings.install_recommends.map(|yes| format!("--setopt=install_weak_deps={yes}"));
        let args = ["-y".to_owned(), "-q".to_owned()].into_iter().chain(weak);
        let args = args.chain(settings.options.iter().cloned()).chain([verb.to_owned()]).chain(words);
        let mut command = super::command(self.program, args);
        command.env.extend(settings.env.clone());
        command
    }
}

/// The version without an empty or zero epoch.
fn plain(version: &str) -> String {
    let without = version.strip_prefix("(none):").or_else(|| version.strip_prefix("0:"));
    without.unwrap_or(version).to_owned()
}

fn parse_offers(text: &str) -> HashMap<String, Offer> {
    let mut offers: HashMap<String, Offer> = HashMap::new();
    for (name, version) in text.lines().filter_map(|line| line.split_once(' ')) {
        offers.entry(name.to_owned()).or_default().versions.push(plain(version));
    }
    offers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_offers() {
        let offers = parse_offers("hello 0:1.0-1\nhello 0:1.10-1\nother 2:3-1\n");
        assert_eq!(offers["hello"].versions, ["1.0-1", "1.10-1"]);
        assert_eq!(offers["other"].versions, ["2:3-1"]);
        assert_eq!(plain("(none):1-1"), "1-1");
    }
}
