//! All watch mechanisms, and the interests of all tokens.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::time::Instant;

use hashbrown::HashTable;
use uphold_resource::{Error, ErrorKind, Interest, Result, Token, WatchEvent};

use super::change_batch::ChangeBatch;
use super::epoll::{Epoll, Source};
use super::lines::Lines;
use super::mounts::Mounts;
use super::network::Network;
use super::paths::{Extent, PathInterest, Paths};
use super::programs::Programs;
use super::rearm::{ArmedSet, MoreArmed};
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

/// The interests of each token. A token with one path takes about 30 bytes.
#[derive(Default)]
pub(super) struct ArmedByToken {
    rows: HashTable<Row>,
    /// The interests of tokens with more than one path, or with others than paths.
    more: HashMap<Token, Box<MoreArmed>>,
    state: RandomState,
}

/// The interests of one token, without padding.
struct Row {
    token: Token,
    /// The digest in halves; zero if the interests do not work.
    print: [u32; 2],
    only: Option<PathInterest>,
}

impl ArmedByToken {
    /// Whether exactly these interests are armed, and work. False for a digest of zero.
    pub(super) fn is(&self, token: Token, print: u64) -> bool {
        let row = self.rows.find(self.state.hash_one(token), |row| row.token == token);
        print != 0 && row.is_some_and(|row| row.print == halves(print))
    }

    /// Records that the interests do not work any more.
    pub(super) fn invalidate(&mut self, token: Token) {
        if let Some(row) = self.rows.find_mut(self.state.hash_one(token), |row| row.token == token) {
            row.print = [0, 0];
        }
    }

    /// Adds the interests of a token that has none.
    pub(super) fn put(&mut self, token: Token, armed: ArmedSet) {
        let ArmedSet { print, only, more } = armed;
        self.more.extend(more.map(|more| (token, more)));
        let row = Row { token, print: halves(print.unwrap_or(0)), only };
        let hash_of = |row: &Row| self.state.hash_one(row.token);
        self.rows.insert_unique(self.state.hash_one(token), row, hash_of);
    }

    /// Takes the interests of a token.
    pub(super) fn take(&mut self, token: Token) -> ArmedSet {
        let found = self.rows.find_entry(self.state.hash_one(token), |row| row.token == token);
        match found {
            Ok(row) => ArmedSet { print: None, only: row.remove().0.only, more: self.more.remove(&token) },
            Err(_) => ArmedSet::default(),
        }
    }
}

fn halves(print: u64) -> [u32; 2] {
    [(print >> 32) as u32, print as u32]
}

#[cfg(test)]
mod tests {
    use uphold_resource::Interest;

    use super::*;
    use crate::watch::paths::Extent;

    #[test]
    fn a_row_is_found_until_it_is_taken() {
        let mut table = ArmedByToken::default();
        let path = |at| PathInterest { at, extent: Extent::Path };
        for token in 0..100 {
            let other = (token == 7).then_some(Interest::Process("p".into()));
            let print = u64::from(token) << 32 | 1;
            table.put(token, ArmedSet::new(Some(print), vec![path(token)], other.into_iter().collect()));
        }
        assert!(table.is(9, 9 << 32 | 1) && !table.is(9, 1) && !table.is(100, 1));
        table.invalidate(9);
        assert!(!table.is(9, 9 << 32 | 1) && !table.is(9, 0) && table.is(8, 8 << 32 | 1));
        let (many, one) = (table.take(7), table.take(9));
        assert_eq!((many.paths(), many.others().len()), (&[path(7)][..], 1));
        assert_eq!((one.paths(), one.others().len()), (&[path(9)][..], 0));
        assert!(!table.is(7, 7 << 32 | 1) && table.take(7).paths().is_empty());
    }

    #[test]
    fn a_row_is_small() {
        assert!(size_of::<Row>() <= 20, "{}", size_of::<Row>());
    }
}
