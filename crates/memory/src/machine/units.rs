//! A simulated systemd.

use std::path::Path;

use uphold_resource::{
    Activity, Error, ErrorKind, Exit, Interest, Result, Unit, UnitEdits, UnitFileChange, UnitFileState,
    UnitJob, UnitPhase, UnitVerb, Units,
};

use super::MemoryHost;
use super::journal::{Edit, Was};
use super::state::State;

/// The program in the journal for a change of units.
const SYSTEMCTL: &str = "systemctl";

/// The directory of unit files.
const UNIT_FILES: &str = "/etc/systemd/system";

/// The main process of a unit that is up.
const PROCESS: u32 = 4711;

/// A unit of a machine in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryUnit {
    /// Its active state.
    pub phase: UnitPhase,
    /// How its file is linked.
    pub file_state: UnitFileState,
    /// Whether its file changed after it was loaded.
    pub is_stale: bool,
    /// The status with which it ends by itself whenever it is started, if it does.
    pub dies: Option<i32>,
}

/// Down, and not started at boot.
impl Default for MemoryUnit {
    fn default() -> Self {
        Self { phase: UnitPhase::Inactive, file_state: UnitFileState::Disabled, is_stale: false, dies: None }
    }
}

impl MemoryHost {
    /// Adds a unit with this full name, such as `web.service`, which is down and not enabled.
    #[must_use]
    pub fn with_unit(self, name: &str) -> Self {
        self.put_unit(name, MemoryUnit::default());
        self
    }

    /// Adds or changes a unit, as from outside.
    pub fn put_unit(&self, name: &str, unit: MemoryUnit) {
        self.lock().world.units.insert(name.to_owned(), unit);
        self.mailbox.changed(&Interest::Unit(name.into()));
    }

    /// The unit with this name. One that was not set up exists if it has a file.
    pub fn unit_now(&self, name: &str) -> Option<MemoryUnit> {
        let state = self.lock();
        let has_file = state.world.tree.find(&Path::new(UNIT_FILES).join(name)).is_ok();
        state.world.units.get(name).cloned().or_else(|| has_file.then(MemoryUnit::default))
    }

    /// Changes a unit through an interface: recorded and reported.
    fn change_unit(&self, name: &str, change: impl FnOnce(&mut MemoryUnit)) -> Result<()> {
        let Some(before) = self.unit_now(name) else { return Err(missing(name)) };
        let mut after = before.clone();
        change(&mut after);
        let mut state = self.lock();
        state.meet_fault(Edit::Run, Path::new(SYSTEMCTL))?;
        state.record(Edit::Run, Path::new(SYSTEMCTL), Was::Started, before == after);
        state.world.units.insert(name.to_owned(), after);
        self.mailbox.changed(&Interest::Unit(name.into()));
        Ok(())
    }
}

impl State {
    /// Marks a unit as stale whose file was written.
    pub(crate) fn note_unit_file(&mut self, path: &Path) {
        let Ok(below) = path.strip_prefix(UNIT_FILES) else { return };
        let Some(first) = below.iter().next().and_then(|name| name.to_str()) else { return };
        let name = first.strip_suffix(".d").unwrap_or(first);
        if let Some(unit) = self.world.units.get_mut(name) {
            unit.is_stale = true;
        }
    }
}

impl Units for MemoryHost {
    fn is_in_charge(&self) -> bool {
        true
    }

    fn unit(&self, name: &str) -> Result<Unit> {
        let known = self.unit_now(name);
        let unit = known.clone().unwrap_or_default();
        let file_state = if known.is_some() { unit.file_state } else { UnitFileState::Missing };
        let has_failed = unit.phase == UnitPhase::Failed;
        let activity = Activity {
            phase: unit.phase,
            detail: detail(unit.phase).to_owned(),
            main_process: unit.phase.is_up().then_some(PROCESS),
            result: if has_failed { "exit-code" } else { "success" }.to_owned(),
            exit: unit.dies.filter(|_| has_failed).map(Exit::Code),
        };
        Ok(Unit { activity: Some(activity), file_state, fragment: None, is_stale: unit.is_stale })
    }
}

impl UnitEdits for MemoryHost {
    fn run_job(&self, job: &UnitJob) -> Result<()> {
        let before = self.unit_now(&job.unit).ok_or_else(|| missing(&job.unit))?;
        if before.file_state == UnitFileState::Masked && job.verb != UnitVerb::Stop {
            return Err(Error::new(ErrorKind::Rejected, format!("{} is masked", job.unit)));
        }
        self.change_unit(&job.unit, |unit| unit.phase = unit.after(job.verb))?;
        match self.unit(&job.unit)?.activity.filter(Activity::has_failed) {
            Some(activity) => Err(Error::new(ErrorKind::Rejected, activity.outcome())),
            None => Ok(()),
        }
    }

    fn change_files(&self, change: UnitFileChange, unit: &str) -> Result<()> {
        self.change_unit(unit, |unit| {
            unit.file_state = match change {
                UnitFileChange::Enable => UnitFileState::Enabled,
                UnitFileChange::Disable | UnitFileChange::Unmask => UnitFileState::Disabled,
                UnitFileChange::Mask => UnitFileState::Masked,
            }
        })
    }

    fn reload_units(&self) -> Result<()> {
        let mut state = self.lock();
        state.meet_fault(Edit::Run, Path::new(SYSTEMCTL))?;
        state.record(Edit::Run, Path::new(SYSTEMCTL), Was::Started, false);
        state.world.units.values_mut().for_each(|unit| unit.is_stale = false);
        Ok(())
    }
}

impl MemoryUnit {
    fn after(&self, verb: UnitVerb) -> UnitPhase {
        match (verb, self.dies) {
            (UnitVerb::Stop, _) => UnitPhase::Inactive,
            (UnitVerb::Reload, _) => self.phase,
            (_, Some(_)) => UnitPhase::Failed,
            (_, None) => UnitPhase::Active,
        }
    }
}

fn detail(phase: UnitPhase) -> &'static str {
    match phase {
        UnitPhase::Active => "running",
        UnitPhase::Inactive => "dead",
        other => other.word(),
    }
}

fn missing(name: &str) -> Error {
    Error::new(ErrorKind::Missing, format!("there is no unit {name}"))
}
