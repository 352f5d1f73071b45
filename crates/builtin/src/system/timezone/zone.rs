//! Time zones.

use std::fmt;
use std::path::{Path, PathBuf};

use uphold_resource::{Context, Error, ErrorKind, Problem, Property, Reading, Result, Type, Value, closest};

/// The directory of time zones.
pub(super) const ZONES: &str = "/usr/share/zoneinfo";

/// Lists of time zones, for suggestions.
const LIST: &str = "/usr/share/zoneinfo/tzdata.zi";
const OTHER_LIST: &str = "/usr/share/zoneinfo/zone1970.tab";

/// The name of a time zone: `Europe/Vienna`, `UTC`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone(String);

impl Zone {
    /// The time zone that a link points to; none if it points elsewhere.
    pub(super) fn from_link(target: &Path) -> Option<Self> {
        let text = target.to_str()?;
        let name = text.split_once("zoneinfo/").map(|(_, name)| name)?;
        is_name(name).then(|| Self(name.to_owned()))
    }

    /// Parses an existing name; none if it is not valid.
    pub(super) fn found(text: &str) -> Option<Self> {
        let name = text.trim();
        is_name(name).then(|| Self(name.to_owned()))
    }

    /// The path of its file.
    pub(super) fn path(&self) -> PathBuf {
        Path::new(ZONES).join(&self.0)
    }

    /// Fails if it does not exist on the system.
    pub(super) fn must_exist(&self, host: &Reading<'_>) -> Result<()> {
        if host.files().look(&self.path())?.is_some() {
            return Ok(());
        }
        if host.files().look(Path::new(ZONES))?.is_none() {
            let what = format!("cannot find the time zone {self}: {ZONES} does not exist");
            return Err(Error::new(ErrorKind::Missing, what).hint("install the package tzdata"));
        }
        let error = Error::new(ErrorKind::Invalid, format!("the time zone {self} does not exist"));
        let names = names(host);
        Err(match closest(&self.0, names.iter().map(String::as_str)) {
            Some(near) => error.hint(format!("did you mean {near}?")),
            None => error.hint(format!("{ZONES} contains the available time zones")),
        })
    }
}

/// All time zones in the lists.
fn names(host: &Reading<'_>) -> Vec<String> {
    let read = |path| host.files().read(Path::new(path), 0).ok();
    let text = |content: Vec<u8>| String::from_utf8_lossy(&content).into_owned();
    if let Some(list) = read(OTHER_LIST).map(text) {
        let lines = list.lines().filter(|line| !line.starts_with('#'));
        return lines.filter_map(|line| line.split('\t').nth(2)).map(ToOwned::to_owned).collect();
    }
    let zone = |line: &str| {
        let mut words = line.split(' ');
        match words.next()? {
            "Z" => words.next().map(ToOwned::to_owned),
            "L" => words.nth(1).map(ToOwned::to_owned),
            _ => None,
        }
    };
    read(LIST).map(text).unwrap_or_default().lines().filter_map(zone).collect()
}

fn is_name(text: &str) -> bool {
    let is_part = |part: &str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "_-+".contains(c);
        !part.is_empty() && part.chars().all(is_letter)
    };
    text.split('/').all(is_part)
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Property for Zone {
    const TYPE: &'static Type =
        &Type::Named { name: "time zone", doc: "the name of a time zone", example: r#""Europe/Vienna""# };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let fix = "use a name such as \"Europe/Vienna\" or \"UTC\"";
        Self::found(&text).ok_or_else(|| Problem::new(Some(value), "is not the name of a time zone", fix))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_link_targets() {
        let check = |target: &str, expected: Option<&str>| {
            let zone = Zone::from_link(Path::new(target)).map(|zone| zone.0);
            assert_eq!(zone.as_deref(), expected, "{target}");
        };
        check("/usr/share/zoneinfo/Europe/Vienna", Some("Europe/Vienna"));
        check("../usr/share/zoneinfo/Etc/GMT+1", Some("Etc/GMT+1"));
        check("/usr/share/zoneinfo/", None);
        check("/usr/share/zoneinfo/../x", None);
        check("/srv/zone", None);
    }
}
