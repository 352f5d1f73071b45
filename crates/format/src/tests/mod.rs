//! The layout as a whole: what it does, and what it never does.

mod corpus;
mod generated;
mod golden;
mod growth;
mod law;
mod refusal;
