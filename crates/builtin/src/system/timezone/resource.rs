//! The kind `timezone`.

use std::path::{Path, PathBuf};

use uphold_kit::edited_file::EditedFile;
use uphold_kit::machine;
use uphold_resource::{
    Act, Claim, Claiming, Claims, EntryKind, Found, Interest, Look, Previous, Property, Reading, Resource,
    Result, Step, Want, Watching, Wish, wrong_type,
};

use super::Zone;

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
