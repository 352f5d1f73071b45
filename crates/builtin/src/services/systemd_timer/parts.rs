//! The content of the two unit files of a timer.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Act, Context, Property, Result, UnitFileChange, UnitFileState, UnitJob, UnitVerb, UserName,
    Value,
};

use crate::services::UnitName;
use crate::services::systemd_unit::{Document, check_calendar, read, verify, write};

use super::{Calendar, SystemdTimer, SystemdTimerGoal, SystemdTimerState, TimeSpan};

/// The first line of both files, by which they are recognised.
const HEADER: &str = "# Managed by Uphold for a systemd_timer. Do not edit.\n";

/// The first line that earlier versions wrote.
const OLD_HEADER: &str = "# Written by Uphold for a systemd_timer. What is changed here is changed back.\n";

/// The time spans of a timer, in the order of [`Parts::spans`].
pub(super) const SPANS: [&str; 7] = [
    "OnBootSec",
    "OnStartupSec",
    "OnActiveSec",
    "OnUnitActiveSec",
    "OnUnitInactiveSec",
    "AccuracySec",
    "RandomizedDelaySec",
];

/// The content of a timer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parts {
    pub(super) description: String,
    pub(super) calendar: Calendar,
    pub(super) spans: [Option<TimeSpan>; 7],
    pub(super) persistent: bool,
    pub(super) unit: Option<UnitName>,
    pub(super) command: Option<String>,
    pub(super) user: Option<UserName>,
    pub(super) dir: Option<AbsolutePath>,
    pub(super) env: BTreeMap<String, String>,
}

impl Parts {
    /// The declared content.
    pub(super) fn wanted(goal: &SystemdTimerGoal) -> Self {
        let goal = goal.clone();
        Self {
            description: goal.description,
            calendar: goal.on_calendar,
            spans: [
                goal.on_boot,
                goal.on_startup,
                goal.on_active,
                goal.on_unit_active,
                goal.on_unit_inactive,
                goal.accuracy,
                goal.random_delay,
            ],
            persistent: goal.persistent,
            unit: goal.unit,
            command: goal.command,
            user: goal.user,
            dir: goal.dir,
            env: goal.env,
        }
    }

    /// The current state, with properties that are not in the files.
    pub(super) fn into_state(self, enabled: bool, running: bool, loaded: bool) -> SystemdTimerState {
        let parts = self;
        let [on_boot, on_startup, on_active, on_unit_active, on_unit_inactive, accuracy, random_delay] =
            parts.spans;
        SystemdTimerState {
            description: parts.description,
            on_calendar: parts.calendar,
            on_boot,
            on_startup,
            on_active,
            on_unit_active,
            on_unit_inactive,
            accuracy,
            random_delay,
            persistent: parts.persistent,
            unit: parts.unit,
            command: parts.command,
            user: parts.user,
            dir: parts.dir,
            env: parts.env,
            enabled,
            running,
            loaded,
        }
    }

    /// Parses both files. Other content is detected by writing them again.
    pub(super) fn read(timer: &str, service: Option<&str>) -> Self {
        let parse = |text: &str| Document::parse(text).unwrap_or_default();
        let (timer, service) =
            (parse(timer), service.filter(|text| is_ours(text)).map(parse).unwrap_or_default());
        let in_timer = |key: &str| timer.value("Timer", key).map(str::to_owned);
        let in_service = |key: &str| service.value("Service", key).map(str::to_owned);
        Self {
            description: timer.value("Unit", "Description").unwrap_or_default().to_owned(),
            calendar: Calendar(timer.values("Timer", "OnCalendar").into_iter().map(str::to_owned).collect()),
            spans: SPANS.map(|key| in_timer(key).map(TimeSpan)),
            persistent: in_timer("Persistent").is_some_and(|value| value == "true"),
            unit: in_timer("Unit").map(UnitName),
            command: in_service("ExecStart"),
            user: in_service("User").and_then(|name| property(&name)),
            dir: in_service("WorkingDirectory").and_then(|path| property(&path)),
            env: service.values("Service", "Environment").into_iter().filter_map(variable).collect(),
        }
    }

    /// The content of the timer file.
    pub(super) fn timer(&self) -> String {
        let mut document = self.described();
        for time in &self.calendar.0 {
            document.add("Timer", "OnCalendar", time);
        }
        for (key, span) in SPANS.iter().zip(&self.spans) {
            if let Some(span) = span {
                document.add("Timer", key, &span.0);
            }
        }
        if self.persistent {
            document.add("Timer", "Persistent", "true");
        }
        if let Some(unit) = &self.unit {
            document.add("Timer", "Unit", unit.whole());
        }
        document.add("Install", "WantedBy", "timers.target");
        HEADER.to_owned() + &document.render()
    }

    /// The content of the service file, if there is a command.
    pub(super) fn service(&self) -> Option<String> {
        let command = self.command.as_ref()?;
        let mut document = self.described();
        document.add("Service", "Type", "oneshot");
        document.add("Service", "ExecStart", command);
        if let Some(user) = &self.user {
            document.add("Service", "User", text(user));
        }
        if let Some(dir) = &self.dir {
            document.add("Service", "WorkingDirectory", text(dir));
        }
        for (name, value) in &self.env {
            document.add("Service", "Environment", quoted(&format!("{name}={value}")));
        }
        Some(HEADER.to_owned() + &document.render())
    }

    fn described(&self) -> Document {
        let mut document = Document::default();
        if !self.description.is_empty() {
            document.add("Unit", "Description", &self.description);
        }
        document
    }
}

