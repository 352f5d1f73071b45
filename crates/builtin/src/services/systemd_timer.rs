//! The kind `systemd_timer`.

mod parts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use parts::{Parts, current_header, is_ours};
use uphold_kit::parent;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Context, Found, Interest, Look, OwnedPaths, Previous,
    Problem, Property, Reading, Resource, Result, Step, Type, UnitFileState, UserName, Value, Want, Watching,
};

use super::systemd_unit::{UNIT_FILES, read};
use super::{UnitName, are_variables, is_line, is_one_line, is_true, links};

/// A systemd timer and the command or unit that it runs.
///
/// `command` is run by a service of the same name, which is created, too; alternatively, `unit` names an existing
/// unit. The files contain exactly the declared properties. The timer is started, and enabled at boot.
///
/// Removing it stops and disables the timer, and removes both files.
///
/// ```hcl
/// systemd_timer "backup" {
///   on_calendar = "*-*-* 03:30"
///   persistent  = true
///   command     = "/usr/bin/env touch /var/lib/backup-done"
/// }
/// ```
///
/// ```hcl
/// systemd_timer "refresh" {
///   on_boot        = "5min"
///   on_unit_active = "1h"
///   unit           = "refresh-cache.service"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "systemd_timer",
    also("timer_unit", "systemd_cron", "cron_timer"),
    exclusive(command, unit),
    any_of(
        on_calendar,
        on_boot,
        on_startup,
        on_active,
        on_unit_active,
        on_unit_inactive,
        fix = "set when it runs, as in `on_calendar = \"daily\"`"
    ),
    claims,
    interests
)]
pub struct SystemdTimer {
    /// Name of the timer, with or without `.timer`; defaults to the block's label.
    #[name]
    #[check(is_timer, "must be a plain name or end in .timer")]
    pub name: UnitName,
    /// Description (`Description=`).
    #[enforce("")]
    #[check(is_line, "must be a single line without spaces at its ends or a backslash at its end")]
    pub description: Want<String>,
    /// Calendar event (`OnCalendar=`), as in `"daily"` or `"Mon..Fri 08:30"`, or a list of them.
    #[also("schedule", "calendar", "oncalendar", "cron")]
    #[enforce(Calendar::default())]
    pub on_calendar: Want<Calendar>,
    /// Time after boot (`OnBootSec=`), as in `"5min"`.
    #[also("on_boot_sec")]
    #[enforce(None)]
    pub on_boot: Want<Option<TimeSpan>>,
    /// Time after the start of systemd (`OnStartupSec=`).
    #[also("on_startup_sec")]
    #[enforce(None)]
    pub on_startup: Want<Option<TimeSpan>>,
    /// Time after the start of the timer (`OnActiveSec=`).
    #[also("on_active_sec")]
    #[enforce(None)]
    pub on_active: Want<Option<TimeSpan>>,
    /// Time after the last start of its unit (`OnUnitActiveSec=`), as in `"1h"`.
    #[also("on_unit_active_sec", "every", "interval")]
    #[enforce(None)]
    pub on_unit_active: Want<Option<TimeSpan>>,
    /// Time after the last end of its unit (`OnUnitInactiveSec=`).
    #[also("on_unit_inactive_sec")]
    #[enforce(None)]
    pub on_unit_inactive: Want<Option<TimeSpan>>,
    /// Accuracy (`AccuracySec=`): the maximum delay. systemd's default is one minute.
    #[also("accuracy_sec")]
    #[enforce(None)]
    pub accuracy: Want<Option<TimeSpan>>,
    /// Maximum random delay (`RandomizedDelaySec=`), so that many machines do not run it at the same time.
    #[also("randomized_delay_sec", "splay", "random_delay")]
    #[enforce(None)]
    pub random_delay: Want<Option<TimeSpan>>,
    /// Run it at once after boot if a calendar event was missed while the machine was off (`Persistent=`).
    #[enforce(false)]
    pub persistent: Want<bool>,
    /// Existing unit to start. If it is not set, the service of the same name.
    #[also("service")]
    #[enforce(None)]
    pub unit: Want<Option<UnitName>>,
    /// Command to run, as in `ExecStart=`: a program path with arguments, without a shell.
    #[also("exec_start", "exec", "execute")]
    #[enforce(None)]
    #[check(is_line, "must be a single line without spaces at its ends or a backslash at its end")]
    pub command: Want<Option<String>>,
    /// User that runs `command`. Defaults to root.
    #[enforce(None)]
    pub user: Want<Option<UserName>>,
    /// Working directory of `command`.
    #[also("working_directory", "cwd", "chdir")]
    #[enforce(None)]
    pub dir: Want<Option<AbsolutePath>>,
    /// Environment variables of `command`. Every user can read them, so do not use them for secrets.
    #[also("environment")]
    #[enforce(BTreeMap::new())]
    #[check(are_variables, "must have names of letters, digits and `_`, and single-line values")]
    pub env: Want<BTreeMap<String, String>>,
    /// Whether the timer is started at boot.
    #[enforce(true)]
    pub enabled: Want<bool>,
    /// Whether the timer is running.
    #[enforce(true)]
    pub running: Want<bool>,
    /// Whether its files contain exactly the declared properties, and systemd has loaded them. Always managed.
    #[enforce(true)]
    #[check(is_true, "can only be true")]
    pub loaded: Want<bool>,
}

