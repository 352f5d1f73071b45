//! The view of the machine for `load`.

use std::ops::Deref;

use super::Reading;
use crate::instance::Desired;

/// A [`Reading`] for one resource, with the use of its state: to converge it, to remove it, or only to read it.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    host: Reading<'a>,
    desired: Option<Desired>,
    /// Whether a property is needed; by default the run decides.
    needs: Option<&'a (dyn Fn(&str) -> bool + Sync)>,
}

impl<'a> Look<'a> {
    /// A look at a resource that is to be converged or removed.
    pub fn to(desired: Desired, host: &Reading<'a>) -> Self {
        Self { host: *host, desired: Some(desired), needs: None }
    }

    /// A look at a resource that is only read.
    pub fn to_read(host: &Reading<'a>) -> Self {
        Self { host: *host, desired: None, needs: None }
    }

    /// The same look for exactly these properties.
    #[must_use]
    pub fn needing<'b>(&self, needs: &'b (dyn Fn(&str) -> bool + Sync)) -> Look<'b>
    where
        'a: 'b,
    {
        Look { needs: Some(needs), ..*self }
    }

    /// The desired existence of the resource; `None` if its state is only read, neither compared with a declaration nor
    /// removed. The whole state of a resource that is removed is shown as lost.
    pub fn desired(&self) -> Option<Desired> {
        self.desired
    }

    /// Whether the value of a property is used: the user set it, another resource refers to it, or it is read directly.
    /// `load` can leave out the others if they are expensive.
    pub fn needs(&self, property: &str) -> bool {
        match self.needs {
            Some(needs) => needs(property),
            None => self.host.view.needs(property),
        }
    }
}

impl<'a> Deref for Look<'a> {
    type Target = Reading<'a>;

    fn deref(&self) -> &Reading<'a> {
        &self.host
    }
}
