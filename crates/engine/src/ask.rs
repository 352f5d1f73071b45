//! What a resource asks of others that it was not known to tell: it declares resources of its own, and they do.

use std::time::Duration;

use uphold_model::{Action, Attribute, Declaration, Few, Moment, ResourceId, Term};
use uphold_resource::{Around, Asking, Error, ErrorKind, Level, Registry, Result, Stop};

use crate::dispatcher::{Dispatcher, certainty};
use crate::event::{Cause, EventKind, Mode, Unwanted, Verdict};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::lifecycle::Lifecycle;
use crate::nested_run::NestedRun;
use crate::notifications::{Notice, RunId};
use crate::program::set::ResourceIndex;
use crate::schedule::Visit;
use crate::visit::Visits;
use crate::visitor::{Said, Visitor};

/// An action of a resource, asked for by a visit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ask {
    pub(crate) resource: ResourceIndex,
    pub(crate) action: Action,
}

/// An ask that no entry of the list stands for: it is answered at the end of the run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Extra {
    pub(crate) ask: Ask,
    pub(crate) by: NodeIndex,
    pub(crate) moment: Moment,
    /// What it is a consequence of, itself the last: nothing is its own consequence.
    pub(crate) chain: Vec<Ask>,
    /// The notification run of the visit that sent it.
    pub(crate) run: Option<RunId>,
}

impl Extra {
    /// When it is done if that is the end of the run. A plan shows there what would be done at once.
    fn late(&self) -> Moment {
        match self.moment {
            Moment::OnSuccess => Moment::OnSuccess,
            _ => Moment::Delayed,
        }
    }
}

/// How an ask was answered.
pub(crate) struct Answer {
    pub(crate) ask: Ask,
    pub(crate) moment: Moment,
    pub(crate) verdict: Verdict,
    pub(crate) messages: Vec<(Level, String)>,
    pub(crate) took: Duration,
}

/// What came of an ask: how it was answered and all that was answered because of it, and what is left to be asked.
pub(crate) struct Answered {
    pub(crate) answers: Vec<Answer>,
    pub(crate) asks: Vec<Extra>,
}

impl Around for Visitor<'_> {
    fn kinds(&self) -> &Registry {
        self.visits.registry
    }

    fn stop(&self) -> &Stop {
        self.visits.stop
    }

    fn depth(&self) -> usize {
        1 + self.visits.host.around().map_or(0, Around::depth)
    }

    fn find(&self, id: &ResourceId) -> Option<Declaration> {
        let set = &self.visits.program.set;
        match set.find(id) {
            Some(resource) => self.visits.settled(resource).ok(),
            None => self.visits.around?.find(id),
        }
    }

    fn edit(&self, id: &ResourceId, attributes: Vec<Attribute>) -> Result<bool> {
        match (self.visits.program.set.find(id), self.visits.around) {
            (Some(_), _) => {
                let what = format!("{id} is part of the configuration, and cannot be edited while it runs");
                let hint = "edit it in the configuration, or declare it in a recipe";
                Err(Error::new(ErrorKind::Unsupported, what).hint(hint))
            }
            (None, Some(around)) => around.edit(id, attributes),
            (None, None) => Ok(false),
        }
    }

    fn ask(&self, asking: &Asking<'_>) -> Result<bool> {
        let Some(resource) = self.visits.program.set.find(asking.id) else {
            // Who is inside a plan only tries, whatever it believes.
            let tries = asking.tries || self.visits.mode() == Mode::Plan;
            let asking = Asking { tries, ..*asking };
            return self.visits.around.map_or(Ok(false), |around| around.ask(&asking));
        };
        let ask = Ask { resource, action: asking.action.clone() };
        match (self.visits.mode(), asking.tries, asking.moment) {
            // A plan tries twice: once to see what differs, and once to see how it would be then.
            (Mode::Plan, false, _) | (Mode::Apply, true, _) => {}
            (Mode::Apply, false, moment @ (Moment::Immediately | Moment::Before)) => {
                self.answer_now(ask, moment)?;
            }
            (.., moment) => self.note_ask(ask, moment),
        }
        Ok(true)
    }
}

impl Visitor<'_> {
    /// Does what was asked, there and then. What fails is a failure of who asked, too.
    fn answer_now(&self, ask: Ask, moment: Moment) -> Result<()> {
        let Some(extra) = self.extra(ask, moment) else { return Ok(()) };
        let answered = self.visits.answer(&extra);
        let failed = answered.answers.first().and_then(|answer| match &answer.verdict {
            Verdict::Failed(failure) => Some(failure.clone()),
            _ => None,
        });
        self.note_answers(answered);
        match failed {
            Some(failure) => {
                let id = self.visits.program.set.id(extra.ask.resource);
                Err(Error::new(failure.kind, failure.message).while_(id.to_string()))
            }
            None => Ok(()),
        }
    }
}

