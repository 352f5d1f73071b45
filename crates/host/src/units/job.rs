//! Doing something with a unit, and waiting for its end.

use uphold_resource::{Error, ErrorKind, Result, Stop, UnitJob, UnitPhase, UnitVerb};

use super::object::{MANAGER_PATH, manager, unit_path};
use super::status;
use crate::bus::{Body, Connection, Message, Patience, Trouble};

/// A job that goes on. It has a connection of its own, so that nobody else hears of it.
pub(super) struct RunningJob<'a> {
    job: &'a UnitJob,
    stop: &'a Stop,
    connection: Connection,
}

/// Whose start says nothing about whether they stay up.
const HASTY_TYPES: [&str; 3] = ["simple", "exec", "idle"];

impl<'a> RunningJob<'a> {
    /// Connects, and asks to be told of what happens.
    pub(super) fn connect(job: &'a UnitJob, stop: &'a Stop) -> Result<Self, Trouble> {
        let patience = Patience::of(job.limit, stop);
        let mut connection = Connection::open(patience)?;
        if connection.has_bus {
            let jobs = "type='signal',sender='org.freedesktop.systemd1',member='JobRemoved'";
            let unit = format!("type='signal',path='{}'", unit_path(&job.unit));
            for rule in [jobs, &unit] {
                connection.call_bus("AddMatch", Body::default().text(rule), patience)?;
            }
        }
        connection.call(&manager("Subscribe", Body::default()), patience)?;
        Ok(Self { job, stop, connection })
    }

    /// Does it all.
    pub(super) fn finish(mut self) -> Result<()> {
        let starts = !matches!(self.job.verb, UnitVerb::Stop | UnitVerb::Reload);
        let patience = Patience::of(self.job.limit, self.stop);
        if starts {
            self.forgive(patience);
        }
        let result = self.run(patience).map_err(|trouble| refused(self.job, trouble))?;
        match &*result {
            // A condition of the unit does not hold: systemd counts that as done.
            "done" | "skipped" => {}
            result => return Err(self.failed(result, patience)),
        }
        match starts {
            true => self.settle(patience),
            false => Ok(()),
        }
    }

    /// A unit that failed too often is started no more until that is forgotten.
    fn forgive(&mut self, patience: Patience<'_>) {
        let failed = status::ask(&mut self.connection, &self.job.unit, patience)
            .is_ok_and(|unit| unit.activity.is_some_and(|activity| activity.phase == UnitPhase::Failed));
        if failed {
            let forget = manager("ResetFailedUnit", Body::default().text(&self.job.unit));
            // If that is not allowed, neither is the start, which tells.
            let _ = self.connection.call(&forget, patience);
        }
    }

    /// The result of the job, in systemd's word.
    fn run(&mut self, patience: Patience<'_>) -> Result<String, Trouble> {
        let method = match self.job.verb {
            UnitVerb::Start => "StartUnit",
            UnitVerb::Stop => "StopUnit",
            UnitVerb::Restart => "RestartUnit",
            UnitVerb::Reload => "ReloadUnit",
            UnitVerb::ReloadOrRestart => "ReloadOrRestartUnit",
        };
        let body = Body::default().text(&self.job.unit).text("replace");
        let reply = self.connection.call(&manager(method, body), patience)?;
        let number = reply.body().text().unwrap_or_default().to_owned();
        loop {
            let signal = self.connection.signal(patience)?;
            if let Some(result) = result_of(&signal, &number) {
                return Ok(result);
            }
        }
    }

    /// Looks at it for a while, and fails as soon as it has.
    fn settle(&mut self, patience: Patience<'_>) -> Result<()> {
        let unit = &self.job.unit;
        let lost = |trouble| refused(self.job, trouble);
        let is_hasty = unit.ends_with(".service")
            && status::ask_type(&mut self.connection, unit, patience)
                .is_ok_and(|ty| HASTY_TYPES.contains(&&*ty));
        let calm =
            Patience::of(if is_hasty { self.job.settle } else { std::time::Duration::ZERO }, self.stop);
        loop {
            let found = status::ask(&mut self.connection, unit, patience).map_err(lost)?;
            if let Some(activity) = found.activity.filter(uphold_resource::Activity::has_failed) {
                let what = format!("{unit} started and did not stay up: {}", activity.outcome());
                return Err(Error::new(ErrorKind::Rejected, what).hint(see_log(unit)));
            }
            match self.connection.signal(calm) {
                Ok(_) => {}
                // The job itself is done: whoever is in a hurry need not look on.
                Err(Trouble::TimedOut | Trouble::Stopped) => return Ok(()),
                Err(trouble) => return Err(lost(trouble)),
            }
        }
    }

    fn failed(&mut self, result: &str, patience: Patience<'_>) -> Error {
        let UnitJob { unit, verb, .. } = self.job;
        let why = match result {
            "failed" => {
                let found = status::ask(&mut self.connection, unit, patience).ok();
                found.and_then(|unit| unit.activity).map(|activity| activity.outcome())
            }
            "dependency" => Some("a unit that it depends on failed".to_owned()),
            "timeout" => Some("it took longer than its own limit".to_owned()),
            "canceled" => Some("somebody else wanted something else".to_owned()),
            _ => None,
        };
        let why = why.unwrap_or_else(|| format!("systemd says {result}"));
        Error::new(ErrorKind::Rejected, format!("cannot {} {unit}: {why}", verb.word())).hint(see_log(unit))
    }
}

/// What a signal says about the end of a job: its number, its object, its unit and its result.
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
    format!("see what it said: journalctl -u {unit} -n 20")
}

/// Why systemd does not do it.
pub(super) fn refused(job: &UnitJob, trouble: Trouble) -> Error {
    let UnitJob { unit, verb, limit, .. } = job;
    let verb = verb.word();
    match trouble {
        Trouble::TimedOut => {
            let what = format!("it took longer than {} to {verb} {unit}", seconds(*limit));
            Error::new(ErrorKind::TimedOut, what).hint("systemd goes on with it; allow it more time")
        }
        trouble => complaint(&format!("cannot {verb} {unit}"), trouble),
    }
}

/// What systemd refuses, with what to do about it.
pub(super) fn complaint(what: &str, trouble: Trouble) -> Error {
    let name = if let Trouble::Refused { name, .. } = &trouble { &**name } else { "" };
    let end = name.rsplit('.').next().unwrap_or_default();
    let (kind, hint) = match (&trouble, end) {
        (_, "NoSuchUnit" | "LoadFailed") => {
            (ErrorKind::Missing, Some("install it, or correct its name: systemctl list-unit-files"))
        }
        (_, "UnitMasked") => (ErrorKind::Rejected, Some("unmask it: masked = false")),
        (_, "AccessDenied" | "InteractiveAuthorizationRequired") => {
            (ErrorKind::Denied, Some("run Uphold as root"))
        }
        (Trouble::Refused { .. }, _) => (ErrorKind::Rejected, None),
        (Trouble::TimedOut, _) => (ErrorKind::TimedOut, None),
        _ => (ErrorKind::Failed, None),
    };
    let error = Error::new(kind, what).because(trouble);
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

fn seconds(span: std::time::Duration) -> String {
    format!("{} s", span.as_secs_f64())
}
