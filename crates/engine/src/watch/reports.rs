//! Reports of the machine, as marks on nodes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Mutex, SENSITIVE};
use uphold_resource::{Instance, Interest, Reading, Token, WatchEvent, Watcher};

use crate::graph::NodeIndex;

/// The watcher, and the node of each of its tokens. Visits arm and collect; the dispatcher takes the marks.
pub(crate) struct Reports {
    watcher: Arc<dyn Watcher>,
    tokens: Tokens,
    /// Whether each node is armed, with interests that stay as they are.
    armed: Vec<AtomicBool>,
    marks: Mutex<Marks>,
    /// Whether there are new marks for the dispatcher.
    fresh: AtomicBool,
}

/// The tokens of nodes, and the nodes of tokens. A node that is not watched has none.
#[derive(Default)]
pub(crate) struct Tokens {
    pub(crate) of_nodes: Vec<Option<Token>>,
    pub(crate) nodes: FxHashMap<Token, NodeIndex>,
}

impl Tokens {
    fn of(&self, node: NodeIndex) -> Option<Token> {
        self.of_nodes.get(node as usize).copied().flatten()
    }
}

/// Reports that have not been taken up.
#[derive(Default)]
pub(crate) struct Marks {
    /// Nodes for which something was reported since their last load began, and the first report.
    pub(crate) marked: FxHashMap<NodeIndex, Interest>,
    /// Nodes that cannot be watched: why not.
    pub(crate) blind: Vec<(NodeIndex, String)>,
    /// Nodes that could not be watched, and now can.
    pub(crate) sighted: Vec<NodeIndex>,
    /// How often the kinds of nodes want them polled.
    pub(crate) intervals: FxHashMap<NodeIndex, Duration>,
    /// Interests of nodes that come from a secret: no report shows them.
    pub(crate) hidden: FxHashMap<NodeIndex, Vec<Interest>>,
    /// Nodes that asked which paths others manage.
    pub(crate) managed_readers: FxHashSet<NodeIndex>,
    /// Nodes whose changes are being put back.
    ignored: FxHashSet<NodeIndex>,
    pub(crate) lost: bool,
}

impl Marks {
    fn is_hidden(&self, node: NodeIndex, what: &Interest) -> bool {
        self.hidden.get(&node).is_some_and(|hidden| hidden.contains(what))
    }

    fn note_blind(&mut self, node: NodeIndex, because: String) {
        let is_hidden = self.hidden.contains_key(&node);
        let because = if is_hidden { SENSITIVE.to_owned() } else { because };
        self.blind.push((node, because));
    }
}

impl Reports {
    /// Goes on with the tokens and marks of the previous program.
    pub(crate) fn new(watcher: Arc<dyn Watcher>, tokens: Tokens, armed: &[bool], marks: Marks) -> Self {
        let armed = armed.iter().map(|armed| AtomicBool::new(*armed)).collect();
        Self { watcher, tokens, armed, marks: Mutex::new(marks), fresh: AtomicBool::new(true) }
    }

    /// A load of a node begins: it is watched from now on, and the load sees everything that was reported up to now.
    /// `fixed`: its interests will be the same the next time.
    pub(crate) fn begin_load(
        &self,
        node: NodeIndex,
        instance: &dyn Instance,
        host: &Reading<'_>,
        fixed: bool,
    ) {
        let Some(token) = self.tokens.of(node) else { return };
        if self.is_armed(node) {
            self.take_reported(node);
            return;
        }
        let interests = instance.interests(host);
        self.hide(node, instance, &interests);
        match self.watcher.arm(token, &interests) {
            Ok(()) => {
                self.armed[node as usize].store(fixed, Ordering::Relaxed);
                self.note(|marks| marks.sighted.push(node));
            }
            Err(error) => self.note(|marks| marks.note_blind(node, error.chain())),
        }
        let intervals = interests.iter().filter_map(|interest| match interest {
            Interest::Interval(span) => Some(*span),
            _ => None,
        });
        if let Some(span) = intervals.min() {
            self.marks().intervals.insert(node, span);
        }
    }

    /// Whether a node is watched, as far as that stays as it is.
    pub(crate) fn is_armed(&self, node: NodeIndex) -> bool {
        self.armed.get(node as usize).is_some_and(|armed| armed.load(Ordering::Relaxed))
    }