impl Resource for SystemdTimer {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some((timer, _)) = read(&self.file("timer"), look)? else { return Ok(Found::Absent) };
        let service = read(&self.file("service"), look)?.map(|(text, _)| text);
        let unit = look.unit(&self.unit_of("timer"))?;
        let parts = Parts::read(&timer, service.as_deref());
        let timer = current_header(&timer);
        let service = service.filter(|text| is_ours(text)).map(|text| current_header(&text));
        let is_exact = parts.timer() == timer && parts.service() == service;
        // Where systemd is not running now, the timer will run after boot.
        let running = unit.activity.is_none_or(|activity| activity.phase.is_up());
        let enabled = unit.file_state == UnitFileState::Enabled;
        Ok(Found::This(parts.into_state(enabled, running, is_exact && !unit.is_stale)))
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.file("timer"), look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => {
                self.put(goal, host)?;
                self.enable(goal.enabled, host)?;
                self.run(goal.running, host)
            }
            Step::Update { goal, change, .. } => {
                self.put(goal, host)?;
                change.enabled.as_ref().map_or(Ok(()), |delta| self.enable(delta.to, host))?;
                change.running.as_ref().map_or(Ok(()), |delta| self.run(delta.to, host))
            }
            Step::Remove { .. } => self.remove(host),
        }
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        Previous::without(&["loaded"])
    }
}

impl Claiming for SystemdTimer {
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Path(self.file("timer")));
        claims.declare_whole_content();
        claims.hold(Claim::Unit(self.unit_of("timer").into()));
        claims.need(Claim::Path(UNIT_FILES.into()));
        if let Some(unit) = self.unit.get().and_then(Option::as_ref) {
            claims.need(Claim::Other("unit file", unit.whole().into()));
        }
        if self.command.get().is_some_and(Option::is_some) {
            claims.hold(Claim::Path(self.file("service")));
        }
    }

    fn owned_paths(&self) -> Option<OwnedPaths> {
        Some(links::owned_by(self.unit_of("timer")))
    }
}

impl Watching for SystemdTimer {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(self.file("timer")));
        interests.push(Interest::Path(self.file("service")));
        interests.push(Interest::Unit(self.unit_of("timer").into()));
    }
}

impl SystemdTimer {
    fn stem(&self) -> &str {
        self.name.0.strip_suffix(".timer").unwrap_or(&self.name.0)
    }

    fn unit_of(&self, ty: &str) -> String {
        format!("{}.{ty}", self.stem())
    }

    fn file(&self, ty: &str) -> PathBuf {
        Path::new(UNIT_FILES).join(self.unit_of(ty))
    }
}

/// Whether this is a valid name of a timer.
fn is_timer(value: &Value) -> bool {
    let Value::Text(name) = value else { return false };
    let ty = UnitName(name.to_string()).unit_type();
    matches!(ty, None | Some("timer"))
}

// The calendar events and time spans of a timer.

/// Calendar events: one, or a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calendar(pub Vec<String>);

impl Property for Calendar {
    const TYPE: &'static Type = &Type::Named {
        name: "calendar",
        doc: "a calendar event in the syntax of systemd, or a list of them",
        example: "\"Mon..Fri 08:30\"",
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let times = match value {
            Value::Text(_) => vec![String::from_value(value, context)?],
            value => Vec::<String>::from_value(value, context)?,
        };
        match times.iter().find(|time| time.trim().is_empty() || !is_one_line(time)) {
            Some(_) => {
                Err(Problem::new(Some(value), "is not a calendar event", "use an event such as \"daily\""))
            }
            None => Ok(Self(times)),
        }
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

/// A time span in the syntax of systemd: `30s`, `5min`, `1h 30min`, `2d`.
#[derive(Clone, Debug, PartialEq, Eq, Property)]
#[example("1h 30min")]
#[pattern("^[0-9][0-9a-zA-Z. ]*$")]
pub struct TimeSpan(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_one_or_a_list() {
        let check = |value: Value, expected: Option<&[&str]>| {
            let read = Calendar::from_value(&value, &Context::NOTHING).ok();
            assert_eq!(
                read.map(|calendar| calendar.0),
                expected.map(|times| times.iter().map(ToString::to_string).collect())
            );
        };
        check(Value::text("daily"), Some(&["daily"]));
        check(Value::list([Value::text("a"), Value::text("b")]), Some(&["a", "b"]));
        check(Value::list([]), Some(&[]));
        check(Value::text(" "), None);
        check(Value::text("daily\n[Service]"), None);
        check(Value::Int(3), None);
    }
}
