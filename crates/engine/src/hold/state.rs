//! What a watch knows of each node.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::control::{Control, WatchRequest};
use crate::errand::{Errand, ErrandIndex};
use crate::event::Wake;
use crate::graph::NodeIndex;
use crate::hold::audience::Audience;
use crate::hold::lineage::Lineage;
use crate::hold::patience::Patience;
use crate::hold::timers::Timers;
use crate::hold::watching::Watching;
use crate::scope::Published;
use crate::turn::Turn;

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
    /// When the watch of all programs began, and when something was last changed.
    pub(crate) began: Duration,
    pub(crate) changed_at: Duration,
    /// When everything is looked at again.
    pub(crate) recheck_at: Option<Duration>,
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

impl Hold<'_> {
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

    /// Who has to come to rest before this turn.
    pub(crate) fn awaited(&self, turn: Turn) -> Option<NodeIndex> {
        let others = self.restless.len() - usize::from(self.restless.contains(&turn.node));
        if others == 0 {
            return None;
        }
        if turn.errand.is_some() {
            let asks = |node: &&NodeIndex| self.restless.contains(node);
            if let Some(asker) = self.audience.askers(turn.node).iter().find(asks) {
                return Some(*asker);
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
