//! What a resource asks of others that it was not known to tell: it declares resources of its own, and they do.

use uphold_model::{Action, Attribute, Declaration, Moment, ResourceId, Term};
use uphold_resource::{Around, Asking, Error, ErrorKind, Registry, Result, Stop};

use crate::dispatcher::Dispatcher;
use crate::event::{Cause, EventKind, Mode, Verdict};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::inside::Inside;
use crate::notices::Notice;
use crate::set::ResourceIndex;
use crate::turn::Turn;
use crate::visit::Visits;
use crate::visitor::Visitor;

/// An action of a resource, asked for by a visit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ask {
    pub(crate) resource: ResourceIndex,
    pub(crate) action: Action,
}

/// An ask that no entry of the list stands for: it is answered at the end of the run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Extra {
    pub(crate) ask: Ask,
    pub(crate) by: NodeIndex,
}

impl Around for Visitor<'_> {
    fn kinds(&self) -> &Registry {
        self.visits.registry
    }

    fn stop(&self) -> &Stop {
        self.visits.stop
    }

    fn find(&self, id: &ResourceId) -> Option<Declaration> {
        let set = &self.visits.program.set;
        match set.find(id) {
            Some(resource) => self.visits.settled(resource).ok(),
            None => self.visits.host.around()?.find(id),
        }
    }

    fn edit(&self, id: &ResourceId, attributes: Vec<Attribute>) -> Result<bool> {
        match (self.visits.program.set.find(id), self.visits.host.around()) {
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
            return self.visits.host.around().map_or(Ok(false), |around| around.ask(asking));
        };
        let ask = Ask { resource, action: asking.action.clone() };
        match (self.visits.mode(), asking.tries, asking.moment) {
            // A plan tries twice: once to see what differs, and once to see how it would be then.
            (Mode::Plan, false, _) | (Mode::Apply, true, _) => {}
            (Mode::Apply, false, Moment::Immediately | Moment::Before) => {
                self.visits.answer(&ask, self)?;
            }
            _ => self.note_ask(ask),
        }
        Ok(true)
    }
}

impl Visits<'_> {
    /// A declaration with all its values known.
    fn settled(&self, resource: ResourceIndex) -> Result<Declaration, Error> {
        let mut declaration = self.program.set.entry(resource).declaration.clone();
        for attribute in &mut declaration.attributes {
            let value = attribute.value.evaluate(&self.scope());
            let value = value.map_err(|refused| Error::new(ErrorKind::Invalid, refused.detail))?;
            attribute.value = Term::Known(value);
        }
        Ok(declaration)
    }

    /// Does what was asked, there and then.
    pub(crate) fn answer(&self, ask: &Ask, around: &dyn Around) -> Result<Verdict> {
        let mut declaration = self.settled(ask.resource)?;
        let told = declaration.meta.handling.as_mut().map(|handling| std::mem::take(&mut handling.notifies));
        declaration.meta.depends_on.clear();
        if let Some(handling) = &mut declaration.meta.handling {
            handling.subscribes.clear();
        }
        let inside = Inside { kinds: self.registry, host: self.host, mode: self.mode(), stop: self.stop };
        let verdict = inside.run_one(declaration, &ask.action)?;
        if matches!(verdict, Verdict::Changed(_) | Verdict::WouldChange(_)) {
            for told in told.into_iter().flatten() {
                let (id, action) = (&told.other.target, &told.action);
                around.ask(&Asking { id, action, moment: Moment::Delayed, tries: false })?;
            }
        }
        Ok(verdict)
    }

    /// Does what was asked of a resource that no entry of the list stands for, at the end of the run.
    pub(crate) fn answer_late(&self, extra: &Extra) -> Verdict {
        let visitor = Visitor::new(self, extra.by, false);
        self.answer(&extra.ask, &visitor).unwrap_or_else(|error| Verdict::Failed(Failure::from_error(&error)))
    }
}

impl Dispatcher<'_> {
    /// A visit changed something, and asks for what comes of that.
    pub(crate) fn take_asks(&mut self, turn: Turn, asks: Vec<Ask>) {
        for ask in asks {
            match self.program.notices.handler(ask.resource, &ask.action) {
                Some(handler) => self.put_off_notice(turn, Notice { handler, moment: Moment::Delayed }),
                None => {
                    let is_new = self.extras.iter().all(|extra| extra.ask != ask);
                    self.extras.extend(is_new.then_some(Extra { ask, by: turn.node }));
                }
            }
        }
    }

    /// The next thing that was asked for and that no entry of the list stands for.
    pub(crate) fn next_extra(&mut self) -> Option<Extra> {
        let extra = self.extras.pop_front()?;
        self.in_flight += 1;
        let (resource, action, cause) = self.describe_extra(&extra);
        self.say(EventKind::Started { resource, action, cause });
        Some(extra)
    }

    /// It is done.
    pub(crate) fn finish_extra(&mut self, extra: &Extra, verdict: Verdict, took: std::time::Duration) {
        self.in_flight -= 1;
        self.summary.count(&verdict);
        let (resource, action, cause) = self.describe_extra(extra);
        self.say(EventKind::Finished { resource, action, cause, verdict, took });
    }

    fn describe_extra(&self, extra: &Extra) -> (ResourceId, Action, Cause) {
        let by = self.id(extra.by).clone();
        let cause = Cause::Notified { by, moment: Moment::Delayed };
        (self.program.set.id(extra.ask.resource).clone(), extra.ask.action.clone(), cause)
    }
}
