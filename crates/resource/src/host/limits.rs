//! Limits of a visit.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::{Clock, Command, OpenFile, Request, UnitJob};
use crate::error::{Error, Result};
use crate::stop::Stop;

/// Timeout of a command in a visit without a time limit.
const LONG: Duration = Duration::from_secs(3600);

/// The time limit of a visit, and whether its run was stopped. Views apply it to all operations that may take long.
pub struct VisitLimits<'a> {
    /// Deadline on the clock of the machine.
    deadline: Option<Duration>,
    /// Nanoseconds that the visit waited for other visits. They do not count.
    suspended: AtomicU64,
    stop: &'a Stop,
    /// Whether a command ran or a server was queried: these see the real machine, not the planned one.
    probed: AtomicBool,
    /// Whether the run was stopped during an operation.
    interrupted: AtomicBool,
    /// Whether the time limit ended an operation.
    expired: AtomicBool,
    /// The visit whose nested run this visit is part of.
    parent: Option<&'a VisitLimits<'a>>,
}

impl<'a> VisitLimits<'a> {
    /// Limits that end after `timeout`, and with the parent visit.
    pub fn new(
        timeout: Option<Duration>,
        clock: &dyn Clock,
        stop: &'a Stop,
        parent: Option<&'a VisitLimits<'a>>,
    ) -> Self {
        let own = timeout.map(|timeout| clock.elapsed().saturating_add(timeout));
        let deadline = own.into_iter().chain(parent.and_then(Self::deadline)).min();
        let (suspended, probed, interrupted, expired) = Default::default();
        Self { deadline, suspended, stop, probed, interrupted, expired, parent }
    }

    /// Waits for another visit. The time does not count, and a failure is ignored if the run was stopped meanwhile.
    ///
    /// # Errors
    /// Those of `wait`.
    pub fn suspend<T>(&self, clock: &dyn Clock, wait: impl FnOnce() -> Result<T>) -> Result<T> {
        let began = clock.elapsed();
        let result = wait();
        let took = clock.elapsed().saturating_sub(began);
        self.suspended.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
        self.unless_stopped(result)
    }

    /// Whether a command ran or a server was queried, which see the real machine instead of the planned one.
    pub fn has_probed(&self) -> bool {
        self.probed.load(Ordering::Relaxed)
    }

    /// Whether the run was stopped during an operation, so that its result is meaningless.
    pub fn was_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Whether the time limit ended the reading of a file.
    pub fn has_expired(&self) -> bool {
        self.expired.load(Ordering::Relaxed)
    }

    /// Checks whether a long operation may go on.
    ///
    /// # Errors
    /// If the run was stopped, or the time limit is over.
    fn check(&self, clock: &dyn Clock) -> io::Result<()> {
        if self.stop.is_requested() {
            self.note_interruption();
            return Err(io::Error::other("the run was stopped"));
        }
        if self.time_left(clock).is_some_and(|left| left.is_zero()) {
            self.expired.store(true, Ordering::Relaxed);
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }

    fn chain(&self) -> impl Iterator<Item = &VisitLimits<'a>> {
        std::iter::successors(Some(self), |limits| limits.parent)
    }

    pub(super) fn note_probe(&self) {
        self.chain().for_each(|limits| limits.probed.store(true, Ordering::Relaxed));
    }

    fn note_interruption(&self) {
        self.chain().for_each(|limits| limits.interrupted.store(true, Ordering::Relaxed));
    }

    /// The result of a probe; an error if the run was stopped meanwhile.
    pub(super) fn probe_result<T>(&self, result: Result<T>) -> Result<T> {
        if self.stop.is_requested() {
            self.note_interruption();
            return Err(Error::failed("the run was stopped"));
        }
        result
    }

    /// Records that an operation failed because the run was stopped.
    pub(super) fn unless_stopped<T>(&self, result: Result<T>) -> Result<T> {
        if result.is_err() && self.stop.is_requested() {
            self.note_interruption();
        }
        result
    }

    fn deadline(&self) -> Option<Duration> {
        let suspended = Duration::from_nanos(self.suspended.load(Ordering::Relaxed));
        self.deadline.map(|deadline| deadline.saturating_add(suspended))
    }

