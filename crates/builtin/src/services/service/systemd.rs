//! A service under systemd.

use uphold_resource::{
    Act, Activity, Error, ErrorKind, Interest, Level, Reading, Result, Unit, UnitFileChange, UnitFileState,
    UnitJob, UnitVerb,
};

use super::init::{Init, Motion, Standing, nothing_runs};
use super::resource::Service;

/// A service, as systemd has it.
pub(super) struct Systemd<'a>(pub(super) &'a Service);

impl Init for Systemd<'_> {
    fn look(&self, host: &Reading<'_>) -> Result<Standing> {
        host.unit(&self.0.name.whole()).map(|unit| standing(&unit))
    }

    fn shift(&self, motion: Motion, host: &Act<'_>) -> Result<()> {
        let name = self.0.name.whole();
        let unit = host.unit(&name)?;
        if unit.activity.is_none() {
            return self.shift_nothing(motion, host);
        }
        if unit.is_stale {
            host.reload_units()?;
        }
        let verb = match motion {
            Motion::Start => UnitVerb::Start,
            Motion::Stop => UnitVerb::Stop,
            Motion::Restart => UnitVerb::Restart,
            Motion::Reload => UnitVerb::Reload,
            Motion::ReloadOrRestart => UnitVerb::ReloadOrRestart,
        };
        let Service { patience: limit, settle, .. } = *self.0;
        host.run_job(&UnitJob { verb, unit: name, limit, settle })?;
        match motion {
            Motion::Start => self.must_stay(host),
            _ => Ok(()),
        }
    }

    fn enable(&self, enabled: bool, host: &Act<'_>) -> Result<()> {
        let name = self.0.name.whole();
        let file_state = host.unit(&name)?.file_state;
        match (enabled, file_state) {
            (true, UnitFileState::Fixed(word)) => {
                let what = format!("cannot enable {name}: its unit is {word}, and has nothing to enable");
                let hint = "take out `enabled`, or give the unit an [Install] section";
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
    /// Where nothing runs, what is not running cannot be restarted, and is fine.
    fn shift_nothing(&self, motion: Motion, host: &Act<'_>) -> Result<()> {
        if motion == Motion::Start {
            return Err(nothing_runs(self.0));
        }
        host.report(Level::Info, &format!("systemd does not run here: nothing to do for {}", self.0.name.0));
        Ok(())
    }

    /// Some units do their work and end. That is no failure, but they do not run then.
    fn must_stay(&self, host: &Reading<'_>) -> Result<()> {
        let name = self.0.name.whole();
        match host.unit(&name)?.activity {
            Some(activity) if !activity.phase.is_up() => {
                let what = format!("{name} was started and does not run: {}", activity.outcome());
                let hint =
                    "if it is done when it ends, add RemainAfterExit=yes to its unit, or take out `running`";
                Err(Error::new(ErrorKind::Rejected, what).hint(hint))
            }
            _ => Ok(()),
        }
    }
}

fn standing(unit: &Unit) -> Standing {
    let activity = unit.activity.as_ref();
    Standing {
        running: activity.is_some_and(|activity| activity.phase.is_up()),
        enabled: unit.file_state == UnitFileState::Enabled,
        masked: unit.file_state == UnitFileState::Masked,
        pid: activity.and_then(|activity| activity.main_process),
        activity: activity.map_or_else(|| "unknown".to_owned(), word),
        nothing_runs: activity.is_none(),
    }
}

fn word(activity: &Activity) -> String {
    match activity.detail.is_empty() {
        true => activity.phase.word().to_owned(),
        false => activity.detail.clone(),
    }
}
