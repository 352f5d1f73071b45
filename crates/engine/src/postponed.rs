//! Visits that are postponed because a package may bring what is missing.
//!
//! A file, account or service that no resource declares may come with a package of any name. No edge can say so: a
//! package may also need what comes before it. So a visit that fails for something missing is repeated once, when the
//! packages are done or nothing else can go on.

use rustc_hash::FxHashSet;
use uphold_model::Action;
use uphold_resource::ErrorKind;

use crate::dispatcher::Dispatcher;
use crate::event::{Mode, Verdict};
use crate::graph::NodeIndex;
use crate::program::Program;
use crate::request::Request;
use crate::turn::Turn;

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
        let postponed = &mut self.postponed;
        let waits = may_help
            && turn.errand.is_none()
            && !postponed.open.is_empty()
            && !postponed.open.contains(&turn.node)
            && !self.stop.is_requested()
            && postponed.known.insert(turn.node);
        if waits {
            postponed.turns.push(Turn { again: true, ..turn });
        }
        waits
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
