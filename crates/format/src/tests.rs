//! Tests of formatting as a whole.

mod generated;
mod golden;
mod growth;
mod law;
mod refusal;
