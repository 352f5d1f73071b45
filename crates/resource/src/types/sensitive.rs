//! Secrets.

use std::fmt;

use uphold_model::{Claims, Problem, Role, SENSITIVE, Type, Value};

use crate::host::Reading;
use crate::interest::Interest;
use crate::property::{Context, Property};
use crate::rules;

/// A secret. Both sides of its differences are hidden everywhere, and so is every value that is computed from it.
/// [`expose`](Sensitive::expose) is the only access, so that a review can find all uses.
#[derive(Clone, PartialEq)]
pub struct Sensitive<T>(T);

impl<T> Sensitive<T> {
    /// Makes `value` a secret.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The secret value.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T: Property> Property for Sensitive<T> {
    const TYPE: &'static Type = &Type::Sensitive(T::TYPE);

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        T::from_value(&rules::reveal(value), context).map(Self).map_err(Problem::hidden)
    }

    fn to_value(&self) -> Value {
        self.0.to_value().sensitive()
    }

    fn settle(&self, current: Option<&Self>) -> Self {
        Self(self.0.settle(current.map(|current| &current.0)))
    }

    fn claim(&self, role: Role, claims: &mut Claims) {
        self.0.claim(role, claims);
    }

    fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.0.watch(role, host, interests);
    }
}

impl<T> fmt::Debug for Sensitive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SENSITIVE)
    }
}
