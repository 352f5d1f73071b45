//! What a watch knows of each node.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::Value;

use crate::control::{Control, WatchRequest};
use crate::errand::{Errand, ErrandIndex};
use crate::event::Wake;
use crate::graph::NodeIndex;
use crate::hold::audience::Audience;
use crate::hold::late::Late;
use crate::hold::lineage::Lineage;
use crate::hold::patience::Patience;
use crate::hold::timers::{Timer, Timers};
use crate::hold::watching::Watching;
use crate::program::Program;
use crate::scope::Published;
use crate::turn::Turn;
use crate::visit::Visits;

/// How it is with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Not visited yet.
    Unseen,
    /// As declared, as far as is known; or left alone.
    Calm,
    /// Woken; its turn comes.
    Queued,
    /// Being visited, or waiting for those whom it told.
    Busy,
    /// It went wrong.
    Failed,
    /// Something that it stands on went wrong.
    Blocked,
}

impl State {
    pub(crate) fn is_trouble(self) -> bool {
        matches!(self, State::Failed | State::Blocked)
    }
}

/// What turns a run into a watch: it goes on when everything is done.
pub(crate) struct Hold<'a> {
    pub(crate) watching: &'a Watching,
    pub(crate) published: &'a Published,
    pub(crate) late: Option<&'a Late>,
    pub(crate) request: &'a WatchRequest,
    pub(crate) control: &'a Control,
    pub(crate) audience: Audience,
    pub(crate) lineage: Lineage,
    pub(crate) states: Vec<State>,
    /// Woken nodes that are queued or busy.
    pub(crate) restless: FxHashSet<NodeIndex>,
    /// How many nodes are failed or blocked.
    pub(crate) troubled: usize,
    /// How those ended that wait for whom they told.
    pub(crate) ended: FxHashMap<NodeIndex, Ended>,
    /// Why a node is queued or busy.
    pub(crate) wakes: FxHashMap<NodeIndex, Wake>,
    /// Woken while busy: visited once more.
    pub(crate) again: FxHashMap<NodeIndex, Wake>,
    /// Turns that wait for a node that is restless.
    pub(crate) parked: FxHashMap<NodeIndex, Vec<Turn>>,
    /// Members of groups whose subscription has called them.
    pub(crate) called: FxHashSet<NodeIndex>,
    /// What was asked for, and waits until all who ask for it are at rest.
    pub(crate) pending: FxHashMap<NodeIndex, ErrandIndex>,
    /// What was asked for and failed; it is asked for again.
    pub(crate) owed: FxHashMap<NodeIndex, Errand>,
    pub(crate) timers: Timers,
    pub(crate) patience: Patience,
    /// Nodes that cannot be watched.
    pub(crate) blind: FxHashSet<NodeIndex>,
    /// Nodes at whose path a secret is.
    pub(crate) secrets: FxHashSet<NodeIndex>,
    /// Whether everything was visited once.
    pub(crate) over: bool,
    /// Whether that was told.
    pub(crate) told: bool,
    /// Whether outputs may have changed since they were told.
    pub(crate) outputs_due: bool,
    /// The outputs as they were told.
    pub(crate) outputs: Vec<Option<Value>>,
    /// When the watch of all programs began, and when something was last changed.
    pub(crate) began: Duration,
    pub(crate) changed_at: Duration,
    /// When everything is looked at again.
    pub(crate) recheck_at: Option<Duration>,
    /// Nodes that are not ready, and wait for some time or a report.
    pub(crate) waiting: FxHashSet<NodeIndex>,
    /// Visits that are under way.
    pub(crate) visiting: FxHashSet<NodeIndex>,
    /// Those of them that were when another program was asked for; none if it was not.
    pub(crate) stragglers: Option<FxHashSet<NodeIndex>>,
    /// Which nodes go on as in the program before.
    pub(crate) kept: Vec<bool>,
}

/// How a visit ended.
#[derive(Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) state: State,
    pub(crate) changed: bool,
}