/// The text of a file with the current header, so that a file of an earlier version is not a difference.
pub(super) fn current_header(text: &str) -> String {
    match text.strip_prefix(OLD_HEADER) {
        Some(rest) => format!("{HEADER}{rest}"),
        None => text.to_owned(),
    }
}

/// Whether Uphold wrote a file.
pub(super) fn is_ours(text: &str) -> bool {
    text.starts_with(HEADER) || text.starts_with(OLD_HEADER)
}

fn property<T: Property>(text: &str) -> Option<T> {
    T::from_value(&Value::text(text), &Context::NOTHING).ok()
}

/// A value as one word of a unit file.
fn text(value: &impl Property) -> String {
    match value.to_value() {
        Value::Text(text) => text.to_string(),
        other => other.to_string(),
    }
}

/// A quoted word with specifiers escaped.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%"))
}

/// Parses a quoted variable assignment.
fn variable(word: &str) -> Option<(String, String)> {
    let inside = word.strip_prefix('"')?.strip_suffix('"')?;
    let mut plain = String::new();
    let mut signs = inside.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' | '%' => plain.extend(signs.next()),
            sign => plain.push(sign),
        }
    }
    plain.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
}

// Installing and removing a timer.

/// The time limit for starting and stopping a timer.
const PATIENCE: Duration = Duration::from_secs(30);

impl SystemdTimer {
    /// Writes files that differ, and makes systemd reload them.
    pub(super) fn put(&self, goal: &SystemdTimerGoal, host: &Act<'_>) -> Result<()> {
        goal.on_calendar.0.iter().try_for_each(|time| check_calendar(time, host))?;
        let parts = Parts::wanted(goal);
        let service = match parts.service() {
            Some(text) => self.put_file("service", &text, host)?,
            None => self.remove_service(host)?,
        };
        let timer = self.put_file("timer", &parts.timer(), host)?;
        let is_stale = host.unit(&self.unit_of("timer"))?.is_stale;
        if service || timer || is_stale {
            host.reload_units()?;
        }
        Ok(())
    }

    /// Writes a file, and returns whether it differed.
    fn put_file(&self, ty: &str, text: &str, host: &Act<'_>) -> Result<bool> {
        let path = self.file(ty);
        if read(&path, host)?.is_some_and(|(found, _)| found == text) {
            return Ok(false);
        }
        let unit = UnitName(self.unit_of(ty));
        let verify = |candidate: &Path| verify(candidate, &unit, "", host);
        write(&path, text, 0o644, Some(&verify), host)?;
        Ok(true)
    }

    /// Enables or disables the timer.
    pub(super) fn enable(&self, enabled: bool, host: &Act<'_>) -> Result<()> {
        let unit = self.unit_of("timer");
        let is_enabled = host.unit(&unit)?.file_state == UnitFileState::Enabled;
        if is_enabled == enabled {
            return Ok(());
        }
        let change = if enabled { UnitFileChange::Enable } else { UnitFileChange::Disable };
        host.change_unit_files(change, &unit)
    }

    /// Starts or stops the timer. Does nothing where systemd is not running.
    pub(super) fn run(&self, running: bool, host: &Act<'_>) -> Result<()> {
        let unit = self.unit_of("timer");
        match host.unit(&unit)?.activity {
            Some(activity) if activity.phase.is_up() != running => {
                let verb = if running { UnitVerb::Start } else { UnitVerb::Stop };
                host.run_job(&UnitJob { verb, unit, limit: PATIENCE, settle: Duration::ZERO })
            }
            _ => Ok(()),
        }
    }

    /// Stops and disables the timer, and removes both files.
    pub(super) fn remove(&self, host: &Act<'_>) -> Result<()> {
        self.run(false, host)?;
        self.enable(false, host)?;
        self.remove_service(host)?;
        host.edits().remove_file(&self.file("timer"))?;
        host.reload_units()
    }

    /// Removes the service file if Uphold wrote it, and returns whether it did.
    fn remove_service(&self, host: &Act<'_>) -> Result<bool> {
        let path = self.file("service");
        let ours = read(&path, host)?.is_some_and(|(text, _)| is_ours(&text));
        if ours {
            host.edits().remove_file(&path)?;
        }
        Ok(ours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_round_trip() {
        let check = |parts: Parts| {
            assert_eq!(Parts::read(&parts.timer(), parts.service().as_deref()), parts);
        };
        check(Parts::default());
        check(Parts {
            description: "back up".to_owned(),
            calendar: Calendar(vec!["daily".to_owned(), "Mon 08:00".to_owned()]),
            spans: [0, 1, 2, 3, 4, 5, 6]
                .map(|number| (number != 3).then(|| TimeSpan(format!("{number}min")))),
            persistent: true,
            unit: None,
            command: Some("/bin/sh -c 'echo %%n'".to_owned()),
            user: property("ann"),
            dir: property("/srv/x y"),
            env: [("A", "1"), ("B", r#"say "100%" \o/ = x"#)]
                .map(|(k, v)| (k.to_owned(), v.to_owned()))
                .into(),
        });
        check(Parts { unit: Some(UnitName("other.service".to_owned())), ..Parts::default() });
    }

    #[test]
    fn ignores_a_service_file_of_others() {
        let service = "[Service]\nExecStart=/bin/other\n";
        assert_eq!(Parts::read(&Parts::default().timer(), Some(service)), Parts::default());
    }
}
