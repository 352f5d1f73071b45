//! Who is interested in what, over all mechanisms.

use std::path::Path;
use std::time::Instant;

use uphold_resource::{Error, ErrorKind, Interest, News, Result, Token};

use super::armed::Armed;
use super::gate::{Gate, Source};
use super::lines::Lines;
use super::mounts::Mounts;
use super::network::Network;
use super::paths::{Extent, Hold, Paths};
use super::programs::Programs;
use super::roster::Roster;
use super::tidings::Tidings;
use super::units::WatchedUnits;
use crate::root::Root;

/// Where users and groups are. Who reads them follows links.
const ACCOUNTS: [&str; 4] = ["/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow"];

/// Where the package managers keep what is installed. What is not there costs next to nothing.
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
    armed: Roster,
    /// When the timer is set to.
    timer: Option<Instant>,
}

impl State {
    /// Watches nothing yet.
    pub(super) fn new(root: Root, gate: &Gate) -> Result<Self> {
        let paths = Paths::new(root)?;
        gate.add(&paths.inotify, Source::Paths)?;
        Ok(Self {
            paths,
            mounts: Mounts::new(gate),
            network: Network::default(),
            lines: Lines::default(),
            programs: Programs::default(),
            units: WatchedUnits::default(),
            armed: Roster::default(),
            timer: None,
        })
    }

    /// Whether exactly this is armed, and works.
    pub(super) fn is_armed(&self, token: Token, print: u64) -> bool {
        self.armed.is(token, print)
    }

    /// Arms what is new, then lets go of what was armed before and is not wanted any more.
    pub(super) fn arm(
        &mut self,
        token: Token,
        interests: &[Interest],
        print: u64,
        gate: &Gate,
    ) -> Result<()> {
        let (mut holds, mut others, mut trouble) = (Vec::new(), Vec::new(), None);
        for interest in interests {
            if let Err(error) = self.begin(token, interest, gate, &mut holds) {
                trouble.get_or_insert(error);
            }
            if is_no_path(interest) {
                others.push(interest.clone());
            }
        }
        let trouble = self.paths.take_trouble().or(trouble);
        let print = trouble.is_none().then_some(print);
        self.replace(token, Armed::new(print, holds, others), interests.is_empty());
        self.set_timer(gate);
        trouble.map_or(Ok(()), Err)
    }

    fn begin(&mut self, token: Token, interest: &Interest, gate: &Gate, holds: &mut Vec<Hold>) -> Result<()> {
        let mut hold = |extent, path: &Path| holds.push(self.paths.hold(token, extent, path));
        match interest {
            Interest::Path(path) => hold(Extent::Path, path),
            Interest::Entries(path) => hold(Extent::Entries, path),
            Interest::Tree(path) => hold(Extent::Tree, path),
            Interest::Accounts => ACCOUNTS.iter().for_each(|path| hold(Extent::Entries, Path::new(path))),
            Interest::Packages => PACKAGES.iter().for_each(|(extent, path)| hold(*extent, Path::new(path))),
            Interest::Interval(_) => {}
            Interest::NetworkLink(name) => return self.network.add(token, name, gate),
            Interest::Lines(command) => return self.lines.add(token, command, &self.paths.root, gate),
            Interest::Process(program) => self.programs.add(token, program, gate),
            Interest::Unit(name) => return self.units.add(token, name, &self.paths.root, gate),
            _ => return Err(unsupported(interest, "this host does not know how")),
        }
        Ok(())
    }

    /// What stays armed is not let go of in between.
    fn replace(&mut self, token: Token, armed: Armed, is_over: bool) {
        let before = self.armed.take(token);
        for hold in before.holds() {
            if armed.holds().binary_search(hold).is_err() {
                self.paths.release(token, *hold);
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

    /// Takes in what this source has to say.
    pub(super) fn take_in(&mut self, source: Source, gate: &Gate, tidings: &mut Tidings) {
        match source {
            // Only a wait hears the bell: it must not be missed by somebody who waits later.
            Source::Bell => {}
            Source::Paths => self.paths.drain(tidings),
            Source::Mounts => {
                for point in self.mounts.changed() {
                    self.paths.remounted(&point);
                }
                self.paths.finish(tidings);
            }
            Source::Network => self.network.drain(tidings),
            Source::Speaker(number) => self.lines.hear(number, tidings),
            Source::Process(process) => self.programs.ended(process, tidings),
            Source::Units => self.units.drain(tidings),
            Source::Timer => {
                // It would go on and on otherwise.
                gate.set_timer(None);
                self.timer = None;
                self.paths.tell_of_unfinished(tidings);
                self.lines.act_if_due(&self.paths.root, gate, tidings);
                self.programs.look_if_due(gate, tidings);
                self.units.drain(tidings);
            }
        }
    }

    /// Tells what was found, after everything is armed for what comes next.
    pub(super) fn tell(&mut self, tidings: Tidings, gate: &Gate, tell: &mut dyn FnMut(News)) {
        for token in tidings.blinded() {
            // Whoever arms the same again must get another try.
            self.armed.distrust(token);
        }
        self.set_timer(gate);
        tidings.into_news().into_iter().for_each(tell);
    }

    /// Costs a system call only if something else is due.
    fn set_timer(&mut self, gate: &Gate) {
        let due = [self.paths.unfinished.due(), self.lines.due(), self.programs.due(), self.units.due()];
        let due = due.into_iter().flatten().min();
        if due != self.timer {
            gate.set_timer(due);
            self.timer = due;
        }
    }
}

/// Whether it is watched by something else than its path.
fn is_no_path(interest: &Interest) -> bool {
    matches!(
        interest,
        Interest::Process(_) | Interest::NetworkLink(_) | Interest::Lines(_) | Interest::Unit(_)
    )
}

fn unsupported(interest: &Interest, because: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("cannot watch {interest}: {because}"))
}
