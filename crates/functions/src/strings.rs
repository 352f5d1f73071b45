//! Functions on strings.

pub(crate) mod affix;
pub(crate) mod format;
pub(crate) mod letters;
pub(crate) mod pieces;
mod verb;
