//! Downloads, checkouts and archives, on a machine in memory and on the real one.

mod git;
mod hostile;
mod laws;
mod packed;
