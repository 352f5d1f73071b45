//! Types, secrets, the environment, and errors in expressions.

pub(crate) mod conversion;
pub(crate) mod secrecy;
