//! Evaluation of expressions.

mod address;
mod budget;
mod call;
mod collection;
mod evaluator;
mod fact;
mod frame;
mod member;
mod operation;
mod param;
mod path;
mod resource;
mod spread;
mod target;
mod template;
mod thunk;
mod undeclared;

pub(crate) use address::Many;
pub(crate) use budget::Budget;
pub(crate) use evaluator::{Evaluator, MISTAKE};
pub(crate) use frame::{Each, Env, Frame};
pub(crate) use param::wrong_type_of;
pub(crate) use path::StepTo;
pub(crate) use thunk::Memo;
