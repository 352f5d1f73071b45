//! A saved plan in the shape of OpenTofu's plans, for policy tools: `docs/plans.md` is the promise.

mod change;
mod document;
mod object;

pub(crate) use document::document;
