//! Visits that are postponed because a package may bring what is missing.
//!
//! A file, account or service that no resource declares may come with a package of any name. No edge can say so: a
//! package may also need what comes before it. So a visit that fails for something missing is repeated once, when the
//! packages are done or nothing else can go on. An edit that would create its file is postponed before it does so: a package
//! does not install its own configuration file where there is one.

use rustc_hash::FxHashSet;
use uphold_model::{Action, Claim};
use uphold_resource::{ErrorKind, Instance, Observe};

use crate::dispatcher::Dispatcher;
use crate::event::{Mode, Verdict};
use crate::graph::NodeIndex;
use crate::halt::Halt;
use crate::program::Program;
use crate::request::Request;
use crate::step::Taken;
use crate::turn::Turn;
use crate::visit::{Before, Outcome, Visits};

/// Visits that are repeated after the packages.
pub(crate) struct Postponed {
    turns: Vec<Turn>,
    /// What was postponed; that happens once.
    known: FxHashSet<NodeIndex>,
    /// Nodes that may bring something, and are not done.
    open: FxHashSet<NodeIndex>,
    /// One that would bring something.
    bringer: Option<NodeIndex>,
}

impl Postponed {
    /// A watch repeats what failed in any case.
    pub(crate) fn new(program: &Program, request: &Request<'_>, is_watch: bool) -> Self {
        let selected = program.bringers.iter().filter(|node| !is_watch && request.selects(**node));
        let open = selected.copied().collect();
        Self { turns: Vec::new(), known: FxHashSet::default(), open, bringer: None }
    }

    /// Whether a visit can be postponed: packages are not done, and it was not postponed yet.
    pub(crate) fn can_wait(&self, turn: Turn) -> bool {
        turn.errand.is_none()
            && !self.open.is_empty()
            && !self.open.contains(&turn.node)
            && !self.known.contains(&turn.node)
    }

    /// A node that may bring what is missing, and would change.
    pub(crate) fn bringer(&self) -> Option<NodeIndex> {
        self.bringer
    }
}

impl Dispatcher<'_> {
    /// Whether a visit is repeated later instead of being concluded now.
    pub(crate) fn postpone(&mut self, turn: Turn, verdict: &Verdict) -> bool {
        let may_help = match verdict {
            Verdict::Failed(failure) => {
                matches!(failure.kind, ErrorKind::Missing | ErrorKind::ParentMissing)
            }
            Verdict::Unchanged => self.removes_path(turn.node) && self.request.mode == Mode::Apply,
            _ => false,
        };
        let waits = may_help && !self.stop.is_requested() && self.postponed.can_wait(turn);
        if waits {
            self.visit_after_packages(turn);
        }
        waits
    }

    /// Repeats a visit after the packages; at once if they are done meanwhile.
    pub(crate) fn visit_after_packages(&mut self, turn: Turn) {
        self.postponed.known.insert(turn.node);
        self.postponed.turns.push(Turn { again: true, ..turn });
        if self.postponed.open.is_empty() {
            self.resume_postponed();
        }
    }

    fn removes_path(&self, node: NodeIndex) -> bool {
        let entry = self.entry(node);
        *entry.action() == Action::Remove && self.program.is_named_by_path(entry.resource)
    }

    /// Repeats what was postponed; false if nothing was.
    pub(crate) fn resume_postponed(&mut self) -> bool {
        let turns = std::mem::take(&mut self.postponed.turns);
        let found = !turns.is_empty();
        turns.into_iter().for_each(|turn| self.ready.push(turn));
        found
    }

    /// A node is done. After the last one that may bring something, what was postponed goes on.
    pub(crate) fn note_bringer(&mut self, node: NodeIndex, is_unpredicted: bool) {
        if !self.postponed.open.remove(&node) {
            return;
        }
        if is_unpredicted {
            self.postponed.bringer.get_or_insert(node);
        }
        if self.postponed.open.is_empty() {
            self.resume_postponed();
        }
    }
}

impl Visits<'_> {
    /// The end of a visit that would create a file which a package may bring; none if there is no such file. A plan cannot know
    /// what the package would bring.
    pub(crate) fn await_packages(
        &self,
        instance: &dyn Instance,
        before: &Before,
        host: &dyn Observe,
    ) -> Option<Result<Taken, Halt>> {
        let brought = before.brought.as_ref().filter(|_| self.mode() == Mode::Plan);
        if (!before.can_wait && brought.is_none()) || !creates_edited(instance, host) {
            return None;
        }
        Some(match brought.filter(|_| !before.can_wait) {
            Some(package) => Err(Halt::Waits(package.clone())),
            None => Ok(Taken { outcome: Outcome::AfterPackages, predicted: false }),
        })
    }
}

/// Whether the resource would create the file that it edits. A file that cannot be looked at is for the visit to report.
fn creates_edited(instance: &dyn Instance, host: &dyn Observe) -> bool {
    let claims = instance.claims();
    let is_missing = |claim: &Claim| match claim {
        Claim::Path(path) => matches!(host.files().look(path), Ok(None)),
        _ => false,
    };
    claims.creates_edited && claims.edits.iter().any(is_missing)
}
