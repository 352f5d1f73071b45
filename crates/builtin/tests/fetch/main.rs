//! What comes from servers and out of archives, on the machine in memory and on the real one.

mod git;
mod hostile;
mod laws;
mod packed;
