//! All watch mechanisms, and the interests of all tokens.

use std::path::Path;
use std::time::Instant;

use uphold_resource::{Error, ErrorKind, Interest, Result, Token, WatchEvent};

use super::armed_by_token::ArmedByToken;
use super::armed_set::ArmedSet;
use super::change_batch::ChangeBatch;
use super::epoll::{Epoll, Source};
use super::lines::Lines;
use super::mounts::Mounts;
use super::network::Network;
use super::paths::{Extent, PathInterest, Paths};
use super::programs::Programs;
use super::units::WatchedUnits;
use crate::root::Root;

/// The account files. Their readers follow links.
const ACCOUNTS: [&str; 4] = ["/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow"];

/// The databases of package managers. A missing one costs almost nothing.
const PACKAGES: [(Extent, &str); 8] = [
    (Extent::Path, "/var/lib/dpkg/status"),
    (Extent::Path, "/lib/apk/db/installed"),
    (Extent::Entries, "/var/lib/pacman/local"),
    (Extent::Path, "/var/lib/rpm/Packages"),
    (Extent::Path, "/var/lib/rpm/rpmdb.sqlite"),
    (Extent::Path, "/var/lib/rpm/rpmdb.sqlite-wal"),
    (Extent::Path, "/usr/lib/sysimage/rpm/rpmdb.sqlite"),
    (Extent::Path, "/usr/lib/sysimage/rpm/rpmdb.sqlite-wal"),
];

/// Everything that is watched.
pub(super) struct State {
    paths: Paths,
    mounts: Mounts,
    network: Network,
    lines: Lines,
    programs: Programs,
    units: WatchedUnits,
    armed: ArmedByToken,
    /// The time that the timer is set to.
    timer: Option<Instant>,
}

impl State {
    /// Watches nothing yet.
    pub(super) fn new(root: Root, epoll: &Epoll) -> Result<Self> {
        let paths = Paths::new(root)?;
        epoll.add(&paths.inotify, Source::Paths)?;
        Ok(Self {
            paths,
            mounts: Mounts::new(epoll),
            network: Network::default(),
            lines: Lines::default(),
            programs: Programs::default(),
            units: WatchedUnits::default(),
            armed: ArmedByToken::default(),
            timer: None,
        })
    }

    /// Whether exactly these interests are armed, and work.
    pub(super) fn is_armed(&self, token: Token, print: u64) -> bool {
        self.armed.is(token, print)
    }

    /// Arms new interests, then removes earlier ones that are not needed any more.
    pub(super) fn arm(
        &mut self,
        token: Token,
        interests: &[Interest],
        print: u64,
        epoll: &Epoll,
    ) -> Result<()> {
        let (mut paths, mut others, mut failures) = (Vec::new(), Vec::new(), None);
        for interest in interests {
            if let Err(error) = self.add(token, interest, epoll, &mut paths) {
                failures.get_or_insert(error);
            }
            if is_no_path(interest) {
                others.push(interest.clone());
            }
        }
        let failures = self.paths.take_failure().or(failures);
        let print = failures.is_none().then_some(print);
        self.replace(token, ArmedSet::new(print, paths, others), interests.is_empty());
        self.set_timer(epoll);
        failures.map_or(Ok(()), Err)
    }

    fn add(
        &mut self,
        token: Token,
        interest: &Interest,
        epoll: &Epoll,
        paths: &mut Vec<PathInterest>,
    ) -> Result<()> {
        let mut add = |extent, path: &Path| paths.push(self.paths.add(token, extent, path));
        match interest {
            Interest::Path(path) => add(Extent::Path, path),
            Interest::Entries(path) => add(Extent::Entries, path),
            Interest::Tree(path) => add(Extent::Tree, path),
            Interest::Accounts => ACCOUNTS.iter().for_each(|path| add(Extent::Entries, Path::new(path))),
            Interest::Packages => PACKAGES.iter().for_each(|(extent, path)| add(*extent, Path::new(path))),
            Interest::Interval(_) => {}
            Interest::NetworkLink(name) => return self.network.add(token, name, epoll),
            Interest::Lines(command) => return self.lines.add(token, command, &self.paths.root, epoll),
            Interest::Process(program) => self.programs.add(token, program, epoll),
            Interest::Unit(name) => return self.units.add(token, name, &self.paths.root, epoll),
            _ => return Err(unsupported(interest, "this host does not support it")),
        }
        Ok(())
    }

    /// Interests that stay armed are not removed in between.
    fn replace(&mut self, token: Token, armed: ArmedSet, is_over: bool) {
        let before = self.armed.take(token);
        for path in before.paths() {
            if armed.paths().binary_search(path).is_err() {
                self.paths.remove(token, *path);
            }
        }
        self.paths.prune();
        for interest in before.others().iter().filter(|interest| !armed.others().contains(interest)) {
            match interest {
                Interest::NetworkLink(name) => self.network.remove(token, name),
                Interest::Lines(command) => self.lines.remove(token, command),
                Interest::Process(program) => self.programs.remove(token, program),
                Interest::Unit(name) => self.units.remove(token, name),
                _ => {}
            }
        }
        if !is_over {
            self.armed.put(token, armed);
        }
    }

    /// Processes the events of a source.
    pub(super) fn process(&mut self, source: Source, epoll: &Epoll, batch: &mut ChangeBatch) {
        match source {
            // Only a wait clears the nudge, so that a later wait does not miss it.
            Source::Nudge => {}
            Source::Paths => self.paths.drain(batch),
            Source::Mounts => {
                for point in self.mounts.changed() {
                    self.paths.remounted(&point);
                }
                self.paths.finish(batch);
            }
            Source::Network => self.network.drain(batch),
            Source::LineCommand(number) => self.lines.read_lines(number, batch),
            Source::Process(process) => self.programs.ended(process, batch),
            Source::Units => self.units.drain(batch),
            Source::Timer => {
                // It would stay ready otherwise.
                epoll.set_timer(None);
                self.timer = None;
                self.paths.report_open_writes(batch);
                self.lines.act_if_due(&self.paths.root, epoll, batch);
                self.programs.list_if_due(epoll, batch);
                self.units.drain(batch);
            }
        }
    }

    /// Reports what was found, after everything is armed for later changes.
    pub(super) fn report(&mut self, batch: ChangeBatch, epoll: &Epoll, report: &mut dyn FnMut(WatchEvent)) {
        for token in batch.blinded() {
            // Arming the same interests again must be another try.
            self.armed.invalidate(token);
        }
        self.set_timer(epoll);
        batch.into_reports().into_iter().for_each(report);
    }

    /// Sets the timer to the next action. Costs a system call only if that changed.
    fn set_timer(&mut self, epoll: &Epoll) {
        let due = [self.paths.open_writes.due(), self.lines.due(), self.programs.due(), self.units.due()];
        let due = due.into_iter().flatten().min();
        if due != self.timer {
            epoll.set_timer(due);
            self.timer = due;
        }
    }
}

/// Whether it is watched by other means than paths.
fn is_no_path(interest: &Interest) -> bool {
    matches!(
        interest,
        Interest::Process(_) | Interest::NetworkLink(_) | Interest::Lines(_) | Interest::Unit(_)
    )
}

fn unsupported(interest: &Interest, because: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("cannot watch {interest}: {because}"))
}
