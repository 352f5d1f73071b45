//! The kind `timezone`.

use std::fmt;
use std::path::{Path, PathBuf};

use uphold_kit::edited_file::EditedFile;
use uphold_kit::machine;
use uphold_resource::{
    Act, Claim, Claiming, Claims, Context, EntryKind, Error, ErrorKind, Found, Interest, Look, Previous,
    Problem, Property, Reading, Resource, Result, Step, Type, Value, Want, Watching, Wish, closest,
    wrong_type,
};

/// The link that determines the time zone.
const LOCALTIME: &str = "/etc/localtime";
/// The name of the time zone, for programs of Debian.
const TIMEZONE: &str = "/etc/timezone";

/// The time zone of the machine.
///
/// The label is the time zone, which must exist on the system. Manages the link `/etc/localtime`, which is replaced
/// atomically, and the file `/etc/timezone` if it exists or the system is Debian. The clock is not changed. A
/// machine has one time zone: a second `timezone` is refused, and it cannot be removed.
///
/// ```hcl
/// timezone "Europe/Vienna" {}
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "timezone", claims, interests, permanent)]
pub struct Timezone {
    /// Time zone, as in `Europe/Vienna`; defaults to the block's label.
    #[also("timezone", "zone")]
    #[name]
    pub name: Zone,
    /// Time zone of `/etc/localtime`. Defaults to `name`. Null if there is no such link, which means UTC.
    pub localtime: Want<Option<Zone>>,
    /// Time zone in `/etc/timezone`. Defaults to `name` if the system has that file. Null for no file.
    pub etc_timezone: Want<Option<Zone>>,
}

impl Resource for Timezone {
    fn prepare(&self, look: &Look<'_>) -> Result<TimezoneWishes> {
        self.name.must_exist(look)?;
        let declared = [self.localtime.get(), self.etc_timezone.get()];
        declared.into_iter().flatten().flatten().try_for_each(|zone| zone.must_exist(look))?;
        let has_file = || -> Result<bool> {
            Ok(machine::is_debian(look)? || look.files().look(Path::new(TIMEZONE))?.is_some())
        };
        let named = || Wish::Set(Some(self.name.clone()));
        Ok(TimezoneWishes {
            localtime: if self.localtime.is_set() { Wish::Declared } else { named() },
            etc_timezone: if self.etc_timezone.is_set() || !has_file()? { Wish::Declared } else { named() },
        })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::This(TimezoneState { localtime: linked(look)?, etc_timezone: named(look)? }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let Step::Update { change, .. } = step else { return Ok(()) };
        if let Some(delta) = &change.localtime {
            match &delta.to {
                Some(zone) => host.edits().make_link(Path::new(LOCALTIME), &zone.path())?,
                None => host.edits().remove_file(Path::new(LOCALTIME))?,
            }
        }
        let Some(delta) = &change.etc_timezone else { return Ok(()) };
        EditedFile::of_system(Path::new(TIMEZONE)).or_nothing().rewrite_lines(host, |file| {
            file.retain(|_| false);
            if let Some(zone) = &delta.to {
                file.put(zone.to_string(), |_| false);
            }
        })
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            // Undeclared, they would be set to its name.
            Step::Update { current, .. } => Previous::VALUES
                .with("localtime", current.localtime.to_value())
                .with("etc_timezone", current.etc_timezone.to_value()),
            _ => Previous::VALUES,
        }
    }
}

impl Claiming for Timezone {
    /// A machine has only one time zone.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("the", "time zone".into()));
        claims.hold(Claim::Path(PathBuf::from(LOCALTIME)));
        claims.hold(Claim::Path(PathBuf::from(TIMEZONE)));
        claims.need(Claim::Package("tzdata".into()));
    }
}

impl Watching for Timezone {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        let files = [PathBuf::from(LOCALTIME), PathBuf::from(TIMEZONE), self.name.path()];
        interests.extend(files.map(Interest::Path));
    }
}

/// The time zone of the link. A copy of a zone file, as on some systems, has no name.
fn linked(host: &Reading<'_>) -> Result<Option<Zone>> {
    match host.files().look(Path::new(LOCALTIME))?.map(|entry| entry.kind) {
        Some(EntryKind::Link(target)) => Ok(Zone::from_link(&target)),
        Some(EntryKind::File) | None => Ok(None),
        Some(kind) => Err(wrong_type(LOCALTIME, kind.words(), "a symbolic link")),
    }
}

fn named(host: &Reading<'_>) -> Result<Option<Zone>> {
    let path = Path::new(TIMEZONE);
    let Some(entry) = host.files().look(path)? else { return Ok(None) };
    let content = host.files().read(path, entry.size)?;
    Ok(Zone::found(&String::from_utf8_lossy(&content)))
}

// Time zones.

/// The directory of time zones.
const ZONES: &str = "/usr/share/zoneinfo";

/// Lists of time zones, for suggestions.
const LIST: &str = "/usr/share/zoneinfo/tzdata.zi";
const OTHER_LIST: &str = "/usr/share/zoneinfo/zone1970.tab";

/// The name of a time zone: `Europe/Vienna`, `UTC`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone(String);

impl Zone {
    /// The time zone that a link points to; none if it points elsewhere.
    fn from_link(target: &Path) -> Option<Self> {
        let text = target.to_str()?;
        let name = text.split_once("zoneinfo/").map(|(_, name)| name)?;
        is_name(name).then(|| Self(name.to_owned()))
    }

    /// Parses an existing name; none if it is not valid.
    fn found(text: &str) -> Option<Self> {
        let name = text.trim();
        is_name(name).then(|| Self(name.to_owned()))
    }

    /// The path of its file.
    fn path(&self) -> PathBuf {
        Path::new(ZONES).join(&self.0)
    }

    /// Fails if it does not exist on the system.
    fn must_exist(&self, host: &Reading<'_>) -> Result<()> {
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