impl<'a> Hold<'a> {
    /// Nothing was visited, except for what is kept.
    pub(crate) fn new(
        request: &'a WatchRequest,
        control: &'a Control,
        visits: &'a Visits<'a>,
        watching: &'a Watching,
        audience: Audience,
        kept: Vec<bool>,
    ) -> Box<Self> {
        let now = visits.host.clock().elapsed();
        let states = kept.iter().map(|kept| if *kept { State::Calm } else { State::Unseen }).collect();
        Box::new(Self {
            watching,
            published: &visits.published,
            late: visits.watch.as_ref().map(|watch| &watch.late),
            request,
            control,
            audience,
            lineage: Lineage::of(&visits.program.graph),
            states,
            restless: FxHashSet::default(),
            troubled: 0,
            ended: FxHashMap::default(),
            wakes: FxHashMap::default(),
            again: FxHashMap::default(),
            parked: FxHashMap::default(),
            called: FxHashSet::default(),
            pending: FxHashMap::default(),
            owed: FxHashMap::default(),
            timers: Timers::default(),
            patience: Patience::default(),
            blind: FxHashSet::default(),
            secrets: FxHashSet::default(),
            over: false,
            told: false,
            outputs_due: false,
            outputs: Vec::new(),
            began: now,
            changed_at: now,
            recheck_at: request.recheck.map(|span| now.saturating_add(span)),
            waiting: FxHashSet::default(),
            visiting: FxHashSet::default(),
            stragglers: None,
            kept,
        })
    }

    /// How often a node is looked at, though nothing is reported.
    pub(crate) fn period(&self, node: NodeIndex, asked: Option<Duration>) -> Option<Duration> {
        let of_kind = self.watching.marks().intervals.get(&node).copied();
        let blind = self.blind.contains(&node).then_some(self.request.blind);
        asked.or(of_kind).into_iter().chain(blind).min()
    }

    /// Sets the times of those who go on as they were.
    pub(crate) fn set_polls(&mut self, program: &Program) {
        for node in (0..).take(self.kept.len()).filter(|node| self.kept[*node as usize]) {
            let declared = program.set.entry(program.list.get(node as usize).resource);
            let asked = declared.handling().and_then(|handling| handling.poll);
            if let Some(span) = self.period(node, asked) {
                self.timers.set(node, Timer::Poll, self.changed_at.saturating_add(span));
            }
        }
    }

    pub(crate) fn state(&self, node: NodeIndex) -> State {
        self.states[node as usize]
    }

    /// The node that keeps this one from running.
    pub(crate) fn root(&self, node: NodeIndex) -> Option<NodeIndex> {
        if self.troubled == 0 {
            return None;
        }
        self.lineage.direct(node, |before| self.state(before).is_trouble())
    }

    /// The first cause of that.
    pub(crate) fn root_cause(&self, node: NodeIndex) -> Option<NodeIndex> {
        let mut root = self.root(node)?;
        while self.state(root) == State::Blocked
            && let Some(before) = self.root(root)
        {
            root = before;
        }
        Some(root)
    }

    /// Who has to come to rest before this turn.
    pub(crate) fn awaited(&self, turn: Turn) -> Option<NodeIndex> {
        let others = self.restless.len() - usize::from(self.restless.contains(&turn.node));
        if others == 0 {
            return None;
        }
        if turn.errand.is_some() {
            let asks = |node: &NodeIndex| self.audience.asks(*node, turn.node);
            if let Some(asker) = self.restless.iter().copied().find(asks) {
                return Some(asker);
            }
        }
        self.lineage.nearest(turn.node, |before| self.restless.contains(&before))
    }

    pub(crate) fn set_state(&mut self, node: NodeIndex, state: State) {
        let before = std::mem::replace(&mut self.states[node as usize], state);
        self.troubled += usize::from(state.is_trouble());
        self.troubled -= usize::from(before.is_trouble());
    }
}
