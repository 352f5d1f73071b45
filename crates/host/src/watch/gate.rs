//! The one place where everything is waited for.

use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, Timespec, epoll, eventfd};
use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};
use uphold_resource::{Error, Result};

/// How many sources are told of at once.
pub(super) const AT_ONCE: usize = 16;

/// Longer waits end early: old kernels do not take any time.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// Who has something to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// Somebody nudged.
    Bell,
    /// It is time for something.
    Timer,
    /// inotify.
    Paths,
    /// The table of mounts. Told only once for each change.
    Mounts,
    /// Netlink.
    Network,
    /// A command that is listened to.
    Speaker(u32),
    /// A process that may have ended.
    Process(u32),
    /// systemd.
    Units,
}

/// An epoll, a bell and a timer.
pub(super) struct Gate {
    epoll: OwnedFd,
    bell: OwnedFd,
    timer: OwnedFd,
}

impl Gate {
    /// Nothing is waited for yet but the bell and the timer.
    pub(super) fn new() -> Result<Self> {
        let fail = |errno: Errno| Error::failed("cannot watch this machine").because(errno);
        let gate = Self {
            epoll: epoll::create(epoll::CreateFlags::CLOEXEC).map_err(fail)?,
            bell: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(fail)?,
            timer: timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK)
                .map_err(fail)?,
        };
        gate.add(&gate.bell, Source::Bell)?;
        gate.add(&gate.timer, Source::Timer)?;
        Ok(gate)
    }

    /// From now on, `handle` is waited for. Closing it ends that.
    pub(super) fn add(&self, handle: impl AsFd, source: Source) -> Result<()> {
        let flags = match source {
            // That is how the kernel tells that the table is another.
            Source::Mounts => epoll::EventFlags::PRI,
            _ => epoll::EventFlags::IN,
        };
        epoll::add(&self.epoll, handle, epoll::EventData::new_u64(source.number()), flags)
            .map_err(|errno| Error::failed("cannot wait for more on this machine").because(errno))
    }

    /// Waits until something is ready, for this long at most, and tells what.
    pub(super) fn ready(&self, span: Option<Duration>) -> impl Iterator<Item = Source> + use<> {
        let nothing = epoll::Event { flags: epoll::EventFlags::empty(), data: epoll::EventData::new_u64(0) };
        let mut events = [nothing; AT_ONCE];
        let span = span.unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT);
        let span = Timespec::try_from(span).ok();
        let count = epoll::wait(&self.epoll, &mut events, span.as_ref()).unwrap_or(0);
        events.into_iter().take(count).filter_map(|event| Source::of(event.data.u64()))
    }

    /// Ends a wait, or the next one.
    pub(super) fn ring(&self) {
        // A bell that cannot ring any louder has been rung.
        let _ = rustix::io::write(&self.bell, &1_u64.to_ne_bytes());
    }

    /// The bell was heard.
    pub(super) fn hush(&self) {
        // Another thread may have been quicker.
        let _ = rustix::io::read(&self.bell, &mut [0; 8]);
    }

    /// The timer is ready at that time, or never.
    pub(super) fn set_timer(&self, due: Option<Instant>) {
        // Zero would be never.
        let left = due.map(|due| due.saturating_duration_since(Instant::now()).max(Duration::from_micros(1)));
        let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
        let it_value = left.and_then(|left| Timespec::try_from(left).ok()).unwrap_or(zero);
        // Only a wrong time could fail.
        let _ = timerfd_settime(
            &self.timer,
            TimerfdTimerFlags::empty(),
            &Itimerspec { it_interval: zero, it_value },
        );
    }
}

impl Source {
    /// As epoll keeps it.
    fn number(self) -> u64 {
        let (kind, which) = match self {
            Source::Bell => (0, 0),
            Source::Timer => (1, 0),
            Source::Paths => (2, 0),
            Source::Mounts => (3, 0),
            Source::Network => (4, 0),
            Source::Speaker(which) => (5, which),
            Source::Process(which) => (6, which),
            Source::Units => (7, 0),
        };
        u64::from(which) << 8 | kind
    }

    fn of(number: u64) -> Option<Self> {
        let which = u32::try_from(number >> 8).ok()?;
        match number & 0xff {
            0 => Some(Source::Bell),
            1 => Some(Source::Timer),
            2 => Some(Source::Paths),
            3 => Some(Source::Mounts),
            4 => Some(Source::Network),
            5 => Some(Source::Speaker(which)),
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
    fn sources_come_back() {
        let check = |source: Source| assert_eq!(Source::of(source.number()), Some(source));
        [Source::Bell, Source::Timer, Source::Paths, Source::Mounts, Source::Network, Source::Units]
            .into_iter()
            .for_each(check);
        [0, 1, u32::MAX].into_iter().for_each(|which| {
            check(Source::Speaker(which));
            check(Source::Process(which));
        });
        assert_eq!(Source::of(255), None);
    }

    #[test]
    fn the_timer_ends_a_wait() {
        let gate = Gate::new().unwrap();
        let soon = Duration::from_millis(20);
        gate.set_timer(Some(Instant::now() + soon));
        let begin = Instant::now();
        assert_eq!(gate.ready(Some(Duration::from_secs(30))).collect::<Vec<_>>(), [Source::Timer]);
        assert!(begin.elapsed() >= soon);
        gate.set_timer(None);
        assert_eq!(gate.ready(Some(soon)).count(), 0);
    }
}
