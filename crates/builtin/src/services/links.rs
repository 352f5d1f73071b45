//! The symbolic links that enable a service, which belong to it.

use std::path::{Path, PathBuf};

use uphold_resource::{EntryKind, ErrorKind, OwnedPaths, Reading, Result};

use super::systemd_unit::UNIT_FILES;

/// The directories of unit files, by precedence.
const UNIT_PATH: [&str; 5] = [
    UNIT_FILES,
    "/run/systemd/system",
    "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system",
    "/lib/systemd/system",
];

/// Suffixes of directories with links to units that another unit pulls in.
const PULLED_IN: [&str; 3] = ["wants", "requires", "upholds"];

/// The directories with links of sysvinit scripts, by runlevel.
const LEVELS: [&str; 8] = [
    "/etc/rc0.d",
    "/etc/rc1.d",
    "/etc/rc2.d",
    "/etc/rc3.d",
    "/etc/rc4.d",
    "/etc/rc5.d",
    "/etc/rc6.d",
    "/etc/rcS.d",
];

/// Finds the links of a unit, and of units that are enabled along with it.
pub(crate) fn owned_by(unit: String) -> OwnedPaths {
    Box::new(move |host| {
        let also = enabled_along(&unit, host)?;
        let units: Vec<&str> = std::iter::once(&*unit).chain(also.iter().map(String::as_str)).collect();
        let mut found = unit_links(&units, host)?;
        if let Some(script) = unit.strip_suffix(".service") {
            found.extend(script_links(script, host)?);
        }
        Ok(found)
    })
}

/// Links in `*.wants` and similar directories, aliases and the mask.
fn unit_links(units: &[&str], host: &Reading<'_>) -> Result<Vec<PathBuf>> {
    let top = Path::new(UNIT_FILES);
    let mut found = Vec::new();
    for path in entries(top, host)? {
        let pulls_in = path.extension().is_some_and(|end| PULLED_IN.iter().any(|known| end == *known));
        let candidates = if pulls_in { entries(&path, host)? } else { vec![path] };
        for candidate in candidates {
            if is_link_to(&candidate, units, host)? {
                found.push(candidate);
            }
        }
    }
    Ok(found)
}

fn is_link_to(path: &Path, units: &[&str], host: &Reading<'_>) -> Result<bool> {
    let Some(entry) = host.files().look(path)? else { return Ok(false) };
    let EntryKind::Link(target) = &entry.kind else { return Ok(false) };
    let is_unit = |path: &Path| path.file_name().is_some_and(|name| units.iter().any(|unit| name == *unit));
    Ok(is_unit(path) || is_unit(target))
}

/// The units in `Also=` of the unit file.
fn enabled_along(unit: &str, host: &Reading<'_>) -> Result<Vec<String>> {
    for directory in UNIT_PATH.map(Path::new) {
        let path = directory.join(unit);
        match host.files().look(&path)? {
            Some(entry) if entry.kind == EntryKind::File => {
                let text = host.files().read(&path, entry.size)?;
                let text = String::from_utf8_lossy(&text);
                let also = text.lines().filter_map(|line| line.trim().strip_prefix("Also="));
                return Ok(also.flat_map(str::split_whitespace).map(ToOwned::to_owned).collect());
            }
            _ => {}
        }
    }
    Ok(Vec::new())
}

/// Links such as `S01ssh` and `K01ssh`.
fn script_links(script: &str, host: &Reading<'_>) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for level in LEVELS.map(Path::new) {
        let links = entries(level, host)?.into_iter();
        found.extend(links.filter(|link| {
            let name = link.file_name().unwrap_or_default().to_string_lossy();
            let rest = name.strip_prefix(['S', 'K']).and_then(|rest| rest.split_at_checked(2));
            rest.is_some_and(|(number, name)| {
                number.bytes().all(|sign| sign.is_ascii_digit()) && name == script
            })
        }));
    }
    Ok(found)
}

/// The paths in a directory; none if it does not exist.
fn entries(directory: &Path, host: &Reading<'_>) -> Result<Vec<PathBuf>> {
    let is_directory = host.files().look(directory)?.is_some_and(|entry| entry.kind == EntryKind::Directory);
    if !is_directory {
        return Ok(Vec::new());
    }
    match host.files().list(directory) {
        Ok(names) => Ok(names.into_iter().map(|name| directory.join(name)).collect()),
        Err(error) if error.kind() == ErrorKind::Missing => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
