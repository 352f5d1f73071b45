//! The run lock: one run at a time changes a machine.

use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use uphold::LocalHost;
use uphold::journal::{
    Holder, Journal, LockFailure, LockPlace, OtherHolder, Pause, Records, RunLock, system_time, time,
};
use uphold::model::parse_duration;
use uphold::resource::Clock as _;

use super::audit_log;
use super::pauses::StoredPauses;
use super::subject::{SourcesDigest, Subject};
use super::who::holder;
use crate::time_text::Now;
use crate::{CliError, HintCommand, Session};

/// Where the lock is if the state directory is read-only.
const RUNTIME: &str = "/run/uphold";

/// Without a terminal, the message that a run waits may not be seen.
const UNATTENDED: Duration = Duration::from_mins(10);

/// How long to wait for the lock.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct LockTimeout {
    /// Wait at most this long for another run [default: no limit on a terminal, otherwise 10m]
    #[arg(long, value_name = "DURATION", value_parser = span)]
    lock_timeout: Option<Duration>,
}

/// The flags of commands that change the machine.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct LockFlags {
    #[command(flatten)]
    timeout: LockTimeout,
    /// Run without journal and lock
    ///
    /// Nothing is remembered: a notification that is not delivered is lost, and another run at the same time is not
    /// noticed.
    #[arg(long, conflicts_with = "lock_timeout")]
    no_journal: bool,
    /// Append the record of each change to this file, or to `syslog`
    ///
    /// Its lines are those of the journal, for programs that ship logs. `uphold history --verify` checks them.
    #[arg(long, value_name = "FILE", conflicts_with = "no_journal")]
    audit_log: Option<PathBuf>,
}

fn span(text: &str) -> Result<Duration, String> {
    let fix = "write a duration such as 30s, 10m or 1h30m; 0s does not wait";
    parse_duration(text).ok_or_else(|| fix.to_owned())
}

/// The journal of a machine that no other run changes meanwhile.
pub(crate) struct LockedJournal {
    pub(super) journal: Journal,
    pub(super) audit_log: Option<Box<dyn Write + Send>>,
    /// The digest of the configuration, unless it can change during the run.
    pub(super) digest: Option<SourcesDigest>,
    /// The root of the machine that the run changes.
    pub(super) root: String,
    /// The command that forgets a notification, without its address.
    pub(super) drop_pending: HintCommand,
    /// Dropping it releases the lock.
    pub(super) lock: RunLock,
}

impl LockedJournal {
    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The records, if this run can change them: only then it may remove resources that are no longer declared.
    pub(crate) fn writable_records(&self) -> Option<Records> {
        if self.lock.place() == LockPlace::Runtime { None } else { self.journal.records() }
    }
}

impl LockedJournal {
    /// The records.
    ///
    /// # Errors
    /// If a newer version wrote the journal.
    pub(crate) fn records(&self) -> Result<Records, CliError> {
        let newer = self.journal.newer().map(ToString::to_string).unwrap_or_default();
        self.journal.records().ok_or_else(|| CliError::new(newer).hint("use the newer version of Uphold"))
    }
}

impl LockFlags {
    /// Whether nothing is recorded.
    pub(crate) fn has_no_journal(&self) -> bool {
        self.no_journal
    }

    /// Waits for the lock. None without a journal.
    ///
    /// # Errors
    /// As [`LockTimeout::lock`].
    pub(crate) fn lock(
        &self,
        verb: &str,
        subject: &Subject,
        session: &mut Session,
    ) -> Result<Option<LockedJournal>, CliError> {
        if self.no_journal {
            return Ok(None);
        }
        let audit_log = self.audit_log.as_deref().map(audit_log::open).transpose()?;
        let locked = self.timeout.lock(verb, subject.shown_paths(), session)?;
        Ok(Some(LockedJournal { audit_log, ..locked }))
    }
}

impl LockTimeout {
    /// Waits for the lock.
    ///
    /// # Errors
    /// If another run holds the lock for too long, or there is no place for the lock.
    pub(crate) fn lock(
        &self,
        verb: &str,
        paths: Vec<String>,
        session: &mut Session,
    ) -> Result<LockedJournal, CliError> {
        session.signals.listen()?;
        let journal = session.journal()?;
        let now = LocalHost::new().now();
        let limit = self.lock_timeout.or((!std::io::stdin().is_terminal()).then_some(UNATTENDED));
        let mut wait = Wait { verb, session, since: now, has_reported: false, refused: None };
        let own = holder(verb, paths, time(now));
        let lock = journal.lock(Path::new(RUNTIME), &own, limit, &mut |other| wait.goes_on(other));
        let refused = wait.refused.take();
        let lock = lock.map_err(|failure| refused.unwrap_or_else(|| not_locked(&failure, &journal, now)))?;
        warn(lock.place(), session);
        let drop_pending = session.flags.command("pending").word("--drop");
        let root = session.root_name()?;
        Ok(LockedJournal { journal, audit_log: None, digest: None, root, drop_pending, lock })
    }
}

