//! The package manager apk.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use uphold_resource::{Act, Command, Error, ErrorKind, Interest, Parsed, Reading, Result};

use super::Settings;
use super::order::{self, Order};
use super::provider::{Install, Mark, Provider, Transaction};
use super::record::{Offer, Record, Stage};

/// The database of installed packages.
const INSTALLED: &str = "/lib/apk/db/installed";
/// The list of explicitly installed packages.
const WORLD: &str = "/etc/apk/world";
/// The cache of repository indexes.
const CACHE: &str = "/var/cache/apk";

/// Alpine's package manager.
pub(crate) struct Apk;

impl Provider for Apk {
    fn order(&self) -> Order {
        order::apk
    }

    fn find(&self, name: &str, host: &Reading<'_>) -> Result<Option<Record>> {
        let Some(database) = host.parsed::<Database>(Path::new(INSTALLED))? else { return Ok(None) };
        let Some(found) = database.0.get(name).cloned() else { return Ok(None) };
        let world = host.parsed::<World>(Path::new(WORLD))?;
        Ok(Some(Record { manual: world.is_some_and(|world| world.0.contains(name)), ..found }))
    }

    fn offers(&self, names: &[&str], _: &Settings, host: &Reading<'_>) -> Result<HashMap<String, Offer>> {
        let output = host.probe(&super::command("apk", [&["policy"], names].concat()))?;
        Ok(parse_policy(&String::from_utf8_lossy(&output.stdout)))
    }

    fn lists_age(&self, host: &Reading<'_>) -> Result<Option<Duration>> {
        let entry = host.files().look(Path::new(CACHE))?;
        Ok(entry.map(|entry| host.clock().now().duration_since(entry.modified).unwrap_or_default()))
    }

    fn update_lists(&self, host: &Act<'_>) -> Result<()> {
        super::run(&super::command("apk", ["update"]), "cannot update the package lists", host).map(drop)
    }

    fn commit(&self, transaction: &Transaction<'_>, host: &Act<'_>) -> Result<()> {
        let what = format!("cannot {}", transaction.words());
        let words = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let install = transaction.install.iter().map(install_word).collect();
        let steps: [(&[&str], Vec<String>); 3] = [
            (&["del"], words(&transaction.remove)),
            (&["del", "--purge"], words(&transaction.purge)),
            (if transaction.keeps_versions() { &["add"] } else { &["add", "--upgrade"] }, install),
        ];
        for (verb, words) in steps.into_iter().filter(|(_, words)| !words.is_empty()) {
            super::run(&call(transaction.settings, verb, words), &what, host)?;
        }
        Ok(())
    }

    fn marks(&self) -> &'static [Mark] {
        &[Mark::Manual]
    }

    /// Explicitly installed packages are in the world file; apk removes others when nothing needs them.
    fn mark(&self, names: &[&str], mark: Mark, on: bool, settings: &Settings, host: &Act<'_>) -> Result<()> {
        if (mark, on) != (Mark::Manual, true) {
            let what = "apk supports neither holding packages nor keeping unneeded ones";
            return Err(Error::new(ErrorKind::Unsupported, what)
                .hint("remove `hold` and `manual`; to pin a version, set `version`"));
        }
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let command = call(settings, &["add"], names);
        super::run(&command, "cannot add packages to /etc/apk/world", host).map(drop)
    }

    fn read_file(&self, path: &Path, _: &Reading<'_>) -> Result<(String, String)> {
        let what =
            format!("cannot install {}: package files are supported for apt and dnf only", path.display());
        Err(Error::new(ErrorKind::Unsupported, what))
    }

    fn watch(&self, newest: bool, interests: &mut Vec<Interest>) {
        interests.extend([INSTALLED, WORLD].map(|path| Interest::Path(path.into())));
        if newest {
            interests.push(Interest::Entries(CACHE.into()));
        }
    }
}

/// The installed packages.
struct Database(HashMap<String, Record>);

impl Parsed for Database {
    fn parse(content: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(content);
        let mut packages = HashMap::new();
        for paragraph in text.split("\n\n") {
            let field = |letter: &str| paragraph.lines().find_map(|line| line.strip_prefix(letter));
            let (Some(name), Some(version)) = (field("P:"), field("V:")) else { continue };
            let architecture = field("A:").unwrap_or_default().to_owned();
            let (version, stage) = (version.to_owned(), Stage::Installed);
            packages
                .insert(name.to_owned(), Record { version, architecture, stage, hold: false, manual: true });
        }
        Ok(Self(packages))
    }
}

/// The names of explicitly installed packages.
struct World(HashSet<String>);

impl Parsed for World {
    fn parse(content: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(content);
        let name = |word: &str| word.split(['=', '<', '>', '~', '@']).next().map(str::to_owned);
        Ok(Self(text.split_whitespace().filter_map(name).collect()))
    }
}

/// A pinned version is kept in the world file; otherwise only the name is.
fn install_word(install: &Install<'_>) -> String {
    match install.version.filter(|_| install.pinned) {
        Some(version) => format!("{}={version}", install.name),
        None => install.name.to_owned(),
    }
}

fn call(settings: &Settings, verb: &[&str], words: Vec<String>) -> Command {
    let wait = ["--wait".to_owned(), super::seconds(settings.lock_timeout)];
    let args = verb.iter().map(|word| (*word).to_owned()).chain(wait);
    let mut command = super::command("apk", args.chain(settings.options.iter().cloned()).chain(words));
    command.env.extend(settings.env.clone());
    command
}

/// Parses `NAME policy:` and the versions below, newest first.
fn parse_policy(text: &str) -> HashMap<String, Offer> {
    let mut offers = HashMap::new();
    let mut current: Option<&mut Offer> = None;
    for line in text.lines() {
        if let Some(name) = line.strip_suffix(" policy:") {
            current = Some(offers.entry(name.to_owned()).or_default());
        } else if let Some(offer) = &mut current
            && let Some(version) = line.strip_prefix("  ").and_then(|line| line.strip_suffix(':'))
            && !version.starts_with(' ')
        {
            offer.versions.push(version.to_owned());
            offer.candidate = offer.versions.first().cloned();
        }
    }
    offers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_databases() {
        let database =
            Database::parse(b"C:Q1\nP:musl\nV:1.2.4-r2\nA:x86_64\n\nC:Q1\nP:zlib\nV:1.3-r0\nA:x86_64\n\n");
        assert_eq!(database.unwrap().0["zlib"].version, "1.3-r0");
        let world = World::parse(b"musl\nzlib=1.3-r0\nnginx@edge\n").unwrap();
        assert!(["musl", "zlib", "nginx"].iter().all(|name| world.0.contains(*name)));
    }

    #[test]
    fn parses_offers() {
        let offers = parse_policy(
            "zlib policy:\n  1.3-r1:\n    https://x/main\n  1.3-r0:\n    lib/apk/db/installed\n",
        );
        assert_eq!(offers["zlib"].versions, ["1.3-r1", "1.3-r0"]);
        assert_eq!(offers["zlib"].candidate.as_deref(), Some("1.3-r1"));
    }
}