    fn time_left(&self, clock: &dyn Clock) -> Option<Duration> {
        self.deadline().map(|deadline| deadline.saturating_sub(clock.elapsed()))
    }

    pub(super) fn command(&self, command: &Command, clock: &dyn Clock) -> Command {
        let left = self.time_left(clock);
        let own = command.timeout.or_else(|| left.is_none().then_some(LONG));
        Command { timeout: own.into_iter().chain(left).min(), ..command.clone() }
    }

    /// A request without a time limit continues as long as data arrives.
    pub(super) fn request(&self, request: &Request, clock: &dyn Clock) -> Request {
        let timeout = request.timeout.into_iter().chain(self.time_left(clock)).min();
        Request { timeout, ..request.clone() }
    }

    pub(super) fn job(&self, job: &UnitJob, clock: &dyn Clock) -> UnitJob {
        let limit = self.time_left(clock).map_or(job.limit, |left| left.min(job.limit));
        UnitJob { limit, ..job.clone() }
    }
}

/// A file whose reading ends with the visit. It may be of any size, and the file of any user.
pub(super) struct LimitedFile<'a> {
    pub(super) file: Box<dyn OpenFile + 'a>,
    pub(super) limits: &'a VisitLimits<'a>,
    pub(super) clock: &'a dyn Clock,
}

impl Read for LimitedFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.limits.check(self.clock)?;
        self.file.read(buffer)
    }
}

impl Seek for LimitedFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    struct At(Duration);

    impl Clock for At {
        fn now(&self) -> SystemTime {
            SystemTime::UNIX_EPOCH
        }

        fn elapsed(&self) -> Duration {
            self.0
        }
    }

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_command_ends_with_the_innermost_limit() {
        let stop = Stop::default();
        let check = |outer: Option<u64>, inner: Option<u64>, own: Option<u64>, expected: Duration| {
            let outer = VisitLimits::new(outer.map(seconds), &At(seconds(0)), &stop, None);
            let inner = VisitLimits::new(inner.map(seconds), &At(seconds(10)), &stop, Some(&outer));
            let command = Command { timeout: own.map(seconds), ..Command::shell("true") };
            let limited = inner.command(&command, &At(seconds(15))).timeout;
            assert_eq!(limited, Some(expected), "{own:?}");
        };
        check(None, None, None, LONG);
        check(None, None, Some(7200), seconds(7200));
        check(Some(60), None, None, seconds(45));
        check(Some(60), Some(20), None, seconds(15));
        check(Some(60), Some(100), None, seconds(45));
        check(Some(60), Some(20), Some(5), seconds(5));
        check(Some(12), Some(20), Some(5), seconds(0));
    }

    #[test]
    fn reading_a_file_ends_with_the_visit() {
        let stop = Stop::default();
        let limits = VisitLimits::new(Some(seconds(10)), &At(seconds(0)), &stop, None);
        let read = |clock: &At| {
            let file = Box::new(io::Cursor::new(b"text"));
            LimitedFile { file, limits: &limits, clock }.read(&mut [0; 4]).map_err(|error| error.kind())
        };
        assert_eq!((read(&At(seconds(9))), limits.has_expired()), (Ok(4), false));
        assert_eq!(read(&At(seconds(10))), Err(io::ErrorKind::TimedOut));
        assert_eq!((limits.has_expired(), limits.was_interrupted()), (true, false));
        stop.request();
        assert_eq!((read(&At(seconds(9))), limits.was_interrupted()), (Err(io::ErrorKind::Other), true));
    }

    #[test]
    fn a_visit_knows_what_its_nested_visits_did() {
        let stop = Stop::default();
        let outer = VisitLimits::new(None, &At(seconds(0)), &stop, None);
        let inner = VisitLimits::new(None, &At(seconds(0)), &stop, Some(&outer));
        let seen =
            || (inner.has_probed(), outer.has_probed(), inner.was_interrupted(), outer.was_interrupted());
        assert!(inner.probe_result(Ok(())).is_ok());
        assert!(inner.unless_stopped::<()>(Err(Error::failed("it failed"))).is_err());
        assert_eq!(seen(), (false, false, false, false), "a failure without a stop is no interruption");
        inner.note_probe();
        stop.request();
        assert!(inner.probe_result(Ok(())).is_err());
        assert_eq!(seen(), (true, true, true, true));
    }
}
