//! Jobs of units.

use uphold_resource::{Error, ErrorKind, Result, Stop, UnitJob, UnitPhase, UnitVerb};

use super::status;
use super::status::{MANAGER_PATH, manager, unit_path};
use crate::bus::{Body, CallError, Connection, Deadline, Message};

/// A running job. It has its own connection, so that it receives all signals of the job.
pub(super) struct RunningJob<'a> {
    job: &'a UnitJob,
    stop: &'a Stop,
    connection: Connection,
}

/// Types of services whose start does not wait until they are up.
const UNCHECKED_TYPES: [&str; 3] = ["simple", "exec", "idle"];

impl<'a> RunningJob<'a> {
    /// Connects, and subscribes to signals.
    pub(super) fn connect(job: &'a UnitJob, stop: &'a Stop) -> Result<Self, CallError> {
        let deadline = Deadline::of(job.limit, stop);
        let mut connection = Connection::open(deadline)?;
        if connection.has_bus {
            let jobs = "type='signal',sender='org.freedesktop.systemd1',member='JobRemoved'";
            let unit = format!("type='signal',path='{}'", unit_path(&job.unit));
            for rule in [jobs, &unit] {
                connection.call_bus("AddMatch", Body::default().text(rule), deadline)?;
            }
        }
        connection.call(&manager("Subscribe", Body::default()), deadline)?;
        Ok(Self { job, stop, connection })
    }

    /// Runs the job and waits for its end.
    pub(super) fn finish(mut self) -> Result<()> {
        let starts = !matches!(self.job.verb, UnitVerb::Stop | UnitVerb::Reload);
        let deadline = Deadline::of(self.job.limit, self.stop);
        if starts {
            self.reset_failed(deadline);
        }
        let result = self.run(deadline).map_err(|error| refused(self.job, error))?;
        match &*result {
            // "skipped": a condition of the unit is false, which systemd counts as success.
            "done" | "skipped" => {}
            result => return Err(self.failed(result, deadline)),
        }
        if starts { self.settle(deadline) } else { Ok(()) }
    }

    /// Resets a failed unit: one that failed too often is not started again before that.
    fn reset_failed(&mut self, deadline: Deadline<'_>) {
        let failed = status::ask(&mut self.connection, &self.job.unit, deadline)
            .is_ok_and(|unit| unit.activity.is_some_and(|activity| activity.phase == UnitPhase::Failed));
        if failed {
            let reset = manager("ResetFailedUnit", Body::default().text(&self.job.unit));
            // If that is denied, so is the start, which reports it.
            let _ = self.connection.call(&reset, deadline);
        }
    }

    /// Runs the job; returns its result in systemd's word.
    fn run(&mut self, deadline: Deadline<'_>) -> Result<String, CallError> {
        let method = match self.job.verb {
            UnitVerb::Start => "StartUnit",
            UnitVerb::Stop => "StopUnit",
            UnitVerb::Restart => "RestartUnit",
            UnitVerb::Reload => "ReloadUnit",
            UnitVerb::ReloadOrRestart => "ReloadOrRestartUnit",
        };
        let body = Body::default().text(&self.job.unit).text("replace");
        let reply = self.connection.call(&manager(method, body), deadline)?;
        let number = reply.body().text().unwrap_or_default().to_owned();
        loop {
            let signal = self.connection.signal(deadline)?;
            if let Some(result) = result_of(&signal, &number) {
                return Ok(result);
            }
        }
    }

    /// Observes the unit for a while after its start, and fails as soon as it does.
    fn settle(&mut self, deadline: Deadline<'_>) -> Result<()> {
        let unit = &self.job.unit;
        let lost = |error| refused(self.job, error);
        let is_unchecked = unit.ends_with(".service")
            && status::ask_type(&mut self.connection, unit, deadline)
                .is_ok_and(|ty| UNCHECKED_TYPES.contains(&&*ty));
        let observation =
            Deadline::of(if is_unchecked { self.job.settle } else { std::time::Duration::ZERO }, self.stop);
        loop {
            let found = status::ask(&mut self.connection, unit, deadline).map_err(lost)?;
            if let Some(activity) = found.activity.filter(uphold_resource::Activity::has_failed) {
                let what = format!("{unit} started and did not stay up: {}", activity.outcome());
                return Err(Error::new(ErrorKind::Rejected, what).hint(see_log(unit)));
            }
            match self.connection.signal(observation) {
                Ok(_) => {}
                // The job itself is done, so a stopped run need not wait longer.
                Err(CallError::TimedOut | CallError::Stopped) => return Ok(()),
                Err(error) => return Err(lost(error)),
            }
        }
    }

    fn failed(&mut self, result: &str, deadline: Deadline<'_>) -> Error {
        let UnitJob { unit, verb, .. } = self.job;
        let why = match result {
            "failed" => {
                let found = status::ask(&mut self.connection, unit, deadline).ok();
                found.and_then(|unit| unit.activity).map(|activity| activity.outcome())
            }
            "dependency" => Some("a unit that it depends on failed".to_owned()),
            "timeout" => Some("it took longer than its own limit".to_owned()),
            "canceled" => Some("another job replaced it".to_owned()),
            _ => None,
        };
        let why = why.unwrap_or_else(|| format!("the result of the job is {result}"));
        Error::new(ErrorKind::Rejected, format!("cannot {} {unit}: {why}", verb.word())).hint(see_log(unit))
    }
}

/// The result of a job in a signal, which contains its number, object, unit and result.
fn result_of(signal: &Message, job: &str) -> Option<String> {
    if signal.member != "JobRemoved" || signal.path != MANAGER_PATH || signal.signature != "uoss" {
        return None;
    }
    let mut body = signal.body();
    body.number()?;
    let is_ours = body.text()? == job;
    body.text()?;
    let result = body.text()?;
    is_ours.then(|| result.to_owned())
}

fn see_log(unit: &str) -> String {
    format!("read its log: journalctl -u {unit} -n 20")
}

/// The error for a job that systemd refused.
pub(super) fn refused(job: &UnitJob, error: CallError) -> Error {
    let UnitJob { unit, verb, limit, .. } = job;
    let verb = verb.word();
    match error {
        CallError::TimedOut => {
            let what = format!("it took longer than {} to {verb} {unit}", seconds(*limit));
            Error::new(ErrorKind::TimedOut, what).hint("systemd continues the job; allow more time")
        }
        error => call_failed(&format!("cannot {verb} {unit}"), error),
    }
}

/// The error for a call that systemd refused, with a hint.
pub(super) fn call_failed(what: &str, error: CallError) -> Error {
    let name = if let CallError::Refused { name, .. } = &error { &**name } else { "" };
    let end = name.rsplit('.').next().unwrap_or_default();
    let (kind, hint) = match (&error, end) {
        (_, "NoSuchUnit" | "LoadFailed") => {
            (ErrorKind::Missing, Some("install it, or correct its name: systemctl list-unit-files"))
        }
        (_, "UnitMasked") => (ErrorKind::Rejected, Some("unmask it: masked = false")),
        (_, "AccessDenied" | "InteractiveAuthorizationRequired") => {
            (ErrorKind::Denied, Some("run Uphold as root"))
        }
        (CallError::Refused { .. }, _) => (ErrorKind::Rejected, None),
        (CallError::TimedOut, _) => (ErrorKind::TimedOut, None),
        _ => (ErrorKind::Failed, None),
    };
    let error = Error::new(kind, what).because(error);
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

fn seconds(span: std::time::Duration) -> String {
    format!("{} s", span.as_secs_f64())
}
