//! Tests of configurations: found, run, told.

mod document;
mod junit;
mod result;
mod search;
mod telling;
mod tests;

pub(crate) use search::Search;
pub(crate) use telling::refuse;
pub(crate) use tests::Tests;
