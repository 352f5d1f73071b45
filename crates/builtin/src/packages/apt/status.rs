//! The database of dpkg: `/var/lib/dpkg/status`.

use std::collections::HashMap;

use uphold_resource::{Error, ErrorKind, Parsed, Result};

use crate::packages::paragraphs;
use crate::packages::record::{Offer, Record, Stage};

/// The path of the database.
pub(super) const PATH: &str = "/var/lib/dpkg/status";

/// All packages that dpkg knows, by name; several with one name differ in their architecture.
pub(super) struct Status {
    packages: HashMap<String, Vec<Record>>,
    /// The native architecture: that of dpkg itself.
    native: String,
}

impl Status {
    /// The record of `name` or `name:architecture`. Without an architecture, the native one is preferred.
    pub(super) fn find(&self, name: &str) -> Option<&Record> {
        let (name, architecture) = split(name);
        let records = self.packages.get(name)?;
        let is_of =
            |record: &&Record, wanted: &str| record.architecture == wanted || record.architecture == "all";
        match architecture {
            Some(wanted) => records.iter().find(|record| is_of(record, wanted)),
            None => records.iter().find(|record| is_of(record, &self.native)).or_else(|| records.first()),
        }
    }

    /// The name as apt prints it: without the native architecture.
    pub(super) fn usual_name<'a>(&self, name: &'a str) -> &'a str {
        match split(name) {
            (short, Some(architecture)) if architecture == self.native || architecture == "all" => short,
            _ => name,
        }
    }

    /// The names of all packages.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.packages.keys().map(String::as_str)
    }
}

impl Parsed for Status {
    fn parse(content: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(content);
        let mut status = Self { packages: HashMap::new(), native: String::new() };
        for paragraph in paragraphs(&text) {
            if let Some((name, record)) = record(paragraph)? {
                if name == "dpkg" {
                    status.native.clone_from(&record.architecture);
                }
                status.packages.entry(name).or_default().push(record);
            }
        }
        Ok(status)
    }
}

/// Splits a name and its architecture.
pub(super) fn split(name: &str) -> (&str, Option<&str>) {
    name.split_once(':').map_or((name, None), |(name, architecture)| (name, Some(architecture)))
}

/// Parses one package; none if it is not installed at all.
fn record<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Option<(String, Record)>> {
    let (mut name, mut version, mut architecture, mut status) = ("", "", "", "");
    for (field, value) in fields {
        match field {
            "Package" => name = value,
            "Version" => version = value,
            "Architecture" => architecture = value,
            "Status" => status = value,
            _ => {}
        }
    }
    let words: Vec<&str> = status.split(' ').collect();
    let [want, _, stage] = words[..] else {
        let what = format!("the dpkg database has an invalid status for the package `{name}`: `{status}`");
        return Err(Error::new(ErrorKind::Invalid, what));
    };
    let stage = stage_of(stage);
    // A package that is not installed can still be on hold, so that it stays that way.
    if stage == Stage::Nothing && want != "hold" {
        return Ok(None);
    }
    let (version, architecture) = (version.to_owned(), architecture.to_owned());
    let record = Record { version, architecture, stage, hold: want == "hold", manual: true };
    Ok(Some((name.to_owned(), record)))
}

/// Pending triggers do not count as broken.
fn stage_of(word: &str) -> Stage {
    match word {
        "not-installed" => Stage::Nothing,
        "installed" | "triggers-awaited" | "triggers-pending" => Stage::Installed,
        "config-files" => Stage::Leftovers,
        _ => Stage::Broken,
    }
}

// Parses the output of `apt-cache policy`.

/// The offers of packages; unknown packages are missing.
pub(super) fn parse(text: &str) -> HashMap<String, Offer> {
    let mut offers = HashMap::new();
    let mut current: Option<&mut Offer> = None;
    for line in text.lines() {
        if let Some(name) = line.strip_suffix(':').filter(|name| !name.starts_with(' ')) {
            current = Some(offers.entry(name.to_owned()).or_default());
        } else if let Some(offer) = &mut current {
            read(line, offer);
        }
    }
    offers
}

