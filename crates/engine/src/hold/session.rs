//! A watch: one program after the other is held.

use std::sync::{Arc, Weak};
use std::time::Duration;

use rustc_hash::FxHashSet;
use uphold_resource::{Result, Watcher};

use crate::control::{Control, WatchRequest};
use crate::dispatcher::{Dispatcher, Sink};
use crate::engine::Engine;
use crate::errand::Errand;
use crate::event::{EventKind, Mode};
use crate::executor;
use crate::graph::NodeIndex;
use crate::hold::audience::Audience;
use crate::hold::late::Late;
use crate::hold::legacy::{Inheritance, Legacy};
use crate::hold::state::{Hold, State};
use crate::hold::timers::Timer;
use crate::hold::watching::Watching;
use crate::leftovers;
use crate::program::Program;
use crate::request::Request;
use crate::scope::Published;
use crate::summary::Summary;
use crate::visit::Visits;

/// What all programs of one watch share.
pub(crate) struct Session<'a> {
    engine: &'a Engine,
    request: &'a WatchRequest,
    control: &'a Control,
    watcher: Arc<dyn Watcher>,
    began: Duration,
    total: Summary,
}

/// How the watch of one program ended, as far as only the dispatcher knows.
pub(crate) struct Parting {
    pub(crate) summary: Summary,
    states: Vec<State>,
    blind: FxHashSet<NodeIndex>,
    secrets: FxHashSet<NodeIndex>,
    errands: Vec<Errand>,
    /// Nodes whose next visit was put off.
    put_off: FxHashSet<NodeIndex>,
    /// How it is at the end: what is failed, and what is not done.
    end: Summary,
}

impl<'a> Session<'a> {
    pub(crate) fn new(engine: &'a Engine, request: &'a WatchRequest, control: &'a Control) -> Result<Self> {
        let watcher = engine.host().watcher()?;
        control.attach(Some(watcher.clone()));
        let weak: Weak<dyn Watcher> = Arc::downgrade(&watcher);
        engine.stop.wake(move || weak.upgrade().into_iter().for_each(|watcher| watcher.nudge()));
        let began = engine.host().clock().elapsed();
        Ok(Self { engine, request, control, watcher, began, total: Summary::default() })
    }

    /// Holds a program, and those that follow it, until it is over.
    pub(crate) fn run(mut self, mut program: Arc<Program>, sink: Sink<'_>) -> Summary {
        let mut legacy = None;
        let mut generation = 0;
        loop {
            let audience = Audience::of(&program);
            let heir = match legacy.take() {
                None => Inheritance::none(&program, &audience),
                Some(legacy) => self.inherit(legacy, generation, &program, &audience, sink),
            };
            let (left, end) = self.hold(&program, audience, heir, sink);
            match self.control.take_next().filter(|_| !self.engine.stop.is_requested()) {
                Some((number, next)) => {
                    legacy = Some(left);
                    generation = number;
                    program = next;
                }
                None => {
                    self.control.attach(None);
                    return Summary { failed: end.failed, skipped: end.skipped, ..self.total };
                }
            }
        }
    }

    fn inherit(
        &self,
        legacy: Legacy,
        generation: u64,
        program: &Program,
        audience: &Audience,
        sink: Sink<'_>,
    ) -> Inheritance {
        let heir = legacy.pass_on(program, audience);
        heir.unwatched.iter().for_each(|token| _ = self.watcher.arm(*token, &[]));
        let written = program.list.len();
        let kept = heir.kept.iter().take(written).filter(|kept| **kept).count();
        let at = self.engine.host().clock().elapsed().saturating_sub(self.began);
        let kind = EventKind::Swapped { generation, kept, visited: written - kept, left: heir.left };
        sink(&crate::event::Event { at, kind });
        heir
    }

    /// Holds one program: what it leaves, and how it is at the end.
    fn hold(
        &mut self,
        program: &Arc<Program>,
        audience: Audience,
        heir: Inheritance,
        sink: Sink<'_>,
    ) -> (Legacy, Summary) {
        if !self.request.audit {
            leftovers::remove(program, self.engine.host(), &self.engine.stop);
        }
        let Inheritance { kept, tokens, armed, marks, blind, secrets, published, errands, .. } = heir;
        let watching = Watching::new(self.watcher.clone(), tokens, &armed, marks);
        let engine = self.engine;
        let request = Request { audit: self.request.audit, ..Request::from(Mode::Apply) };
        let visits = Visits::new(program, engine.host(), request, &engine.stop);
        let visits = visits.watched(&watching, Late::of(heir.late, heir.completed), Published::of(published));
        let mut hold = Hold::new(self.request, self.control, &visits, &watching, audience, kept);
        (hold.began, hold.blind, hold.secrets) = (self.began, blind, secrets);
        hold.set_polls(program);
        let mut dispatcher = Dispatcher::holding(&visits, engine.seed, &engine.stop, sink, Some(hold));
        errands.into_iter().for_each(|errand| dispatcher.errands.put_off(None, errand));
        let parting = executor::hold(&visits, dispatcher, &watching, engine.jobs);
        self.total.add(&parting.summary);
        let (published, late) = visits.part();
        let (tokens, armed, marks) = watching.part();
        let Parting { states, blind, secrets, errands, put_off, end, .. } = parting;
        let program = program.clone();
        (
            Legacy {
                program,
                states,
                tokens,
                armed,
                marks,
                blind,
                secrets,
                published,
                late,
                errands,
                put_off,
            },
            end,
        )
    }
}

/// How many written actions are not done: they are blocked, or were to be visited when the watch ended.
fn unfinished(program: &Program, states: &[State], limited: &FxHashSet<NodeIndex>) -> usize {
    let written = (0..).zip(states).take(program.list.len());
    let is_done = |(node, state): &(NodeIndex, &State)| match state {
        State::Calm => !limited.contains(node),
        state => **state == State::Failed,
    };
    written.filter(|one| !is_done(one)).count()
}

impl Dispatcher<'_> {
    /// The watch of a program is over.
    pub(crate) fn part(self) -> Parting {
        let mut errands: Vec<Errand> = self.errands.undone().collect();
        let summary = self.summary;
        let Some(hold) = self.hold else {
            let (blind, secrets) = (FxHashSet::default(), FxHashSet::default());
            let put_off = FxHashSet::default();
            return Parting { summary, states: Vec::new(), blind, secrets, errands, put_off, end: summary };
        };
        let hold = *hold;
        let failed = hold.states.iter().filter(|state| **state == State::Failed).count() + hold.owed.len();
        let limited: FxHashSet<NodeIndex> = hold.timers.nodes(Timer::Limit).collect();
        let unfinished = unfinished(self.program, &hold.states, &limited);
        // What was put off is not in order: the next program visits it.
        let put_off = limited.into_iter().chain(hold.timers.nodes(Timer::Retry)).collect();
        errands.extend(hold.owed.into_values());
        let end = Summary { failed, skipped: unfinished, ..Summary::default() };
        Parting {
            summary,
            states: hold.states,
            blind: hold.blind,
            secrets: hold.secrets,
            errands,
            put_off,
            end,
        }
    }
}
