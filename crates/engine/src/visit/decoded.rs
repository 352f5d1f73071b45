//! The declared resource of a visit.

use std::ops::Deref;

use uphold_resource::Instance;

use crate::visit::early_exit::EarlyExit;
use crate::visitor::Visitor;

/// A resource as declared. Visits never change it.
pub(crate) enum Decoded<'a> {
    /// Decoded before the run: all visits share it.
    Before(&'a dyn Instance),
    /// Decoded by this visit, because it reads other resources.
    Now(Box<dyn Instance>),
}

impl<'a> Deref for Decoded<'a> {
    type Target = dyn Instance + 'a;

    fn deref(&self) -> &(dyn Instance + 'a) {
        match self {
            Self::Before(instance) => *instance,
            Self::Now(instance) => &**instance,
        }
    }
}

impl<'a> Visitor<'a> {
    /// The resource of this visit.
    pub(crate) fn decoded(&self) -> Result<Decoded<'a>, EarlyExit> {
        match self.slot().instance.as_deref() {
            Some(instance) => Ok(Decoded::Before(instance)),
            None => self.decode().map(Decoded::Now),
        }
    }
}