/// A wait for the lock.
struct Wait<'a> {
    verb: &'a str,
    session: &'a mut Session,
    since: SystemTime,
    has_reported: bool,
    refused: Option<CliError>,
}

impl Wait<'_> {
    fn goes_on(&mut self, other: &OtherHolder) -> bool {
        if self.session.signals.stop().is_requested() {
            self.refused = Some(CliError::new("interrupted while waiting for another run"));
            return false;
        }
        if let OtherHolder::Known(holder) = other {
            self.refused = self.never_free(holder, &words(other, self.since));
            if self.refused.is_some() {
                return false;
            }
        }
        // A process that has just taken the lock has not described itself yet.
        let is_described = matches!(other, OtherHolder::Known(_)) || self.is_late();
        if is_described && !std::mem::replace(&mut self.has_reported, true) {
            let words = words(other, self.since);
            self.session.ui.talk(format_args!("waiting for another run: {words}\n"));
            self.session.ui.flush();
        }
        true
    }

    /// A run that will not release the lock while this command waits for it.
    fn never_free(&mut self, holder: &Holder, words: &str) -> Option<CliError> {
        if ancestors().any(|pid| pid == holder.process.pid) {
            let error =
                CliError::new(format!("this command was started by a run that holds the lock: {words}"));
            return Some(error.hint("a configuration cannot start another run; use a module instead"));
        }
        if holder.verb != "watch" {
            return None;
        }
        let stop = match &holder.unit {
            Some(unit) => format!("systemctl stop {unit}"),
            None => format!("kill {}", holder.process.pid),
        };
        if let Some(until) = self.total_pause() {
            let what = format!("a watch manages this machine, and is paused until {until}: {words}");
            let hint = format!(
                "to let it go on: uphold resume; to change the machine by yourself, stop it first: {stop}"
            );
            return Some(CliError::new(what).hint(hint));
        }
        let error = CliError::new(format!("a watch manages this machine: {words}"));
        Some(error.hint(match self.verb {
            "apply" => format!(
                "it applies changes of its configuration by itself, and `uphold status` shows the result; to apply \
                 another configuration, stop it first: {stop}"
            ),
            _ => format!("stop it first: {stop}"),
        }))
    }

    /// The time until which everything is paused.
    fn total_pause(&mut self) -> Option<String> {
        let stored = StoredPauses::find(self.session).ok()??;
        let pauses = stored.list(&mut self.session.ui).ok()?;
        let until = pauses.into_iter().filter(Pause::is_total).map(|pause| pause.until).max()?;
        Some(Now::new(self.since, TimeZone::system()).clock(system_time(until)))
    }

    fn is_late(&self) -> bool {
        let waited = LocalHost::new().now().duration_since(self.since);
        waited.is_ok_and(|waited| waited > Duration::from_secs(1))
    }
}

/// The processes that started this one.
#[expect(clippy::disallowed_methods, reason = "it is about this process, not about the managed machine")]
fn ancestors() -> impl Iterator<Item = u32> {
    let parent = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name of the program is in parentheses, and may contain spaces.
        let (_, rest) = stat.rsplit_once(") ")?;
        rest.split(' ').nth(1)?.parse().ok().filter(|parent| *parent > 1)
    };
    std::iter::successors(parent(&std::process::id()), parent)
}

fn not_locked(failure: &LockFailure, journal: &Journal, now: SystemTime) -> CliError {
    match failure {
        LockFailure::TimedOut(other) => {
            CliError::new(format!("another run holds the lock: {}", words(other, now)))
                .hint("wait until it has ended, or wait longer with --lock-timeout")
        }
        LockFailure::Cancelled => CliError::new("interrupted while waiting for another run"),
        LockFailure::Unavailable(error) => {
            let directory = journal.location().path();
            CliError::new(format!("cannot create a lock in the state directory {}", directory.display()))
                .because(error)
                .hint(
                    "choose another one with --state DIR, or run without journal and lock with --no-journal",
                )
        }
    }
}

fn words(other: &OtherHolder, now: SystemTime) -> String {
    let now = Now::new(now, TimeZone::system());
    other.describe(|since| now.clock(system_time(since)))
}

fn warn(place: LockPlace, session: &mut Session) {
    if let LockPlace::Network(kind) = place {
        session.ui.talk(format_args!(
            "warning: the state directory is on a network file system ({kind}); runs on other machines may not see its lock\n"
        ));
    }
}
