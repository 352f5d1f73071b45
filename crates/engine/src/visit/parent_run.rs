//! The run as its nested resources see it: its kinds, and its resources, which they can notify.

use uphold_model::{Action, Attribute, Declaration, Diagnostic, Moment, ResourceId, Term};
use uphold_resource::{Around, Error, ErrorKind, NestedNotification, Registry, Result, Stop};

use crate::event::Mode;
use crate::failure::with_hint;
use crate::program::decode::check_action;
use crate::program::did_you_mean::nearest;
use crate::program::set::ResourceIndex;
use crate::visit::Visits;
use crate::visitor::Visitor;

/// An action that a nested resource notifies.
#[derive(Clone, Debug)]
pub(crate) struct NestedRequest {
    pub(crate) resource: ResourceIndex,
    pub(crate) action: Action,
    pub(crate) moment: Moment,
    /// Whether the sender has to do with a secret.
    pub(crate) secret: bool,
}

/// Hands notifications of nested resources to the dispatcher.
pub(crate) trait Notifier: Sync {
    /// Before or immediately: returns when the notified action is over.
    ///
    /// # Errors
    /// If that action fails, or cannot run.
    fn notify(&self, request: &NestedRequest) -> Result<()>;
}

impl Around for Visitor<'_> {
    fn kinds(&self) -> &Registry {
        &self.program.registry
    }

    fn stop(&self) -> &Stop {
        self.visits.stop
    }

    fn depth(&self) -> usize {
        1 + self.visits.host.around().map_or(0, Around::depth)
    }

    fn find(&self, id: &ResourceId) -> Option<Declaration> {
        match self.program.set.find(id) {
            Some(resource) => self.visits.settled(resource).ok(),
            None => self.visits.around?.find(id),
        }
    }

    fn nearest(&self, id: &ResourceId) -> Option<String> {
        nearest(&self.program.set, id, None).or_else(|| self.visits.around?.nearest(id))
    }

    fn edit(&self, id: &ResourceId, attributes: Vec<Attribute>) -> Result<bool> {
        match (self.program.set.find(id), self.visits.around) {
            (Some(_), _) => {
                let what = format!("{id} is part of the configuration, and cannot be edited while it runs");
                let hint = "edit it in the configuration, or declare it in a recipe";
                Err(Error::new(ErrorKind::Unsupported, what).hint(hint))
            }
            (None, Some(around)) => around.edit(id, attributes),
            (None, None) => Ok(false),
        }
    }

    /// A plan runs a body twice, to find differences and to predict the result: the first time counts. An apply runs it to
    /// find differences, and then acts: the second time counts.
    fn notify(&self, sent: &NestedNotification<'_>) -> Result<bool> {
        let tries = self.visits.mode() == Mode::Plan;
        let counts = sent.counts && sent.tries == tries;
        let Some(resource) = self.program.set.find(sent.id) else {
            let Some(around) = self.visits.around else { return Ok(false) };
            let notify = || around.notify(&NestedNotification { counts, ..*sent });
            return self.limits.suspend(self.visits.host.clock(), notify);
        };
        self.check_action(sent)?;
        let (action, moment, secret) = (sent.action.clone(), sent.moment, self.is_secret());
        let request = NestedRequest { resource, action, moment, secret };
        match self.notifier {
            _ if sent.counts && sent.tries && !tries => self.foresee(request),
            _ if !counts => {}
            _ if tries => self.note_request(request),
            Some(notifier) => self.deliver(notifier, &request)?,
            None => {}
        }
        Ok(true)
    }
}

impl Visitor<'_> {
    fn check_action(&self, sent: &NestedNotification<'_>) -> Result<()> {
        let kind = self.program.registry.get(&sent.id.kind);
        let refused = kind.and_then(|kind| check_action(kind.schema(), sent.action, None));
        let Some(Diagnostic { detail, fix, .. }) = refused else { return Ok(()) };
        Err(with_hint(Error::new(ErrorKind::Invalid, detail), fix))
    }

    fn deliver(&self, notifier: &dyn Notifier, request: &NestedRequest) -> Result<()> {
        let _one = self.notifying.lock();
        match request.moment {
            Moment::Delayed | Moment::OnSuccess => notifier.notify(request),
            Moment::Before | Moment::Immediately => {
                self.limits.suspend(self.visits.host.clock(), || notifier.notify(request))
            }
        }
    }
}

impl Visits<'_> {
    /// A declaration with all its values known.
    fn settled(&self, resource: ResourceIndex) -> Result<Declaration> {
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
}