    /// Takes back all reports up to now: the load that follows sees the changes.
    pub(crate) fn take_reported(&self, node: NodeIndex) -> Option<Interest> {
        self.tokens.of(node)?;
        self.collect();
        self.marks().marked.remove(&node)
    }

    /// Something may have changed for a node after all.
    pub(crate) fn mark(&self, node: NodeIndex, what: Interest) {
        self.note(|marks| {
            if marks.ignored.contains(&node) {
                return;
            }
            let what = if marks.is_hidden(node, &what) { Interest::Path(SENSITIVE.into()) } else { what };
            marks.marked.entry(node).or_insert(what);
        });
    }

    /// Carries out `change`, whose own writes wake none of these nodes: another thread may collect their reports meanwhile.
    pub(crate) fn ignoring<T>(&self, nodes: &[NodeIndex], change: impl FnOnce() -> T) -> T {
        self.marks().ignored.extend(nodes);
        let changed = change();
        self.collect();
        let mut marks = self.marks();
        for node in nodes {
            marks.ignored.remove(node);
            marks.marked.remove(node);
        }
        changed
    }

    /// Notes which interests come from a secret.
    fn hide(&self, node: NodeIndex, instance: &dyn Instance, interests: &[Interest]) {
        if !instance.is_tainted() {
            return;
        }
        let is_hidden = |interest: &&Interest| instance.may_show_secret(&interest.to_string());
        let hidden: Vec<Interest> = interests.iter().filter(is_hidden).cloned().collect();
        if !hidden.is_empty() {
            self.marks().hidden.insert(node, hidden);
        }
    }

    /// A node asked which paths others manage: the answer may differ in another program.
    pub(crate) fn note_managed_reader(&self, node: NodeIndex) {
        self.marks().managed_readers.insert(node);
    }

    /// A visit failed: reports of its own writes do not count, since it is repeated in any case. Its interests may differ by
    /// then.
    pub(crate) fn disarm(&self, node: NodeIndex) {
        self.armed[node as usize].store(false, Ordering::Relaxed);
        self.take_reported(node);
    }

    /// Takes in the reports of the watcher.
    pub(crate) fn collect(&self) {
        self.watcher.collect(&mut |news| self.take_in(news));
    }

    /// Waits for a report, for this long at most.
    pub(crate) fn wait(&self, span: Option<Duration>) {
        self.watcher.wait(span);
        self.collect();
    }

    /// Ends a wait.
    pub(crate) fn nudge(&self) {
        self.watcher.nudge();
    }

    fn take_in(&self, news: WatchEvent) {
        let node = |token| self.tokens.nodes.get(&token).copied();
        match news {
            WatchEvent::Changed { token, what } => {
                // A report of a token may come after the token was given up.
                if let Some(node) = node(token) {
                    self.mark(node, what);
                }
            }
            WatchEvent::Blind { token, because } => {
                let Some(node) = node(token) else { return };
                self.armed[node as usize].store(false, Ordering::Relaxed);
                self.note(|marks| marks.note_blind(node, because));
            }
            WatchEvent::Lost => self.note(|marks| marks.lost = true),
        }
    }

    fn note(&self, note: impl FnOnce(&mut Marks)) {
        note(&mut self.marks());
        self.fresh.store(true, Ordering::Release);
    }

    /// The marks, if there may be new ones.
    pub(crate) fn fresh(&self) -> Option<MutexGuard<'_, Marks>> {
        self.fresh.swap(false, Ordering::Acquire).then(|| self.marks())
    }

    /// How often the kind of a node wants it polled.
    pub(crate) fn interval(&self, node: NodeIndex) -> Option<Duration> {
        self.marks().intervals.get(&node).copied()
    }

    /// Takes the first report for a node since its last load began.
    pub(crate) fn take(&self, node: NodeIndex) -> Option<Interest> {
        self.marks().marked.remove(&node)
    }

    pub(crate) fn marks(&self) -> MutexGuard<'_, Marks> {
        self.marks.lock()
    }

    /// The tokens, which nodes are armed, and the marks.
    pub(crate) fn into_parts(self) -> (Tokens, Vec<bool>, Marks) {
        let armed = self.armed.into_iter().map(AtomicBool::into_inner).collect();
        (self.tokens, armed, self.marks.into_inner())
    }
}
