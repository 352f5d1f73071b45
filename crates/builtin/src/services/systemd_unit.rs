//! The kind `systemd_unit`.

mod document;
mod text;

use std::path::{Path, PathBuf};
use std::time::Duration;

use uphold_kit::tool::{NO_SECRETS, reason, refusal};
use uphold_kit::{parent, tool};
use uphold_resource::{
    Access, Act, Batch, Claim, Claiming, Claims, Command, Error, ErrorKind, Found, Interest, Look, Mode,
    Output, OwnedPaths, Previous, Reading, Resource, Result, Seen, Step, Value, Want, Watching,
};

use super::{UnitName, is_true, links};

pub use text::UnitText;

pub(super) use document::{Document, UNIT_FILES, read, write};

/// A systemd unit file in `/etc/systemd/system`, or a drop-in for a unit.
///
/// The text is checked with `systemd-analyze verify` before it is put in place, if that is installed. Then systemd
/// reloads its units: once for all units that are written at the same time. A unit whose file changed since systemd
/// loaded it counts as different, too.
///
/// Nothing is started, stopped or enabled: use `service` for that, which comes after its unit. Removing it removes
/// the file.
///
/// ```hcl
/// systemd_unit "app.service" {
///   content = {
///     Unit    = { Description = "The app" }
///     Service = { ExecStart = "/bin/sleep infinity", Restart = "on-failure" }
///     Install = { WantedBy = "multi-user.target" }
///   }
///   notifies = [service.app.restart]
/// }
///
/// service "app" {
///   running = true
///   enabled = true
/// }
/// ```
///
/// A drop-in changes a unit that another package provides. Its label can be any name. To replace a setting that can
/// be repeated, set it to an empty value first:
///
/// ```hcl
/// systemd_unit "cron limits" {
///   name    = "cron.service"
///   drop_in = "limits"
///   content = "[Service]\nMemoryMax=200M\n"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "systemd_unit",
    also("unit_file", "systemd_unit_file", "systemd_drop_in", "systemd_dropin"),
    batch,
    claims,
    interests
)]
pub struct SystemdUnit {
    /// Name of the unit, with its type: `app.service`; defaults to the block's label.
    #[also("unit_name", "unit")]
    #[check(has_type, "must end in a unit type, as in \"app.service\"")]
    #[name]
    pub name: UnitName,
    /// Content of the file: its text, or a map of sections with settings. A list is a setting that is repeated.
    #[also("text", "source")]
    #[required]
    pub content: Want<UnitText>,
    /// Name of a drop-in. The file is then `/etc/systemd/system/UNIT.d/NAME.conf`.
    #[also("dropin", "filename")]
    #[pattern("^[A-Za-z0-9:_.@-]{1,200}$")]
    pub drop_in: Option<String>,
    /// Mode. If it is not set, an existing file keeps its own.
    #[on_create("0644")]
    pub mode: Want<Mode>,
    /// Whether systemd has loaded the current file. True where systemd is not running. Always managed.
    #[also("triggers_reload", "daemon_reload")]
    #[enforce(true)]
    #[check(is_true, "can only be true")]
    pub loaded: Want<bool>,
    /// Check the file with `systemd-analyze verify` before it is put in place.
    #[default(true)]
    pub verify: bool,
    /// Path of the file.
    pub path: Seen<String>,
}

impl Resource for SystemdUnit {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let path = self.path();
        let Some((text, mode)) = read(&path, look)? else { return Ok(Found::Absent) };
        let loaded = !look.has_units() || !look.unit(&self.name.0)?.is_stale;
        let (content, mode) = (UnitText::found(text), Mode::new(mode));
        Ok(Found::This(SystemdUnitState { content, mode, loaded, path: path.display().to_string() }))
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&Path::new(UNIT_FILES).join("any"), look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.change_file(step, host)?;
        host.reload_units()
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        Previous::without(&["loaded", "verify"])
    }
}

impl Batch for SystemdUnit {
    /// Writes all files first, then reloads once.
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        let written: Vec<Result<()>> =
            items.iter().map(|(unit, step)| unit.change_file(*step, host)).collect();
        if written.iter().all(Result::is_err) {
            return written;
        }
        match host.reload_units() {
            Ok(()) => written,
            Err(error) => {
                let again = || Error::new(error.kind(), error.chain());
                written.into_iter().map(|result| result.and_then(|()| Err(again()))).collect()
            }
        }
    }
}

impl Claiming for SystemdUnit {
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Path(self.path()));
        claims.declare_whole_content();
        // A unit has one file and any number of drop-ins.
        claims.provide(Claim::Other("unit file", self.name.0.as_str().into()));
        claims.need(Claim::Path(UNIT_FILES.into()));
        claims.need(Claim::Package(self.name.stem().into()));
    }

    fn owned_paths(&self) -> Option<OwnedPaths> {
        Some(links::owned_by(self.name.whole()))
    }
}

impl Watching for SystemdUnit {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(self.path()));
    }
}

impl SystemdUnit {
    fn path(&self) -> PathBuf {
        let unit = Path::new(UNIT_FILES).join(&self.name.0);
        match &self.drop_in {
            None => unit,
            Some(_) => unit.with_added_extension("d").join(self.drop_in_file()),
        }
    }

    /// The file name of a drop-in, which may be declared with or without its extension.
    fn drop_in_file(&self) -> String {
        self.drop_in
            .as_deref()
            .map_or_else(String::new, |name| format!("{}.conf", name.strip_suffix(".conf").unwrap_or(name)))
    }

    /// Applies a step to the file, without a reload.
    fn change_file(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let path = self.path();
        match step {
            Step::Create { goal } => self.put(&goal.content, &goal.mode, host),
            Step::Update { goal, change, .. } if change.content.is_some() => {
                self.put(&goal.content, &goal.mode, host)
            }
            Step::Update { goal, change, .. } if change.mode.is_some() => {
                let access = Access { mode: Some(goal.mode.bits()), ..Access::default() };
                uphold_resource::set_access(&path, "a regular file", &access, host)
            }
            Step::Update { .. } => Ok(()),
            Step::Remove { .. } => self.remove(&path, host),
        }
    }

    fn put(&self, content: &UnitText, mode: &Mode, host: &Act<'_>) -> Result<()> {
        let drop_in = self.drop_in_file();
        let verify = |candidate: &Path| verify(candidate, &self.name, &drop_in, host);
        let verify: Option<&uphold_resource::Verify<'_>> = if self.verify { Some(&verify) } else { None };
        write(&self.path(), content.as_str(), mode.bits(), verify, host)
    }

    /// Removes the file, and the directory of a drop-in if it is empty then.
    fn remove(&self, path: &Path, host: &Act<'_>) -> Result<()> {
        host.edits().remove_file(path)?;
        match path.parent() {
            Some(parent) if self.drop_in.is_some() && host.files().list(parent)?.is_empty() => {
                host.edits().remove_directory(parent)
            }
            _ => Ok(()),
        }
    }
}

/// Whether the name has a unit type.
fn has_type(value: &Value) -> bool {
    matches!(value, Value::Text(name) if UnitName(name.to_string()).unit_type().is_some())
}

// Verification of a unit file before it is put in place.

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