/// A version is followed by its priority, and preceded by `***` if installed; its sources are indented further.
fn read(line: &str, offer: &mut Offer) {
    if let Some(candidate) = line.strip_prefix("  Candidate: ") {
        offer.candidate = (candidate != "(none)").then(|| candidate.to_owned());
    } else if let Some(version) = line.strip_prefix(" *** ").or_else(|| line.strip_prefix("     ")) {
        let version = version.split(' ').next().filter(|version| !version.is_empty());
        offer.versions.extend(version.map(str::to_owned));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
Package: dpkg\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1.21.22\nConffiles:\n /etc/x 1\n
Package: old\nStatus: deinstall ok config-files\nArchitecture: all\nVersion: 1.0\n
Package: libx\nStatus: install ok installed\nArchitecture: i386\nVersion: 1.0\n
Package: libx\nStatus: hold ok installed\nArchitecture: amd64\nVersion: 1.1\n
Package: bad\nStatus: install reinstreq half-configured\nArchitecture: amd64\nVersion: 2\n
Package: none\nStatus: purge ok not-installed\n
Package: unwanted\nStatus: hold ok not-installed\nArchitecture: all\n";

    #[test]
    fn parses_the_status() {
        let status = Status::parse(TEXT.as_bytes()).unwrap();
        let check = |name: &str, expected: Option<(&str, Stage, bool)>| {
            let found = status.find(name).map(|record| (record.version.as_str(), record.stage, record.hold));
            assert_eq!(found, expected, "{name}");
        };
        check("dpkg", Some(("1.21.22", Stage::Installed, false)));
        check("old", Some(("1.0", Stage::Leftovers, false)));
        check("old:amd64", Some(("1.0", Stage::Leftovers, false)));
        check("libx", Some(("1.1", Stage::Installed, true)));
        check("libx:i386", Some(("1.0", Stage::Installed, false)));
        check("libx:arm64", None);
        check("bad", Some(("2", Stage::Broken, false)));
        check("none", None);
        check("unwanted", Some(("", Stage::Nothing, true)));
        check("unknown", None);
        assert_eq!(status.usual_name("libx:amd64"), "libx");
        assert_eq!(status.usual_name("libx:i386"), "libx:i386");
        assert_eq!(status.usual_name("libx"), "libx");
    }

    #[test]
    fn refuses_an_invalid_status() {
        let error = Status::parse(b"Package: x\nVersion: 1\n").err().unwrap();
        assert!(error.to_string().contains("`x`"), "{error}");
    }
}

#[cfg(test)]
mod policy_tests {
    use super::*;

    const TEXT: &str = "\
bash:
  Installed: 5.2.15-2+b8
  Candidate: 5.2.15-2+b13
  Version table:
     5.2.15-2+b13 500
        500 http://mirror.example/debian bookworm/main amd64 Packages
 *** 5.2.15-2+b8 100
        100 /var/lib/dpkg/status
libc6:i386:
  Installed: (none)
  Candidate: 2.36-9
  Version table:
     2.36-9 500
        500 file:/srv/repo ./ Packages
mail-transport-agent:
  Installed: (none)
  Candidate: (none)
  Version table:
";

    #[test]
    fn parses_offers() {
        let offers = parse(TEXT);
        let check = |name: &str, candidate: Option<&str>, versions: &[&str]| {
            let offer = &offers[name];
            assert_eq!(offer.candidate.as_deref(), candidate, "{name}");
            assert_eq!(offer.versions, versions, "{name}");
        };
        check("bash", Some("5.2.15-2+b13"), &["5.2.15-2+b13", "5.2.15-2+b8"]);
        check("libc6:i386", Some("2.36-9"), &["2.36-9"]);
        check("mail-transport-agent", None, &[]);
        assert_eq!(offers.len(), 3);
    }
}
