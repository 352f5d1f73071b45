//! Services under systemd.

use uphold_resource::{
    Act, Activity, Error, ErrorKind, Interest, Level, Reading, Result, Unit, UnitFileChange, UnitFileState,
    UnitJob, UnitVerb,
};

use super::Service;
use super::init::{Init, Operation, ServiceStatus, nothing_runs};

/// A service under systemd.
pub(super) struct Systemd<'a>(pub(super) &'a Service);

impl Init for Systemd<'_> {
    fn look(&self, host: &Reading<'_>) -> Result<ServiceStatus> {
        host.unit(&self.0.name.whole()).map(|unit| status(&unit))
    }

    fn perform(&self, operation: Operation, host: &Act<'_>) -> Result<()> {
        let name = self.0.name.whole();
        let unit = host.unit(&name)?;
        if unit.activity.is_none() {
            return self.perform_without_systemd(operation, host);
        }
        if unit.is_stale {
            host.reload_units()?;
        }
        let verb = match operation {
            Operation::Start => UnitVerb::Start,
            Operation::Stop => UnitVerb::Stop,
            Operation::Restart => UnitVerb::Restart,
            Operation::Reload => UnitVerb::Reload,
            Operation::ReloadOrRestart => UnitVerb::ReloadOrRestart,
        };
        let Service { operation_timeout: limit, settle, .. } = *self.0;
        host.run_job(&UnitJob { verb, unit: name, limit, settle })?;
        match operation {
            Operation::Start => self.must_stay(host),
            _ => Ok(()),
        }
    }

    fn enable(&self, enabled: bool, host: &Act<'_>) -> Result<()> {
        let name = self.0.name.whole();
        let file_state = host.unit(&name)?.file_state;
        match (enabled, file_state) {
            (true, UnitFileState::Fixed(word)) => {
                let what = format!("cannot enable {name}: its unit is {word} and cannot be enabled");
                let hint = "remove `enabled`, or add an [Install] section to the unit";
                Err(Error::new(ErrorKind::Unsupported, what).hint(hint))
            }
            (true, _) => host.change_unit_files(UnitFileChange::Enable, &name),
            (false, _) => host.change_unit_files(UnitFileChange::Disable, &name),
        }
    }

    fn mask(&self, masked: bool, host: &Act<'_>) -> Result<()> {
        let change = if masked { UnitFileChange::Mask } else { UnitFileChange::Unmask };
        host.change_unit_files(change, &self.0.name.whole())
    }

    fn interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Unit(self.0.name.whole().into()));
    }
}

impl Systemd<'_> {
    /// Where systemd is not running, a service cannot be started; other operations have nothing to do.
    fn perform_without_systemd(&self, operation: Operation, host: &Act<'_>) -> Result<()> {
        if operation == Operation::Start {
            return Err(nothing_runs(self.0, host));
        }
        host.report(
            Level::Info,
            &format!("systemd is not running here, so there is nothing to do for {}", self.0.name.0),
        );
        Ok(())
    }

    /// Some units do their work and exit. That is not a failure of the job, but they are not running then.
    fn must_stay(&self, host: &Reading<'_>) -> Result<()> {
        let name = self.0.name.whole();
        match host.unit(&name)?.activity {
            Some(activity) if !activity.phase.is_up() => {
                let what = format!("{name} was started but is not running: {}", activity.outcome());
                let hint = "if it is meant to exit, add RemainAfterExit=yes to its unit, or remove `running`";
                Err(Error::new(ErrorKind::Rejected, what).hint(hint))
            }
            _ => Ok(()),
        }
    }
}

fn status(unit: &Unit) -> ServiceStatus {
    let activity = unit.activity.as_ref();
    ServiceStatus {
        running: activity.is_some_and(|activity| activity.phase.is_up()),
        enabled: unit.file_state == UnitFileState::Enabled,
        masked: unit.file_state == UnitFileState::Masked,
        pid: activity.and_then(|activity| activity.main_process),
        activity: activity.map_or_else(|| "unknown".to_owned(), word),
        nothing_runs: activity.is_none(),
    }
}

fn word(activity: &Activity) -> String {
    if activity.detail.is_empty() { activity.phase.word().to_owned() } else { activity.detail.clone() }
}
