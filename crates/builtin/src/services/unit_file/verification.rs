//! What systemd thinks of a unit file that is not in place yet.

use std::path::Path;
use std::time::Duration;

use uphold_resource::{Command, Error, ErrorKind, Output, Reading, Result};

use crate::services::UnitName;
use crate::tool::{self, NO_SECRETS, reason, refusal};

/// The program that knows.
const PROGRAM: &str = "systemd-analyze";

/// Where it may be.
const PROGRAMS: [&str; 2] = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"];

/// It reads some files.
const LIMIT: Duration = Duration::from_secs(60);

/// A unit is known by the name of its file, so the candidate is looked at under that name in a directory of its own; a
/// drop-in beside a copy of its unit. Arguments: candidate, unit, file of the drop-in.
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
systemd-analyze --man=no --recursive-errors=no verify "$d/$2" 2>"$d/said"; status=$?
if grep -q 'unrecognized option' "$d/said"; then
    systemd-analyze verify "$d/$2" 2>"$d/said"; status=$?
fi
sed "s|$d/||g" "$d/said" >&2
exit $status
"#;

/// Fails with what systemd says if it does not like the file at `candidate`, which is for this unit, or is this drop-in of
/// it. Without systemd there is nobody to ask.
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
    match output.success() {
        true => Ok(()),
        false => {
            let hint = "correct it, or set `verify = false` if it is right all the same";
            Err(refusal(&output, PROGRAM, &NO_SECRETS, format!("systemd refuses {unit}")).hint(hint))
        }
    }
}

/// Fails if systemd cannot make sense of a time in the calendar.
pub(in crate::services) fn check_calendar(calendar: &str, host: &Reading<'_>) -> Result<()> {
    if !is_installed(host)? {
        return Ok(());
    }
    let output = run(&[PROGRAM, "calendar", "--", calendar], host)?;
    match output.success() {
        true => Ok(()),
        false => {
            let what = format!("`on_calendar` = {calendar:?} is no time that systemd knows");
            let hint = "write it as in \"daily\" or \"Mon..Fri 08:30\": see man systemd.time";
            Err(Error::new(ErrorKind::Invalid, what)
                .because(reason(&output, PROGRAM, &NO_SECRETS))
                .hint(hint))
        }
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
