//! Tests of formatting as a whole.

mod corpus;
mod generated;
mod golden;
mod growth;
mod law;
mod refusal;
