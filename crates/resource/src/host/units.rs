//! Units of systemd.

use std::path::PathBuf;
use std::time::Duration;

use crate::error::Result;
use crate::host::Exit;

/// Looking at the units of systemd. Other init systems are reached through files and commands.
pub trait Units: Send + Sync {
    /// Whether systemd runs this machine, rather than being installed at most.
    fn is_in_charge(&self) -> bool;

    /// What there is to say about the unit of this whole name, such as `nginx.service`. One that does
    /// not exist is told as such, and is no error.
    ///
    /// # Errors
    /// If systemd is not installed, or does not answer.
    fn unit(&self, name: &str) -> Result<Unit>;
}

/// Changing units.
pub trait UnitEdits: Send + Sync {
    /// Does this, and waits for its end. After a start the unit is looked at for a while.
    ///
    /// # Errors
    /// If systemd refuses, if the job fails, if it takes longer than it may, or if the unit fails
    /// soon after its start. That it ends well by itself is no failure: some do.
    fn run_job(&self, job: &UnitJob) -> Result<()>;

    /// Changes how the files of a unit are linked; without a running systemd, too. A running one has
    /// read the change when this returns.
    fn change_files(&self, change: UnitFileChange, unit: &str) -> Result<()>;

    /// Lets systemd read all unit files again. Where none runs there is nothing to do. Those who ask
    /// at one time may share one reading.
    fn reload_units(&self) -> Result<()>;
}

/// One unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What it is doing; none where nobody runs units: below another root, or where systemd is not in charge.
    pub activity: Option<Activity>,
    /// How its file is linked.
    pub file_state: UnitFileState,
    /// The file it is read from.
    pub fragment: Option<PathBuf>,
    /// Whether a file of it changed since systemd read it.
    pub is_stale: bool,
}

/// What a unit is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// In one word for all types of units.
    pub phase: UnitPhase,
    /// In the word of its type, such as `running` or `auto-restart`.
    pub detail: String,
    /// Its main process.
    pub main_process: Option<u32>,
    /// How its last run ended: `success`, or what was wrong, such as `exit-code`.
    pub result: String,
    /// How its main process ended.
    pub exit: Option<Exit>,
}

impl Activity {
    /// Whether it failed, or fails again and again.
    pub fn has_failed(&self) -> bool {
        self.phase == UnitPhase::Failed
            || (self.phase == UnitPhase::Activating && self.detail == "auto-restart")
    }

    /// What became of it, for people: `it is failed (exit-code): its main process ended with status 3`.
    pub fn outcome(&self) -> String {
        let phase = self.phase.word();
        let detail = if self.has_failed() { &self.result } else { &self.detail };
        let ended = match self.exit {
            Some(Exit::Code(status)) => format!(": its main process ended with status {status}"),
            Some(Exit::Signal(signal)) => format!(": its main process was ended by signal {signal}"),
            Some(Exit::TimedOut) | None => String::new(),
        };
        match detail.is_empty() || detail == phase {
            true => format!("it is {phase}{ended}"),
            false => format!("it is {phase} ({detail}){ended}"),
        }
    }
}

/// The state of a unit that runs, or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitPhase {
    /// It is up.
    Active,
    /// It is up, and reads its configuration again.
    Reloading,
    /// It is down.
    Inactive,
    /// It is down because it failed.
    Failed,
    /// It is on its way up.
    Activating,
    /// It is on its way down.
    Deactivating,
}

impl UnitPhase {
    /// As systemd writes it.
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

/// How the file of a unit is linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitFileState {
    /// There is no such unit.
    Missing,
    /// It is started at boot.
    Enabled,
    /// It is not.
    Disabled,
    /// It can be neither enabled nor disabled: the word says why, such as `static`.
    Fixed(&'static str),
    /// It cannot be started at all.
    Masked,
}

/// Something to do with a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitJob {
    /// What.
    pub verb: UnitVerb,
    /// The unit, by its whole name.
    pub unit: String,
    /// It may take this long.
    pub limit: Duration,
    /// After a start it is looked at for this long, in case it ends by itself.
    pub settle: Duration,
}

/// What can be done with a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitVerb {
    /// Bring it up.
    Start,
    /// Bring it down.
    Stop,
    /// Bring it down and up again; up, if it is down.
    Restart,
    /// Let it read its configuration again.
    Reload,
    /// The same, or a restart if it cannot do that.
    ReloadOrRestart,
}

impl UnitVerb {
    /// As in "cannot … nginx.service".
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

/// A change of the links of a unit's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitFileChange {
    /// Start it at boot.
    Enable,
    /// Do not.
    Disable,
    /// Let nobody start it.
    Mask,
    /// Let it be started again.
    Unmask,
}

impl UnitFileChange {
    /// As `systemctl` is told.
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
    fn outcomes() {
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
