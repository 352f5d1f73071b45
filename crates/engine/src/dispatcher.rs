//! The dispatcher owns the walk, the queue and the order of events.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use uphold_model::ResourceId;
use uphold_resource::{Clock, Stop};

use crate::event::{Event, EventKind, Mode, Skip, Summary, Verdict};
use crate::graph::{Edge, NodeIndex};
use crate::outputs::Told;
use crate::program::Program;
use crate::seed::Seed;
use crate::visit::{Before, Visited};

/// Where events go. Called in order; a slow reader slows the run down.
pub type Sink<'a> = &'a mut (dyn FnMut(&Event) + Send);

/// Hands out what is ready, takes results, says what happened. Every event of a run passes here,
/// so their order is the order in which it decided.
pub(crate) struct Dispatcher<'a> {
    program: &'a Program,
    clock: &'a dyn Clock,
    began: Duration,
    sink: Sink<'a>,
    /// How many nodes each one still waits for.
    waiting: Vec<u32>,
    /// The root cause that keeps a node from running.
    blocked_by: Vec<Option<NodeIndex>>,
    /// Something before it that changes, in a plan.
    stands_on_change: Vec<Option<NodeIndex>>,
    /// Whether something at a path that it stands on holds a secret.
    reads_secret: Vec<bool>,
    /// What is ready, the least key first: in written order, or in tests by a seed.
    ready: BinaryHeap<Reverse<(u64, NodeIndex)>>,
    seed: Option<Seed>,
    unfinished: usize,
    summary: Summary,
    stop: &'a Stop,
}

/// What a worker should do.
pub(crate) enum Next {
    /// Visit this node.
    Visit(NodeIndex, Before),
    /// Nothing is ready; ask again when something was finished.
    Wait,
    /// Everything is done.
    Done,
}

impl<'a> Dispatcher<'a> {
    pub(crate) fn new(
        program: &'a Program,
        mode: Mode,
        clock: &'a dyn Clock,
        seed: Option<u64>,
        stop: &'a Stop,
        sink: Sink<'a>,
    ) -> Self {
        let waiting = program.graph.incoming().to_vec();
        let nodes = waiting.len();
        let actions = program.list.len();
        let mut dispatcher = Self {
            program,
            clock,
            began: clock.elapsed(),
            sink,
            waiting,
            blocked_by: vec![None; nodes],
            stands_on_change: vec![None; nodes],
            reads_secret: vec![false; nodes],
            ready: BinaryHeap::new(),
            seed: seed.map(Seed::new),
            unfinished: actions,
            summary: Summary::default(),
            stop,
        };
        let first = (0..).zip(program.graph.incoming()).filter(|(_, count)| **count == 0);
        first.for_each(|(node, _)| dispatcher.make_ready(node));
        dispatcher.say(EventKind::RunStarted { mode, actions });
        dispatcher
    }

    /// The next thing to do. What cannot run because of an earlier failure is done with here.
    pub(crate) fn next(&mut self) -> Next {
        while let Some(Reverse((_, node))) = self.ready.pop() {
            match self.skip(node) {
                None => {
                    let (resource, action) = self.describe(node);
                    self.say(EventKind::Started { resource, action });
                    return Next::Visit(node, self.before(node));
                }
                Some(skip) => {
                    self.finish(
                        node,
                        Visited { verdict: Verdict::Skipped(skip), messages: Vec::new(), secret: false },
                        Duration::ZERO,
                    );
                }
            }
        }
        if self.unfinished == 0 { Next::Done } else { Next::Wait }
    }

    /// Takes a result: what stands on it may become ready.
    pub(crate) fn finish(&mut self, node: NodeIndex, visited: Visited, took: Duration) {
        let (resource, action) = self.describe(node);
        for (level, text) in visited.messages {
            self.say(EventKind::Message { resource: resource.clone(), level, text });
        }
        let verdict = visited.verdict;
        self.summary.count(&verdict);
        self.release(node, &verdict, visited.secret);
        self.unfinished -= 1;
        self.say(EventKind::Finished { resource, action, verdict, took });
    }

    /// Whether everything was visited, and well.
    pub(crate) fn is_success(&self) -> bool {
        self.summary.is_success()
    }

    /// The run is over: it came to these outputs.
    pub(crate) fn end(mut self, outputs: impl Iterator<Item = Told>) -> Summary {
        for Told { name, value } in outputs {
            self.summary.failed += usize::from(value.is_err());
            self.say(EventKind::Output { name, value: value.map_err(Box::new) });
        }
        self.say(EventKind::RunFinished(self.summary));
        self.summary
    }

    fn before(&self, node: NodeIndex) -> Before {
        let changes = self.stands_on_change[node as usize];
        Before {
            changes: changes.map(|node| self.id(node).to_string().into()),
            secret: self.reads_secret[node as usize],
        }
    }

    /// Why a node that is ready is not visited.
    fn skip(&self, node: NodeIndex) -> Option<Skip> {
        let root = self.blocked_by[node as usize];
        let failed = root.map(|root| Skip::FailedBefore(self.id(root).clone()));
        failed.or_else(|| self.stop.is_requested().then_some(Skip::Stopped))
    }

    fn release(&mut self, node: NodeIndex, verdict: &Verdict, secret: bool) {
        let root = match verdict {
            Verdict::Failed(_) => Some(node),
            Verdict::Skipped(_) => self.blocked_by[node as usize],
            _ => None,
        };
        let changes = matches!(verdict, Verdict::WouldChange(_) | Verdict::MayChange { .. }).then_some(node);
        let changes = changes.or(self.stands_on_change[node as usize]);
        let program = self.program;
        for edge in program.graph.after(node) {
            self.pass_on(edge, root, changes, secret);
            if program.graph.is_gate(edge.after) && self.waiting[edge.after as usize] == 0 {
                self.open_gate(edge.after);
            }
        }
    }

    /// A gate adds nothing of its own: everything goes through, causes and changes of those before.
    fn open_gate(&mut self, gate: NodeIndex) {
        let (root, changes) = (self.blocked_by[gate as usize], self.stands_on_change[gate as usize]);
        let program = self.program;
        for edge in program.graph.after(gate) {
            self.pass_on(edge, root, changes, false);
        }
    }

    /// What is before the edge is done with.
    fn pass_on(&mut self, edge: &Edge, root: Option<NodeIndex>, changes: Option<NodeIndex>, secret: bool) {
        let after = edge.after as usize;
        self.reads_secret[after] |= secret && edge.path;
        if edge.reason.stands() {
            self.blocked_by[after] = self.blocked_by[after].or(root);
            self.stands_on_change[after] = self.stands_on_change[after].or(changes);
        }
        self.waiting[after] -= 1;
        if self.waiting[after] == 0 && !self.program.graph.is_gate(edge.after) {
            self.make_ready(edge.after);
        }
    }

    fn make_ready(&mut self, node: NodeIndex) {
        let key = self.seed.as_mut().map_or(0, Seed::next);
        self.ready.push(Reverse((key, node)));
    }

    fn describe(&self, node: NodeIndex) -> (ResourceId, uphold_model::Action) {
        (self.id(node).clone(), self.program.list.get(node as usize).action.clone())
    }

    fn id(&self, node: NodeIndex) -> &ResourceId {
        self.program.set.id(self.program.list.get(node as usize).resource)
    }

    fn say(&mut self, kind: EventKind) {
        let at = self.clock.elapsed().saturating_sub(self.began);
        (self.sink)(&Event { at, kind });
    }
}