impl Visits<'_> {
    /// A declaration with all its values known.
    fn settled(&self, resource: ResourceIndex) -> Result<Declaration, Error> {
        let mut declaration = self.program.set.entry(resource).declaration.clone();
        let mut attributes = Vec::with_capacity(declaration.attributes.len());
        for attribute in declaration.attributes {
            let value = attribute.evaluate(&self.scope());
            let value = value.map_err(|refused| Error::new(ErrorKind::Invalid, refused.detail))?;
            attributes.extend(value.map(|value| Attribute { value: Term::Known(value), ..attribute }));
        }
        declaration.attributes = attributes.into();
        Ok(declaration)
    }

    /// Does what was asked, and what that asks for at once.
    pub(crate) fn answer(&self, extra: &Extra) -> Answered {
        let clock = self.host.clock();
        let began = clock.elapsed();
        let visitor = Visitor::answering(self, extra);
        let verdict = self.answer_as(&extra.ask, &visitor);
        let verdict = verdict.unwrap_or_else(|error| Verdict::Failed(Failure::from_error(&error)));
        let took = clock.elapsed().saturating_sub(began);
        let Said { messages, asks, answers } = visitor.into_said();
        let own = Answer { ask: extra.ask.clone(), moment: extra.moment, verdict, messages, took };
        Answered { answers: std::iter::once(own).chain(answers).collect(), asks }
    }

    fn answer_as(&self, ask: &Ask, visitor: &Visitor<'_>) -> Result<Verdict> {
        let mut declaration = self.settled(ask.resource)?;
        let told = declaration.meta.handling.as_mut().map(|handling| std::mem::take(&mut handling.notifies));
        declaration.meta.depends_on = Few::default();
        if let Some(handling) = &mut declaration.meta.handling {
            handling.subscribes.clear();
        }
        let inside = NestedRun {
            kinds: self.registry,
            host: &visitor.act(),
            mode: self.mode(),
            stop: self.stop,
            around: Some(visitor),
        };
        let verdict = inside.run_one(declaration, &ask.action)?;
        if matches!(verdict, Verdict::Changed(_) | Verdict::WouldChange(_)) {
            let tries = self.mode() == Mode::Plan;
            for told in told.into_iter().flatten() {
                let (id, action, moment) = (&told.other.target, &told.action, told.moment);
                visitor.ask(&Asking { id, action, moment, tries })?;
            }
        }
        Ok(verdict)
    }
}

impl<L: Lifecycle> Dispatcher<'_, L> {
    /// Tells what a visit has brought about at once, and sees to what is left to be asked: of what was changed, that is
    /// true even if something failed afterwards.
    pub(crate) fn take_asks(&mut self, visit: Visit, verdict: Option<&Verdict>, asked: Answered) {
        self.tell_answers(visit.node, asked.answers);
        let is_true = self.request.mode == Mode::Apply || verdict.and_then(certainty).is_some();
        for extra in asked.asks.into_iter().filter(|_| is_true) {
            match self.program.notifications.target(extra.ask.resource, &extra.ask.action) {
                Some(target) => {
                    let mut out = Vec::new();
                    let notice = Notice { target, moment: extra.late() };
                    self.notifications.requested(visit, notice, &mut out);
                    self.carry_out(out);
                }
                None => {
                    let moment = extra.late();
                    self.extras.put(Extra { run: visit.run(), moment, ..extra });
                }
            }
        }
    }

    fn tell_answers(&mut self, by: NodeIndex, answers: Vec<Answer>) {
        for answer in answers {
            self.tell_started(by, &answer.ask, answer.moment);
            self.tell_answer(by, answer);
        }
    }

    fn tell_answer(&mut self, by: NodeIndex, answer: Answer) {
        let Answer { ask, moment, verdict, messages, took } = answer;
        let (resource, action, cause) = self.describe_ask(by, &ask, moment);
        for (level, text) in messages {
            self.log.report(EventKind::Message { resource: resource.clone(), level, text });
        }
        self.summary.count(&verdict);
        self.log.report(EventKind::Finished { resource, action, cause, verdict, took });
    }

    fn tell_started(&mut self, by: NodeIndex, ask: &Ask, moment: Moment) {
        let (resource, action, cause) = self.describe_ask(by, ask, moment);
        self.log.report(EventKind::Started { resource, action, cause });
    }

    /// The next thing that was asked for and that no entry of the list stands for.
    pub(crate) fn next_extra(&mut self) -> Option<Extra> {
        while let Some(extra) = self.extras.take() {
            self.tell_started(extra.by, &extra.ask, extra.moment);
            if extra.moment != Moment::OnSuccess || !self.has_failed() {
                self.schedule.begin_unlisted();
                return Some(extra);
            }
            let Extra { ask, by, moment, .. } = extra;
            let verdict = Verdict::NotWanted(Unwanted::RunFailed);
            let (messages, took) = (Vec::new(), Duration::ZERO);
            self.tell_answer(by, Answer { ask, moment, verdict, messages, took });
        }
        None
    }

    /// It is done.
    pub(crate) fn finish_extra(&mut self, extra: &Extra, answered: Answered) {
        self.schedule.end_unlisted();
        let Answered { answers, asks } = answered;
        let verdict = answers.first().map(|own| own.verdict.clone());
        let mut answers = answers.into_iter();
        answers.next().into_iter().for_each(|own| self.tell_answer(extra.by, own));
        let asked = Answered { answers: answers.collect(), asks };
        let visit = extra.run.map_or(Visit::written(extra.by), |run| Visit::notified(extra.by, run));
        self.take_asks(visit, verdict.as_ref(), asked);
    }

    fn describe_ask(&self, by: NodeIndex, ask: &Ask, moment: Moment) -> (ResourceId, Action, Cause) {
        let cause = Cause::Notified { by: self.id(by).clone(), moment };
        (self.program.set.id(ask.resource).clone(), ask.action.clone(), cause)
    }
}
