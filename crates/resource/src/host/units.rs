//! systemd units.

use std::path::PathBuf;
use std::time::Duration;

use crate::error::Result;
use crate::host::Exit;

/// Reading systemd units. Other init systems are reached through files and commands.
pub trait Units: Send + Sync {
    /// Whether systemd is the running init system, rather than just installed.
    fn is_in_charge(&self) -> bool;

    /// The state of the unit with this full name, such as `nginx.service`. A unit that does not exist is no error: see
    /// [`UnitFileState::Missing`].
    ///
    /// # Errors
    /// If systemd is not installed or does not answer.
    fn unit(&self, name: &str) -> Result<Unit>;
}

/// Changing systemd units.
pub trait UnitEdits: Send + Sync {
    /// Runs a job and waits for its end. After a start, the unit is observed for [`UnitJob::settle`].
    ///
    /// # Errors
    /// If systemd refuses the job, if it fails or exceeds its time limit, or if the unit fails soon after its start. A unit
    /// that ends successfully by itself is no failure.
    fn run_job(&self, job: &UnitJob) -> Result<()>;

    /// Changes how a unit's file is linked, even if systemd does not run. A running systemd has loaded the change when this
    /// returns.
    fn change_files(&self, change: UnitFileChange, unit: &str) -> Result<()>;

    /// Makes systemd reload all unit files; does nothing if systemd does not run. Simultaneous calls may share one reload.
    fn reload_units(&self) -> Result<()>;
}

/// The state of a systemd unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its activity; `None` below another root, or where systemd is not the running init system.
    pub activity: Option<Activity>,
    /// How its unit file is linked.
    pub file_state: UnitFileState,
    /// The unit file.
    pub fragment: Option<PathBuf>,
    /// Whether a file of it changed after systemd loaded it.
    pub is_stale: bool,
}

/// The activity of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// The active state, common to all types of units.
    pub phase: UnitPhase,
    /// The sub-state of its type, such as `running` or `auto-restart`.
    pub detail: String,
    /// Its main process.
    pub main_process: Option<u32>,
    /// The result of its last run: `success`, or a failure such as `exit-code`.
    pub result: String,
    /// The exit of its main process.
    pub exit: Option<Exit>,
}

impl Activity {
    /// Whether it failed, or fails repeatedly.
    pub fn has_failed(&self) -> bool {
        self.phase == UnitPhase::Failed
            || (self.phase == UnitPhase::Activating && self.detail == "auto-restart")
    }

    /// A summary for messages: `it is failed (exit-code): its main process ended with status 3`.
    pub fn outcome(&self) -> String {
        let phase = self.phase.word();
        let detail = if self.has_failed() { &self.result } else { &self.detail };
        let ended = match self.exit {
            Some(Exit::Code(status)) => format!(": its main process ended with status {status}"),
            Some(Exit::Signal(signal)) => format!(": its main process was ended by signal {signal}"),
            Some(Exit::TimedOut) | None => String::new(),
        };
        if detail.is_empty() || detail == phase {
            format!("it is {phase}{ended}")
        } else {
            format!("it is {phase} ({detail}){ended}")
        }
    }
}

/// The active state of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitPhase {
    /// Up.
    Active,
    /// Up, and reloading its configuration.
    Reloading,
    /// Down.
    Inactive,
    /// Down after a failure.
    Failed,
    /// Starting.
    Activating,
    /// Stopping.
    Deactivating,
}

impl UnitPhase {
    /// The word that systemd uses.
    pub fn word(self) -> &'static str {
        match self {
            UnitPhase::Active => "active",
            UnitPhase::Reloading => "reloading",
            UnitPhase::Inactive => "inactive",
            UnitPhase::Failed => "failed",
            UnitPhase::Activating => "activating",
            UnitPhase::Deactivating => "deactivating",
        }
    }

    /// Whether it is up.
    pub fn is_up(self) -> bool {
        matches!(self, UnitPhase::Active | UnitPhase::Reloading)
    }
}

/// How a unit file is linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitFileState {
    /// The unit does not exist.
    Missing,
    /// Started at boot.
    Enabled,
    /// Not started at boot.
    Disabled,
    /// Neither can be changed: the word is the reason, such as `static`.
    Fixed(&'static str),
    /// Prevented from being started at all.
    Masked,
}

/// A job of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitJob {
    /// The operation.
    pub verb: UnitVerb,
    /// The unit, by its full name.
    pub unit: String,
    /// The time limit of the job.
    pub limit: Duration,
    /// How long a started unit is observed, in case it ends by itself.
    pub settle: Duration,
}

/// An operation on a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitVerb {
    /// Start it.
    Start,
    /// Stop it.
    Stop,
    /// Stop it if it runs, then start it.
    Restart,
    /// Make it reload its configuration.
    Reload,
    /// Reload, or restart if the unit cannot reload.
    ReloadOrRestart,
}

impl UnitVerb {
    /// The verb, as in "cannot … nginx.service".
    pub fn word(self) -> &'static str {
        match self {
            UnitVerb::Start => "start",
            UnitVerb::Stop => "stop",
            UnitVerb::Restart => "restart",
            UnitVerb::Reload => "reload",
            UnitVerb::ReloadOrRestart => "reload or restart",
        }
    }
}

/// A change of the links to a unit file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitFileChange {
    /// Start it at boot.
    Enable,
    /// Do not.
    Disable,
    /// Prevent any start.
    Mask,
    /// Allow starts again.
    Unmask,
}

impl UnitFileChange {
    /// The `systemctl` verb.
    pub fn word(self) -> &'static str {
        match self {
            UnitFileChange::Enable => "enable",
            UnitFileChange::Disable => "disable",
            UnitFileChange::Mask => "mask",
            UnitFileChange::Unmask => "unmask",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_outcomes() {
        let check = |phase, detail: &str, result: &str, exit, expected: &str| {
            let (detail, result) = (detail.to_owned(), result.to_owned());
            let activity = Activity { phase, detail, main_process: None, result, exit };
            assert_eq!(activity.outcome(), expected);
        };
        check(UnitPhase::Active, "running", "success", None, "it is active (running)");
        check(UnitPhase::Inactive, "dead", "success", None, "it is inactive (dead)");
        let ended = "it is failed (exit-code): its main process ended with status 3";
        check(UnitPhase::Failed, "failed", "exit-code", Some(Exit::Code(3)), ended);
        let killed = "it is activating (signal): its main process was ended by signal 9";
        check(UnitPhase::Activating, "auto-restart", "signal", Some(Exit::Signal(9)), killed);
        check(UnitPhase::Failed, "failed", "", None, "it is failed");
    }
}
