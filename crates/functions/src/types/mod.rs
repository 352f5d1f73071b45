//! Types, secrets, the environment, and what cannot be evaluated.

pub(crate) mod conversion;
pub(crate) mod secrecy;
