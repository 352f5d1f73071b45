//! The epoll that all watch sources share.

use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, Timespec, epoll, eventfd};
use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};
use uphold_resource::{Error, Result};

/// The number of sources that are reported at once.
pub(super) const AT_ONCE: usize = 16;

/// The longest wait: old kernels do not accept every timeout.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// A source of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// [`nudge`](Epoll::nudge) was called.
    Nudge,
    /// The timer has expired.
    Timer,
    /// inotify.
    Paths,
    /// The mount table. Reported only once for each change.
    Mounts,
    /// Netlink.
    Network,
    /// The output of a command.
    LineCommand(u32),
    /// A process that may have ended.
    Process(u32),
    /// systemd.
    Units,
}

/// An epoll with an eventfd and a timer.
pub(super) struct Epoll {
    epoll: OwnedFd,
    nudge: OwnedFd,
    timer: OwnedFd,
}

impl Epoll {
    /// An epoll of only the eventfd and the timer.
    pub(super) fn new() -> Result<Self> {
        let fail = |errno: Errno| Error::failed("cannot watch this machine").because(errno);
        let epoll = Self {
            epoll: epoll::create(epoll::CreateFlags::CLOEXEC).map_err(fail)?,
            nudge: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(fail)?,
            timer: timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK)
                .map_err(fail)?,
        };
        epoll.add(&epoll.nudge, Source::Nudge)?;
        epoll.add(&epoll.timer, Source::Timer)?;
        Ok(epoll)
    }

    /// Adds `handle`. Closing it removes it.
    pub(super) fn add(&self, handle: impl AsFd, source: Source) -> Result<()> {
        let flags = match source {
            // The kernel reports a changed mount table as urgent data.
            Source::Mounts => epoll::EventFlags::PRI,
            _ => epoll::EventFlags::IN,
        };
        epoll::add(&self.epoll, handle, epoll::EventData::new_u64(source.number()), flags)
            .map_err(|errno| Error::failed("cannot watch more on this machine").because(errno))
    }

    /// Waits until sources are ready, at most for `span`, and returns them.
    pub(super) fn ready(&self, span: Option<Duration>) -> impl Iterator<Item = Source> + use<> {
        let nothing = epoll::Event { flags: epoll::EventFlags::empty(), data: epoll::EventData::new_u64(0) };
        let mut events = [nothing; AT_ONCE];
        let span = span.unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT);
        let span = Timespec::try_from(span).ok();
        let count = epoll::wait(&self.epoll, &mut events, span.as_ref()).unwrap_or(0);
        events.into_iter().take(count).filter_map(|event| Source::of(event.data.u64()))
    }

    /// Ends a wait, or the next one.
    pub(super) fn nudge(&self) {
        // A full counter has been signalled already.
        let _ = rustix::io::write(&self.nudge, &1_u64.to_ne_bytes());
    }

    /// Clears the nudge.
    pub(super) fn clear_nudge(&self) {
        // Another thread may have been faster.
        let _ = rustix::io::read(&self.nudge, &mut [0; 8]);
    }

    /// Sets the timer, or disables it.
    pub(super) fn set_timer(&self, due: Option<Instant>) {
        // Zero would disable it.
        let left = due.map(|due| due.saturating_duration_since(Instant::now()).max(Duration::from_micros(1)));
        let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
        let it_value = left.and_then(|left| Timespec::try_from(left).ok()).unwrap_or(zero);
        // Only an invalid time could fail.
        let _ = timerfd_settime(
            &self.timer,
            TimerfdTimerFlags::empty(),
            &Itimerspec { it_interval: zero, it_value },
        );
    }
}

impl Source {
    /// The number that epoll stores.
    fn number(self) -> u64 {
        let (kind, which) = match self {
            Source::Nudge => (0, 0),
            Source::Timer => (1, 0),
            Source::Paths => (2, 0),
            Source::Mounts => (3, 0),
            Source::Network => (4, 0),
            Source::LineCommand(which) => (5, which),
            Source::Process(which) => (6, which),
            Source::Units => (7, 0),
        };
        u64::from(which) << 8 | kind
    }

    fn of(number: u64) -> Option<Self> {
        let which = u32::try_from(number >> 8).ok()?;
        match number & 0xff {
            0 => Some(Source::Nudge),
            1 => Some(Source::Timer),
            2 => Some(Source::Paths),
            3 => Some(Source::Mounts),
            4 => Some(Source::Network),
            5 => Some(Source::LineCommand(which)),
            6 => Some(Source::Process(which)),
            7 => Some(Source::Units),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_survive_encoding() {
        let check = |source: Source| assert_eq!(Source::of(source.number()), Some(source));
        [Source::Nudge, Source::Timer, Source::Paths, Source::Mounts, Source::Network, Source::Units]
            .into_iter()
            .for_each(check);
        [0, 1, u32::MAX].into_iter().for_each(|which| {
            check(Source::LineCommand(which));
            check(Source::Process(which));
        });
        assert_eq!(Source::of(255), None);
    }

    #[test]
    fn the_timer_ends_a_wait() {
        let epoll = Epoll::new().unwrap();
        let soon = Duration::from_millis(20);
        epoll.set_timer(Some(Instant::now() + soon));
        let begin = Instant::now();
        assert_eq!(epoll.ready(Some(Duration::from_secs(30))).collect::<Vec<_>>(), [Source::Timer]);
        assert!(begin.elapsed() >= soon);
        epoll.set_timer(None);
        assert_eq!(epoll.ready(Some(soon)).count(), 0);
    }
}
