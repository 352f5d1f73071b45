//! Installing and removing a timer.

use std::path::Path;
use std::time::Duration;

use uphold_resource::{Act, Result, UnitFileChange, UnitFileState, UnitJob, UnitVerb};

use super::parts::{Parts, is_ours};
use super::resource::{SystemdTimer, SystemdTimerGoal};
use crate::services::UnitName;
use crate::services::unit_file::{check_calendar, read, verify, write};

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
