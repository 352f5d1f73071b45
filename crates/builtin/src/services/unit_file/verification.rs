//! Verification of a unit file before it is put in place.

use std::path::Path;
use std::time::Duration;

use uphold_kit::tool::{self, NO_SECRETS, reason, refusal};
use uphold_resource::{Command, Error, ErrorKind, Output, Reading, Result};

use crate::services::UnitName;

/// The program that verifies units.
const PROGRAM: &str = "systemd-analyze";

/// Its possible paths.
const PROGRAMS: [&str; 2] = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"];

/// Its time limit.
const LIMIT: Duration = Duration::from_secs(60);

/// A unit is identified by its file name, so the candidate is copied under that name to a temporary directory; a
/// drop-in next to a copy of its unit. Arguments: candidate, unit, file name of the drop-in.
const SCRIPT: &str = r#"
d=$(mktemp -d) || exit 99
trap 'rm -rf "$d"' EXIT
if [ -n "$3" ]; then
    for p in /etc/systemd/system /run/systemd/system /usr/local/lib/systemd/system /usr/lib/systemd/system /lib/systemd/system; do
        [ -f "$p/$2" ] && break
        p=
    done
    [ -n "$p" ] || exit 0
    mkdir "$d/$2.d" && cp "$p/$2" "$d/$2" && cp "$1" "$d/$2.d/$3" || exit 99
else
    cp "$1" "$d/$2" || exit 99
fi
chmod -R a+rX "$d"
systemd-analyze --man=no --recursive-errors=no verify "$d/$2" 2>"$d/output"; status=$?
if grep -q 'unrecognized option' "$d/output"; then
    systemd-analyze verify "$d/$2" 2>"$d/output"; status=$?
fi
sed "s|$d/||g" "$d/output" >&2
exit $status
"#;

/// Fails with the output of systemd if the file at `candidate` is not valid for this unit, or as this drop-in of
/// it. Passes if systemd is not installed.
pub(in crate::services) fn verify(
    candidate: &Path,
    unit: &UnitName,
    drop_in: &str,
    host: &Reading<'_>,
) -> Result<()> {
    if !is_installed(host)? {
        return Ok(());
    }
    let unit = unit.whole();
    let candidate = candidate.to_string_lossy().into_owned();
    let output = run(&["/bin/sh", "-c", SCRIPT, "sh", &candidate, &unit, drop_in], host)?;
    if output.success() {
        Ok(())
    } else {
        let hint = "fix the unit file; if it is right for another version of systemd, set `verify = false`";
        Err(refusal(&output, PROGRAM, &NO_SECRETS, format!("verification of the unit {unit} failed"))
            .hint(hint))
    }
}

/// Fails if systemd cannot parse a calendar event.
pub(in crate::services) fn check_calendar(calendar: &str, host: &Reading<'_>) -> Result<()> {
    if !is_installed(host)? {
        return Ok(());
    }
    let output = run(&[PROGRAM, "calendar", "--", calendar], host)?;
    if output.success() {
        Ok(())
    } else {
        let what = format!("`on_calendar` = {calendar:?} is not a valid calendar event");
        let hint = "use an event such as \"daily\" or \"Mon..Fri 08:30\"; see man systemd.time";
        Err(Error::new(ErrorKind::Invalid, what).because(reason(&output, PROGRAM, &NO_SECRETS)).hint(hint))
    }
}

fn is_installed(host: &Reading<'_>) -> Result<bool> {
    for program in PROGRAMS {
        if host.files().look(Path::new(program))?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn run(words: &[&str], host: &Reading<'_>) -> Result<Output> {
    let command = tool::command(words[0], words[1..].iter().copied());
    host.probe(&Command { timeout: Some(LIMIT), ..command })
}
